// The strip of time: day and night, turns that landed and those that did not, marks; and what plays history.
import { h, later, token } from "./dom.js";
import { daylight } from "./clock.js";
import { source } from "./api.js";
import { redrawWithTheme } from "./figure.js";
import { onChange, show, shown } from "./store.js";

const HIGH = 54, MARKS = { operator: "--ink", refused: "--vermilion", event: "--green", fork: "--purple", reached: "--sky", chapter: "--blue", note: "--yellow" };

export class Timeline {
  constructor(host, page) {
    this.page = page;
    this.told = { strip: [], marks: [], width: 1 };
    this.chapters = [];
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.slider = h("input", { type: "range", min: "0", step: "1", id: "time", "aria-label": "Step that is shown (arrow keys)" });
    this.play = h("button", { type: "button", class: "round", id: "play", onclick: () => this.toggle() });
    this.live = h("button", { type: "button", class: "live", id: "live", onclick: () => show({ live: true, playing: false }) }, h("i"), h("span"));
    this.speed = h("select", { id: "history-speed", "aria-label": "Speed of history" }, [1, 2, 6, 20, 60, 240].map((each) => h("option", { value: String(each) }, `${each} steps/s`)));
    this.speed.value = String(shown.speed);
    this.clock = h("div", { class: "clock" }, h("b"), h("span"));
    this.track = h("div", { class: "track" }, this.canvas, this.slider);
    host.append(...[this.play, this.clock, this.track, this.speed, source.isSaved ? null : this.live].filter(Boolean));
    this.slider.addEventListener("input", () => show({ step: Number(this.slider.value), live: false, playing: false }));
    this.speed.addEventListener("change", () => show({ speed: Number(this.speed.value) }));
    this.track.addEventListener("pointermove", (event) => this.tip(event));
    this.track.addEventListener("pointerleave", () => { document.querySelector("#tip").hidden = true; });
    this.track.addEventListener("click", (event) => { const mark = this.markAt(event); if (mark) { show({ step: mark.step, live: false }); if (mark.turn) show({ turn: String(mark.turn), tab: "turn" }); } });
    this.paint = later(() => this.draw(), 16);
    this.sight = new ResizeObserver(this.paint);
    this.sight.observe(this.track);
    redrawWithTheme(this.paint);
    onChange(() => this.sync(), "step", "live", "playing");
    this.setPlaying();
  }

  get first() { return this.page.overview.first; }
  get last() { return this.page.last; }

  update(told) { this.told = told; this.paint(); this.page.story.noted(told.marks); this.page.panels.control?.sync(); }

  // At the live edge of a run that this server plays, the one control is that run's; anywhere else it plays history.
  get steersRun() { const { live } = this.page.connection; return Boolean(shown.live && !shown.playing && live && !live.stopped && this.page.overview.may_steer); }

  toggle() {
    if (this.steersRun) this.page.panels.control.toggle();
    else if (shown.playing) show({ playing: false });
    else {
      if (shown.step >= this.last) show({ step: this.first });
      show({ playing: true, live: false });
    }
  }

  sync() {
    const { clock } = this.page, step = Math.floor(shown.step);
    this.slider.min = this.first;
    this.slider.max = this.last;
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `step ${step}, ${clock.time(step)}`);
    this.clock.firstChild.textContent = clock.moment(step);
    this.clock.lastChild.textContent = clock.timed ? `${clock.daily ? `${clock.date(step)}, ` : ""}step ${step.toLocaleString("en-GB")}` : `of ${this.last.toLocaleString("en-GB")}`;
    this.live.setAttribute("aria-pressed", String(shown.live));
    const { running } = this.page.connection;
    this.live.lastChild.textContent = running ? "Live" : "End";
    this.live.title = running ? "Follow the live edge (l)" : "Go to the end (l)";
    this.setPlaying();
  }

  setPlaying() {
    const what = this.steersRun ? "the run" : "history", moves = this.steersRun ? !this.page.connection.live.paused : shown.playing, now = `${what} ${moves}`;
    const paths = { true: "M3 2h4v12H3zM9 2h4v12H9z", false: "M4 1.5l10 6.5-10 6.5z" };
    if (this.was === now) return;
    this.was = now;
    this.speed.hidden = this.steersRun; // that of the run is set in Control
    this.play.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${paths[moves]}"/></svg>`;
    this.play.setAttribute("aria-label", `${moves ? "Pause" : "Play"} ${what}`);
    this.play.title = `${moves ? "Pause" : "Play"} ${what} (space)`;
    this.advanceIfPlaying();
  }

  advanceIfPlaying() {
    if (shown.playing) { this.before = performance.now(); this.at = shown.step; requestAnimationFrame((now) => this.advance(now)); }
  }

  advance(now) {
    if (!shown.playing) return;
    const wished = this.at + ((now - this.before) / 1000) * shown.speed;
    this.before = now;
    this.at = this.page.ready(Math.floor(Math.min(wished, this.last))) ? wished : this.at; // wait for frames on their way
    if (Math.abs(this.at - shown.step) > 1.5 + shown.speed) this.at = shown.step; // somebody scrubbed meanwhile
    if (this.at >= this.last) { show({ step: this.last, playing: false, live: this.page.connection.running && !source.isSaved }); return; }
    show({ step: Math.floor(this.at) });
    requestAnimationFrame((next) => this.advance(next));
  }

  x(step, wide) { return ((step - this.first) / Math.max(1, this.last - this.first)) * wide; }

  markX(step, wide) { return Math.max(5, Math.min(wide - 5, this.x(step, wide))); } // whole ones at both ends

  draw() {
    const { canvas, told, page } = this, box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    if (!box.width) return;
    Object.assign(canvas, { width: Math.round(box.width * ratio), height: Math.round(HIGH * ratio) });
    const pen = canvas.getContext("2d"), dark = document.documentElement.dataset.theme === "dark";
    pen.scale(ratio, ratio);
    const night = dark ? [24, 32, 52] : [160, 172, 200], day = dark ? [56, 88, 118] : [214, 232, 244];
    for (let px = 0; px < box.width; px += 2) {
      const light = page.clock.timed && page.clock.daily ? daylight(page.clock.hour(this.first + (px / box.width) * (this.last - this.first))) : 1;
      pen.fillStyle = `rgb(${night.map((tone, part) => Math.round(tone + (day[part] - tone) * light))})`;
      pen.fillRect(px, 12, 2, HIGH - 18);
    }
    const lost = ({ step, committed, ...rest }) => Object.values(rest).reduce((sum, each) => sum + each, 0);
    const most = told.strip.reduce((best, part) => Math.max(best, (part.committed ?? 0) + lost(part)), 1), high = HIGH - 22;
    const wide = Math.max(1, this.x(this.first + told.width, box.width) - 0.5);
    for (const part of told.strip) {
      const x = this.x(part.step, box.width), landed = ((part.committed ?? 0) / most) * high, failed = (lost(part) / most) * high;
      pen.fillStyle = token("--blue");
      pen.globalAlpha = 0.6;
      pen.fillRect(x, HIGH - 6 - landed, wide, landed);
      pen.globalAlpha = 1;
      pen.fillStyle = token("--orange");
      pen.fillRect(x, HIGH - 6 - landed - failed, wide, failed);
    }
    for (const { step, kind } of this.marks()) {
      const x = this.markX(step, box.width);
      pen.fillStyle = token(MARKS[kind] ?? "--ink");
      pen.beginPath();
      if (kind === "chapter") pen.arc(x, 6, 3.2, 0, 7);
      else { pen.moveTo(x - 4, 2); pen.lineTo(x + 4, 2); pen.lineTo(x, 10); }
      pen.fill();
    }
  }

  marks() { return [...this.told.marks, ...this.chapters]; }

  // What stands out in the run, as chapters of it.
  tell(lines) {
    this.chapters = lines.filter(({ step }) => step > this.first).map(({ step, text, turn }) => ({ step, text, turn, kind: "chapter" }));
    this.paint();
  }

  markAt(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left;
    if (event.clientY - box.top > 13) return null;
    return this.marks().find(({ step }) => Math.abs(this.markX(step, box.width) - x) < 5);
  }

  // Return the next mark behind (or before) the shown step.
  jump(direction) {
    const steps = this.marks().map(({ step }) => step).filter((step) => (direction > 0 ? step > shown.step : step < shown.step));
    if (steps.length) show({ step: direction > 0 ? Math.min(...steps) : Math.max(...steps), live: false });
  }

  tip(event) {
    const box = this.canvas.getBoundingClientRect(), tip = document.querySelector("#tip"), mark = this.markAt(event);
    const step = Math.round(this.first + ((event.clientX - box.left) / box.width) * (this.last - this.first));
    tip.hidden = false;
    tip.textContent = mark ? `${this.page.clock.both(mark.step)}: ${mark.text}` : this.page.clock.timed ? `step ${step}, ${this.page.clock.both(step)}` : `step ${step}`;
    Object.assign(tip.style, { left: `${Math.min(innerWidth - 260, event.clientX + 12)}px`, top: `${box.top - 30}px` });
  }
}
