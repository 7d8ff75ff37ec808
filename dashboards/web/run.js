// The page of one run: map, timeline and panels over one store, the live edge, and what the page says when something is amiss.
import { $, empty, fill, gently, h } from "./dom.js";
import { pagePath, runPath } from "./addresses.js";
import { Adrift } from "./adrift.js";
import { get, source } from "./api.js";
import { Clock } from "./clock.js";
import { Frames } from "./frames.js";
import { MapView } from "./map.js";
import { saveMap } from "./map_picture.js";
import { mapTools, watchCrowd } from "./map_tools.js";
import { savedNote } from "./saved_note.js";
import { showStatus } from "./status.js";
import { isOpen, keepAddress, onChange, pinned, readAddress, show, shown, wide } from "./store.js";
import { Story } from "./story.js";
import { Tabs } from "./tabs.js";
import { listen } from "./talk.js";
import { Timeline } from "./timeline.js";
import { Weather } from "./weather.js";
import { Blame } from "./panels/blame.js";
import { Control } from "./panels/control.js";
import { Feed } from "./panels/feed.js";
import { Inspect } from "./panels/inspect.js";
import { Life } from "./panels/life.js";
import { Measures } from "./panels/measures.js";
import { Minds } from "./panels/minds.js";
import { Models } from "./panels/models.js";
import { News } from "./panels/news.js";
import { Relations } from "./panels/relations.js";
import { Turn } from "./panels/turn.js";

const PANELS = [Feed, Turn, Inspect, Blame, Relations, Measures, Control, Models, Life, Minds, News].filter((Panel) => !source.isSaved || Panel !== Control);
const MOST_TOLD = 20_000, TOLD_EVERY_MS = 2_000, TOLD_SHARE = 20; // turns; of a run that goes on, so often at most, and so many times what telling took
const SAYS = {
  gone: (why) => `The run is gone: ${why}. What was loaded stays here. Put its folder back where it was: this page looks again every second, and goes on by itself. Runs, above, lists those that are there.`,
  stopped: () => "The run is not finished, and nobody writes it: it was stopped, or killed. What was committed is here; cave-sim resume goes on with it, and this page follows.",
};

export class RunPage {
  constructor(frame) { Object.assign(this, { frame, owed: 0, grownAt: performance.now() }); }

  async open() {
    const asked = readAddress();
    this.overview = source.isSaved ? (await source.open()).overview : await get(runPath(shown.run, "overview"));
    if (source.isSaved) show({ run: this.overview.run, live: false, ...(shown.live ? { step: this.overview.last } : {}) });
    if (asked.end && (source.isSaved || this.overview.status === "finished")) show({ live: false, step: this.overview.opening }); // at its end all may be asleep
    this.frames = source.isSaved ? source.frames() : new Frames(shown.run, this.overview.movers.length);
    Object.assign(this, { live: this.overview.live, boot: this.overview.boot, state: this.overview.status }); // from here on the line tells: what is asked for may be old when it comes
    this.take(this.overview);
    this.build();
    document.title = `${this.overview.title} · ${shown.run}`;
    if (!asked.tab && !this.overview.agents.length && this.overview.measures.length && this.map && !this.live) show({ tab: "measures" });
    keepAddress();
    if (shown.live) show({ step: this.last });
    onChange(() => this.draw(), "step", "live");
    onChange(() => this.map?.pick(shown.pick), "pick");
    onChange(() => this.openTab(), "tab");
    wide.addEventListener("change", () => this.openTab());
    this.openTab();
    this.map?.pick(shown.pick);
    this.timeline.sync();
    this.readTimeline = gently(async () => this.timeline.update(await get(runPath(shown.run, "timeline"))), 1000);
    this.again = gently(() => this.learn(), 300);
    this.readStory = gently(() => this.tellStory(), () => (this.running ? Math.max(TOLD_EVERY_MS, TOLD_SHARE * (this.telling_ms ?? 0)) : 0));
    this.draw();
    this.readTimeline();
    if (!source.isSaved) this.line = source.watch(shown.run, { onStatus: (told) => this.status(told), onDelta: (buffer) => this.delta(buffer), onLost: () => this.lost(), onSilent: (silent_ms) => this.silent(silent_ms), onBeat: () => this.beat() });
    document.documentElement.dataset.ready = "yes";
    performance.mark("ready");
  }

  take(overview) {
    const words = this.overview.words;
    if (words !== overview.words) { words.length = 0; words.push(...overview.words); overview.words = words; } // the map holds on to the list
    this.overview = overview;
    this.clock = new Clock(overview);
    this.last = Math.max(overview.last, this.frames.newest?.head.step ?? 0);
    this.frames.last = this.last;
    this.version = overview.version;
    this.entities = new Map([...overview.places, ...overview.movers].map(({ name, title }) => [name, title]));
    this.titles = new Map([...Object.entries(overview.titles), ...this.entities]);
    if (this.map) { this.map.overview = overview; this.map.legendText = ""; }
  }

  // What people call an entity; of one that is not on the map, its name in words.
  called(name) { return this.titles.get(name) ?? (name[0] ?? "").toUpperCase() + name.slice(1).replaceAll("_", " "); }

  // A name in its own words; what there is of that name is one click away.
  titled(name) { return this.entities.has(name) ? h("button", { type: "button", class: "link", title: name, onclick: () => this.inspect(name) }, this.called(name)) : this.called(name); }

  get running() { return this.state === "running" || this.state === "stopped"; }

  build() {
    const { overview } = this, names = [...overview.entities.map(([name]) => name), ...overview.movers.map(({ title }) => title)];
    fill($("#top"), this.frame.header(h("div", { class: "title" }, h("h1", {}, overview.title), h("p", { class: "note" }, [shown.run, overview.map.name, overview.about.seed === undefined ? "" : `seed ${overview.about.seed}`].filter(Boolean).join(" · "))),
      h("span", { class: "status", id: "status", role: "status" }), h("div", { class: "weather", id: "weather" })));
    this.stage = h("section", { class: "stage card", "aria-label": "Map" });
    this.bar = h("section", { class: "player card", "aria-label": "Time" });
    const told = h("section", { class: "card", id: "story", "aria-label": "What stands out" });
    this.tabs = new Tabs(PANELS.map(({ name }) => name), (tab) => show({ tab }));
    this.hosts = {};
    this.panels = {};
    const side = h("section", { class: "panels", id: "panels", tabindex: "-1", "aria-label": "Panels" });
    for (const Panel of PANELS) {
      const name = Panel.name.toLowerCase();
      this.hosts[name] = h("div", { class: `panel p-${name}`, role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" });
      side.append(this.hosts[name]);
    }
    fill($("#main"), h("datalist", { id: "entities" }, names.map((name) => h("option", { value: name }))), h("div", { class: "left" }, this.stage, told, this.bar), h("div", { class: "card side" }, this.tabs.element, side));
    $("#main").className = "run";
    this.timeline = new Timeline(this.bar, this);
    this.weather = new Weather($("#weather"), (light, kind, rain) => this.map?.light(light, kind, rain));
    this.story = new Story(told, this);
    if (overview.drawn) {
      this.map = new MapView(this.stage, overview, { onPick: (name) => this.inspect(name) });
      this.map.onPainted = () => this.settle();
      this.hear = listen((said) => this.map.hear(said), this.frames, (name) => this.called(name));
      onChange(this.hear, "step", "playing");
      this.hear();
      if (!source.isSaved || overview.movers.length) this.stage.append(mapTools(this));
      if (overview.districts?.length) watchCrowd(this);
    } else this.withoutMap();
    if (source.isSaved) document.body.append(savedNote());
    for (const Panel of PANELS) this.panels[Panel.name.toLowerCase()] = new Panel(this.hosts[Panel.name.toLowerCase()], this);
    this.showStatus();
  }

  keepMap(format = "png") {
    if (this.map?.to) saveMap(this.map, `${this.overview.title}, ${this.clock.both(shown.step)}`, `${shown.run}-${Math.floor(shown.step)}`, format);
  }

  zoom(times) {
    this.map?.view.closer(times);
  }

  // A world without positions shows its measures where others have a map; one in which nobody ever acted begins with them too.
  withoutMap() {
    this.stage.classList.add("bare");
    this.stage.setAttribute("aria-label", "Measures");
    if (!this.overview.measures.length) return fill(this.stage, empty("Nothing in this world has a position, and it takes no measures. The other panels show everything else; a portrayal function puts it on a map."));
    pinned.add("measures");
    this.hosts.measures.remove();
    this.tabs.remove("measures");
    this.hosts.measures.setAttribute("role", "group");
    this.hosts.measures.removeAttribute("aria-labelledby");
    this.hosts.measures.setAttribute("aria-label", "Measures");
    this.stage.append(h("p", { class: "note pad-small" }, "Nothing in this world has a position: here are its measures."), this.hosts.measures);
    if (shown.tab === "measures") show({ tab: "feed" });
  }

  // What nobody having acted means here: agents of a city act in its districts.
  get idle() {
    const { districts } = this.overview;
    if (!districts?.length || source.isSaved) return "Nobody has acted yet.";
    const links = districts.flatMap((name, at) => [at ? ", " : ": ", h("a", { href: pagePath(`${shown.run}/${name}`) }, name)]);
    return ["Residents of a city act in its districts; each has a page of its own", ...links];
  }

  openTab() {
    if (!Object.hasOwn(this.hosts, shown.tab)) show({ tab: "feed" }); // a saved page lacks some that a link to a live one names
    for (const name of Object.keys(this.hosts)) this.hosts[name].hidden = !isOpen(name);
    this.tabs.select(shown.tab);
    for (const panel of Object.values(this.panels)) panel.refresh?.();
  }

  // Whether the frame of a step is here; it is asked for if not.
  ready(step) {
    this.frames.ahead(step);
    return Boolean(this.frames.at(step, () => this.draw()));
  }

  draw() {
    const within = Math.max(this.overview.first, shown.live ? this.last : Math.min(this.last, shown.step)); // before the first step is written, the last is none
    if (shown.step !== within) { show({ step: within }); if (shown.live) return; }
    const step = Math.floor(shown.step), frame = this.frames.at(step, () => this.draw(), () => this.missing(step));
    if (!frame) return;
    if (this.adrift) this.sayAdrift();
    if (shown.playing) this.frames.ahead(step);
    this.turns = frame.head.turn;
    this.readStory();
    this.map?.show(frame, shown.playing ? 1000 / shown.speed : shown.live ? this.glide() : 0);
    if (!shown.pick) this.panels.inspect.refresh();
    this.weather.show(frame.head.weather, this.clock.hour(step), this.clock.timed && this.clock.daily);
  }

  // The story is told once, and again as a run goes on; a very long run has none: finding it takes too long.
  async tellStory() {
    const upTo = this.running ? `${this.state} ${this.last}` : this.state;
    if (this.told === upTo) return;
    if (this.turns > MOST_TOLD && !source.isSaved) { this.story.tell([]); return; }
    const began = performance.now();
    try {
      const lines = await get(runPath(shown.run, "highlights"));
      this.told = upTo;
      this.timeline.tell(lines);
      this.story.tell(lines);
      this.map?.tell(lines.find(({ sort }) => sort === "news") ?? null);
    } catch (error) { this.story.missed(error.message); }
    this.telling_ms = performance.now() - began;
  }

  // How long residents take from one live step to the next: as long as steps have come apart lately.
  glide() { return Math.min(900, Math.max(0, (this.apart_ms ?? 0) * 0.9)); }

  delta(buffer) {
    const now = performance.now(), frame = this.frames.patch(buffer), { head } = frame;
    this.owed += 1;
    if (this.deltaAt && head.step > this.last) this.apart_ms = 0.7 * (this.apart_ms ?? now - this.deltaAt) + 0.3 * (now - this.deltaAt);
    this.deltaAt = now;
    const grown = head.step !== this.last;
    if (grown) this.grownAt = now;
    this.last = head.step;
    if (head.version !== this.version) this.again();
    if (this.lostAt) this.found();
    if (grown) {
      this.readTimeline();
      this.panels.measures.append(head.step, head.measures);
    }
    if (shown.live) {
      show({ step: this.last });
      this.draw();
      if (!this.map || document.hidden) this.settle(); else setTimeout(() => this.settle(), 1000);
    } else {
      this.timeline.sync();
      setTimeout(() => this.settle(), 100);
    }
  }

  // Tell the server of every message that was drawn, two of them at one stroke too: it sends as many more, and no others.
  settle() { for (; this.owed > 0; this.owed -= 1) this.line.drawn(); }

  // Somebody new, a new word, new bounds, or a new server: learn anew what the run is.
  async learn() {
    try {
      const overview = await get(runPath(shown.run, "overview")), moved = String(overview.bounds) !== String(this.overview.bounds) || overview.places.length !== this.overview.places.length;
      this.take(overview);
      if (moved) { this.frames.forget(); await this.map?.drawBase(); this.draw(); }
      this.panels.feed.agents(overview.agents);
      this.panels.control?.agents(overview.agents);
      this.panels.control?.sync();
      this.showStatus();
    } catch (error) { this.notice(error.message, "bad"); }
  }

  status(told) {
    if (told.boot !== this.boot) { this.boot = told.boot; this.frames.forget(); this.version = -1; this.again(); }
    const was = this.state;
    this.state = told.status;
    this.live = told.live;
    if (this.lostAt) this.found();
    if (SAYS[told.status]) this.notice(SAYS[told.status](told.trouble), told.status === "gone" ? "bad" : "stay");
    else if (SAYS[was]) { this.notice(""); if (was === "gone") { this.version = -1; this.frames.forget(); this.again(); } }
    this.showStatus();
    this.panels.control?.sync();
    if (was !== told.status) this.readTimeline();
    this.timeline.paint();
    this.timeline.setPlaying();
  }

  lost() {
    this.owed = 0;
    if (this.state !== "lost") this.stateThen = this.state;
    this.away(`The server does not answer. What was loaded stays here; this page connects again by itself. If it was stopped: ${this.stateThen === "finished" ? "cave-sim dash shows it" : "cave-sim resume --watch goes on with the run"}, given the folder of ${shown.run}.`);
    get(runPath(shown.run, "overview")).catch((error) => {
      if (error.answered && this.state === "lost") this.notice("The server was started anew, and has another token. Open the address that cave-sim printed, in any tab: this page then goes on by itself.", "bad");
    });
  }

  // The line is there, and nothing comes of it.
  silent(silent_ms) { this.away(`The server has said nothing for ${Math.floor(silent_ms / 5000) * 5} s: it hangs, or the network does. What was loaded stays here; this page goes on as soon as it hears of it.`); }

  // The server is there: what it said last still holds, though a step may take its time.
  beat() {
    if (this.lostAt) this.found();
    this.showStatus();
  }

  away(why) {
    if (this.state !== "lost") this.stateThen = this.state;
    this.lostAt ||= Date.now();
    if (!this.adrift) {
      this.adrift = new Adrift(this.stage, this.hosts.feed.parentElement, () => this.line.again());
      this.sayAdrift();
    }
    this.state = "lost";
    this.showStatus();
    this.notice(why, "bad");
  }

  sayAdrift(missing = null) { this.adrift.say(this.clock.moment(missing ?? shown.step), missing !== null); }

  // A step that is not here: without a line the map stays where it was, and says so.
  missing(step) { if (this.adrift && Math.floor(shown.step) === step) this.sayAdrift(step); }

  // The line is back: what could not be read meanwhile is read now.
  found() {
    this.lostAt = 0;
    if (this.state === "lost") this.state = this.stateThen;
    this.notice("");
    this.adrift?.end();
    this.adrift = null;
    this.draw();
    this.hear?.();
    for (const panel of Object.values(this.panels)) panel.refresh?.();
  }

  showStatus() {
    const word = this.state === "lost" ? "no connection" : this.live && !this.live.stopped ? (this.live.paused ? "paused" : "live") : this.state;
    showStatus($("#status"), word, this.last + 1, performance.now() - this.grownAt);
  }

  notice(text, kind = "") { this.frame.notice(text, kind); }
  select(name) { show({ pick: name }); }
  inspect(name) { show({ pick: name, tab: "inspect" }); }
  blame(entity, field) { show({ target: /^[\p{L}_][\p{L}\p{N}_]*$/u.test(entity) ? `${entity}.${field}` : `world[${JSON.stringify(entity)}].${field}`, tab: "blame" }); }
  only({ name, acts }) { show(acts ? { agent: name, entity: "", kind: "cell", tab: "feed" } : { entity: name, agent: "", kind: "", tab: "feed" }); }
}
