// The console: submits a cell to the run that is played, and says what came of it. Arrows up and down bring back earlier cells; Tab completes a name.
import { badge, h } from "../dom.js";
import { runPath } from "../addresses.js";
import { get, post } from "../api.js";
import { offers, shared } from "../completion.js";
import { shown } from "../store.js";

const MOST_KEPT = 30, MOST_OFFERED = 24, EVERY_MS = 300;

export class Console {
  constructor(page) {
    Object.assign(this, { page, earlier: [], back: 0, begun: Infinity, answered: new Set() });
    this.since();
    this.agent = h("select", { id: "console-agent", "aria-label": "Who acts" });
    this.code = h("textarea", { id: "console-code", rows: "4", spellcheck: "false", placeholder: "weather.kind = 'storm'", "aria-label": "Cell to submit", onkeydown: (event) => this.key(event), oninput: () => this.offer([]) });
    this.offered = h("p", { class: "note", id: "console-offered", role: "status" });
    this.log = h("div", { class: "console-log", id: "console-log", role: "log", "aria-label": "What came of submitted cells" });
    this.parts = [h("h3", {}, "Console"), h("p", { class: "note" }, "Runs when the next step begins, under the same rules as any agent’s cell; its turn is in the journal. Tab completes a name, arrows bring back earlier cells."), h("label", { class: "row" }, "As ", this.agent), this.code, this.offered,
      h("button", { type: "button", id: "console-submit", onclick: () => this.submit() }, "Submit (ctrl + enter)"), this.log];
  }

  // Turns from before this page was opened answer nothing.
  async since() {
    const { turns } = await get(runPath(shown.run, "feed"), { most: 1 }).catch(() => ({ turns: [] }));
    this.begun = turns[0]?.turn ?? 0;
  }

  key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit();
    if (event.key === "Tab" && !event.shiftKey && this.complete()) event.preventDefault(); // with nothing to complete it leads on, as everywhere
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key], oneLine = !this.code.value.includes("\n");
    if (!step || !oneLine || !this.earlier.length) return;
    event.preventDefault();
    this.back = Math.max(0, Math.min(this.earlier.length, this.back + step));
    this.code.value = this.back ? this.earlier.at(-this.back) : "";
  }

  // Write on the name before the caret as far as it is certain; says whether there was anything to write or to offer.
  complete() {
    const { code } = this, at = code.selectionStart;
    if (at !== code.selectionEnd) return false;
    const { part, names } = offers(code.value.slice(0, at), this.page.overview, this.agent.value), more = shared(names).slice(part.length);
    this.offer(names.length > 1 ? names : []);
    if (more) code.setRangeText(more, at, at, "end");
    return Boolean(more) || names.length > 1;
  }

  offer(names) { this.offered.textContent = names.length > MOST_OFFERED ? `${names.slice(0, MOST_OFFERED).join("  ")} … and ${names.length - MOST_OFFERED} more` : names.join("  "); }

  async submit() {
    const code = this.code.value.trim(), agent = this.agent.value, { page } = this;
    const answer = h("div", { class: "answer" }, h("small", {}, page.connection.live?.paused ? "waits for the next step: the run is paused" : "waits for the next step"));
    try {
      const taken = await post(runPath(shown.run, "control"), { do: "submit", agent, code });
      this.code.value = "";
      this.earlier.push(code);
      this.back = 0;
      this.log.prepend(h("div", {}, h("code", { class: "line", title: code }, `${agent}: ${code.split("\n").join("; ")}`), answer));
      while (this.log.children.length > MOST_KEPT) this.log.lastChild.remove();
      this.await(agent, taken.code.trim(), answer);
    } catch (error) { page.notice(error.message, "bad"); }
  }

  // Look for the turn until it is there, or the run is over. A turn answers one cell alone, so that of two equal ones each gets its own.
  async await(agent, code, answer) {
    for (;;) {
      const { turns } = await get(runPath(shown.run, "feed"), { agent, most: MOST_KEPT }).catch(() => ({ turns: [] }));
      for (const { turn } of turns.filter((each) => each.turn > this.begun && !this.answered.has(each.turn)).reverse()) {
        const whole = await get(runPath(shown.run, `turn/${turn}`)).catch(() => null); // asked for again
        if (whole?.code.trim() !== code || this.answered.has(turn)) continue;
        this.answered.add(turn);
        return this.tell(whole, answer);
      }
      if (!this.page.connection.live || this.page.connection.live.stopped) return answer.replaceChildren(h("small", {}, "did not run: the run is over"));
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
  }

  tell({ turn, status, output, error, changes }, answer) {
    const many = changes.length, said = [output, error].filter((text) => text?.trim());
    answer.replaceChildren(badge(status), ` turn ${turn}, ${many === 1 ? "1 change" : `${many} changes`} `, ...said.map((text) => h("pre", { class: "output" }, text.trim())));
  }
}
