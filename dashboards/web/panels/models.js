// What models cost and how they fare: calls, tokens, money, latency, errors, those in flight, and what the run may spend.
import { empty, fill, gently, h, money, number, seconds } from "../dom.js";
import { runPath } from "../addresses.js";
import { get } from "../api.js";
import { isOpen, onChange, shown } from "../store.js";

const ROWS = [
  ["Calls", ({ calls }) => number(calls)], ["Answered as in the parent", ({ reused }) => number(reused), ({ reused }) => reused], ["Asked again", ({ retried }) => number(retried), ({ retried }) => retried],
  ["Prompt tokens", (each) => number(each.prompt_tokens)], ["Reply tokens", (each) => number(each.completion_tokens)], ["Spend", (each) => money(each.cost_usd)],
  ["Median latency", (each) => seconds(each.median_s)], ["Slowest", (each) => seconds(each.slowest_s)], ["Errors", ({ errors }) => number(errors)],
];
const UNITS = { calls: ["Calls", number], tokens: ["Tokens", number], money_usd: ["US dollars", money], seconds: ["Waiting for replies", seconds] };

export class Models {
  name = "models";
  title = "Models";

  constructor(host, page) {
    Object.assign(this, { host, page });
    this.refresh = gently(() => this.read(), 800);
    onChange(() => { if (shown.live) this.refresh(); }, "step");
    setInterval(() => { if (page.connection.live && !page.connection.live.stopped && !document.hidden) this.refresh(); }, 1000); // calls in flight come and go within a step
  }

  async read() {
    if (!isOpen("models")) return;
    try { this.paint(await get(runPath(shown.run, "spending"))); } catch (error) { if (error.answered || !this.host.firstChild) fill(this.host, empty(error.message)); }
  }

  paint(told) {
    const { calls, models, agents, errors, kinds, books, notes, in_flight: flying } = told;
    if (!calls && !books.length && !flying) return fill(this.host, empty("No model was asked: this run’s agents are scripted."));
    const failures = Object.entries(kinds).map(([kind, many]) => `${number(many)} ${kind.replaceAll("_", " ")}`).join(", ");
    fill(this.host,
      h("h2", {}, "Models"), h("p", { class: "note", id: "model-health" }, [flying === null ? "" : `${number(flying)} in flight`, `${number(calls)} calls`, told.shown < calls ? `the last ${number(told.shown)} counted here` : "", failures || "no errors"].filter(Boolean).join(", ")),
      models.length ? grid("Models", ["", ...models.map(({ model }) => model || "–")], ROWS.filter(([, , has]) => !has || models.some(has)).map(([term, cell]) => [term, ...models.map(cell)])) : null,
      books.length ? [h("h3", {}, "Budget of the run"), grid("Budget", ["", "Spent", "Of at most"], books.map(({ of, spent, limit }) => [UNITS[of][0], UNITS[of][1](spent), limit === null ? h("span", { class: "note" }, "no limit") : [h("i", { class: "bar", style: `--share:${Math.min(1, limit ? spent / limit : 1)}` }), UNITS[of][1](limit)]]))] : null,
      this.ahead(told.pace),
      notes.length ? h("ul", { class: "plain" }, notes.map(({ step, text }) => h("li", { class: "error" }, `${this.page.clock.both(step)}: ${text}`))) : null,
      agents.length ? [h("h3", {}, "Who asked"), grid("Who asked", ["", "Calls", "Tokens", "Spend"], agents.map((each) => [h("button", { type: "button", class: "link", onclick: () => this.page.inspect(each.agent) }, this.page.called(each.agent)), number(each.calls), number(each.tokens), money(each.money_usd)]))] : null,
      errors.length ? [h("h3", {}, "Latest errors"), h("ul", { class: "plain" }, errors.map(({ step, agent, model, text }) => h("li", { class: "error" }, `${this.page.clock.both(step)}, ${agent}, ${model}: ${text}`)))] : null);
  }

  // What is still to come, if the run goes on at the pace of its last steps.
  ahead(pace) {
    const { last, connection: { live } } = this.page, steps = live && !live.stopped ? live.until - last : 0;
    if (!pace || !pace.calls || steps <= 0) return null;
    return h("p", { class: "note", id: "model-ahead" }, `To come, at the pace of the last ${number(pace.steps)} steps: ${number(pace.calls * steps, 0)} calls, ${number(pace.tokens * steps, 0)} tokens and ${money(pace.money_usd * steps)} until step ${number(live.until)}.`);
  }
}

function grid(label, heads, rows) {
  const head = heads.some(Boolean) ? h("thead", {}, h("tr", {}, heads.map((each, at) => (each ? h("th", { scope: "col", class: at ? "number" : "" }, each) : h("td"))))) : null;
  const body = rows.map(([term, ...cells]) => h("tr", {}, h("th", { scope: "row" }, term), cells.map((cell) => h("td", { class: "number" }, cell))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, h("table", {}, head, h("tbody", {}, body)));
}
