// A day in the life: somebody's hours up to the shown moment, with what they plan, remember and were told, and whom they know.
import { badge, empty, fill, gently, h, number, stateColour } from "../dom.js";
import { runPath } from "../addresses.js";
import { choose } from "../choosing.js";
import { get } from "../api.js";
import { isOpen, onChange, show, shown } from "../store.js";

const MOST = 500, TIES = 6, NEEDS = ["mood", "energy", "hunger"], LINES = ["diary", "memories", "skills", "attitudes"];

export class Life {
  name = "life";
  title = "Life";

  constructor(host, page) {
    Object.assign(this, { host, page, known: "" });
    this.find = h("input", { type: "search", id: "life-who", list: "entities", placeholder: "Follow a resident", "aria-label": "Resident to follow", onchange: () => this.choose(), oninput: () => { this.asks = false; } });
    this.body = h("div");
    host.append(h("div", { class: "filters" }, this.find), this.body);
    this.refresh = gently(() => this.read(), 250);
    onChange(() => this.refresh(), "step");
    onChange(() => { this.asks = false; this.read(); }, "pick");
  }

  choose() { this.asks = choose(this.find.value, this.page.overview.movers.map(({ name, title }) => [name, title]), this.body, (name) => this.found(name)); }

  found(name) {
    Object.assign(this, { asks: false, known: "" });
    show({ pick: name });
    this.read();
  }

  async read() {
    if (!isOpen("life") || this.asks) return; // a question stays until it is answered, or another one is written
    if (!shown.pick) { this.known = ""; return fill(this.body, empty(`${this.page.map ? "Click somebody on the map, or name them" : "Name somebody"} above: their day is told here.`)); }
    const step = Math.floor(shown.step), wanted = `${shown.pick} ${step}`, path = (what) => runPath(shown.run, what);
    if (this.known === wanted) return;
    this.known = wanted;
    try {
      const [entity, life, own, told] = await Promise.all([get(path("entity"), { name: shown.pick, step }), get(path("life"), { name: shown.pick, step }),
        get(path("feed"), { agent: shown.pick, kind: "cell", step, most: MOST }), get(path("feed"), { entity: shown.pick, kind: "cell", step, most: MOST })]);
      if (this.known !== wanted) return;
      const turns = new Map([...own.turns, ...told.turns].map((turn) => [turn.turn, turn]));
      this.paint(entity, life, [...turns.values()].sort((one, two) => one.turn - two.turn));
    } catch (error) {
      if (!error.answered) this.known = "";
      if (error.answered || !this.body.firstChild) fill(this.body, h("h2", {}, shown.pick), empty(error.message));
    }
  }

  paint(entity, life, turns) {
    const fields = new Map(entity.fields.map((field) => [field.name, field])), { page } = this, today = turns.filter(({ step }) => page.clock.day(step) === page.clock.day(entity.step));
    const part = (title, content, open = false) => (content ? h("details", { "data-name": title, open }, h("summary", {}, title), content) : null);
    fill(this.body,
      h("header", { class: "head" }, h("div", {}, h("h2", {}, entity.title), h("p", { class: "note" }, this.now(fields, entity.step))), h("div", { class: "actions" }, h("button", { type: "button", class: "quiet", onclick: () => page.inspect(entity.name) }, "Inspect"))),
      this.ribbon(life, entity.step), this.needs(fields),
      part("Plans", this.plans(fields.get("plan"), entity.step), true),
      part("Today, hour by hour", today.length ? h("ol", { class: "day", id: "life-day" }, this.hours(entity.name, today)) : empty("Nothing has happened to them today."), true),
      part("Memories", life.memories ? h("ul", { class: "plain" }, [...life.memories].reverse().map(({ step, text, importance }) => h("li", {}, this.moment(step), ` ${text} `, h("small", {}, `importance ${number(importance, 1)}`)))) : null, true),
      ...LINES.map((name) => part(name[0].toUpperCase() + name.slice(1), lines(fields.get(name)))),
      part("Whom they know best", entity.ties.length ? h("ul", { class: "plain" }, [...entity.ties].sort((one, two) => (two.strength ?? 0) - (one.strength ?? 0)).slice(0, TIES).map(({ other, facts }) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => show({ pick: other }) }, page.called(other)), h("span", { class: "note" }, ` ${facts}`)))) : null, true));
  }

  now(fields, step) {
    const { clock } = this.page, place = fields.get("location")?.link, going = fields.get("destination")?.link, doing = text(fields.get("activity"));
    return [clock.both(step), [doing, place ? `at ${this.page.called(place)}` : going ? `to ${this.page.called(going)}` : ""].filter(Boolean).join(" "), text(fields.get("job"))].filter(Boolean).join(" · ");
  }

  // The day as a ribbon: a stretch for each activity, in the colours of the map; a click goes there.
  ribbon({ activity }, step) {
    if (activity.length < 2) return null;
    const { clock, overview } = this.page, first = activity.findIndex(([, ], at) => clock.day(activity[at + 1]?.[0] ?? step) === clock.day(step)), shownFrom = activity.slice(Math.max(0, first));
    const stretches = shownFrom.map(([from, word], at) => ({ from, word, long: Math.max(1, (shownFrom[at + 1]?.[0] ?? step + 1) - from) }));
    return h("div", { class: "stack day-stack", id: "life-ribbon", role: "group", "aria-label": "What they did today" }, stretches.map(({ from, word, long }) => h("button", { type: "button", style: `flex:${long};background:var(${stateColour(overview.words, overview.words.indexOf(word), overview.palette ?? overview.words)})`, title: `${clock.moment(from)} ${word}`, "aria-label": `${clock.moment(from)} ${word}`, onclick: () => show({ step: from, live: false, playing: false }) })));
  }

  needs(fields) {
    const rows = NEEDS.map((name) => fields.get(name)).filter((field) => field?.number !== undefined), money = fields.get("money_cents")?.number;
    if (!rows.length) return null;
    return h("p", { class: "needs note" }, rows.map(({ name, number: value }) => h("span", {}, `${name} `, h("i", { class: "bar short", style: `--share:${Math.max(0, Math.min(1, value))}` }), number(value, 2))), money === undefined ? null : h("span", {}, `purse ${number(money / 100)} €`));
  }

  plans(plan, step) {
    const rows = plan?.pairs;
    if (!rows?.length) return null;
    const time = this.page.clock.time(step);
    return h("ul", { class: "plain" }, [...rows].sort().map(([at, what]) => h("li", { class: /^\d\d:\d\d$/.test(at) && at < time ? "past" : "" }, h("b", {}, at), ` ${this.named(what)}`)));
  }

  // "meet oona_anttila at cafe" as people say it.
  named(what) { return what.replace(/\p{L}+(_[\p{L}\d]+)+|\b(mayor)\b/gu, (name) => (this.page.titles.has(name) ? this.page.called(name) : name)); }

  hours(name, turns) {
    let hour = "";
    return turns.flatMap((turn) => {
      const { clock } = this.page, now = !clock.timed ? "" : clock.daily ? `${clock.time(turn.step).slice(0, 2)}:00` : clock.date(turn.step);
      const head = now === hour ? null : h("li", { class: "hour", "aria-hidden": "true" }, now);
      hour = now;
      return [head, this.entry(name, turn)];
    });
  }

  entry(name, turn) {
    const mine = turn.agent === name, told = turn.told ?? [], feed = this.page.panels.feed;
    const what = told.length ? feed.sentences(turn, told) : [" ", h("code", { class: "line" }, turn.code)];
    return h("li", { class: mine ? "mine" : "theirs", "data-turn": String(turn.turn) }, this.moment(turn.step), h("span", {}, mine ? null : feed.linkTo(turn, turn.agent, this.page.called(turn.agent)), what, turn.status === "committed" ? null : [" ", badge(turn.status), " ", h("small", {}, turn.error)]));
  }

  moment(step) { return h("button", { type: "button", class: "link", title: "Show this moment", onclick: () => show({ step, live: false, playing: false }) }, this.page.clock.moment(step)); }
}

const text = (field) => field?.shown?.replace(/^"(.*)"$/s, "$1").replace(/^(None|null)$/, "") ?? "";
const lines = (field) => (field?.items ? h("ul", { class: "plain" }, field.items.map((item) => h("li", {}, item))) : field?.pairs ? h("ul", { class: "plain" }, field.pairs.map(([key, item]) => h("li", {}, h("b", {}, key), ` ${item}`))) : null);
