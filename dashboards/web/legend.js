// The legend: how many do what, each with its colour and sign.
import { h, token } from "./dom.js";
import { signInk, signOf } from "./faces.js";
import { svg } from "./figure.js";

export const entry = (colour, word, many) => h("span", { style: `--c:var(${colour});--on:${signInk(token(colour))}` }, signed(word), `${word} `, h("b", {}, String(many)));

// Where nobody does anything that has a word: how many there are of each type.
export function crowds(movers, colour) {
  const counts = new Map();
  for (const { type } of movers) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, many]) => entry(colour, type, many));
}

function signed(word) {
  const sign = signOf(word), dot = h("i", { class: sign ? "dot sign" : "dot" });
  if (sign) dot.append(svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("path", { d: sign })));
  return dot;
}
