// The page of one run: which moment of it is shown, and whom and what its map, its story and its panels tell of.
import { gently, h, number } from "./dom.js";
import { pagePath, runPath } from "./addresses.js";
import { get, source } from "./api.js";
import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { Frames } from "./frames.js";
import { saveMap } from "./map_picture.js";
import { layOut } from "./run_layout.js";
import { isOpen, keepAddress, onChange, readAddress, show, shown, wide } from "./store.js";

export class RunPage {
  constructor(frame) { this.frame = frame; }

  async open() {
    const asked = readAddress();
    this.overview = source.isSaved ? (await source.open()).overview : await get(runPath(shown.run, "overview"));
    if (source.isSaved) show({ run: this.overview.run, live: false, ...(shown.live ? { step: this.overview.last } : {}) });
    if (asked.end && (source.isSaved || this.overview.status === "finished")) show({ live: false, step: this.overview.opening }); // at its end all may be asleep
    this.frames = source.isSaved ? source.frames() : new Frames(shown.run, this.overview.movers.length);
    this.connection = new Connection(this, this.overview);
    this.take(this.overview);
    layOut(this);
    this.connection.show();
    this.expectStep(asked.step);
    document.title = `${this.overview.title} · ${shown.run}`;
    if (!asked.tab && !this.overview.agents.length && this.overview.measures.length && this.map && !this.connection.live) show({ tab: "measures" }); // nobody ever acted
    keepAddress();
    if (shown.live) show({ step: this.last });
    onChange(() => this.draw(), "step", "live");
    onChange(() => this.map?.pick(shown.pick), "pick");
    onChange(() => this.openTab(), "tab");
    wide.addEventListener("change", () => this.openTab());
    this.openTab();
    this.map?.pick(shown.pick);
    this.timeline.sync();
    this.readTimeline = gently(async () => this.timeline.update(await get(runPath(shown.run, "timeline"))), () => (shown.live ? 2000 : 1000));
    this.again = gently(() => this.learn(), 300);
    this.draw();
    this.readTimeline();
    if (!source.isSaved) this.connection.open();
    document.documentElement.dataset.ready = "yes";
    performance.mark("ready");
  }

  // A link may lead to a step that is not there, or not yet: that is said, whatever else there is to say.
  expectStep(step) {
    const { first } = this.overview, isThere = step === null || (step >= first && step <= this.last);
    this.astray = isThere ? "" : `The link leads to step ${number(step)}, which is not there: steps go from ${number(first)} to ${number(this.last)}.`;
    if (!this.astray) return;
    this.notice("");
    setTimeout(() => { this.astray = ""; }, 6000);
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

  keepMap(format = "png") {
    if (this.map?.to) saveMap(this.map, `${this.overview.title}, ${this.clock.both(shown.step)}`, `${shown.run}-${Math.floor(shown.step)}`, format);
  }

  zoom(times) {
    this.map?.view.closer(times);
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
    const step = Math.floor(shown.step), frame = this.frames.at(step, () => this.draw(), () => this.connection.missing(step));
    if (!frame) return;
    this.connection.sayAdrift();
    if (shown.playing) this.frames.ahead(step);
    this.story.read(frame.head.turn);
    this.map?.show(frame, shown.playing ? 1000 / shown.speed : shown.live ? this.connection.glide() : 0);
    if (!shown.pick) this.panels.inspect.refresh();
    this.weather.show(frame.head.weather, this.clock.hour(step), this.clock.timed && this.clock.daily);
  }

  // A message came by the line; `grown` if by it the run has a step more.
  grow(head, grown) {
    this.last = head.step;
    if (grown) {
      this.readTimeline();
      this.panels.measures.append(head.step, head.measures);
    }
    if (!shown.live) { this.timeline.sync(); return; }
    show({ step: this.last });
    this.draw();
  }

  // What is known of the run may be of another server, or of another run in its folder.
  anew() {
    this.frames.forget();
    this.version = -1;
    this.again();
  }

  // Somebody new, a new word, new bounds, or a new server: learn anew what the run is.
  async learn() {
    try {
      const overview = await get(runPath(shown.run, "overview")), moved = String(overview.bounds) !== String(this.overview.bounds) || overview.places.length !== this.overview.places.length;
      this.take(overview);
      if (moved) { this.frames.forget(); await this.map?.drawBase(); this.draw(); }
      this.panels.feed.agents(overview.agents);
      this.panels.control?.agents(overview.agents);
      this.panels.control?.sync();
      this.connection.show();
    } catch (error) { this.notice(error.message, "bad"); }
  }

  // Read what could not be read for a while.
  refresh() {
    this.draw();
    this.hear?.();
    for (const panel of Object.values(this.panels)) panel.refresh?.();
  }

  // Where the link led stands before it for a moment only.
  notice(text, kind = "") {
    this.frame.notice(text, kind);
    if (this.astray) this.frame.notice([this.astray, text].filter(Boolean).join(" "), kind, true);
  }

  select(name) { show({ pick: name }); }
  inspect(name) { show({ pick: name, tab: "inspect" }); }
  blame(entity, field) { show({ target: /^[\p{L}_][\p{L}\p{N}_]*$/u.test(entity) ? `${entity}.${field}` : `world[${JSON.stringify(entity)}].${field}`, tab: "blame" }); }
  only({ name, acts }) { show(acts ? { agent: name, entity: "", kind: "cell", tab: "feed" } : { entity: name, agent: "", kind: "", tab: "feed" }); }
}
