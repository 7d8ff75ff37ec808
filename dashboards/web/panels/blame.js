// Who wrote a value: the chain of its values up to the shown step, each with the turn, the line and the prompt behind it.
import { empty, fill, gently, h } from "../dom.js";
import { runPath } from "../addresses.js";
import { get } from "../api.js";
import { isOpen, onChange, show, shown } from "../store.js";
import { Causes } from "./causes.js";

export class Blame {
  name = "blame";
  title = "Blame";

  constructor(host, page) {
    this.page = page;
    this.target = h("input", { type: "text", id: "target", placeholder: "weather.temperature_c", "aria-label": "Value to explain (b)", onchange: () => show({ target: this.target.value.trim() }) });
    this.body = h("div");
    this.causes = new Causes(page);
    host.append(h("div", { class: "filters" }, this.target), this.causes.box, this.body);
    this.refresh = gently(() => this.read(), 200);
    onChange(() => this.refresh(), "step");
    onChange(() => this.read(), "target"); // whoever asks does not wait
  }

  async read() {
    if (!isOpen("blame")) return;
    if (document.activeElement !== this.target) this.target.value = shown.target;
    if (!shown.target) this.known = "";
    this.causes.about(shown.target);
    if (!shown.target) return fill(this.body, empty("Name a value, as cells write it: mayor.activity, weather.kind, town.relations. Or click a field anywhere on the page."));
    const wanted = `${shown.target} ${Math.floor(shown.step)}`;
    if (this.known === wanted) return;
    this.known = wanted;
    try {
      const { written } = await get(runPath(shown.run, "blame"), { target: shown.target, step: Math.floor(shown.step) });
      if (this.known === wanted) fill(this.body, h("h2", {}, shown.target), written.length ? h("ol", { class: "chain" }, written.map((each) => this.link(each))) : empty("Nobody has written it up to this step."));
    } catch (error) {
      if (this.known !== wanted) return;
      if (!error.answered) this.known = "";
      if (error.answered || !this.body.firstChild) fill(this.body, empty(error.message));
    }
  }

  link(written) {
    const lines = written.lines.map((line) => (line.text ?? line.code ?? `line ${line.number ?? line}`)).join("\n");
    const value = written.op === "create" ? ["came into the world as ", h("b", {}, written.new)] : [h("span", { class: "old" }, written.old), " → ", h("b", {}, written.new)];
    return h("li", {},
      h("p", {}, h("time", {}, this.page.clock.both(written.step)), " ", h("button", { type: "button", class: "link strong", onclick: () => show({ turn: String(written.turn), tab: "turn" }) }, this.page.called(written.agent)), h("small", {}, ` turn ${written.turn}`)),
      h("p", {}, written.path.length > 1 ? h("span", { class: "note" }, `${written.path.slice(1).join(".")}: `) : null, value),
      lines ? h("pre", { class: "code" }, lines) : null,
      written.asked ? h("details", { "data-name": `turn ${written.turn}` }, h("summary", {}, `what ${written.asked.model} was asked and said`), h("pre", { class: "output" }, written.asked.prompt), h("pre", { class: "output" }, written.asked.reply)) : null);
  }
}
