// Answers from what was saved in this page: turns, values by the step from which they hold, frames, measures.
import { runPath, Trouble, unpack } from "./addresses.js";
import { nearest } from "./dom.js";
import { callsOf, memoriesOf, mind } from "./saved_minds.js";
import { news } from "./saved_news.js";

const ONE_LINE = 160, PAGE = 60, TALKING = 80, TIES_SHOWN = 40, BLAMED = 40, FILTERS = ["agent", "status", "kind"];

export class SavedSource {
  isSaved = true;

  constructor(element) { this.packed = element.textContent; }

  async open() {
    if (this.data) return this.data;
    const bytes = Uint8Array.from(atob(this.packed), (letter) => letter.charCodeAt(0));
    const message = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    [this.data, this.begin] = unpack(message);
    this.message = message;
    this.packed = null;
    return this.data;
  }

  async get(path, wanted = {}) {
    const data = await this.open(), [what, number] = path.slice(runPath(data.overview.run, "").length).split("/");
    if (path === "/api/runs") return { runs: [] };
    if (what === "turn") return this.turn(Number(number));
    return this[what] ? this[what](wanted) : data[what];
  }

  async post() { throw new Trouble("a saved page steers nothing", true); }

  frames() { return new SavedFrames(this); }

  feed({ step = Infinity, most = PAGE, search = "", entity = "", before = Infinity, after = -1, ...wanted }) {
    const text = search.toLowerCase(), rows = [];
    for (let at = this.data.turns.length - 1; at >= 0 && rows.length < most; at -= 1) {
      const turn = this.data.turns[at];
      if (turn.shown_at > step || turn.turn >= before || turn.turn <= after) continue;
      if (FILTERS.some((name) => wanted[name] && turn[name] !== wanted[name])) continue;
      if (entity && !turn.changes.some((change) => change.entity === entity)) continue;
      if (!text || holds(turn, text)) rows.push(row(turn));
    }
    return { turns: rows, more: rows.length === most };
  }

  talk({ step }) { return { turns: this.feed({ step, kind: "cell", status: "committed", most: TALKING }).turns.filter(({ step: when }) => when === step - 1) }; }

  turn(number) {
    const turn = this.data.turns.find((each) => each.turn === number);
    if (!turn) throw new Trouble(`Turn ${number} is not among the ${this.data.turns.length} of ${this.data.turns_in_all} turns that this page holds. The feed lists those; the run has them all: cave-sim dash ${this.data.overview.folder}`, true);
    return { ...turn, calls: turn.kind === "cell" ? callsOf(this.data.minds, turn.agent, turn.step) : [], html: this.data.cells[turn.code] ?? "", children: this.data.turns.filter(({ parent }) => parent === number).map(({ turn: child }) => child) };
  }

  entity({ name, step }) {
    const entity = this.data.entities[name];
    if (!entity || entity.came > step || (entity.gone !== null && entity.gone <= step)) throw new Trouble(`${name} is not in the world at step ${step}${sinceWhen(entity, step)}`, true);
    const acts = name in this.data.costs, { type, title } = entity;
    const fields = Object.entries(entity.fields).map(([field, versions]) => fieldOf(field, at(versions, step))).filter(Boolean);
    const more = acts ? { variables: at(this.data.variables[name] ?? [], step) ?? [], costs: this.data.costs[name], turns: this.feed({ agent: name, step, most: 12 }).turns } : {};
    return { name, type, title, step, fields, ties: this.ties(name, step), acts, ...more };
  }

  mind(wanted) { return mind(this.data.minds, wanted); }

  news(wanted) { return news(this.data, wanted); }

  // The course of a life, from the versions of its fields.
  life({ name, step }) {
    const course = (field) => (this.data.entities[name]?.fields[field] ?? []).filter(([from]) => from <= step).map(([from, value]) => [from, value.link ?? String(value.shown ?? value).replace(/^"(.*)"$/s, "$1")]);
    return { name, step, activity: course("activity"), location: course("location"), memories: memoriesOf(this.data.minds, name, step) };
  }

  ties(name, step) {
    return (at(this.data.relations, step) ?? []).flatMap(({ name: graph, edges }) => edges.filter(([a, b]) => a === name || b === name).slice(0, TIES_SHOWN)
      .map(([a, b, strength]) => ({ graph, other: a === name ? b : a, facts: `strength ${Number(strength.toPrecision(3))}`, strength })));
  }

  crowd({ step }) { return this.data.crowds[nearest(this.data.crowds.map(({ step: from }) => from), step)]; }

  relations({ step }) { return { step, graphs: at(this.data.relations, step) ?? [] }; }

  // Who wrote a field, newest first, as far as the turns that were kept tell.
  blame({ target, step }) {
    const [entity, field] = this.read(target), written = [];
    for (let index = this.data.turns.length - 1; index >= 0 && written.length < BLAMED; index -= 1) {
      const turn = this.data.turns[index];
      if (turn.shown_at > step || turn.parent !== null) continue; // what a turn ran counts as its own
      for (const change of turn.changes.filter((each) => each.entity === entity && (each.op === "create" || each.path[0] === field)).reverse()) {
        const value = change.op === "create" ? this.first(entity, field) : change.new;
        written.push({ ...change, step: turn.step, turn: turn.turn, agent: turn.agent, new: value, lines: turn.code ? [{ text: turn.code }] : [] });
      }
    }
    return { target, step, written };
  }

  // The entity and the field that a target names; names may hold dots.
  read(target) {
    const quoted = target.match(/^world\["(.*)"\]\.?(.*)$/), parts = target.split(".");
    const splits = quoted ? [[quoted[1], quoted[2]]] : parts.map((_, many) => [parts.slice(0, many + 1).join("."), parts.slice(many + 1).join(".")]);
    const split = splits.find(([name]) => name in this.data.entities), field = split?.[1].split(/[.[]/)[0];
    if (!split) throw new Trouble(`there is no entity ${splits[0][0]} in this run`, true);
    if (!(field in this.data.entities[split[0]].fields)) throw new Trouble(`${split[0]} has no field '${field}'`, true);
    return [split[0], field];
  }

  first(entity, field) { return fieldOf(field, this.data.entities[entity].fields[field][0]?.[1])?.shown ?? ""; }
}

// Every frame is here at once; between those that were kept, the one before is shown.
class SavedFrames {
  newest = null;

  constructor({ data, message, begin }) {
    const movers = data.overview.movers.length, states = begin + 4 * movers * data.frames.length;
    this.steps = data.frames.map(({ step }) => step);
    this.all = data.frames.map((head, index) => ({ head, where: new Uint16Array(message, begin + 4 * movers * index, 2 * movers), states: new Uint8Array(message, states + movers * index, movers) }));
  }

  at(step) { return this.all[nearest(this.steps, step)]; }
  settled() { /* all are here */ }
  ahead() { /* nothing is on its way */ }
  forget() { /* nothing is told anew */ }
}

// Of [step, value] in the order of steps, the last value that holds at a step.
function at(versions, step) {
  const index = versions.length ? nearest(versions.map(([from]) => from), step) : -1;
  return index >= 0 && versions[index][0] <= step ? versions[index][1] : undefined;
}

function sinceWhen(entity, step) {
  if (!entity) return ", nor at any other that this page holds. Choose somebody on the map, or find them above.";
  return entity.came > step ? `: it comes in step ${entity.came}, so move the time on` : `: it left in step ${entity.gone}, so move the time back`;
}

const fieldOf = (name, value) => (value === undefined ? null : typeof value === "number" ? { name, shown: String(value), number: value } : { name, ...value });
const holds = ({ code, output, error, agent, changes }, text) => [code, output, error ?? "", agent, ...changes.flatMap((change) => [change.entity, change.path.join("."), change.new ?? ""])].some((each) => each.toLowerCase().includes(text));

function row({ code, error, output, changes, ...turn }) {
  const line = code.split("\n").map((each) => each.trim()).filter((each) => each && !each.startsWith("#")).join("; "), reason = (error ?? "").split("\n").filter((each) => each.trim()).at(-1) ?? "";
  return { ...turn, code: line.length <= ONE_LINE ? line : `${line.slice(0, ONE_LINE - 1)}…`, error: reason.trim().slice(0, 200), output: output.slice(0, 160), count: changes.length, changes: changes.slice(0, 3) };
}
