// What steers a live run: play, pause, step, speed, stop; a console that submits cells; watch points; and forks of any run.
import { empty, fill, h, offer } from "../dom.js";
import { pagePath, runPath } from "../addresses.js";
import { get, post } from "../api.js";
import { chosen, minds, pace } from "../playing.js";
import { onChange, shown } from "../store.js";
import { Console } from "./console.js";

const DOUBLE_MS = 500;

export class Control {
  name = "control";
  title = "Control";

  constructor(host, page) {
    Object.assign(this, { host, page });
    const button = (name, text, key, wish) => h("button", { type: "button", id: name, title: `${text} (${key})`, onclick: () => this.wish(wish ?? { do: name }) }, text);
    this.buttons = h("div", { class: "buttons", onkeydown: (event) => this.press(event) }, button("run-play", "Play", "p", { do: "play" }), button("run-pause", "Pause", "p", { do: "pause" }), button("run-step", "Step", "s", { do: "step" }), button("run-stop", "Stop", "in the panel alone", { do: "stop" }));
    this.speed = h("select", { id: "run-speed", "aria-label": "Speed of the run", onchange: () => this.wish({ do: "speed", speed: this.speed.value ? Number(this.speed.value) : null }) },
      [["", "as fast as it goes"], ["0.2", "1 step in 5 s"], ["1", "1 step/s"], ["2", "2 steps/s"], ["6", "6 steps/s"], ["20", "20 steps/s"]].map(([value, text]) => h("option", { value }, text)));
    this.state = h("p", { class: "note", role: "status", id: "run-state" });
    this.said = h("p", { class: "said", role: "status" });
    this.console = new Console(page);
    this.point = h("input", { type: "text", id: "watch-point", placeholder: "weather.temperature_c > 20", "aria-label": "Pause when this holds", onkeydown: (event) => { if (event.key === "Enter") this.watch(); } });
    this.points = h("ul", { class: "plain" });
    this.steering = h("div", {}, h("h2", {}, "The run"), this.state, this.buttons, h("label", { class: "row" }, "Speed ", this.speed),
      ...this.console.parts,
      h("h3", {}, "Watch points"), h("p", { class: "note" }, "The run pauses after the step in which one begins to hold."), h("div", { class: "row" }, this.point, h("button", { type: "button", id: "watch-add", onclick: () => this.watch() }, "Watch")), this.points);
    this.away = h("div", {});
    this.forkCode = h("textarea", { id: "fork-code", rows: "3", spellcheck: "false", placeholder: "town.announcements.append('A storm is coming')", "aria-label": "Cell to run at the fork, or nothing" });
    this.forkUntil = h("input", { type: "number", id: "fork-until", min: "1", "aria-label": "Step to go on to", oninput: () => { this.chosen = true; } });
    this.forkAt = h("b", {});
    this.forkSaid = h("div", { role: "status", id: "fork-said" });
    this.fork = h("section", { id: "fork" }, h("h2", {}, "Fork from here"), h("p", { class: "note" }, "A new run begins at step ", this.forkAt, " with everything as it was there, runs this cell as the operator, and goes on; its page steers it."), this.forkCode, h("label", { class: "row" }, "Go on to step ", this.forkUntil), pace("fork"),
      page.overview.about.model ? minds("fork", "Minds: another language model from here on", "without one they think as before") : null, h("button", { type: "button", id: "fork-go", onclick: () => this.go() }, "Fork and run"), this.forkSaid);
    host.append(this.away, this.steering, this.said, this.fork);
    this.agents(page.overview.agents);
    onChange(() => this.sync(), "step", "tab");
    this.sync();
  }

  agents(names) {
    offer(this.console.agent, ["operator", ...names].map((name) => [name, this.page.called(name)]));
  }

  sync() {
    const { live } = this.page.connection, may = this.page.overview.may_steer, over = !live || live.stopped;
    this.steering.hidden = !live;
    fill(this.away, live ? null : empty("Nobody here plays this run: it is over, or another process writes it. It can be watched, and forked from any step."));
    const held = document.activeElement;
    for (const control of this.steering.querySelectorAll("button, select, textarea, input")) control.disabled = !may || over;
    this.said.hidden = may;
    if (!may) this.said.textContent = "This page may look and not steer. Open the address with ?token= that cave-sim printed.";
    this.forkAt.textContent = String(Math.floor(shown.step));
    if (!this.chosen) this.forkUntil.value = String(Math.max(live?.until ?? 0, this.page.last, Math.floor(shown.step) + 36));
    this.fork.querySelector("#fork-go").disabled = !may;
    if (!live) { this.goOn(held); return; }
    this.state.textContent = live.stopped ? `over at step ${this.page.last}` : `${live.paused ? "paused" : "running"} at step ${this.page.last} of ${live.until}`;
    this.buttons.querySelector("#run-play").disabled ||= !live.paused;
    this.buttons.querySelector("#run-pause").disabled ||= live.paused;
    this.goOn(held);
    if (document.activeElement !== this.speed) this.speed.value = live.speed ? String(live.speed) : "";
    fill(this.points, live.points.map((text) => h("li", {}, h("code", {}, text), " ", h("button", { type: "button", class: "link", disabled: !may, onclick: () => this.wish({ do: "unwatch", text }) }, "forget"))),
      this.page.timeline.marks().filter(({ kind }) => kind === "reached").map(({ step, text }) => h("li", { class: "note" }, `step ${step}: ${text}`)));
  }

  // Whoever goes by keys goes on where something can be done.
  goOn(held) {
    if (!held?.disabled || !this.steering.contains(held)) return;
    this.movedTo = this.buttons.querySelector("button:not(:disabled)") ?? this.host;
    this.movedTo.focus();
    this.movedAt = performance.now();
  }

  // A key that is held, or struck twice, was meant for the button that had the focus before.
  press(event) {
    if (["Enter", " "].includes(event.key) && (event.repeat || (event.target === this.movedTo && event.timeStamp - this.movedAt < DOUBLE_MS))) event.preventDefault();
  }

  async wish(wish) {
    try {
      await post(runPath(shown.run, "control"), wish);
      return true;
    } catch (error) { this.page.notice(error.message, "bad"); return false; }
  }

  async watch() {
    if (await this.wish({ do: "watch", text: this.point.value.trim() })) this.point.value = "";
  }

  toggle() { if (this.page.connection.live && !this.page.connection.live.stopped) this.wish({ do: this.page.connection.live.paused ? "play" : "pause" }); }
  step() { if (this.page.connection.live && !this.page.connection.live.stopped) this.wish({ do: "step" }); }

  async go() {
    try {
      const told = await post(runPath(shown.run, "fork"), { step: Math.floor(shown.step), code: this.forkCode.value, until: this.forkUntil.value ? Number(this.forkUntil.value) : null, ...chosen("fork") });
      this.watchFork(told.run);
    } catch (error) { fill(this.forkSaid, h("p", { class: "error" }, error.message)); }
  }

  async watchFork(run) {
    const link = (path, text) => h("a", { href: path }, text);
    for (;;) {
      const { forks, branches } = await get("/api/tree");
      const fork = forks.find((each) => each.run === run), there = branches.find((each) => each.run === run);
      fill(this.forkSaid, h("p", {}, h("b", {}, run), `: ${fork?.status ?? "gone"}${there ? `, step ${there.steps}` : ""}`),
        fork?.trouble ? h("p", { class: "error" }, fork.trouble) : null,
        there ? h("p", {}, link(pagePath(run), "Watch it"), " · ", link(`/compare?run=${encodeURIComponent(shown.run)}&run=${encodeURIComponent(run)}&step=${Math.floor(shown.step)}`, "Compare"), fork?.status === "running" ? [" · ", h("button", { type: "button", class: "link", onclick: () => post("/api/end", { run }) }, "Stop it")] : null) : null);
      if (fork?.status !== "running") return;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}
