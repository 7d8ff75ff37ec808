// Measures over time, of this run and of others laid over it; a log scale, downloads, and the shown moment as a line.
import { CYCLE, empty, fill, gently, h, inWords, nearest, number, offer } from "../dom.js";
import { runPath } from "../addresses.js";
import { get, source } from "../api.js";
import { exportFigure } from "../figure.js";
import { LineChart } from "../line_chart.js";
import { isOpen, onChange, show, shown } from "../store.js";

const FEW = 4, LARGE = 240;
const MOST_POINTS = 2_000; // a line: of one that grows longer each second point goes, as the server does with long runs

export class Measures {
  name = "measures";
  title = "Measures";

  constructor(host, page) {
    Object.assign(this, { host, page, cards: new Map(), series: new Map() });
    this.log = h("input", { type: "checkbox", id: "log-scale", onchange: () => show({ log: this.log.checked ? "1" : "" }) });
    this.over = h("select", { id: "overlay", "aria-label": "Lay another run over this one", onchange: () => { const runs = new Set([...others(), this.over.value].filter(Boolean)); show({ with: [...runs].join(",") }); this.over.value = ""; } });
    this.expr = h("input", { type: "text", id: "expression", spellcheck: "false", placeholder: `any expression: ${example(page.overview.entities)}`, "aria-label": "Any expression over the world, as a measure", onchange: () => show({ expr: this.expr.value.trim() }) });
    this.said = h("p", { class: "error", role: "status" });
    this.own = h("div", {});
    this.chips = h("span", { class: "chips" });
    this.grid = h("div", { class: "charts" });
    host.append(h("div", { class: "filters" }, h("label", {}, this.log, " Log scale"), ...(source.isSaved ? [] : [this.over, this.chips, h("a", { class: "quiet", id: "measures-csv", href: runPath(shown.run, "download/measures.csv"), download: "" }, "CSV"), this.expr, this.said])), this.own, this.grid);
    this.refresh = gently(() => this.read(), 700);
    onChange(() => { this.series.clear(); this.refresh(); }, "with");
    onChange(() => this.draw(), "log");
    onChange(() => this.workOut(), "expr");
    onChange(() => this.cursor(), "step");
    if (!source.isSaved) this.offer();
  }

  async offer() {
    try {
      const { runs } = await get("/api/runs");
      offer(this.over, [["", "Overlay a run"], ...runs.filter(({ run }) => run !== shown.run).map(({ run }) => [run, run])]);
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
        if (run !== shown.run && this.series.has(run)) continue;
        const known = this.series.get(run);
        const told = await get(runPath(run, "series"), { name: names, after: known && known.last > known.first ? known.last : -1 });
        if (known) merge(known, told);
        else this.series.set(run, { ...told, first: 0 });
      }
    } catch (error) { if (!this.series.size) fill(this.grid, empty(error.message)); return; }
    this.log.checked = Boolean(shown.log);
    if (!source.isSaved) this.workOut();
    this.draw();
  }

  // A measure of one's own: worked out at evenly many steps, as a line; of a list of numbers as three, which tell how they lie.
  async workOut() {
    const text = shown.expr;
    this.expr.value = text;
    this.said.textContent = "";
    if (this.worked === text) return;
    this.worked = text;
    if (!text) return fill(this.own);
    try {
      const { lines } = await get(runPath(shown.run, "expression"), { text });
      if (this.worked !== text) return;
      fill(this.own);
      const { chart } = this.card(text, this.own);
      chart.show(Object.entries(lines).map(([name, line], rank) => ({ name, colour: CYCLE[rank], ...line })));
      chart.cursor(Math.floor(shown.step));
    } catch (error) { fill(this.own); this.said.textContent = error.message; }
  }

  draw() {
    if (!isOpen("measures")) return;
    for (const name of this.page.overview.measures) this.chart(name);
    this.cursor();
  }

  chart(name) {
    if (!this.cards.has(name)) this.cards.set(name, this.card(name));
    const lines = [...this.series].map(([run, { lines: each }], rank) => ({ name: run, colour: CYCLE[rank % CYCLE.length], ...(each[name] ?? { steps: [], values: [] }) }));
    this.cards.get(name).chart.show(lines, Boolean(shown.log));
  }

  card(name, grid = this.grid) {
    const host = h("div", { class: "figure" }), output = h("output"), { measured } = this.page.overview, about = Object.hasOwn(measured, name) ? measured[name] : "";
    const save = h("select", { class: "save", "aria-label": `Save the figure of ${inWords(name)}`, onchange: () => { exportFigure(host.firstChild, name, save.value); save.value = ""; } }, [["", "Save"], ["png", "PNG"], ["svg", "SVG"], ["html", "HTML"]].map(([value, text]) => h("option", { value }, text)));
    grid.append(h("article", { class: "chart", "data-measure": name }, h("header", {}, h("h2", inWords(name) === name ? {} : { title: name }, inWords(name)), output, save), about ? h("p", { class: "note" }, about[0].toUpperCase() + about.slice(1)) : null, host));
    const isAlone = this.host.closest(".bare") && this.page.overview.measures.length <= FEW; // where others have a map there is room
    if (isAlone) host.classList.add("large");
    return { output, chart: new LineChart(host, { clock: this.page.clock, height: isAlone ? LARGE : undefined, label: inWords(name), onPick: (step) => this.goTo(step) }) };
  }

  goTo(step) {
    const { overview, last } = this.page;
    show({ step: Math.max(overview.first, Math.min(last, step)), live: false });
  }

  cursor() {
    if (!isOpen("measures")) return;
    for (const [name, { chart, output }] of this.cards) {
      const own = this.series.get(shown.run)?.lines[name];
      chart.cursor(Math.floor(shown.step));
      output.textContent = own?.steps.length ? number(own.values[nearest(own.steps, shown.step)], 3) : "";
    }
  }

  // The newest step of a live run, without asking again.
  append(step, measures) {
    const known = this.series.get(shown.run);
    if (!known || step <= known.last) return;
    for (const [name, line] of Object.entries(known.lines)) if (name in measures) { line.steps.push(step); line.values.push(measures[name]); thin(line); }
    known.last = step;
    this.redraw ??= gently(() => this.draw(), 300);
    if (isOpen("measures")) this.redraw();
  }
}

const others = () => shown.with.split(",").filter(Boolean);

function merge(known, told) {
  for (const [name, line] of Object.entries(told.lines)) {
    const mine = (known.lines[name] ??= { steps: [], values: [] });
    line.steps.forEach((step, at) => { if (step > (mine.steps.at(-1) ?? -1)) { mine.steps.push(step); mine.values.push(line.values[at]); } });
    thin(mine);
  }
  known.last = told.last;
}

// A page may watch for days: what it holds of a measure is bounded.
function thin(line) {
  if (line.steps.length <= MOST_POINTS) return;
  const stays = (_, at) => at % 2 === 0;
  Object.assign(line, { steps: line.steps.filter(stays), values: line.values.filter(stays) });
}

// Residents are in the town alone: elsewhere an expression that can be worked out there is shown.
function example(entities) {
  const kinds = entities.map(([, kind]) => kind);
  return kinds.includes("Resident") || !kinds.length ? "[p.mood for p in world.all('Resident')]" : `len(world.all('${kinds[0]}'))`;
}
