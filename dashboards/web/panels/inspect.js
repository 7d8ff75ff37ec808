// An entity at the shown step: its fields, ties, and for an agent its variables, costs and last turns. A click on a field asks who wrote it.
import { badge, empty, fill, gently, h, number, seconds } from "../dom.js";
import { runPath } from "../addresses.js";
import { Cast } from "../cast.js";
import { choose } from "../choosing.js";
import { get, post } from "../api.js";
import { isOpen, onChange, show, shown } from "../store.js";
import { asPaid, fieldWords } from "../units.js";

const FIRST = ["activity", "location", "destination", "plan", "diary", "memories", "heard", "mood", "energy", "hunger", "money_cents"];

const NOTHING = new Set(["", "null", "None", "[]", "{}"]);

export class Inspect {
  name = "inspect";
  title = "Inspect";

  constructor(host, page) {
    this.page = page;
    this.find = h("input", { type: "search", id: "pick", list: "entities", placeholder: "Find a resident, a place, anything", "aria-label": "Entity to inspect", onchange: () => this.choose(), oninput: () => { this.asks = false; } });
    this.body = h("div");
    this.cast = new Cast(page);
    host.append(h("div", { class: "filters" }, this.find), this.body);
    this.refresh = gently(() => this.read(), 200);
    onChange(() => this.refresh(), "step");
    onChange(() => { this.asks = false; this.read(); }, "pick"); // whoever asks does not wait
  }

  choose() {
    const { entities, movers, places } = this.page.overview, titled = [...movers, ...places].map(({ name, title }) => [name, title]), told = new Set(titled.map(([name]) => name));
    this.asks = choose(this.find.value, [...titled, ...entities.filter(([name]) => !told.has(name)).map(([name]) => [name, name])], this.body, (name) => this.found(name));
  }

  found(name) {
    Object.assign(this, { asks: false, known: "" });
    this.page.inspect(name);
    this.read();
  }

  nobody() {
    if (!this.cast.fits) return fill(this.body, empty(this.page.map ? "Click somebody or a place on the map, or find one above." : "Find somebody or something above: its fields are shown here."));
    if (this.body.firstChild !== this.cast.element) fill(this.body, this.cast.element);
    this.cast.refresh();
  }

  // Somebody who is not there: why, and who is.
  missing(name, why) {
    fill(this.body, h("h2", {}, name), empty(why), this.cast.fits ? this.cast.element : null);
    if (this.cast.fits) this.cast.refresh();
  }

  async read() {
    if (!isOpen("inspect") || this.asks) return; // a question stays until it is answered, or another one is written
    if (!shown.pick) this.known = "";
    if (!shown.pick) return this.nobody();
    const wanted = `${shown.pick} ${Math.floor(shown.step)}`;
    if (this.known === wanted) return;
    this.known = wanted;
    try {
      const told = await get(runPath(shown.run, "entity"), { name: shown.pick, step: Math.floor(shown.step) });
      if (this.known === wanted) this.paint(told);
    } catch (error) {
      if (this.known !== wanted) return;
      if (!error.answered) this.known = "";
      if (error.answered || !this.body.firstChild) this.missing(shown.pick, error.message);
    }
  }

  paint(told) {
    if (this.body.querySelector(".set input:active")) return; // somebody is choosing a value
    const held = this.body.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    const top = this.body.parentElement.scrollTop, { fields: classes } = this.page.overview, of = Object.hasOwn(classes, told.type) ? classes[told.type] : {}, declared = (name) => (Object.hasOwn(of, name) ? of[name] : {});
    const holds = (field) => !NOTHING.has(field.shown.replace(/^"(.*)"$/s, "$1")), rank = ({ name }) => { const at = FIRST.indexOf(name); return at < 0 ? FIRST.length : at; };
    const fields = told.fields.map((field, at) => [field, at]).sort(([a, i], [b, j]) => rank(a) - rank(b) || i - j).map(([field]) => field);
    fill(this.body,
      h("header", { class: "head" }, h("div", {}, h("h2", {}, told.title), h("p", { class: "note" }, `${told.type} `, h("code", {}, told.name), `, ${this.page.clock.both(told.step)}`)),
        h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => this.page.only(told) }, told.acts ? "Its turns" : "Turns that changed it"))),
      h("table", { class: "fields" }, h("tbody", {}, fields.filter(holds).map((field) => this.field(told.name, field, declared(field.name))))),
      this.bare(told.name, fields.filter((field) => !holds(field))),
      told.ties.length ? this.part("Relations", h("ul", { class: "plain" }, told.ties.map(({ other, facts, graph }) => h("li", { title: graph }, h("button", { type: "button", class: "link", title: other, onclick: () => this.page.inspect(other) }, this.page.called(other)), h("span", { class: "note" }, ` ${facts}`))))) : null,
      told.acts ? this.part("Variables", told.variables === null ? empty("This journal keeps no variables.") : told.variables.length ? h("table", { class: "fields" }, h("tbody", {}, told.variables.map((field) => this.field("", field)))) : empty("It has bound none.")) : null,
      told.acts ? this.costs(told.costs) : null,
      told.acts ? this.part("Transcript", told.turns.map((turn) => h("div", { class: "said" }, h("p", {}, h("button", { type: "button", class: "link", onclick: () => show({ turn: String(turn.turn), tab: "turn" }) }, this.page.clock.both(turn.step)), " ", turn.status === "committed" ? null : badge(turn.status)), turn.code ? h("code", { class: "line" }, turn.code) : null, turn.output ? h("p", { class: "note" }, turn.output) : null, turn.error ? h("p", { class: "error" }, turn.error) : null)), true) : null);
    this.body.parentElement.scrollTop = top;
    if (held) [...this.body.querySelectorAll(".set input")].find((each) => each.getAttribute("aria-label") === held)?.focus({ preventScroll: true });
  }

  // Fields that hold nothing, by name.
  bare(entity, fields) {
    return fields.length ? h("p", { class: "note" }, "Nothing in ", fields.flatMap((field, at) => [at ? ", " : "", this.asking(entity, field.name)])) : null;
  }

  asking(entity, field, { about, unit } = {}) {
    return h("button", { type: "button", class: "link", title: `${about ? `${about[0].toUpperCase()}${about.slice(1)}. ` : ""}Who wrote this? (b)`, onclick: () => this.page.blame(entity, field) }, fieldWords(field, unit));
  }

  // Of a run that this page steers, what has bounds is set with a slider: an act of the operator, which runs when the next step begins.
  slider(entity, { name, number: value }, { low, high, whole, unit = "" }) {
    const { overview, connection: { live } } = this.page;
    if (!entity || !live || live.stopped || !overview.may_steer || !shown.live || low === undefined || high === undefined) return null;
    const fine = whole ? 1 : 10 ** Math.floor(Math.log10((high - low) / 100 || 1)), told = h("output", { class: "note" });
    const chosen = (slider) => Number(Number(slider.value).toPrecision(12));
    return h("div", { class: "row set" }, h("input", { type: "range", min: String(low), max: String(high), step: String(fine), value: String(value), "aria-label": `Set ${name.replaceAll("_", " ")}, ${number(low, 6)} to ${number(high, 6)} ${unit}`.trim(),
      oninput: ({ target }) => { told.textContent = `${number(chosen(target), 6)}?`; },
      onchange: async ({ target }) => {
        const code = `world[${JSON.stringify(entity)}].${name} = ${chosen(target)}`;
        try {
          await post(runPath(shown.run, "control"), { do: "submit", agent: "operator", code });
          told.textContent = `${number(chosen(target), 6)} from the next step on`;
        } catch (error) { this.page.notice(error.message, "bad"); }
      } }), told);
  }

  part(title, content, open = false) {
    return h("details", { "data-name": title, open }, h("summary", {}, title), content);
  }

  field(entity, field, declared = {}) {
    const name = entity ? this.asking(entity, field.name, declared) : h("code", {}, field.name);
    let value = field.shown.replace(/^"(.*)"$/s, "$1");
    if (field.link) value = h("button", { type: "button", class: "link", title: field.link, onclick: () => this.page.inspect(field.link) }, this.page.called(field.link));
    else if (this.page.titles.has(value) && entity && entity !== value) value = this.page.titled(value);
    else if (field.items) value = fold(field, h("ul", { class: "plain" }, field.items.map((item) => h("li", {}, item))), field.items.at(-1));
    else if (field.pairs) value = fold(field, h("dl", { class: "facts" }, field.pairs.map(([key, item]) => [h("dt", {}, key), h("dd", {}, item)])), field.pairs.map(([key]) => key).join(", "));
    else if (field.number !== undefined) value = [...inUnit(field, declared.unit), this.slider(entity, field, declared)];
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: field.number === undefined ? "" : "number" }, value));
  }

  costs({ turns, seconds: took, usage }) {
    const rows = [["Turns", Object.entries(turns).map(([status, many]) => `${number(many)} ${status}`).join(", ")], ["Real time", seconds(took)], ...Object.entries(usage).map(([key, value]) => [key.replaceAll("_", " "), number(value, 4)])];
    return h("details", { "data-name": "Costs" }, h("summary", {}, "Costs"), h("dl", { class: "facts" }, rows.map(([term, told]) => [h("dt", {}, term), h("dd", {}, told)])));
  }
}

function fold({ name, items, pairs }, content, preview) {
  const many = (items ?? pairs).length;
  return many <= 2 ? content : h("details", { "data-name": `field ${name}` }, h("summary", {}, `${many}: `, h("span", { class: "note" }, preview.length > 60 ? `${preview.slice(0, 59)}…` : preview)), content);
}

// A number with its unit; money as people write it.
function inUnit(field, unit) {
  const [value, behind] = asPaid(field.number, unit) ?? [share(field), unit];
  return [value, behind ? h("small", {}, ` ${behind}`) : null];
}

const share = ({ name, number: value, shown: text }) => (value >= 0 && value <= 1 && !Number.isInteger(value) && !/_(c|m|s|h|cents|mm)$/.test(name) ? [h("i", { class: "bar", style: `--share:${value}` }), number(value)] : Number(text) === value ? number(value + 0, 6) : text);
