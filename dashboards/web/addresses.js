// Addresses of what a page asks for, and of the pages; what a message holds; what goes wrong.
// `answered`: the server said no, and would say so again; otherwise it was not reached.
export class Trouble extends Error {
  constructor(text, answered = false) { super(text); this.answered = answered; }
}

const query = (wanted) => {
  const given = Object.entries(wanted ?? {}).flatMap(([key, value]) => (Array.isArray(value) ? value.map((each) => [key, each]) : [[key, value]]));
  return new URLSearchParams(given.filter(([, value]) => value !== "" && value !== null && value !== undefined)).toString();
};
export const address = (path, wanted) => `${path}${wanted ? `?${query(wanted)}` : ""}`;
export const runPath = (run, what) => `/api/run/${run.split("/").map(encodeURIComponent).join("/")}/${what}`;
export const pagePath = (run) => `/run/${run.split("/").map(encodeURIComponent).join("/")}`;

// The head of a packed message, and where its arrays begin.
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), 4 + length];
}
