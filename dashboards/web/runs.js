// The table of all runs: how far each is, what it cost, its tags.
import { $, fill, h, number } from "./dom.js";
import { pagePath } from "./addresses.js";
import { get } from "./api.js";
import { Table } from "./table.js";

const EVERY_MS = 2000, EVERY_ROW_MS = 20; // each row is a file to be opened
const count = (key, head) => ({ key, head, number: true });
const COLUMNS = [
  { key: "run", head: "Run", cell: ({ run }) => h("a", { href: pagePath(run) }, run) },
  { key: "status", head: "Status", cell: ({ status }) => h("span", { class: "status", "data-state": status }, status) },
  { key: "simulation", head: "Simulation", cell: ({ simulation, error }) => (error ? h("span", { class: "error" }, error) : simulation) }, count("seed", "Seed"), { key: "model", head: "Model" },
  count("steps", "Steps"), count("turns", "Turns"), count("refused", "Refused"), count("spend", "USD"), { key: "tags", head: "Tags" },
  { key: "hash", head: "State hash", cell: ({ hash }) => h("code", {}, hash ?? "") },
];

export class RunsPage {
  constructor(frame) {
    this.frame = frame;
    this.table = new Table("runs", COLUMNS);
    this.parts = h("input", { type: "checkbox", id: "runs-parts", onchange: () => this.draw() });
    this.kept = h("span");
    this.table.element.querySelector(".filters").append(h("label", {}, this.parts, this.kept));
  }

  async open() {
    fill($("#top"), this.frame.header(h("div", { class: "title" }, h("h1", {}, "Runs"))));
    $("#main").className = "tables";
    await this.read();
    document.documentElement.dataset.ready = "yes";
  }

  async read() {
    const { runs } = await get("/api/runs"), main = $("#main");
    if (!runs.length) fill(main, h("p", { class: "empty" }, "There is no run here yet. ", h("a", { href: "/start" }, "Start one"), ", or type cave-sim run town_day."));
    else if (!this.table.element.isConnected) fill(main, this.table.element);
    this.runs = runs;
    this.draw();
    setTimeout(() => this.read().catch((error) => this.frame.notice(error.message, "bad")), EVERY_MS + EVERY_ROW_MS * runs.length);
  }
  // Districts of a city and trials of a study are runs, too: they are shown when they are asked for, or alone here.
  draw() {
    const whole = this.runs.filter(({ part_of: part }) => !part), parts = this.runs.length - whole.length;
    this.parts.parentElement.hidden = !parts || !whole.length;
    this.kept.textContent = `with ${[["city", "districts"], ["study", "trials"]].filter(([sort]) => this.runs.some(({ part_of: part }) => part === sort)).map(([, words]) => words).join(" and ")}, ${number(parts)}`;
    this.table.show(this.parts.checked || !whole.length ? this.runs : whole);
  }
}
