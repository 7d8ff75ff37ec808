// An interview: a question to a resident at the shown moment, on a copy; the run does not change, and nobody remembers it.
import { fill, h, number } from "../dom.js";
import { runPath } from "../addresses.js";
import { post, source } from "../api.js";
import { shown } from "../store.js";

const KEPT = 20;

export class Interview {
  constructor(page, whom) {
    Object.assign(this, { page, whom });
    this.text = h("textarea", { id: "interview-question", rows: "2", maxlength: "2000", placeholder: "What are your plans for tonight?", "aria-label": "Question to the resident", onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.ask(); } });
    this.go = h("button", { type: "button", id: "interview-ask", onclick: () => this.ask() }, "Ask (ctrl + enter)");
    this.head = h("h3", {}, "Interview");
    this.log = h("div", { class: "console-log", id: "interview-log", role: "log", "aria-label": "Questions and answers" });
    const note = h("p", { class: "note" }, "Asked on a copy of the run at the shown moment: nothing in the run changes, and nobody remembers it. A paid model is paid for the answer.");
    this.box = h("section", { id: "interview" }, this.head, source.isSaved ? h("p", { class: "note" }, "A saved page asks nobody. To put a question to them, in the folder above the run: ", h("code", {}, `cave-sim dash ${page.overview.folder}`)) : [note, this.text, this.go, this.log]);
  }

  about(agent) {
    this.head.textContent = `Interview ${this.page.called(agent)}`;
    this.go.disabled = !this.page.overview.may_steer;
    this.go.title = this.go.disabled ? "This page may look and not ask: open the address with ?token= that was printed" : "";
  }

  async ask() {
    const question = this.text.value.trim(), agent = this.whom(), step = Math.floor(shown.step), { page } = this;
    if (!question || this.go.disabled) return;
    const answer = h("div", { class: "answer" }, h("small", {}, `${page.called(agent)} thinks; a copy of the run is made first …`)), began = performance.now();
    this.log.prepend(h("div", {}, h("p", {}, h("small", {}, `${page.clock.both(step)}, to ${page.called(agent)}: `), h("b", {}, question)), answer));
    while (this.log.children.length > KEPT) this.log.lastChild.remove();
    this.text.value = "";
    try {
      const told = await post(runPath(shown.run, "interview"), { agent, question, step });
      fill(answer, h("blockquote", {}, told.text || "(no answer)"), h("small", {}, `after ${number((performance.now() - began) / 1000, 1)} s${told.tries > 1 ? `, asked ${told.tries} times` : ""}`));
    } catch (error) { fill(answer, h("p", { class: "error" }, error.message)); }
  }
}
