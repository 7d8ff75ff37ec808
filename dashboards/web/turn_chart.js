// Turns over world time, a row for each agent and a colour for each status; the pointer reads their code.
import { $, nearest, STATUS, token } from "./dom.js";
import { fitted, FONT, redrawWithTheme, svg } from "./figure.js";
import { timeMarks } from "./time_marks.js";

const ROW = 18, LEFT = 140, RIGHT = 18, TOP = 6, BOTTOM = 22, DOT = 7, SIZE = 11.5, HALF = 0.3; // of a letter's size, half its width

export class TurnChart {
  // Turns are [step, agent, status, code] in the order of steps; `called` has the names of agents as people read them; `parted` is a step to be marked.
  constructor(host, { clock, label, agents, called, turns, steps, parted }) {
    Object.assign(this, { host, clock, agents, called, turns, steps, parted });
    this.rows = new Map(agents.map((agent, row) => [agent, row]));
    this.high = TOP + ROW * agents.length + BOTTOM;
    this.svg = svg("svg", { class: "lines", role: "img", "aria-label": label });
    host.append(this.svg);
    this.svg.addEventListener("pointermove", (event) => this.tip(event));
    this.svg.addEventListener("pointerleave", () => { $("#tip").hidden = true; });
    new ResizeObserver(() => this.draw()).observe(host);
    redrawWithTheme(() => this.draw());
  }

  draw() {
    this.wide = this.host.clientWidth;
    if (!this.wide) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.wide} ${this.high}`);
    Object.assign(this.svg.style, { width: `${this.wide}px`, height: `${this.high}px` });
    const mark = this.parted === null ? [] : [svg("line", { x1: this.x(this.parted), x2: this.x(this.parted), y1: TOP, y2: this.high - BOTTOM, stroke: token("--ink"), "stroke-dasharray": "2 3" })];
    this.svg.replaceChildren(...this.names(), ...this.times(), ...Object.keys(STATUS).map((status) => this.dots(status)), ...mark);
  }

  x(step) { return LEFT + ((step - this.steps[0]) / Math.max(1, this.steps[1] - this.steps[0])) * (this.wide - LEFT - RIGHT); }
  y(agent) { return TOP + ROW * (this.rows.get(agent) + 0.5); }
  print() { return { "font-size": SIZE, "font-family": FONT, fill: token("--muted") }; }

  names() {
    const named = this.agents.map((agent) => [agent, this.called[agent] ?? agent]).map(([agent, full]) => [agent, full, fitted(full, LEFT - 12, SIZE)]);
    return named.flatMap(([agent, full, label]) => [svg("line", { x1: LEFT, x2: this.wide - RIGHT, y1: this.y(agent), y2: this.y(agent), stroke: token("--grid") }),
      svg("text", { x: LEFT - 8, y: this.y(agent) + 4, "text-anchor": "end", ...this.print() }, label, label === full ? null : svg("title", {}, full))]);
  }

  times() {
    const marks = timeMarks(this.clock, ...this.steps, Math.max(2, (this.wide - LEFT) / 60), true);
    return marks.map(([step, text]) => svg("text", { x: Math.min(this.x(step), this.wide - text.length * SIZE * HALF), y: this.high - 6, "text-anchor": "middle", ...this.print() }, text));
  }

  dots(status) {
    const own = this.turns.filter(([, , each]) => each === status);
    return svg("path", { class: "turns-of", fill: token(STATUS[status]), d: own.map(([step, agent]) => `M${(this.x(step) - DOT / 2).toFixed(1)} ${this.y(agent) - DOT / 2}h${DOT}v${DOT}h-${DOT}z`).join("") });
  }

  tip(event) {
    const box = this.svg.getBoundingClientRect(), agent = this.agents[Math.floor((event.clientY - box.top - TOP) / ROW)], tip = $("#tip");
    const own = this.turns.filter(([, each]) => each === agent), at = (event.clientX - box.left - LEFT) / Math.max(1, this.wide - LEFT - RIGHT);
    const turn = own[nearest(own.map(([step]) => step), this.steps[0] + at * (this.steps[1] - this.steps[0]) + 0.5)];
    tip.hidden = !turn;
    if (turn) tip.textContent = `${this.clock.both(turn[0])}, ${this.called[turn[1]] ?? turn[1]}, ${turn[2]}: ${turn[3]}`;
    Object.assign(tip.style, { left: `${Math.min(innerWidth - 260, event.clientX + 12)}px`, top: `${event.clientY + 16}px` });
  }
}
