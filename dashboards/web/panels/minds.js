// A mind: what it was asked and answered side by side, what each part cost, what came to mind and why; questions to it, and requests that wait for people.
import { badge, empty, fill, gently, h, money, number, offer, seconds } from "../dom.js";
import { runPath } from "../addresses.js";
import { get } from "../api.js";
import { isOpen, onChange, show, shown } from "../store.js";
import { Approvals } from "./approvals.js";
import { Interview } from "./interview.js";
import { Sessions } from "./sessions.js";

const PARTS = ["--blue", "--orange", "--green", "--purple", "--sky", "--vermilion", "--yellow", "--other"];

export class Minds {
  name = "minds";
  title = "Minds";

  constructor(host, page) {
    Object.assign(this, { host, page, call: null });
    this.who = h("select", { id: "mind", "aria-label": "Whose mind", onchange: () => { this.call = null; show({ pick: this.who.value }); this.read(); } });
    this.which = h("select", { id: "mind-call", "aria-label": "Which call", onchange: () => { this.call = Number(this.which.value); this.read(); } });
    this.wider = h("button", { type: "button", class: "quiet", id: "mind-wide", "aria-pressed": "false", title: "Prompt and reply beside each other, over part of the map", onclick: () => this.widen() }, "Side by side");
    this.body = h("div", { id: "mind-body" });
    this.interview = new Interview(page, () => this.who.value);
    this.approvals = new Approvals(page, () => this.read());
    this.sessions = new Sessions(page);
    this.choice = h("div", { class: "filters" }, this.who, this.which, this.wider);
    this.left = h("p", { class: "note", id: "mind-left-out", hidden: true });
    host.append(this.approvals.box, this.choice, this.left, this.body, this.sessions.box, this.interview.box);
    this.refresh = gently(() => this.read(), 400);
    onChange(() => { this.call = null; this.refresh(); }, "step");
    onChange(() => this.refresh(), "pick");
    onChange(() => { if (shown.tab !== "minds") this.widen(false); }, "tab");
  }

  widen(wide = !document.querySelector("#main").classList.contains("widened")) {
    document.querySelector("#main").classList.toggle("widened", wide);
    this.wider.setAttribute("aria-pressed", String(wide));
  }

  async read() {
    if (!isOpen("minds")) return;
    const chosen = this.minds?.includes(shown.pick) ? shown.pick : this.who.value;
    try {
      const told = await get(runPath(shown.run, "mind"), { agent: chosen, step: Math.floor(shown.step), call: this.call });
      const first = !this.minds && told.minds.includes(shown.pick) && told.agent !== shown.pick;
      this.minds = told.minds;
      if (first) return await this.read();
      this.paint(told);
    } catch (error) { if (error.answered || !this.body.firstChild) fill(this.body, empty(error.message)); }
  }

  paint(told) {
    const { minds, agent, calls, call } = told;
    this.approvals.paint(told.waiting);
    this.choice.hidden = this.interview.box.hidden = this.sessions.box.hidden = !minds.length;
    if (!minds.length) return fill(this.body, empty("Nobody here thinks with a language model: this run’s agents are scripted. cave-sim run … --model NAME gives them minds."));
    options(this.who, minds.map((name) => [name, this.page.called(name)]), agent);
    options(this.which, calls.map((each) => [String(each.call), `${this.page.clock.moment(each.step)}, ${number(each.prompt_tokens)} + ${number(each.completion_tokens)} tokens${each.failed ? ", failed" : ""}`]), String(call?.call ?? ""));
    this.interview.about(agent);
    this.left.hidden = !told.left_out;
    this.left.textContent = told.left_out ? `${number(told.left_out)} more calls of ${this.page.called(agent)} are not in this file; cave-sim dash shows all.` : "";
    fill(this.body, call ? this.one(call) : empty(`${this.page.called(agent)} had asked nothing by then. Move on in time, or choose somebody else.`));
  }

  one(call) {
    const cost = [`${number(call.usage.prompt_tokens ?? 0)} tokens in`, call.usage.cached_tokens ? `${number(call.usage.cached_tokens)} of them cached` : "", `${number(call.usage.completion_tokens ?? 0)} out`, call.cost_usd ? money(call.cost_usd) : "", call.latency_s === null || call.latency_s === undefined ? "" : seconds(call.latency_s), call.reused ? "as in the parent" : "", call.usage.is_estimate ? "tokens estimated" : ""].filter(Boolean).join(" · ");
    return [h("p", { class: "note", id: "mind-cost" }, `${call.model || "model"}, ${this.page.clock.both(call.step)}: ${cost}`),
      parts(call.parts),
      h("div", { class: "exchange" },
        h("section", { "aria-label": "Prompt" }, h("h3", {}, "Prompt"), call.messages.map(({ role, text }) => [h("h4", {}, role), h("pre", { class: "output", tabindex: "0" }, text)])),
        h("section", { "aria-label": "Reply" }, h("h3", {}, call.error ? "Error" : "Reply"), h("pre", { class: `output${call.error ? " error" : ""}`, tabindex: "0" }, call.error || call.reply || "(empty)"),
          call.turns.length ? h("ul", { class: "plain" }, call.turns.map(({ turn, status, code }) => h("li", {}, badge(status), " ", h("button", { type: "button", class: "link", onclick: () => show({ turn: String(turn), tab: "turn" }) }, `turn ${turn}`), h("code", { class: "line" }, code)))) : h("p", { class: "note" }, "No cell came of it."),
          this.recalled(call.recalled)))];
  }

  recalled(told) {
    if (!told) return h("p", { class: "note" }, "No memories were looked for.");
    const bar = (share, label) => h("td", { class: "number" }, h("i", { class: "bar short", style: `--share:${share}`, title: label }), number(share, 2));
    const rows = told.memories.map(({ text, step, why, importance, hours_ago: hours }) => h("tr", {}, h("td", {}, h("button", { type: "button", class: "link", title: "Show that moment", onclick: () => show({ step, live: false }) }, text), h("small", {}, ` ${age(hours)} ago, importance ${number(importance, 1)} of 10`)),
      why ? [bar(why.recency, "recency"), bar(why.importance, "importance"), bar(why.relevance, "relevance")] : null));
    const heads = ["Memory", ...(told.memories.some(({ why }) => why) ? ["Recent", "Important", "Fits"] : [])];
    return [h("h3", {}, `Came to mind: ${told.memories.length} of ${told.of} memories`),
      told.query ? h("p", { class: "note" }, "Sought with: ", h("q", {}, told.query)) : h("p", { class: "note" }, "The journal does not say what was sought."),
      rows.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Memories" }, h("table", { id: "recalled" }, h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: at ? "number" : "" }, head)))), h("tbody", {}, rows))) : null];
  }
}

// The prompt as one bar, a stretch for each part as long as its tokens.
function parts(all) {
  if (!all.length) return h("p", { class: "note" }, "This journal does not say what the prompt consisted of.");
  const total = all.reduce((sum, { tokens }) => sum + tokens, 0), colour = (at) => `var(${PARTS[at % PARTS.length]})`;
  return [h("div", { class: "stack", role: "img", "aria-label": `Prompt of ${number(total)} tokens by part` }, all.map(({ part, tokens }, at) => h("i", { style: `flex:${tokens};background:${colour(at)}`, title: `${part}: ${tokens} tokens` }))),
    h("ul", { class: "stack-key", id: "mind-parts" }, all.map(({ part, tokens }, at) => h("li", {}, h("i", { class: "dot", style: `--c:${colour(at)}` }), `${part.replaceAll("_", " ")} `, h("b", {}, number(tokens)))))];
}

function options(select, rows, chosen) {
  offer(select, rows);
  select.value = chosen;
}

const age = (hours) => (hours < 1 ? `${Math.round(hours * 60)} min` : hours < 48 ? `${number(hours, 1)} h` : `${number(hours / 24, 1)} days`);
