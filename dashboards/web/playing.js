// How a run that a page begins is played, a new one or a fork: at what pace, and who thinks in it, with what it may cost.
import { $, h } from "./dom.js";

const PACES = [["6", "6 steps/s, to watch it"], ["1", "1 step/s"], ["20", "20 steps/s"], ["", "as fast as it goes"]];
const TEXTS = ["model", "api_base", "gguf"], LIMITS = ["max_calls", "max_usd"];

export const pace = (id) => h("label", { class: "row" }, "Pace ", h("select", { id: `${id}-speed` }, PACES.map(([value, text]) => h("option", { value }, text))));

// One setting: its label, its field, and what it is about.
export function row(key, label, about, control, ...more) {
  return h("div", { class: "setting", "data-option": key }, h("label", { for: control.id }, label), h("div", { class: "row" }, control, ...more), about ? h("small", {}, about) : null);
}

export function minds(id, title, unless) {
  const field = (key, label, about, kind, more = {}) => row(key, label, about, h("input", { type: kind, id: `${id}-${key}`, name: key, ...more }));
  return h("details", { "data-name": "minds" }, h("summary", {}, title), h("div", { class: "settings" },
    field("model", "Model", `scripted, local, or a litellm name such as ollama/qwen2.5-coder; ${unless}`, "text", { list: `${id}-models` }), h("datalist", { id: `${id}-models` }, ["scripted", "local"].map((value) => h("option", { value }))),
    field("api_base", "Server of your own", "for a model openai/NAME: its address, which ends in /v1", "url"),
    field("gguf", "Weights", "for the model local: a .gguf file on this machine", "text"),
    field("max_calls", "Calls at most", "it is asked no more than so often", "number", { min: "1", step: "1" }),
    field("max_usd", "Spent at most (USD)", "for a model with a price", "number", { min: "0", step: "any" })));
}

// What was chosen, as the server takes it; what was left alone is left out.
export function chosen(id) {
  const said = (keys, read) => keys.map((key) => [key, $(`#${id}-${key}`)?.value.trim()]).filter(([, text]) => text).map(([key, text]) => [key, read(text)]);
  return Object.fromEntries([...said(TEXTS, String), ...said(LIMITS, Number), ...said(["speed"], Number)]);
}
