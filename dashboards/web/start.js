// Starts a run of a simulation, or a study of it: what it takes as a form, with sliders where it declares bounds.
import { $, empty, fill, h, inWords, number } from "./dom.js";
import { pagePath } from "./addresses.js";
import { get, post } from "./api.js";
import { chosen, minds, pace, row } from "./playing.js";

const EVERY_MS = 400, KINDS = { whole: "number", number: "number", text: "text" };
const named = ({ label, unit }) => (unit ? `${label} (${unit})` : label);

export class StartPage {
  constructor(frame) { Object.assign(this, { frame, forms: new Map() }); }

  async open() {
    fill($("#top"), this.frame.header(h("div", { class: "title" }, h("h1", {}, "Start"), h("p", { class: "note" }, "A run, or a study of several"))));
    $("#main").className = "start";
    const { simulations, may_steer: may } = await get("/api/simulations"), asked = new URLSearchParams(location.search).get("simulation");
    this.may = may;
    this.picked = simulations.find(({ name }) => name === asked) ?? simulations.find(({ name }) => name === "town_day") ?? simulations[0];
    const row = (each) => h("label", {}, h("input", { type: "radio", name: "simulation", value: each.name, checked: each === this.picked, onchange: () => this.pick(each) }), h("span", {}, h("b", {}, inWords(each.name)), h("small", {}, each.about)));
    this.form = h("form", { class: "card pad", id: "start-form", "aria-label": "What it is made with", onsubmit: (event) => { event.preventDefault(); this.start(event.submitter?.value === "study"); } });
    this.said = h("div", { class: "started", role: "status", id: "started" });
    fill($("#main"), h("section", { class: "card pad", "aria-label": "Simulations" }, h("div", { class: "choices", role: "radiogroup", "aria-label": "Simulation" }, simulations.map(row))), h("div", { class: "left" }, this.form, this.said));
    await this.pick(this.picked);
    const list = $("#main > section"), from = (element) => element.getBoundingClientRect().top;
    list.scrollTop += from($("#main .choices :checked").closest("label")) - from(list) - list.clientHeight / 2; // the list alone, not the page
    document.documentElement.dataset.ready = "yes";
    this.watch();
  }

  async pick(simulation) {
    this.picked = simulation;
    history.replaceState(null, "", `/start?simulation=${encodeURIComponent(simulation.name)}`);
    try {
      const told = await get("/api/simulations", { name: simulation.name });
      if (this.picked === simulation) this.draw(simulation, told);
    } catch (error) { fill(this.form, empty(error.message)); }
  }

  draw({ name, about }, { steps, options, thinks }) {
    this.options = options;
    const whole = (key, label, value, least) => row(key, label, "", h("input", { type: "number", id: `start-${key}`, name: key, min: String(least), step: "1", value: String(value ?? "") }));
    const varied = h("select", { id: "start-vary", name: "vary", onchange: () => { values.disabled = !varied.value; } }, [h("option", { value: "" }, "nothing: replicates alone"), ...options.map((option) => h("option", { value: option.name }, named(option)))]);
    const values = h("input", { type: "text", id: "start-values", name: "values", placeholder: "0.3, 0.5, 0.7", disabled: true });
    const numbers = options.filter(({ kind }) => kind !== "text"), texts = options.filter(({ kind }) => kind === "text");
    fill(this.form, h("h2", {}, inWords(name)), h("p", { class: "note" }, about), this.may ? null : h("p", { class: "error" }, "This page may look and not start anything. Open the address with ?token= that cave-sim printed."),
      h("div", { class: "settings" }, whole("seed", "Seed", 7, 0), whole("steps", "Steps", steps, 1), numbers.map((option) => this.option(option))),
      texts.length ? h("details", { "data-name": "more", open: texts.some(({ needed }) => needed) }, h("summary", {}, "More: texts and files"), h("div", { class: "settings" }, texts.map((option) => this.option(option)))) : null,
      thinks ? minds("start", "Minds: a language model thinks for them", "without one they follow their scripts") : null,
      h("p", { class: "buttons" }, pace("start"), h("button", { class: "strong", id: "start-run", value: "run", disabled: !this.may }, "Start the run")),
      h("fieldset", {}, h("legend", {}, "Or a study"), h("div", { class: "settings" }, whole("seeds", "Seeds", 5, 1), row("vary", "Vary", "", varied), row("values", "Its values", "the first is what the others are compared with", values)),
        h("button", { class: "quiet", id: "start-study", value: "study", disabled: !this.may }, "Start the study")));
  }

  // Who thinks, as `cave-sim run` asks for it: nobody unless a model is named.
  // What declares both its bounds is a slider; what was not touched is left as the simulation has it.
  option(option) {
    const { name, about, takes, usual, needed, kind, choices, low, high } = option, label = named(option);
    const id = `start-${name}`, touched = ({ target }) => { target.dataset.touched = "yes"; }, common = { id, name, "data-kind": kind, required: needed, onchange: touched };
    const slides = low !== undefined && high !== undefined, told = [about, slides || kind === "choice" || kind === "yes" || takes === "a text" ? "" : takes].filter(Boolean).join("; ");
    if (kind === "yes") return row(name, label, told, h("input", { type: "checkbox", ...common, checked: Boolean(usual) }));
    if (kind === "choice") return row(name, label, told, h("select", common, choices.map((word) => h("option", { value: word, selected: word === usual }, word === "" ? "–" : inWords(word)))));
    if (slides) {
      const output = h("output", { for: id }, usual === null ? "as usual" : number(usual, 4)), fine = kind === "whole" ? 1 : (high - low) / 100;
      const slider = h("input", { type: "range", ...common, min: String(low), max: String(high), step: String(fine), value: String(usual ?? low), oninput: ({ target }) => { output.textContent = number(Number(target.value), 4); } });
      return row(name, label, told, slider, output);
    }
    const bounds = { min: low === undefined ? null : String(low), max: high === undefined ? null : String(high), step: kind === "whole" ? "1" : "any" };
    return row(name, label, told, h("input", { type: KINDS[kind], ...common, ...(kind === "text" ? {} : bounds), value: usual === null ? "" : String(usual), placeholder: usual === null && !needed ? "as usual" : null }));
  }

  chosen() {
    const read = (field) => ({ yes: () => field.checked, whole: () => Number(field.value), number: () => Number(field.value) })[field.dataset.kind]?.() ?? field.value;
    const touched = this.options.map(({ name }) => $(`#start-${CSS.escape(name)}`)).filter((field) => field.dataset.touched && (field.value !== "" || field.dataset.kind === "choice"));
    return Object.fromEntries(touched.map((field) => [field.name, read(field)]));
  }

  async start(study) {
    const field = (key) => $(`#start-${key}`).value, wish = { simulation: this.picked.name, seed: Number(field("seed")), options: this.chosen() };
    if (field("steps")) wish.steps = Number(field("steps"));
    if (!study) Object.assign(wish, chosen("start"));
    if (study) Object.assign(wish, { seeds: Number(field("seeds")), ...(field("vary") ? { vary: field("vary"), values: valuesOf(field("values")) } : {}) });
    try {
      const { run } = await post("/api/start", wish);
      this.frame.notice("");
      this.awaited = { run, page: study ? "/study" : pagePath(run) };
      this.watch();
    } catch (error) { this.frame.notice(error.message, "bad"); }
  }

  // What was started here, until it is over; the page goes to it as soon as there is something to see.
  async watch() {
    clearTimeout(this.timer);
    const { forks, branches } = await get("/api/tree").catch(() => ({ forks: [], branches: [] }));
    const known = new Set(branches.filter(({ error }) => !error).map(({ run }) => run)), awaited = forks.find(({ run }) => run === this.awaited?.run);
    if (awaited && (known.has(awaited.run) || [...known].some((run) => run.startsWith(`${awaited.run}/`)))) { location.assign(this.awaited.page); return; }
    if (awaited?.status === "failed") { // the list of what was started is below the form, and may be out of sight
      this.frame.notice(`${awaited.run} did not begin: ${awaited.trouble || "it ended with an error, and did not say which"}`, "bad");
      this.awaited = null;
    }
    fill(this.said, forks.length ? h("section", { class: "card pad" }, h("h2", {}, "Started here"), h("ul", { class: "plain" }, forks.map((each) => h("li", { class: "node" }, known.has(each.run) ? h("a", { href: pagePath(each.run) }, each.run) : h("b", {}, each.run), h("span", { class: "status", "data-state": each.status }, each.status),
      each.trouble ? h("span", { class: "error" }, each.trouble) : null, each.status === "running" ? h("button", { type: "button", class: "quiet", onclick: () => post("/api/end", { run: each.run }).then(() => this.watch()) }, "Stop") : null)))) : null);
    if (forks.some(({ status }) => status === "running") || this.awaited) this.timer = setTimeout(() => this.watch(), EVERY_MS);
  }
}

// Numbers as numbers, words as words.
const valuesOf = (text) => text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => (Number.isFinite(Number(part)) ? Number(part) : part));
