// Requests that wait for people: what an agent asked a tool to do outside of the world, and what one says to it.
import { h, number } from "../dom.js";
import { runPath } from "../addresses.js";
import { post, source } from "../api.js";
import { shown } from "../store.js";

export class Approvals {
  constructor(page, onDecided) {
    Object.assign(this, { page, onDecided, rows: new Map() });
    this.list = h("ul", { class: "plain", id: "approvals" });
    this.said = h("p", { class: "note", role: "status", id: "approvals-said", tabindex: "-1" });
    this.head = h("h3", {});
    this.box = h("section", { hidden: true, "aria-label": "Requests that wait for people" }, this.head, this.list, this.said);
  }

  paint(waiting) {
    this.box.hidden = !waiting.length && !this.said.textContent;
    if (source.isSaved) this.said.textContent = waiting.length ? `As it was when this file was written. Decide with cave-sim dash ${this.page.overview.folder}` : "";
    this.head.textContent = waiting.length === 1 ? "A request waits for you" : `${number(waiting.length)} requests wait for you`;
    this.rows = new Map(waiting.map((each) => [each.ticket, this.rows.get(each.ticket) ?? this.row(each)])); // somebody may be writing in one
    const rows = [...this.rows.values()];
    for (const row of [...this.list.children]) if (!rows.includes(row)) row.remove();
    rows.forEach((row, at) => { // one that stays where it is keeps the focus: what somebody writes would be taken for the page's keys
      if (this.list.children[at] !== row) this.list.insertBefore(row, this.list.children[at] ?? null);
    });
  }

  row({ ticket, step, agent, tool, arguments: given }) {
    const may = this.page.overview.may_steer, text = h("input", { type: "text", placeholder: "reason, or answer", "aria-label": `Words about ${ticket}` });
    const edited = h("textarea", { rows: "3", spellcheck: "false", "aria-label": `Arguments of ${ticket}` }, JSON.stringify(given, null, 1));
    const button = (label, decision, more = () => ({})) => h("button", { type: "button", disabled: !may, "data-decision": decision, onclick: () => this.decide(ticket, decision, more) }, label);
    return h("li", { class: "request", "data-ticket": ticket, tabindex: "-1" }, h("p", {}, h("b", {}, this.page.called(agent)), " asks for ", h("code", {}, `${tool}(${Object.entries(given).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ")})`), h("small", {}, ` ${ticket}, ${this.page.clock.both(step)}`)),
      source.isSaved ? null : h("div", { class: "row" }, button("Approve", "approve"), button("Reject", "reject", () => ({ text: text.value })), button("Respond", "respond", () => ({ text: text.value })), text),
      source.isSaved ? null : h("details", {}, h("summary", {}, "Approve with other arguments"), edited, button("Approve edited", "edit", () => ({ arguments: read(edited.value) }))));
  }

  // A decided request stays, of a live run, until the next step. Whoever went by keys goes on at the one beside it, or reads what came of it.
  settle(ticket) {
    const row = this.rows.get(ticket), held = row?.contains(document.activeElement);
    row?.replaceChildren(h("p", { class: "note" }, `${ticket}: decided`));
    if (held) (row.nextElementSibling ?? row.previousElementSibling ?? this.said).focus();
  }

  async decide(ticket, decision, more) {
    try {
      const { done } = await post(runPath(shown.run, "answer"), { ticket, decision, ...more() });
      this.said.className = "note";
      this.said.textContent = `${ticket}: ${decision === "reject" ? "rejected" : decision === "respond" ? "answered" : "approved"}; it takes effect ${done}.`;
      this.settle(ticket);
      this.onDecided();
    } catch (error) {
      this.said.className = "error";
      this.said.textContent = error.message;
      this.onDecided(); // somebody else may have been before
    }
  }
}

function read(text) {
  try { return JSON.parse(text); } catch (error) { throw new Error(`These arguments are no JSON, so nothing was decided: ${error.message}`); }
}
