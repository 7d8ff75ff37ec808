// Measures over time, of this run and of others laid over it; a log scale, downloads, and the shown moment as a line.
import { CYCLE, empty, fill, gently, h, number, token } from "../dom.js";
import { get, runPath } from "../api.js";
import { axis, exportFigure, layout, plain, redrawWithTheme, settings } from "../figure.js";
import { isOpen, onChange, show, shown } from "../store.js";

const DASHES = ["solid", "dash", "dot", "dashdot"];

export class Measures {
  name = "measures";
  title = "Measures";

  constructor(host, page) {
    Object.assign(this, { host, page, cards: new Map(), told: new Map() });
    this.log = h("input", { type: "checkbox", id: "log-scale", onchange: () => show({ log: this.log.checked ? "1" : "" }) });
    this.over = h("select", { id: "overlay", "aria-label": "Lay another run over this one", onchange: () => { const runs = new Set([...others(), this.over.value].filter(Boolean)); show({ with: [...runs].join(",") }); this.over.value = ""; } });
    this.chips = h("span", { class: "chips" });
    this.grid = h("div", { class: "charts" });
    host.append(h("div", { class: "filters" }, h("label", {}, this.log, " Log scale"), this.over, this.chips, h("a", { class: "quiet", id: "measures-csv", href: runPath(shown.run, "download/measures.csv"), download: "" }, "CSV")), this.grid);
    this.refresh = gently(() => this.read(), 700);
    onChange(() => { this.told.clear(); this.refresh(); }, "with");
    onChange(() => this.draw(), "log");
    onChange(() => this.cursor(), "step");
    redrawWithTheme(() => this.draw());
    this.offer();
  }

  async offer() {
    try {
      const { runs } = await get("/api/runs");
      fill(this.over, h("option", { value: "" }, "Overlay a run"), runs.filter(({ run }) => run !== shown.run).map(({ run }) => h("option", { value: run }, run)));
    } catch { /* the list is a comfort; measures do without */ }
  }

  async read() {
    if (!isOpen("measures")) return;
    const names = this.page.overview.measures;
    if (!names.length) return fill(this.grid, empty("This run takes no measures: pass measures={...} to its Simulation."));
    if (this.cards.size === 0) this.grid.replaceChildren();
    fill(this.chips, others().map((run) => h("button", { type: "button", class: "chip", title: "Take it off", onclick: () => show({ with: others().filter((each) => each !== run).join(",") }) }, run, " ×")));
    try {
      for (const run of [shown.run, ...others()]) {
        if (run !== shown.run && this.told.has(run)) continue;
        const known = this.told.get(run);
        const told = await get(runPath(run, "series"), { name: names, after: known && known.last > known.first ? known.last : -1 });
        if (known) merge(known, told);
        else this.told.set(run, { ...told, first: 0 });
      }
    } catch (error) { if (!this.told.size) fill(this.grid, empty(error.message)); return; }
    this.log.checked = Boolean(shown.log);
    this.draw();
  }

  draw() {
    if (!isOpen("measures")) return;
    for (const name of this.page.overview.measures) this.chart(name);
    this.cursor();
  }

  chart(name) {
    if (!this.cards.has(name)) {
      const div = h("div", { class: "figure" }), output = h("output");
      const save = h("select", { class: "save", "aria-label": `Save the figure of ${name}`, onchange: () => { exportFigure(div, name, save.value); save.value = ""; } }, [["", "Save"], ["png", "PNG"], ["svg", "SVG"], ["html", "HTML"]].map(([value, text]) => h("option", { value }, text)));
      this.grid.append(h("article", { class: "chart", "data-measure": name }, h("header", {}, h("h3", {}, name), output, save), div));
      this.cards.set(name, { div, output });
      div.addEventListener("click", (event) => this.goTo(div, event));
    }
    const { div } = this.cards.get(name), clock = this.page.clock;
    const traces = [...this.told].map(([run, { lines }], rank) => {
      const line = lines[name] ?? { steps: [], values: [] };
      return { type: "scatter", mode: "lines", name: plain(run), x: line.steps.map((step) => clock.ms(step)), y: line.values, line: { color: token(CYCLE[rank % CYCLE.length]), width: 1.8, dash: DASHES[rank % DASHES.length] }, hovertemplate: `%{y:,.4~g}<extra>${this.told.size > 1 ? plain(run) : ""}</extra>` };
    });
    const told = layout({ margin: { l: 44, r: 12, t: 6, b: 24 }, hovermode: "x", height: 150,
      xaxis: axis({ type: "date", showgrid: false, nticks: 6, tickformatstops: [{ dtickrange: [null, 86399999], value: "%H:%M" }, { dtickrange: [86400000, null], value: "%-d %b" }] }),
      yaxis: axis({ type: shown.log ? "log" : "linear", nticks: 4, tickformat: scaled(traces) }) });
    window.Plotly.react(div, traces, told, settings).then(() => this.place(name));
  }

  goTo(div, event) {
    const across = div._fullLayout.xaxis, at = event.clientX - div.getBoundingClientRect().left - across._offset;
    if (at < 0 || at > across._length) return;
    const { clock, overview, last } = this.page;
    show({ step: Math.max(overview.first, Math.min(last, Math.round((across.p2c(at) - clock.start) / (clock.step_s * 1000)))), live: false });
  }

  cursor() { if (isOpen("measures")) for (const name of this.cards.keys()) this.place(name); }

  place(name) {
    const { div, output } = this.cards.get(name), across = div._fullLayout?.xaxis;
    if (!across) return;
    let line = div.querySelector(".cursor");
    if (!line) { line = h("i", { class: "cursor" }); div.append(line); }
    const x = across.c2p(this.page.clock.ms(Math.floor(shown.step)));
    line.style.cssText = `left:${across._offset + x}px;top:${div._fullLayout.yaxis._offset}px;height:${div._fullLayout.yaxis._length}px;display:${x >= 0 && x <= across._length + 1 ? "block" : "none"}`;
    const own = this.told.get(shown.run)?.lines[name];
    output.textContent = own?.steps.length ? number(own.values[nearest(own.steps, shown.step)], 3) : "";
  }

  // The newest step of a live run, without asking again.
  append(step, measures) {
    const known = this.told.get(shown.run);
    if (!known || step <= known.last) return;
    for (const [name, line] of Object.entries(known.lines)) if (name in measures) { line.steps.push(step); line.values.push(measures[name]); }
    known.last = step;
    this.redraw ??= gently(() => this.draw(), 300);
    if (isOpen("measures")) this.redraw();
  }
}

// Thousands are shortened; shares are not told in thousandths.
const scaled = (traces) => (traces.some(({ y }) => y.some((value) => Math.abs(value) >= 10000)) ? "~s" : ",~g");

const others = () => shown.with.split(",").filter(Boolean);

function merge(known, told) {
  for (const [name, line] of Object.entries(told.lines)) {
    const mine = (known.lines[name] ??= { steps: [], values: [] });
    line.steps.forEach((step, at) => { if (step > (mine.steps.at(-1) ?? -1)) { mine.steps.push(step); mine.values.push(line.values[at]); } });
  }
  known.last = told.last;
}

export function nearest(steps, step) {
  let low = 0, high = steps.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (steps[middle] <= step) low = middle; else high = middle - 1; }
  return low;
}
