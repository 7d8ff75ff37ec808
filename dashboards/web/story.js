// The story of the run under its map: what stands out, in ten lines. Those that are over are told, the latest one is marked, and a click goes to any.
import { fill, h } from "./dom.js";
import { onChange, show, shown } from "./store.js";

const DAY_S = 86_400;

export class Story {
  constructor(host, page) {
    Object.assign(this, { host, page, items: [] });
    this.list = h("ol", { class: "waiting" }); // as high as it may become, so that the map above it stays as it is
    host.append(h("h2", {}, "What stands out"), this.list);
    this.sight = new ResizeObserver(() => this.follow());
    this.sight.observe(this.list);
    onChange(() => this.mark(), "step");
  }

  tell(lines) {
    const { clock, overview, last } = this.page, moment = (last - overview.first) * overview.step_s > DAY_S && clock.daily ? "both" : "moment";
    this.items = lines.map((line) => ({ line, element: h("li", {}, h("button", { type: "button", title: line.text, onclick: () => this.go(line) }, h("time", {}, clock[moment](Math.max(line.step, overview.first))), " ", line.text)) }));
    fill(this.list, this.items.map(({ element }) => element));
    this.list.className = "";
    this.host.hidden = !lines.length;
    this.current = null;
    this.mark();
  }

  go({ step, turn }) { show({ step: Math.max(step, this.page.overview.first), live: false, playing: false, ...(turn ? { turn: String(turn) } : {}) }); }

  // The latest of the lines that are over is where the shown moment is.
  mark() {
    const over = this.items.filter(({ line }) => line.step <= shown.step), current = over.at(-1)?.element;
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
