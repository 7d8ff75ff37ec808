// The feed: who did what to whom, newest first up to the shown step; filters and search are the server's work.
import { badge, empty, fill, gently, h, later, number, offer } from "../dom.js";
import { runPath } from "../addresses.js";
import { get, source } from "../api.js";
import { isOpen, onChange, show, shown, viewAddress } from "../store.js";

const POINTS = /^[:;,.!?]/;
const FILTERS = ["agent", "status", "kind", "entity", "search"];
const picking = (entity) => ({ pick: entity, tab: "inspect" }), opening = ({ turn }) => ({ turn: String(turn), tab: "turn" });

// The moment behind a turn, with what is to be looked at there; a turn in a city is looked at on the page of its district.
const behind = ({ step }, wanted, run = shown.run) => viewAddress({ run, step: step + 1, live: false, ...wanted });

export class Feed {
  name = "feed";
  title = "Feed";

  constructor(host, page) {
    Object.assign(this, { host, page, most: 60, rows: new Map() });
    const pick = (name, label, values) => {
      const select = h("select", { "aria-label": label, id: `feed-${name}`, onchange: () => { this.most = 60; show({ [name]: select.value }); } });
      this[name] = select;
      this.options(select, label, values);
      return select;
    };
    this.search = h("input", { type: "search", id: "search", placeholder: "Search code, output, values", "aria-label": "Search the feed (/)", oninput: later(() => show({ search: this.search.value }), 250) });
    this.entity = h("input", { type: "text", id: "feed-entity", list: "entities", placeholder: "Entity", title: "Only turns that changed this entity", "aria-label": "Only turns that changed this entity", onchange: () => show({ entity: this.entity.value }) });
    this.list = h("ol", { class: "turns", tabindex: "0", "aria-label": "Turns, newest first" });
    this.more = h("button", { type: "button", class: "quiet more", hidden: true, onclick: () => { this.most += 120; this.refresh(); } }, "Earlier turns");
    host.append(
      h("div", { class: "filters" }, this.search, pick("agent", "Everybody", this.named(page.overview.agents)), pick("status", "Any status", ["committed", "failed", "blocked", "timeout", "conflict"]),
        pick("kind", "All turns", [["cell", "Cells"], ["world", "The world's"], ["outside", "From outside"]]), this.entity),
      this.list, this.more);
    fill(this.list, h("li", {}, empty("Reading turns …")));
    this.refresh = gently(() => this.read(), () => (shown.live ? 1000 : 250));
    onChange(() => { this.sync(); this.refresh(); }, "step", ...FILTERS);
    this.sync();
  }

  options(select, label, values) {
    offer(select, [["", label], ...values.map((each) => (Array.isArray(each) ? each : [each, each]))]);
  }

  named(names) { return names.map((name) => [name, this.page.called(name)]); }

  agents(names) {
    this.options(this.agent, "Everybody", this.named(names));
    this.sync();
  }

  sync() { for (const name of FILTERS) if (document.activeElement !== this[name] && this[name].value !== shown[name]) this[name].value = shown[name]; }

  async read() {
    if (!isOpen("feed")) return;
    await this.page.frames.settled();
    const wanted = Object.fromEntries(FILTERS.map((name) => [name, shown[name]]));
    try {
      const told = await get(runPath(shown.run, "feed"), { ...wanted, step: Math.floor(shown.step), most: this.most });
      this.paint(told);
    } catch (error) { if (error.answered || !this.rows.size) fill(this.list, h("li", {}, empty(error.message))); }
  }

  paint({ turns, more }) {
    const rows = new Map();
    for (const turn of turns) { const key = `${turn.district ?? ""} ${turn.turn}`; rows.set(key, this.rows.get(key) ?? this.row(turn)); }
    this.rows = rows;
    const wanted = [...rows.values()];
    if (wanted.length) fill(this.list, wanted);
    else fill(this.list, h("li", {}, empty(FILTERS.some((name) => name !== "kind" && shown[name]) ? "No turn fits these filters up to this step." : this.page.idle)));
    this.more.hidden = !more;
  }

  row(turn) {
    const { clock } = this.page, away = turn.district && !source.isSaved;
    const address = behind(turn, opening(turn), away ? `${shown.run}/${turn.district}` : shown.run), open = () => (away ? location.assign(address) : show(opening(turn)));
    const rest = turn.count - turn.changes.length, told = turn.told ?? [];
    const changes = turn.changes.map(({ entity, told: text }) => h("li", {}, this.linkTo(turn, entity, entity), ` ${text}`));
    const facts = [turn.code ? h("code", { class: "line" }, turn.code) : null, changes.length ? h("ul", { class: "changes" }, changes, rest > 0 ? h("li", { class: "note" }, `and ${rest} more`) : null) : null];
    return h("li", { class: "turn", "data-turn": String(turn.turn), onclick: open },
      h("time", { title: `step ${turn.step}, turn ${turn.turn}${turn.district ? ` of ${turn.district}` : ""}` }, clock.moment(turn.step)),
      h("div", {},
        h("p", { class: "who" }, h("span", {}, this.link(this.page.called(turn.agent), address, open, "strong"), told.length ? this.sentences(turn, told) : null),
          turn.status === "committed" ? null : badge(turn.status), turn.kind === "cell" ? null : h("small", {}, turn.kind), told.length ? this.unfolding(turn) : null),
        turn.error ? h("p", { class: "error" }, turn.error) : null,
        h("div", { class: "facts-of", hidden: told.length > 0 }, facts)));
  }

  // What a sentence stands for, one click below it: the cell, and what it changed.
  unfolding({ count }) {
    const says = count === 1 ? "1 change" : `${number(count)} changes`;
    const button = h("button", { type: "button", class: "unfold", title: says, "aria-label": says, "aria-expanded": "false", onclick: (event) => {
      event.stopPropagation();
      const facts = button.closest(".turn").querySelector(".facts-of");
      facts.hidden = !facts.hidden;
      button.setAttribute("aria-expanded", String(!facts.hidden));
    } }, number(count));
    return button;
  }

  // What somebody did, in sentences: " says to ", [Oona Anttila], "…"; several are joined. A colon stays with the name before it: no line begins with one.
  sentences(turn, told) {
    const worded = told.filter(([first]) => typeof first === "string"); // a method without words of its own is told where nothing else is
    return (worded.length ? worded : told.map((sentence) => ["asks ", ...sentence])).flatMap((sentence, at) => [at ? "; " : " ", ...this.bound(turn, sentence)]);
  }

  bound(turn, sentence) {
    const parts = [];
    sentence.forEach((part, at) => {
      if (typeof part !== "string") parts.push(this.linkTo(turn, part.entity, this.page.called(part.entity)));
      else if (at && POINTS.test(part)) { const point = part[0]; parts.push(h("span", { class: "bound" }, parts.pop(), point), part.slice(1)); }
      else parts.push(part);
    });
    return parts;
  }

  linkTo(turn, entity, text) { return this.link(text, behind(turn, picking(entity)), () => show(picking(entity))); }

  // A link and no button: a name breaks across lines as the words around it do.
  link(text, href, go, more = "") {
    const follow = (event) => { event.stopPropagation(); if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); go(); };
    return h("a", { href, class: `link ${more}`.trim(), onclick: follow }, text);
  }
}
