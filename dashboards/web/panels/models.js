// What models cost and how they fare: calls, tokens, money, latency, errors, and the budgets of the run.
import { empty, fill, gently, h, money, number, seconds } from "../dom.js";
import { get, runPath } from "../api.js";
import { isOpen, shown } from "../store.js";

const HEADS = ["Model", "Calls", "Again", "Prompt", "Reply", "Spend", "Median", "Slowest", "Errors"];

export class Models {
  name = "models";
  title = "Models";

  constructor(host, page) {
    Object.assign(this, { host, page });
    this.refresh = gently(() => this.read(), 800);
  }

  async read() {
    if (!isOpen("models")) return;
    try { this.paint(await get(runPath(shown.run, "spending"))); } catch (error) { fill(this.host, empty(error.message)); }
  }

  paint({ calls, models, agents, errors, budgets, shown: some }) {
    if (!calls && !budgets.length) return fill(this.host, empty("No model was asked: this run’s agents are scripted."));
    const cells = (each) => [each.model || "–", number(each.calls), number(each.reused), number(each.prompt_tokens), number(each.completion_tokens), money(each.cost_usd), seconds(each.median_s), seconds(each.slowest_s), number(each.errors)];
    fill(this.host,
      h("h2", {}, "Models"), h("p", { class: "note" }, `${number(calls)} calls${some < calls ? `, the last ${number(some)} counted here` : ""}`),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Models" }, h("table", {}, h("thead", {}, h("tr", {}, HEADS.map((head, at) => h("th", { scope: "col", class: at ? "number" : "" }, head)))), h("tbody", {}, models.map((each) => h("tr", {}, cells(each).map((cell, at) => h("td", { class: at ? "number" : "" }, cell))))))),
      budgets.length ? [h("h3", {}, "Budgets"), h("ul", { class: "plain" }, budgets.map(({ step, kind, data }) => h("li", {}, `step ${step}: ${kind.replaceAll("_", " ")} `, h("code", {}, data))))] : null,
      agents.length ? [h("h3", {}, "Who asked"), h("ul", { class: "plain" }, agents.map(([agent, many]) => h("li", {}, `${agent}: ${number(many)}`)))] : null,
      errors.length ? [h("h3", {}, "Latest errors"), h("ul", { class: "plain" }, errors.map(({ step, agent, model, text }) => h("li", { class: "error" }, `${this.page.clock.both(step)} ${agent}, ${model}: ${text}`)))] : null);
  }
}
