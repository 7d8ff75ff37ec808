// Lines over world time, with the shown moment as a line of its own; a click goes to its moment, the pointer reads values.
import { $, nearest, number, token } from "./dom.js";
import { FONT, redrawWithTheme, svg } from "./figure.js";
import { timeMarks } from "./time_marks.js";

const LEFT = 46, RIGHT = 18, TOP = 8, BOTTOM = 24;
const ALONE = "m-3 0h6"; // a value between none is a short stroke: a point has no length to draw
const DASHES = ["", "6 4", "2 3", "8 3 2 3"];

export class LineChart {
  constructor(host, { clock, height = 150, label, onPick }) {
    Object.assign(this, { host, clock, height, onPick, lines: [], log: false, step: null });
    this.svg = svg("svg", { class: "lines", role: "img", "aria-label": label });
    host.replaceChildren(this.svg);
    new ResizeObserver(() => this.draw()).observe(host);
    redrawWithTheme(() => this.draw());
    this.svg.addEventListener("pointermove", (event) => this.tip(event));
    this.svg.addEventListener("pointerleave", () => { $("#tip").hidden = true; });
    this.svg.addEventListener("click", (event) => this.onPick?.(this.stepAt(event)));
  }

  // Lines are { name, steps, values, colour }; a value of null leaves a gap.
  show(lines, log = false) {
    Object.assign(this, { lines, log });
    this.draw();
  }

  draw() {
    this.width = this.host.clientWidth;
    if (!this.width) return;
    this.scale();
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    Object.assign(this.svg.style, { width: `${this.width}px`, height: `${this.height}px` });
    this.svg.dataset.scale = this.log ? "log" : "linear";
    this.mark = svg("line", { class: "cursor", y1: TOP, y2: this.height - BOTTOM, stroke: token("--ink"), "stroke-width": 1.5, opacity: 0.55 });
    this.svg.replaceChildren(...this.rows(), ...this.columns(), ...this.lines.map((line, rank) => this.line(line, rank)).reverse(), this.mark);
    this.cursor(this.step);
  }

  // Everything lies between the least and the greatest of what is shown; a log scale knows no zero.
  scale() {
    const steps = this.lines.flatMap(({ steps: each }) => [each[0], each.at(-1)]).filter((step) => step !== undefined);
    const values = this.lines.flatMap((line) => line.values).filter((value) => Number.isFinite(value) && (!this.log || value > 0)).map((value) => this.lift(value));
    this.first = steps.reduce((a, b) => Math.min(a, b), Infinity);
    this.last = steps.reduce((a, b) => Math.max(a, b), -Infinity);
    let low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (low > high) [low, high] = [0, 1];
    if (low === high) [low, high] = [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2];
    const room = 0.06 * (high - low);
    [this.low, this.high] = [low - room, high + room];
  }

  lift(value) { return this.log ? Math.log10(value) : value; }
  x(step) { return LEFT + ((step - this.first) / Math.max(1, this.last - this.first)) * (this.width - LEFT - RIGHT); }
  y(value) { return TOP + ((this.high - this.lift(value)) / (this.high - this.low)) * (this.height - TOP - BOTTOM); }

  rows() {
    const text = (value) => svg("text", { x: LEFT - 7, y: this.y(value) + 4, "text-anchor": "end", ...this.print() }, short(value));
    return this.ticks().flatMap((value) => [svg("line", { x1: LEFT, x2: this.width - RIGHT, y1: this.y(value), y2: this.y(value), stroke: token("--grid") }), text(value)]);
  }

  ticks() {
    const wide = this.high - this.low, values = [];
    if (this.log && wide >= 1) {
      for (let power = Math.ceil(this.low); power <= this.high; power += Math.ceil(wide / 4)) values.push(10 ** power);
      return values;
    }
    const rough = wide / 5, ten = 10 ** Math.floor(Math.log10(rough)), stride = ten * ([1, 2, 2.5, 5].find((part) => part * ten >= rough) ?? 10);
    for (let at = Math.ceil(this.low / stride); at * stride <= this.high; at += 1) values.push(this.log ? 10 ** (at * stride) : Number((at * stride).toPrecision(12)));
    return values;
  }

  columns() {
    const marks = timeMarks(this.clock, this.first, this.last, Math.max(2, (this.width - LEFT - RIGHT) / 70));
    return marks.map(([step, text]) => svg("text", { x: this.x(step), y: this.height - 7, "text-anchor": "middle", ...this.print() }, text));
  }

  print() { return { "font-size": 11.5, "font-family": FONT, fill: token("--muted") }; }

  line({ steps, values, colour }, rank) {
    const known = (value) => Number.isFinite(value) && (!this.log || value > 0);
    let open = false, path = "";
    values.forEach((value, at) => {
      if (known(value)) path += `${open ? "L" : "M"}${this.x(steps[at]).toFixed(1)} ${this.y(value).toFixed(1)}${open || known(values[at + 1]) ? "" : ALONE}`;
      open = known(value);
    });
    return svg("path", { class: "line-of", d: path, fill: "none", stroke: token(colour), "stroke-width": 1.8, "stroke-linejoin": "round", "stroke-dasharray": DASHES[rank % DASHES.length] || null });
  }

  cursor(step) {
    this.step = step;
    if (!this.mark) return;
    const there = step !== null && step >= this.first && step <= this.last, x = there ? this.x(step) : 0;
    this.mark.setAttribute("x1", x);
    this.mark.setAttribute("x2", x);
    this.mark.setAttribute("visibility", there ? "visible" : "hidden");
  }

  stepAt(event) {
    const part = (event.clientX - this.svg.getBoundingClientRect().left - LEFT) / Math.max(1, this.width - LEFT - RIGHT);
    return Math.round(this.first + Math.max(0, Math.min(1, part)) * (this.last - this.first));
  }

  tip(event) {
    const step = this.stepAt(event), tip = $("#tip"), known = this.lines.filter(({ steps }) => steps.length);
    tip.hidden = !known.length;
    tip.textContent = `${this.clock.both(step)}: ${known.map(({ name, steps, values }) => `${known.length > 1 ? `${name} ` : ""}${number(values[nearest(steps, step)], 3)}`).join(", ")}`;
    Object.assign(tip.style, { left: `${Math.min(innerWidth - 240, event.clientX + 12)}px`, top: `${event.clientY - 34}px` });
  }
}

const short = (value) => (Math.abs(value) >= 10000 ? new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 }).format(value) : number(value, Math.abs(value) < 0.01 ? 6 : 3));
