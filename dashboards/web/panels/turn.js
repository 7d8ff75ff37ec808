// One turn in full: its code, output, error, what it changed, what its agent was shown, and what a model said.
import { badge, empty, fill, h, money, number, seconds } from "../dom.js";
import { runPath } from "../addresses.js";
import { get } from "../api.js";
import { isOpen, onChange, show, shown } from "../store.js";

export class Turn {
  name = "turn";
  title = "Turn";

  constructor(host, page) {
    Object.assign(this, { host, page });
    this.refresh = () => this.read();
    onChange(this.refresh, "turn");
  }

  async read() {
    if (!isOpen("turn")) return;
    if (!shown.turn) return fill(this.host, empty("Choose a turn in the feed: it opens here with its code, output and changes."));
    if (this.known === shown.turn) return;
    const wanted = shown.turn;
    try {
      const told = await get(runPath(shown.run, `turn/${encodeURIComponent(wanted)}`));
      if (wanted !== shown.turn) return;
      this.known = wanted;
      this.paint(told);
    } catch (error) { fill(this.host, empty(error.message)); }
  }

  paint(turn) {
    const { page } = this, at = Math.max(0, turn.shown_at);
    const cost = (turn.usage && Object.entries(turn.usage).filter(([, value]) => typeof value === "number")) || [];
    fill(this.host,
      h("header", { class: "head" },
        h("div", {}, h("h2", {}, h("button", { type: "button", class: "link", onclick: () => page.inspect(turn.agent) }, page.called(turn.agent))), h("p", { class: "note" }, `turn ${turn.turn}, ${page.clock.both(turn.step)}`)),
        badge(turn.status)),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "quiet", onclick: () => show({ step: at, live: false }) }, "Show this moment"),
        h("button", { type: "button", class: "quiet", onclick: () => show({ step: Math.max(page.overview.first, at - 1), live: false }) }, "The moment before"),
        h("button", { type: "button", class: "quiet", onclick: () => this.step(turn, -1) }, "Previous of this agent"),
        h("button", { type: "button", class: "quiet", onclick: () => this.step(turn, 1) }, "Next")),
      turn.code ? h("pre", { class: "code", tabindex: "0", "aria-label": "Code" }, h("code", { html: turn.html })) : h("p", { class: "note" }, `${turn.kind === "world" ? "The world by itself" : "Written from outside"}: no code.`),
      turn.output ? [h("h3", {}, "Output"), h("pre", { class: "output", tabindex: "0" }, turn.output)] : null,
      turn.error ? [h("h3", {}, "What it was told"), h("pre", { class: "output error", tabindex: "0" }, turn.error)] : null,
      this.changes(turn),
      h("dl", { class: "facts" },
        fact("Took", seconds(turn.duration_s)), cost.map(([key, value]) => fact(key.replaceAll("_", " "), key.endsWith("usd") ? money(value) : number(value))),
        turn.parent ? fact("Run by", link(`turn ${turn.parent}`, turn.parent)) : null, turn.children.length ? fact("Ran", turn.children.map((child) => link(`turn ${child} `, child))) : null),
      turn.calls.map((call, at) => this.call(call, at)));
  }

  changes(turn) {
    if (!turn.changes.length) return turn.status === "committed" ? h("p", { class: "note" }, "It changed nothing.") : h("p", { class: "note" }, "It did not land: the world is as it was.");
    const rows = turn.changes.map((change) => {
      const field = change.path.length ? change.path[0] : "", old = change.op === "set" || change.op === "delete" ? change.old : "";
      const blame = field ? h("button", { type: "button", class: "link", title: "Who wrote this value before? (b)", onclick: () => this.page.blame(change.entity, field) }, change.place) : change.op;
      return h("li", {}, h("p", {}, h("button", { type: "button", class: "link strong", title: change.entity, onclick: () => this.page.inspect(change.entity) }, this.page.called(change.entity)), " ", blame),
        h("p", {}, old ? [h("del", { class: "old" }, old), change.op === "set" ? " → " : ""] : null, change.op === "set" ? change.new : change.told.slice(change.place.length)));
    });
    return [h("h3", {}, `${turn.changes.length} ${turn.changes.length === 1 ? "change" : "changes"}`), h("ul", { class: "chain", "aria-label": "Changes" }, rows)];
  }

  call(call, at) {
    const usage = Object.entries(call.usage).filter(([, value]) => typeof value === "number");
    return h("details", { class: "call", "data-name": `call ${at}` }, h("summary", {}, `${call.model || "model"}: ${call.error ? "error" : "reply"} `, h("small", {}, [call.latency_s != null ? seconds(call.latency_s) : "", call.cost_usd ? money(call.cost_usd) : "", usage.map(([key, value]) => `${number(value)} ${key.replace("_tokens", "")}`).join(", ")].filter(Boolean).join(" · "))),
      call.messages.map(({ role, text }) => [h("h4", {}, role), h("pre", { class: "output" }, text)]), h("h4", {}, call.error ? "error" : "reply"), h("pre", { class: "output" }, call.error || call.reply));
  }

  async step(turn, direction) {
    const wanted = direction < 0 ? { before: turn.turn, most: 1 } : { after: turn.turn, most: 500 };
    const { turns } = await get(runPath(shown.run, "feed"), { agent: turn.agent, kind: "cell", ...wanted });
    if (turns.length) show({ turn: String(turns.at(-1).turn) });
  }
}

const fact = (term, ...told) => [h("dt", {}, term), h("dd", {}, told)];
const link = (text, turn) => h("button", { type: "button", class: "link", onclick: () => show({ turn: String(turn), tab: "turn" }) }, text);
