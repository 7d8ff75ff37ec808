// Studies: how far each has come, its results so far, and a row for each trial; without a study, runs by what they were made with.
import { $, empty, fill, h, number } from "./dom.js";
import { pagePath } from "./addresses.js";
import { get } from "./api.js";
import { Table } from "./table.js";

const EVERY_MS = 2000, EVERY_ROW_MS = 20;
const count = (key, head) => ({ key, head, number: true });
const TRIALS = [
  { key: "task", head: "Task", cell: ({ task, run }) => (run ? h("a", { href: pagePath(run) }, task) : null) },
  { key: "group", head: "Group" }, { key: "paradigm", head: "Paradigm" }, count("seed", "Seed"), { key: "status", head: "Status" }, { key: "passed", head: "Passed" },
  count("steps", "Steps"), count("prompt_tokens", "Prompt tokens"), count("completion_tokens", "Reply tokens"), { key: "why", head: "What was wrong" },
];
const OF_A_SCENARIO = new Set(["task", "group", "seed", "status", "steps"]), HEADS_THERE = { task: "Trial", group: "Condition" };
const SETTINGS = [{ key: "simulation", head: "Simulation" }, { key: "settings", head: "Settings" }, count("runs", "Runs"), count("finished", "Finished"), { key: "seeds", head: "Seeds" }];
const BARS = [["success_pct", "Success, %"], ["steps", "Steps"], ["prompt_tokens", "Prompt tokens"], ["completion_tokens", "Reply tokens"]];

export class StudyPage {
  constructor(frame) {
    Object.assign(this, { frame, settings: new Table("settings", SETTINGS), results: h("div", { id: "studies" }) });
  }

  async open() {
    fill($("#top"), this.frame.header(h("div", { class: "title" }, h("h1", {}, "Study"))));
    $("#main").className = "tables";
    await this.read();
    document.documentElement.dataset.ready = "yes";
  }

  async read() {
    const { studies, trials, settings } = await get("/api/study"), main = $("#main");
    this.trials ??= new Table("trials", columns(studies));
    const first = !main.contains(this.trials.element) && !main.contains(this.settings.element);
    if (studies.length) {
      if (first) fill(main, this.results, h("h2", {}, "Trials"), this.trials.element);
      fill(this.results, studies.map(section));
      this.trials.show(trials);
    } else {
      if (first) fill(main, h("p", { class: "note" }, "No study lies here: these are the runs, by what they were made with."), this.settings.element);
      this.settings.show(settings);
    }
    const over = studies.every(({ done, all }) => done === all);
    if (!over || !studies.length) setTimeout(() => this.read().catch((error) => this.frame.notice(error.message, "bad")), EVERY_MS + EVERY_ROW_MS * trials.length);
  }
}

// Trials of scenarios have no tasks, tokens or marks.
function columns(studies) {
  if (!studies.length || studies.some(({ scenario }) => !scenario)) return TRIALS;
  return TRIALS.filter(({ key }) => OF_A_SCENARIO.has(key)).map((column) => ({ ...column, head: HEADS_THERE[column.key] ?? column.head }));
}

const section = (study) => h("section", { class: "card pad" }, h("h2", {}, study.title), h("p", { class: "note" }, study.about), progress(study),
  study.found ? compared(study.found, study.name) : study.results.length ? [results(study.results), study.savings.map((line) => h("p", { class: "note" }, line))] : empty("No trial is done yet: results appear here as they come."));

const progress = ({ done, all, passed, running, scenario }) => h("p", { class: "progress" }, h("progress", { value: done, max: Math.max(1, all), title: "Trials done" }),
  ` ${number(done)} of ${number(all)} trials done${scenario ? "" : `, ${number(passed)} passed`}${running ? `, ${number(running)} running` : ""}`);

// A figure for each measure, as the study's report draws it, above its mean under each condition and by how much each differs from the first.
function compared({ reference, conditions, measures }, name) {
  const [, ...others] = conditions, heads = ["Condition", "Mean", ...(others.length ? [`Difference from ${reference}`] : [])];
  const row = ({ means, differences }) => ({ name: condition }, at) => h("tr", {}, h("th", { scope: "row" }, condition), h("td", { class: "number" }, means[at]), others.length ? h("td", { class: "number" }, at ? differences[at - 1] : "") : null);
  const measured = (each) => h("article", { class: "measured" }, h("h3", {}, each.measure), each.about ? h("p", { class: "note" }, each.about) : null, h("div", { html: each.figure }), h("table", {}, h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: at ? "number" : "" }, head)))), h("tbody", {}, conditions.map(row(each)))));
  const trials = conditions.map(({ name: condition, trials: many }) => `${condition} ${number(many)}`).join(", ");
  return [h("div", { class: "found" }, measures.map(measured)),
    h("p", { class: "note" }, `At the end of each trial; trials done: ${trials}. Means have their 95 % t intervals in brackets; differences are those of trials with the same seed.`),
    h("p", {}, h("a", { class: "quiet", href: `/api/study/${encodeURIComponent(name)}/report.html`, download: "" }, "Report"), " ", h("span", { class: "note" }, "shows them over time, with what stands against believing them, in one HTML file"))];
}

// A row for each group and way of acting; bars are shares of the largest in their column.
function results(rows) {
  const most = Object.fromEntries(BARS.map(([key]) => [key, Math.max(...rows.map((row) => row[key]), 1e-9)]));
  const bar = (row, key) => h("td", { class: "number" }, h("i", { class: "bar", style: `--share:${row[key] / most[key]}` }), row[`${key}_text`]);
  const cells = (row) => [h("td", {}, row.group), h("td", {}, row.paradigm), h("td", { class: "number" }, row.passed), h("td", { class: "number" }, row.tasks_passed), ...BARS.map(([key]) => bar(row, key))];
  const heads = [["Group", ""], ["Paradigm", ""], ["Queries passed", "number"], ["Tasks passed", "number"], ...BARS.map(([, head]) => [head, "number"])];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Results" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map(([head, side]) => h("th", { scope: "col", class: side }, head)))), h("tbody", {}, rows.map((row) => h("tr", {}, cells(row))))));
}
