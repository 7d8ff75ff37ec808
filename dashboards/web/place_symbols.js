// A symbol for each kind of place, one for word that goes round, and a key of them.
import { h } from "./dom.js";

export const SYMBOLS = ["square", "diamond", "triangle-up", "cross", "star", "pentagon", "hexagon", "triangle-down"];
export const MARKERS = {
  square: "M2 2h8v8H2z", diamond: "M6 0l6 6-6 6-6-6z", "triangle-up": "M6 1l5.5 9.5H.5z", "triangle-down": "M6 11L.5 1.5h11z", cross: "M4 1h4v3h3v4H8v3H4V8H1V4h3z",
  star: "M6 0l1.7 4H12L8.6 6.9 10 11.5 6 8.7 2 11.5 3.4 6.9 0 4h4.3z", pentagon: "M6 .5l5.5 4.2-2.1 6.8H2.6L.5 4.7z", hexagon: "M3 1h6l3 5-3 5H3L0 6z",
  "circle-open": "M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zM6 2.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 1 1 0-7z",
};
export const OTHER_KINDS = "circle-open";
export const LETTER = "M0 1.5h12L6 6.6zM0 3.2l6 5 6-5v7.3H0z";

export function keyOf(kind, symbol) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", MARKERS[symbol] ?? symbol);
  svg.append(path);
  return h("span", {}, svg, kind);
}
