// The story of the run under its map: what stands out, in ten lines, and what people noted of its moments. Those that are over are told, the latest one is
// marked, and a click goes to any.
import { fill, gently, h } from "./dom.js";
import { runPath } from "./addresses.js";
import { get, post, source } from "./api.js";
import { onChange, show, shown } from "./store.js";

const DAY_S = 86_400;
const MOST_TOLD = 20_000, TOLD_EVERY_MS = 2_000, TOLD_SHARE = 20; // turns; of a run that goes on, so often at most, and so many times what telling took

export class Story {
  constructor(host, page) {
    Object.assign(this, { host, page, items: [], lines: [], notes: [], said: "[]" });
    this.list = h("ol", { class: "waiting" }, h("li", { class: "note" }, "Looking for what stands out …")); // as high as it may become, so that the map above it stays as it is
    this.text = h("input", { type: "text", id: "note", maxLength: 2000, placeholder: "What is worth remembering of this moment? #words are its tags", "aria-label": "Note on the shown moment", onkeydown: (event) => { if (event.key === "Enter") this.keep(); if (event.key === "Escape") { event.stopPropagation(); this.writing(false); } } });
    this.form = h("div", { class: "row", hidden: true }, this.text, h("button", { type: "button", onclick: () => this.keep() }, "Keep"));
    const button = source.isSaved || !page.overview.may_steer ? null : h("button", { type: "button", class: "quiet", id: "note-write", title: "Note this moment (n)", onclick: () => this.writing(this.form.hidden) }, "Note");
    host.append(h("header", {}, h("h2", {}, "What stands out"), button), this.form, this.list);
    this.sight = new ResizeObserver(() => this.follow());
    this.sight.observe(this.list);
    onChange(() => this.mark(), "step");
    this.ask = gently(() => this.tell(), () => (page.connection.running ? Math.max(TOLD_EVERY_MS, TOLD_SHARE * (this.telling_ms ?? 0)) : 0));
  }

  // A moment is shown, behind so many turns: the story is told once, and again as the run goes on.
  read(turns) { this.turns = turns; this.ask(); }

  // A very long run has no story: finding it takes too long.
  async tell() {
    const { connection, last, timeline, map } = this.page, upTo = connection.running ? `${connection.state} ${last}` : connection.state;
    if (this.told === upTo || (connection.state === "lost" && this.items.length)) return; // it is asked again as soon as the line is back
    if (this.turns > MOST_TOLD && !source.isSaved) { this.draw(); return; }
    const began = performance.now();
    try {
      this.lines = await get(runPath(shown.run, "highlights"));
      this.told = upTo;
      timeline.tell(this.lines);
      this.draw();
      map?.tell(this.lines.find(({ sort }) => sort === "news") ?? null);
    } catch (error) { this.missed(error.message); }
    this.telling_ms = performance.now() - began;
  }

  // Nothing came, and nothing was told before: the page asks again when another moment is shown.
  missed(why) { if (!this.items.length) fill(this.list, h("li", { class: "note" }, `This cannot be told now: ${why}`)); }

  // What people noted, among the lines.
  noted(marks) { // a list that is as it was keeps its height: the map above stays where it is
    const notes = marks.filter(({ kind }) => kind === "note"), said = JSON.stringify(notes);
    if (said === this.said) return;
    Object.assign(this, { said, notes });
    this.draw();
  }

  writing(open) {
    if (!this.page.overview.may_steer || source.isSaved) return;
    if (open) this.before = document.activeElement;
    this.form.hidden = !open;
    if (!open) this.text.blur();
    (open ? this.text : this.before)?.focus(); // whoever goes by keys is again where they were
  }

  async keep() {
    if (!this.text.value.trim()) return;
    try {
      await post(runPath(shown.run, "note"), { text: this.text.value, step: Math.floor(shown.step) });
      this.text.value = "";
      this.writing(false);
      setTimeout(() => this.page.readTimeline(), 150); // a run that is played here writes it down itself
    } catch (error) { this.page.notice(error.message, "bad"); }
  }

  draw() {
    const after = (line) => ({ ...line, seen: line.step + (line.turn ? 1 : 0) }); // what a turn did is seen when its step is over
    const lines = [...this.lines, ...this.notes].map(after).sort((one, other) => one.step - other.step);
    const { clock, overview, last } = this.page, moment = (last - overview.first) * overview.step_s > DAY_S && clock.daily ? "both" : "moment";
    this.items = lines.map((line) => ({ line, element: h("li", {}, h("button", { type: "button", title: line.text, onclick: () => this.go(line) }, h("time", {}, clock[moment](Math.max(line.step, overview.first))), " ", line.kind === "note" ? noteWords(line.text) : line.text)) }));
    fill(this.list, this.items.map(({ element }) => element));
    this.list.className = "";
    this.host.hidden = !lines.length && !this.page.overview.may_steer;
    this.current = null;
    this.mark();
  }

  go({ seen, turn }) { show({ step: Math.max(seen, this.page.overview.first), live: false, playing: false, ...(turn ? { turn: String(turn) } : {}) }); }

  // The latest of the lines that are over is where the shown moment is.
  mark() {
    const over = this.items.filter(({ line }) => line.seen <= shown.step), current = over.at(-1)?.element;
    if (current === this.current && this.over === over.length) return;
    Object.assign(this, { current, over: over.length });
    this.items.forEach(({ element }, at) => {
      element.className = at < over.length ? "" : "ahead";
      if (element === current) element.setAttribute("aria-current", "step"); else element.removeAttribute("aria-current");
    });
    this.follow();
  }

  // Scroll the list, and nothing else, to the marked line with the one before it.
  follow() {
    if (this.current && this.list.scrollHeight > this.list.clientHeight) this.list.scrollTop = this.current.offsetTop - this.list.offsetTop - this.current.offsetHeight;
  }
}

// A note as it stands among the lines: marked as one, its tags set off.
const noteWords = (text) => [h("b", { class: "mark" }, "Note "), ...text.split(/(#[\p{L}\p{N}_-]+)/u).map((part) => (part.startsWith("#") ? h("span", { class: "chip" }, part) : part))];
