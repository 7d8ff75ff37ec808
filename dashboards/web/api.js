// What the server is asked, and the line to its live edge.
const words = new URLSearchParams(location.search);
if (words.has("token")) {
  sessionStorage.setItem("token", words.get("token"));
  words.delete("token");
  history.replaceState(null, "", location.pathname + (words.size ? `?${words}` : "") + location.hash);
}
const token = () => sessionStorage.getItem("token") ?? "";

// `answered`: the server said no, and would say so again; otherwise it was not reached.
export class Trouble extends Error {
  constructor(text, answered = false) { super(text); this.answered = answered; }
}

async function told(response) {
  if (response.ok) return response;
  const text = await response.text();
  let reason = text;
  try { reason = JSON.parse(text).error; } catch { /* it was no JSON: say it as it is */ }
  throw new Trouble(reason || `the server answered ${response.status}`, true);
}

async function reach(address, options) {
  try {
    return await told(await fetch(address, { headers: { "x-cave-token": token(), ...options?.headers }, ...options }));
  } catch (error) {
    if (error instanceof Trouble || error.name === "AbortError") throw error;
    throw new Trouble("the server does not answer; is cave-sim still running?");
  }
}

const query = (wanted) => {
  const given = Object.entries(wanted ?? {}).flatMap(([key, value]) => (Array.isArray(value) ? value.map((each) => [key, each]) : [[key, value]]));
  return new URLSearchParams(given.filter(([, value]) => value !== "" && value !== null && value !== undefined)).toString();
};
export const address = (path, wanted) => `${path}${wanted ? `?${query(wanted)}` : ""}`;
export const runPath = (run, what) => `/api/run/${run.split("/").map(encodeURIComponent).join("/")}/${what}`;
export const pagePath = (run) => `/run/${run.split("/").map(encodeURIComponent).join("/")}`;
export const get = async (path, wanted, signal) => (await reach(address(path, wanted), { signal })).json();
export const getBytes = async (path, wanted) => (await reach(address(path, wanted))).arrayBuffer();
export const post = async (path, wish) => (await reach(path, { method: "POST", body: JSON.stringify(wish) })).json();

// The head of a packed message, and where its arrays begin.
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))), 4 + length];
}

// One WebSocket for one run; it comes back by itself, and says what it does meanwhile.
export class Line {
  constructor(run, { onStatus, onDelta, onLost }) {
    Object.assign(this, { run, onStatus, onDelta, onLost, wait_ms: 250, closed: false });
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws?run=${encodeURIComponent(this.run)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }) => {
      this.wait_ms = 250;
      if (typeof data === "string") this.onStatus(JSON.parse(data));
      else this.onDelta(data);
    };
    this.socket.onclose = () => {
      if (this.closed) return;
      this.onLost(this.wait_ms);
      setTimeout(() => this.open(), this.wait_ms);
      this.wait_ms = Math.min(5000, this.wait_ms * 1.6);
    };
  }

  drawn() { if (this.socket.readyState === WebSocket.OPEN) this.socket.send("drawn"); }
  close() { this.closed = true; this.socket.close(); }
}
