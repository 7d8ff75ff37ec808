// The page of a difference: both runs on one axis of time, their measures laid over each other, and what differs in tables.
import { $, badge, CYCLE, fill, h, inWords, STATUS } from "./dom.js";
import { Clock } from "./clock.js";
import { differing } from "./differences.js";
import { LineChart } from "./line_chart.js";
import { TurnChart } from "./turn_chart.js";

const { names, clock: shown, parted, agents, called, turns, measures, at, differences, fields, turned, costs } = JSON.parse($("#difference").textContent);
const clock = new Clock(shown), ends = turns.flatMap((each) => [each[0]?.[0], each.at(-1)?.[0]]).filter((step) => step !== undefined);
const steps = [Math.min(...ends, parted ?? Infinity), Math.max(...ends, parted ?? -Infinity)].map((step) => (Number.isFinite(step) ? step : 0));

function timelines() {
  const known = Object.keys(STATUS).filter((status) => turns.some((each) => each.some(([, , own]) => own === status)));
  const section = h("section", { class: "card pad" }, h("h2", {}, "Two timelines"), h("p", { class: "row" }, known.map(badge)));
  names.forEach((name, at) => {
    const host = h("div"), acted = new Set(turns[at].map(([, agent]) => agent)); // of two seeds, hardly anybody is in both
    section.append(h("h3", {}, name), host);
    new TurnChart(host, { clock, label: `Turns of ${name}`, agents: agents.filter((agent) => acted.has(agent)), called, turns: turns[at], steps, parted });
  });
  return section;
}

function chart({ name, lines }) {
  const host = h("div", { class: "figure" });
  new LineChart(host, { clock, label: name }).show(lines.map((line, at) => ({ ...line, colour: CYCLE[at] })));
  return h("article", { class: "chart card pad" }, h("header", {}, h("h3", {}, inWords(name))), host);
}

const differ = () => h("section", { class: "card pad" }, h("h2", {}, `What differs after step ${at}`), differing(differences, names, fields));

const table = ({ title, head, rows }) => (rows.length ? h("section", { class: "card pad" }, h("h2", {}, title), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
  h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => (cell ? h("th", { scope: "col" }, cell) : h("td"))))),
    h("tbody", {}, rows.map(([term, ...cells]) => h("tr", {}, h("th", { scope: "row" }, term), cells.map((cell) => h("td", {}, h("span", { class: "text" }, cell))))))))) : null);

document.body.classList.add("document");
const legend = () => h("p", { class: "row", "aria-label": "Lines" }, names.map((name, at) => h("span", {}, h("i", { class: "dot", style: `--c:var(${CYCLE[at]})` }), name, at ? ", dashed" : "")));
fill($("#main"), timelines(), measures.length ? legend() : null, h("div", { class: "charts" }, measures.map(chart)), table(turned), differ(), table(costs));
document.documentElement.dataset.ready = "yes";
