// Two runs or more side by side, in step: maps, where they part, what differs, and by how much their measures do.
import { $, CYCLE, empty, fill, gently, h, inWords, number } from "./dom.js";
import { pagePath, runPath } from "./addresses.js";
import { get } from "./api.js";
import { Clock } from "./clock.js";
import { differing } from "./differences.js";
import { Frames } from "./frames.js";
import { LineChart } from "./line_chart.js";
import { MapView } from "./map.js";
import { onChange, show, shown, stepOf } from "./store.js";

export class ComparePage {
  constructor(frame) { Object.assign(this, { frame, cards: new Map() }); }

  async open() {
    const words = new URLSearchParams(location.search);
    this.names = words.getAll("run");
    fill($("#top"), this.frame.header(h("div", { class: "title" }, h("h1", {}, "Compare"), h("p", { class: "note" }, this.names.join(" · ")))));
    $("#main").className = "compare";
    if (this.names.length < 2) return this.choose();
    const overviews = await Promise.all(this.names.map((run) => get(runPath(run, "overview"))));
    const palette = [...new Set(overviews.flatMap(({ words: each }) => each))];
    this.sides = overviews.map((overview) => Object.assign(overview, { palette })).map((overview) => ({ overview, frames: new Frames(overview.run, overview.movers.length) }));
    this.last = Math.max(...overviews.map(({ last }) => last));
    this.first = Math.min(...overviews.map(({ first }) => first));
    this.clock = new Clock(overviews[0]);
    show({ step: Math.max(this.first, Math.min(this.last, stepOf(words) ?? this.last)), live: false });
    this.build();
    onChange(() => this.draw(), "step");
    this.refresh = gently(() => this.read(), 300);
    this.draw();
    document.documentElement.dataset.ready = "yes";
  }

  async choose() {
    const { runs } = await get("/api/runs");
    const readable = runs.filter(({ status }) => status !== "unreadable");
    const boxes = readable.map(({ run, simulation, seed, steps }) => h("label", { class: "row" }, h("input", { type: "checkbox", value: run, checked: this.names.includes(run) }), ` ${run}`, h("span", { class: "note" }, [simulation, seed === null ? "" : `seed ${seed}`, `${number(steps ?? 0)} steps`].filter(Boolean).join(", "))));
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); const chosen = [...form.querySelectorAll(":checked")].map(({ value }) => value); if (chosen.length > 1) location.search = new URLSearchParams(chosen.map((run) => ["run", run])); } }, boxes, h("button", { type: "submit" }, "Compare"));
    fill($("#main"), h("section", { class: "card pad" }, readable.length > 1 ? [h("p", {}, "Choose two runs or more."), form] : empty("There are no two runs here that can be read: fork one, or name more folders to cave-sim dash.")));
    document.documentElement.dataset.ready = "yes";
  }

  build() {
    const bar = h("section", { class: "player card", "aria-label": "Time" });
    this.slider = h("input", { type: "range", id: "time", min: this.first, max: this.last, step: "1", "aria-label": "Step that is shown in all runs", oninput: () => show({ step: Number(this.slider.value) }) });
    this.told = h("div", { class: "clock" }, h("b"), h("span"));
    this.parting = h("button", { type: "button", id: "divergence", hidden: true });
    bar.append(this.told, h("div", { class: "track" }, this.slider), this.parting);
    this.maps = h("div", { class: "maps" });
    this.differences = h("section", { class: "card pad", "aria-label": "Differences" }, empty("Comparing the runs …"));
    this.measured = h("section", { class: "card pad", "aria-label": "Measures" }, empty("Comparing their measures …"));
    this.figures = h("section", { class: "card pad charts", "aria-label": "Measures over time", hidden: true });
    fill($("#main"), this.maps, bar, h("div", { class: "twin" }, this.differences, this.measured), this.figures);
    for (const [rank, side] of this.sides.entries()) {
      const stage = h("div", { class: "stage card" });
      this.maps.append(h("figure", {}, h("figcaption", {}, h("i", { class: "dot", style: `--c:var(${CYCLE[rank]})` }), h("a", { href: pagePath(side.overview.run) }, side.overview.run), h("span", { class: "note" }, ` ${side.overview.title}, seed ${side.overview.about.seed}, ${side.overview.last} steps`), side.ended = h("span", { class: "note", role: "status" })), stage));
      if (side.overview.movers.length || side.overview.places.length) side.map = new MapView(stage, side.overview, { onPick: (name) => this.pick(name) });
      else fill(stage, empty("Nothing here has a position."));
    }
  }

  pick(name) { for (const { map } of this.sides) map?.pick(name); }

  draw() {
    const step = Math.floor(shown.step);
    this.slider.value = step;
    this.told.firstChild.textContent = this.clock.time(step);
    this.told.lastChild.textContent = `step ${step}, ${this.clock.day(step)}`;
    for (const { overview, frames, map, ended } of this.sides) {
      ended.textContent = step > overview.last ? ` · ended before: its step ${overview.last}` : step < overview.first ? ` · begins later: its step ${overview.first}` : "";
      const at = Math.max(overview.first, Math.min(overview.last, step)), frame = frames.at(at, () => this.draw());
      if (frame) map?.show(frame, 0);
    }
    history.replaceState(null, "", `/compare?${new URLSearchParams([...this.names.map((run) => ["run", run]), ["step", step]])}`);
    this.refresh();
  }

  async read() {
    try {
      this.paint(await get("/api/compare", { run: this.names, step: Math.floor(shown.step) }));
      if (this.failed) this.frame.notice("");
      this.failed = false;
    } catch (error) {
      this.failed = true;
      this.frame.notice(error.message, "bad");
      if (!this.differences.querySelector("h2")) for (const card of [this.differences, this.measured]) fill(card, empty("This could not be compared; move the step to try again."));
    }
  }

  paint({ runs, divergence, parted, differences, compared, measures }) {
    this.parting.hidden = false;
    this.parting.disabled = divergence === null;
    this.parting.textContent = partingWords(divergence, parted);
    this.parting.onclick = () => show({ step: divergence });
    const classes = Object.assign({}, ...this.sides.map(({ overview }) => overview.fields));
    fill(this.differences, h("h2", {}, "What differs at this step"), differing(differences, runs, classes, (name) => this.pick(name)));
    const { conditions, rows: gaps } = compared, several = conditions.length > 2;
    const heads = ["Measure", ...(several ? ["Condition"] : []), "At the end", "Mean over time"];
    const lines = gaps.map((gap) => h("tr", {}, h("td", {}, gap.measure), several ? h("td", {}, gap.condition) : null, h("td", { class: "number" }, gap.end), h("td", { class: "number" }, gap.mean)));
    fill(this.measured, h("h2", {}, conditions.length > 1 ? "By how much measures differ" : "What they measured"), this.replicates(compared),
      gaps.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Measure differences" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: at > several ? "number" : "" }, head)))), h("tbody", {}, lines))) : empty("They share no measure."));
    this.charts(measures);
  }

  // One run of a kind says nothing about chance: then there is a difference, no interval, and the way to more runs.
  replicates({ conditions, has_replicates: enough, more_seeds: more }) {
    const told = conditions.map(({ name, runs, seeds }) => h("li", {}, h("b", {}, name), ` ${runs.join(", ")} (${seeds.length > 1 ? "seeds" : "seed"} ${seeds.join(", ")})`));
    const whose = conditions.length > 1 ? `Difference from ${conditions[0].name}` : "They differ by their seed alone";
    const note = enough ? `${whose}: means over seeds with 95 % t intervals${conditions.length > 1 ? "; runs with the same seed are taken in pairs" : ""}.` : `${whose}. One run of a kind says nothing about chance, so that there is no interval.`;
    return [h("ul", { class: "note conditions" }, told), h("p", { class: "note" }, note),
      enough || !more.length ? null : h("details", { class: "more-seeds", "data-name": "More seeds" }, h("summary", {}, "Run more seeds of all"), h("p", { class: "note" }, "In a shell; then choose them all on this page."), h("pre", { tabindex: "0" }, more.join("\n")))];
  }

  charts(measures) {
    const names = Object.keys(measures[0].lines).filter((name) => measures.every(({ lines }) => name in lines));
    this.figures.hidden = !names.length;
    for (const name of names) {
      if (!this.cards.has(name)) this.cards.set(name, this.card(name));
      const { article, chart } = this.cards.get(name);
      this.figures.append(article);
      chart.show(measures.map(({ run, lines }, rank) => ({ name: run, colour: CYCLE[rank % CYCLE.length], ...lines[name] })));
      chart.cursor(Math.floor(shown.step));
    }
  }

  card(name) {
    const figure = h("div", { class: "figure" }), chart = new LineChart(figure, { clock: this.clock, height: 140, label: inWords(name), onPick: (step) => show({ step }) });
    return { chart, article: h("article", { class: "chart" }, h("header", {}, h("h3", {}, inWords(name))), figure) };
  }
}

function partingWords(divergence, parted) {
  if (divergence === null) return "They do not part";
  if (divergence === parted) return `They part in step ${number(parted)}`;
  return parted === null ? `Their states part after step ${number(divergence)}` : `They part in step ${number(parted)}, their states after step ${number(divergence)}`;
}
