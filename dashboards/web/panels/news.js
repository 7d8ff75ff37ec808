// News as a tree: who knows of something at the shown moment, and from whom; by words, or by what can have reached them.
import { empty, fill, gently, h, later, number } from "../dom.js";
import { runPath } from "../addresses.js";
import { get } from "../api.js";
import { isOpen, onChange, show, shown } from "../store.js";

export class News {
  name = "news";
  title = "News";

  constructor(host, page) {
    Object.assign(this, { host, page, known: "" });
    this.text = h("input", { type: "search", id: "news-text", placeholder: "Words of the news, ways of putting it with commas", "aria-label": "Words of the news", value: shown.news, oninput: later(() => show({ news: this.text.value.trim() }), 300) });
    this.source = h("input", { type: "text", id: "news-source", list: "entities", placeholder: "or from whom it may have come", "aria-label": "From whom it may have come", value: shown.source, onchange: () => show({ source: this.nameOf(this.source.value) }) });
    this.note = h("p", { class: "note", role: "status", id: "news-note" });
    this.body = h("div");
    host.append(h("div", { class: "filters" }, this.text, this.source), this.note, this.body);
    this.refresh = gently(() => this.read(), 400);
    onChange(() => this.refresh(), "step", "pick");
    onChange((changed) => {
      if (changed.has("news") && document.activeElement !== this.text) this.text.value = shown.news;
      if (changed.has("source") && document.activeElement !== this.source) this.source.value = shown.source;
      this.read();
    }, "news", "source");
  }

  nameOf(text) {
    const wanted = text.trim().toLowerCase();
    return this.page.overview.movers.find(({ name, title }) => name.toLowerCase() === wanted || title.toLowerCase() === wanted)?.name ?? text.trim();
  }

  async read() {
    if (!isOpen("news")) return;
    const step = Math.floor(shown.step), wanted = JSON.stringify([step, shown.news, shown.source]);
    if (this.known === wanted) return this.mark();
    this.known = wanted;
    try {
      const told = await get(runPath(shown.run, "news"), { text: shown.news, source: shown.source, step });
      if (this.known === wanted) this.paint(told);
    } catch (error) {
      this.known = "";
      if (error.answered || !this.body.firstChild) fill(this.body, empty(error.message));
    }
  }

  paint(told) {
    this.fillIn(told);
    if (told.until !== undefined && told.until !== null && told.until <= told.step) this.body.append(h("p", { class: "note", id: "news-left-out" }, `This file holds what was said before ${this.page.clock.both(told.until)}; for what came later, open the run with cave-sim dash.`));
    if (told.cut) this.body.append(h("p", { class: "note" }, `${number(told.cut)} very long ${told.cut === 1 ? "text is" : "texts are"} here with ${told.cut === 1 ? "its" : "their"} first 4,000 letters only.`));
  }

  fillIn(told) {
    const { tree, could, people, suggested, text } = told;
    if (!text && !shown.source) {
      this.note.textContent = "Who knows what, and from whom? Name some words of it, or somebody from whom word may have come.";
      return fill(this.body, suggested.length ? [h("h3", {}, "Words that got round"), h("p", { class: "actions" }, suggested.map((word) => h("button", { type: "button", class: "quiet chip", onclick: () => { this.text.value = word; show({ news: word }); } }, word)))] : empty("Nobody has told anybody anything yet."));
    }
    const knows = tree.length, begun = tree.filter(({ parent }) => parent === null).length;
    this.note.textContent = text ? `${number(knows)} of ${number(people)} have said or heard it by ${this.page.clock.both(told.step)}, ${number(begun)} of them from nobody here; word can have reached ${number(could)} more in other words.` : `Word can have reached ${number(knows - 1)} of ${number(people)} people from ${this.page.called(told.source)} by ${this.page.clock.both(told.step)}.`;
    fill(this.body, knows ? this.branch(tree, 0, tree[0].depth)[0] : empty("Nobody has said or heard that by now."));
    this.mark();
  }

  // Rows come as a tree is read: each below whoever they have it from.
  branch(rows, from, depth) {
    const list = h("ul", { class: depth ? "" : "tree news-tree" });
    let at = from, item = null;
    while (at < rows.length && rows[at].depth >= depth) {
      if (rows[at].depth === depth) { item = this.row(rows[at]); list.append(item); at += 1; }
      else { const [below, next] = this.branch(rows, at, rows[at].depth); item.append(below); at = next; }
    }
    return [list, at];
  }

  row({ name, title, parent, step, turn, text, told, again }) {
    const go = () => show({ step: Math.min(this.page.last, step + 1), live: false, playing: false, ...(turn ? { turn: String(turn) } : {}) });
    return h("li", {}, h("div", { class: "teller", "data-name": name }, h("button", { type: "button", class: "link strong", onclick: () => show({ pick: name }) }, title), " ", h("button", { type: "button", class: "link", title: "Show that moment", onclick: go }, parent === null && !turn && !step ? "from the start" : this.page.clock.both(step)),
      h("small", {}, [told ? ` told it ${number(told)} ${told === 1 ? "time" : "times"}` : "", again ? `heard it ${number(again)} more` : ""].filter(Boolean).join(", ")), text ? h("p", { class: "note" }, "“", text, "”") : null));
  }

  mark() { for (const each of this.body.querySelectorAll(".teller")) each.classList.toggle("picked", each.dataset.name === shown.pick); }
}
