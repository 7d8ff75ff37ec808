// Why a value is what it is: forks without one thing after the other, ranked, each beside the fact.
import { CYCLE, empty, fill, h, number } from "../dom.js";
import { runPath } from "../addresses.js";
import { get, post, source } from "../api.js";
import { LineChart } from "../line_chart.js";
import { isOpen, show, shown } from "../store.js";

const EVERY_MS = 500, SHOWN = 12;
const AMONG = [["turns", "single acts"], ["agents", "people, all they did"], ["announcements", "what was said"], ["interventions", "interventions"], ["prompt-parts", "parts of prompts"]];

export class Causes {
  constructor(page) {
    Object.assign(this, { page, target: "", picked: null });
    this.among = h("select", { id: "why-among", "aria-label": "Look for causes among", onchange: () => this.about(this.target, true) }, AMONG.map(([value, text]) => h("option", { value }, text)));
    this.forks = h("input", { id: "why-forks", type: "number", min: "1", max: "500", value: "20", "aria-label": "At most so many forks" });
    this.go = h("button", { type: "button", id: "why-go", onclick: () => this.ask() }, "Why?");
    this.stop = h("button", { type: "button", id: "why-stop", class: "quiet", hidden: true, onclick: () => this.end() }, "Stop");
    this.body = h("div", { id: "why-found", role: "log", "aria-label": "Causes" });
    this.controls = h("div", { class: "filters why" }, this.go, h("label", {}, "among", this.among), h("label", { title: "In each, the run is lived again without one of them" }, this.forks, "forks"), this.stop);
    this.box = h("section", { id: "why", hidden: true }, source.isSaved ? null : this.controls, this.body);
  }

  // Another value, or another step: what is known of it is shown, and nothing is asked. What was asked stays while the page follows the run.
  async about(target, anew = false) {
    const step = Math.floor(shown.step), wanted = `${target} ${step} ${this.among.value}`;
    this.box.hidden = !target || step < 1;
    const follows = this.asked && shown.live && target === this.target;
    if (this.box.hidden || (!anew && (follows || this.wanted === wanted))) return;
    Object.assign(this, { target, step, wanted, asked: false, picked: null });
    const told = `cave-sim why ${quoted(this.page.overview.folder)} ${quoted(target)} --at ${step}`;
    if (source.isSaved) return fill(this.body, h("p", { class: "note" }, "A saved page lives nothing again. To ask why, of a number or a condition, in the folder above the run: ", h("code", {}, told)));
    this.go.disabled = !this.page.overview.may_steer;
    this.go.title = this.go.disabled ? "This page may look and not ask: open the address with ?token= that was printed" : "Live the run again without one thing after the other (it is only read)";
    fill(this.body);
    await this.look(wanted);
  }

  async look(wanted) {
    if (this.wanted !== wanted) return;
    try {
      const told = await get(runPath(shown.run, "why"), { target: this.target, step: this.step, among: this.among.value });
      if (this.wanted !== wanted) return;
      this.paint(told);
      if (told.status === "running") setTimeout(() => this.look(wanted), isOpen("blame") ? EVERY_MS : 4 * EVERY_MS);
    } catch (error) { if (this.wanted === wanted) fill(this.body, error.answered ? null : h("p", { class: "error" }, error.message)); }
  }

  async ask() {
    if (this.go.disabled) return;
    const step = Math.floor(shown.step);
    Object.assign(this, { step, wanted: `${this.target} ${step} ${this.among.value}`, asked: true, picked: null });
    await this.wish({ do: "start", forks: Number(this.forks.value) });
  }

  end() { return this.wish({ do: "stop" }); }

  async wish(wish) {
    const wanted = this.wanted;
    try {
      this.paint(await post(runPath(shown.run, "why"), { ...wish, target: this.target, step: this.step, among: this.among.value }));
      setTimeout(() => this.look(wanted), EVERY_MS / 2);
    } catch (error) { fill(this.body, h("p", { class: "error" }, error.message)); }
  }

  paint(told) {
    this.stop.hidden = told.status !== "running";
    this.box.dataset.status = told.status;
    if (told.status === "none") return fill(this.body);
    if (told.status === "failed") return fill(this.body, h("p", { class: "error" }, told.trouble || "It could not be worked out."));
    const tried = told.effects, causes = told.found?.causes ?? tried.filter(({ effect }) => effect).sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
    const unknown = tried.filter(({ effect }) => effect === null), going = told.status === "running";
    const progress = going ? (told.of ? `${number(told.tried)} of ${number(told.of)} tried …` : "the run is lived again as it was, to see that forks are exact …") : `${number(tried.length)} tried${told.status === "stopped" ? ", then stopped" : told.of > tried.length ? ` of ${number(told.of)}: allow more forks to go on` : ""}`;
    fill(this.body,
      h("p", { class: "note" }, h("b", {}, told.question), ` at step ${told.step}: `, progress),
      causes.length ? h("ol", { class: "causes" }, causes.slice(0, SHOWN).map((cause) => this.cause(cause, told))) : going ? null : empty("No cause among what is known."),
      causes.length > SHOWN ? h("p", { class: "note" }, `and ${number(causes.length - SHOWN)} more`) : null,
      unknown.length ? h("p", { class: "note" }, `${number(unknown.length)} not known: ${unknown[0].unknown}`) : null,
      going ? null : h("p", { class: "note" }, "Exact for this very history; other seeds may differ: ", h("code", {}, `${told.command} --seeds 5`)));
  }

  cause(cause, told) {
    const open = this.picked === cause.name + cause.told;
    const bool = cause.pairs.length && typeof cause.pairs[0][0] === "boolean";
    const effect = bool ? (cause.pairs[0][0] ? "brought it about" : "prevented it") : `${cause.effect > 0 ? "+" : ""}${number(cause.effect, 4)}`;
    const dated = cause.kind !== "agents", button = h("button", { type: "button", class: "link", "aria-expanded": String(open), onclick: () => { this.picked = open ? null : cause.name + cause.told; this.paint(told); } }, h("b", { class: "number" }, effect), " ", this.inNames(cause.name, cause.kind === "agents" ? /^[\p{L}_][\p{L}\p{N}_]*/u : /[\p{L}_][\p{L}\p{N}_]*$/u));
    return h("li", {}, h("p", {}, button), h("p", { class: "note" }, this.inNames(cause.told, /(?<![\w.])[a-z]+(_[a-z0-9]+)+(?![\w(])/g)),
      open ? h("div", { class: "trace" }, this.trace(cause, told), dated && cause.turns.length ? h("button", { type: "button", class: "quiet", onclick: () => show({ turn: String(cause.turns[0]), tab: "turn" }) }, "The turn") : null) : null);
  }

  // A text in which those of the run that a pattern finds are called as the rest of the page calls them.
  inNames(text, pattern) { return text.replace(pattern, (name) => (this.page.entities.has(name) ? this.page.called(name) : name)); }

  // The fact, and what it would have been without the cause, over time.
  trace(cause, told) {
    const fact = told.found?.trace;
    if (!fact) return empty("The lines come once all is tried.");
    const line = (name, points, colour) => ({ name, colour, steps: points.map(([step]) => step), values: points.map(([, value]) => value) });
    const host = h("div", { class: "figure" }), chart = new LineChart(host, { clock: this.page.clock, label: `${told.question}, with and without ${cause.name}`, onPick: (step) => show({ step, live: false }) });
    chart.show([line("as it was", fact, CYCLE[0]), line("without", cause.trace, CYCLE[1])]);
    chart.cursor(Math.floor(shown.step));
    return [host, h("p", { class: "note" }, "Solid: as it was. Dashed: without it.")];
  }
}

const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
