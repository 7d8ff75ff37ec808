// The sessions of minds as a graph: a bar for each from its first step to its last, below the one that it came of, and how it did.
import { empty, fill, gently, h, inWords, number, token } from "../dom.js";
import { runPath } from "../addresses.js";
import { get, source } from "../api.js";
import { fitted, FONT, redrawWithTheme, svg } from "../figure.js";
import { isOpen, onChange, show, shown } from "../store.js";

const LINE = 22, LABELS = 132, PAST = 12, BAR = 10, LETTERS_PX = 11.5, EVERY_SESSIONS_MS = 700;
const ORIGINS = { new: "--blue", fork: "--orange", merge: "--purple", detach: "--green" };

export class Sessions {
  constructor(page) {
    Object.assign(this, { page, nodes: [] });
    this.picture = h("div", { class: "figure" });
    this.table = h("div");
    this.note = h("p", { class: "note" });
    this.box = h("details", { id: "sessions", ontoggle: () => this.refresh() }, h("summary", {}, "Sessions: what flows through whom"), source.isSaved ? h("p", { class: "note" }, "A saved page holds no sessions. In the folder above the run: ", h("code", {}, `cave-sim sessions ${page.overview.folder}`)) : [this.note, this.picture, this.table]);
    this.refresh = gently(() => this.read(), EVERY_SESSIONS_MS);
    if (source.isSaved) return;
    onChange(() => this.refresh(), "step", "tab");
    redrawWithTheme(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  async read() {
    const step = Math.floor(shown.step);
    if (source.isSaved || !this.box.open || !isOpen("minds") || this.known === step) return;
    this.known = step;
    try {
      const { sessions, more } = await get(runPath(shown.run, "sessions"), { step });
      this.nodes = inFamilies(sessions);
      this.note.textContent = more ? `The latest ${number(sessions.length)}; cave-sim sessions tells of ${number(more)} older ones as well.` : "";
      this.draw();
      this.tell();
    } catch (error) {
      this.known = null;
      this.nodes = [];
      this.draw();
      fill(this.table, empty(error.message));
    }
  }

  // Where a step is, from the first that any session has to the shown one.
  across(step) { return LABELS + ((step - this.span[0]) / Math.max(1, this.span[1] - this.span[0])) * (this.wide - LABELS - PAST); }

  draw() {
    this.wide = this.picture.clientWidth;
    if (!this.nodes.length || !this.wide) return fill(this.picture);
    const steps = this.nodes.flatMap(({ first_step: first, last_step: last }) => [first, last]).filter((step) => step !== null);
    this.span = steps.length ? [Math.min(...steps), Math.max(...steps)] : [0, 1];
    const high = LINE * this.nodes.length + 6, rows = new Map(this.nodes.map(({ id }, row) => [id, row]));
    const label = `${number(this.nodes.length)} sessions, each from its first step to its last, with what it came of`;
    fill(this.picture, svg("svg", { class: "lines", role: "img", "aria-label": label, viewBox: `0 0 ${this.wide} ${high}`, style: `width:${this.wide}px;height:${high}px` },
      this.nodes.flatMap((node, row) => node.parents.filter((id) => rows.has(id)).map((id) => this.way(rows.get(id), row, node))), this.nodes.map((node, row) => this.bar(node, row))));
  }

  // From the session that it came of, down or up to where it begins.
  way(from, to, node) {
    const x = this.across(node.first_step ?? this.span[0]), middle = (row) => LINE * (row + 0.5);
    return svg("path", { d: `M${x - 5} ${middle(from)}V${middle(to)}h5`, fill: "none", stroke: token(ORIGINS[node.origin] ?? "--other"), "stroke-width": 1.5, "stroke-opacity": 0.7 });
  }

  bar(node, row) {
    const y = LINE * (row + 0.5), begins = this.across(node.first_step ?? this.span[0]), ends = this.across(node.last_step ?? this.span[0]), name = this.page.called(node.agent);
    const held = Object.entries(node.kinds).map(([kind, many]) => `${number(many)} ${inWords(kind)}`).join(", ");
    return svg("g", {}, svg("text", { x: LABELS - 12, y: y + 4, "text-anchor": "end", "font-size": LETTERS_PX, "font-family": FONT, fill: token("--muted") }, fitted(name, LABELS - 16, LETTERS_PX)),
      svg("rect", { x: begins - 4, y: y - BAR / 2, width: ends - begins + 8, height: BAR, rx: BAR / 2, fill: token(ORIGINS[node.origin] ?? "--other") }, svg("title", {}, `${name}, ${node.id}: ${held}`)));
  }

  // The same in words, each with a way to its last moment.
  tell() {
    if (!this.nodes.length) return fill(this.table, empty("Nobody had asked a model by then."));
    const from = ({ origin, parents }) => (parents.length ? `${origin} of ${parents.join(" and ")}` : origin);
    fill(this.table, h("ul", { class: "plain" }, this.nodes.map((node) => h("li", { class: "session" }, h("i", { class: "dot", style: `--c:var(${ORIGINS[node.origin] ?? "--other"})` }), " ",
      h("button", { type: "button", class: "link", title: node.id, onclick: () => show({ step: (node.last_step ?? this.page.overview.first) + 1, live: false, pick: node.agent }) }, this.page.called(node.agent)), ` ${number(node.rows)} rows, ${number(node.tokens)} tokens, `, h("small", {}, from(node))))));
  }
}

// Each below the one that it came of first.
function inFamilies(sessions) {
  const known = new Set(sessions.map(({ id }) => id)), children = new Map(), ordered = [];
  for (const each of sessions) { const parent = known.has(each.parents[0]) ? each.parents[0] : ""; children.set(parent, [...(children.get(parent) ?? []), each]); }
  for (const waiting = [...(children.get("") ?? [])].reverse(); waiting.length;) { const each = waiting.pop(); ordered.push(each); waiting.push(...[...(children.get(each.id) ?? [])].reverse()); }
  return ordered;
}
