// The live edge of a run's page: what comes by the line to its server, and what the page says while nothing comes.
import { runPath } from "./addresses.js";
import { Adrift } from "./adrift.js";
import { get, source } from "./api.js";
import { $ } from "./dom.js";
import { showStatus } from "./status.js";
import { shown } from "./store.js";

const SAYS = {
  gone: (why) => `The run is gone: ${why}. What was loaded stays here. Put its folder back where it was: this page looks again every second, and goes on by itself. Runs, above, lists those that are there.`,
  stopped: (why) => `The run is not finished, and nobody writes it: ${why ? `it ended with an error, ${why}${why.endsWith(".") ? "" : "."}` : "it was stopped, or killed."} What was committed is here; cave-sim resume goes on with it${why ? " once that is mended" : ""}, and this page follows.`,
};

export class Connection {
  // `overview` is what the page was told of its run; from then on the line tells: what is asked for may be old when it comes.
  constructor(page, { status, live, boot }) { Object.assign(this, { page, state: status, live, boot, owed: 0, grownAt: performance.now() }); }

  open() {
    this.line = source.watch(shown.run, { onStatus: (told) => this.status(told), onDelta: (buffer) => this.delta(buffer), onLost: () => this.lost(), onSilent: (silent_ms) => this.silent(silent_ms), onBeat: () => this.beat() });
  }

  get running() { return this.state === "running" || this.state === "stopped"; }

  // How long residents take from one live step to the next: as long as steps have come apart lately.
  glide() { return Math.min(900, Math.max(0, (this.apart_ms ?? 0) * 0.9)); }

  // Steps a second, as they have come lately.
  get pace() { return this.apart_ms ? 1000 / this.apart_ms : 0; }

  delta(buffer) {
    const now = performance.now(), { page } = this, { head } = page.frames.patch(buffer), grown = head.step !== page.last;
    this.owed += 1;
    if (this.deltaAt && head.step > page.last) this.apart_ms = 0.7 * (this.apart_ms ?? now - this.deltaAt) + 0.3 * (now - this.deltaAt);
    this.deltaAt = now;
    if (grown) this.grownAt = now;
    if (head.version !== page.version) page.again();
    if (this.lostAt) this.found();
    page.grow(head, grown);
    if (!shown.live) setTimeout(() => this.settle(), 100);
    else if (!page.map || document.hidden) this.settle(); else setTimeout(() => this.settle(), 1000);
  }

  // Tell the server of every message that was drawn, two of them at one stroke too: it sends as many more, and no others.
  settle() { for (; this.owed > 0; this.owed -= 1) this.line.drawn(); }

  status(told) {
    const was = this.state, { page } = this;
    if (told.boot !== this.boot) { this.boot = told.boot; page.anew(); }
    this.state = told.status;
    this.live = told.live;
    if (this.lostAt) this.found();
    if (SAYS[told.status]) page.notice(SAYS[told.status](told.trouble), told.status === "gone" ? "bad" : "stay");
    else if (SAYS[was]) { page.notice(""); if (was === "gone") page.anew(); }
    this.show();
    page.panels.control?.sync();
    if (was !== told.status) page.readTimeline();
    page.timeline.paint();
    page.timeline.setPlaying();
  }

  lost() {
    this.owed = 0;
    if (this.state !== "lost") this.stateThen = this.state;
    this.away(`The server does not answer. What was loaded stays here; this page connects again by itself. If it was stopped: ${this.stateThen === "finished" ? "cave-sim dash shows it" : "cave-sim resume --watch goes on with the run"}, given the folder of ${shown.run}.`);
    get(runPath(shown.run, "overview")).catch((error) => {
      if (error.answered && this.state === "lost") this.page.notice("The server was started anew, and has another token. Open the address that cave-sim printed, in any tab: this page then goes on by itself.", "bad");
    });
  }

  // The line is there, and nothing comes of it.
  silent(silent_ms) { this.away(`The server has said nothing for ${Math.floor(silent_ms / 5000) * 5} s: it hangs, or the network does. What was loaded stays here; this page goes on as soon as it hears of it.`); }

  // The server is there: what it said last still holds, though a step may take its time.
  beat() {
    if (this.lostAt) this.found();
    this.show();
  }

  away(why) {
    if (this.state !== "lost") this.stateThen = this.state;
    this.lostAt ||= Date.now();
    if (!this.adrift) {
      this.adrift = new Adrift(this.page.stage, this.page.hosts.feed.parentElement, () => this.line.again());
      this.sayAdrift();
    }
    this.state = "lost";
    this.show();
    this.page.notice(why, "bad");
  }

  sayAdrift(missing = null) { this.adrift?.say(this.page.clock.moment(missing ?? shown.step), missing !== null); }

  // A step that is not here: without a line the map stays where it was, and says so.
  missing(step) { if (Math.floor(shown.step) === step) this.sayAdrift(step); }

  // The line is back: what could not be read meanwhile is read now.
  found() {
    this.lostAt = 0;
    if (this.state === "lost") this.state = this.stateThen;
    this.page.notice("");
    this.adrift?.end();
    this.adrift = null;
    this.page.refresh();
  }

  show() {
    const word = this.state === "lost" ? "no connection" : this.live && !this.live.stopped ? (this.live.paused ? "paused" : "live") : this.state;
    showStatus($("#status"), word, this.page.last + 1, performance.now() - this.grownAt);
  }
}
