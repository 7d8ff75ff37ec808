// Who is tied to whom: the graphs of the world at the shown step, laid out once and then only redrawn.
import { empty, fill, gently, h, offer, token } from "../dom.js";
import { runPath } from "../addresses.js";
import { get } from "../api.js";
import { FONT, redrawWithTheme, svg } from "../figure.js";
import { isOpen, onChange, shown } from "../store.js";
import { Viewport } from "../viewport.js";

const LETTER_PX = 6.1, LINE_PX = 13, LABELLED = 200, ROUNDS = 220, BANDS = [0.25, 0.5, 0.75, 1];

export class Relations {
  name = "relations";
  title = "Relations";

  constructor(host, page) {
    Object.assign(this, { page, places: new Map() });
    this.choice = h("select", { id: "graph", "aria-label": "Graph", onchange: () => this.draw() });
    this.who = h("select", { id: "graph-node", "aria-label": "Choose in the graph", onchange: () => this.page.select(this.who.value) });
    this.note = h("p", { class: "note" });
    this.figure = svg("svg", { role: "img", "aria-label": "Graph of relations" });
    this.div = h("div", { class: "figure square" }, this.figure);
    this.view = new Viewport(this.div, { onMove: () => this.draw() });
    this.figure.addEventListener("click", ({ target }) => { const node = target.closest("[data-node]"); if (node) this.page.select(node.dataset.node); });
    new ResizeObserver(() => this.draw()).observe(this.div);
    this.body = h("div", {}, h("div", { class: "filters" }, this.choice, this.who), this.note, this.div);
    host.append(this.body);
    this.refresh = gently(() => this.read(), 500);
    onChange(() => this.refresh(), "step");
    onChange(() => this.draw(), "pick");
    redrawWithTheme(() => this.draw());
  }

  async read() {
    if (!isOpen("relations")) { this.forget(); return; }
    try {
      const { graphs } = await get(runPath(shown.run, "relations"), { step: Math.floor(shown.step) });
      this.graphs = graphs.map(slim);
      offer(this.choice, graphs.map(({ name }) => [name, name]));
      this.choice.hidden = graphs.length < 2;
      this.draw();
    } catch (error) { this.note.textContent = error.message; }
  }

  // A graph of all who know each other is large: nobody keeps it who does not show it.
  forget() {
    this.graphs = this.listed = null;
    this.figure.replaceChildren();
  }

  draw() {
    if (!isOpen("relations") || !this.graphs) return;
    const graph = this.graphs.find(({ name }) => name === this.choice.value) ?? this.graphs[0];
    this.div.hidden = this.who.hidden = !graph;
    if (!graph) { fill(this.note, empty("Nothing in this world holds a graph.")); return; }
    this.note.textContent = `${graph.name}: ${graph.nodes.length} nodes, ${graph.all} edges${graph.all > graph.edges.length ? `, the strongest ${graph.edges.length} shown` : ""}`;
    const at = this.places.get(graph.name) ?? settle(graph);
    for (const node of graph.nodes) if (!at.has(node)) at.set(node, [Math.random() - 0.5, Math.random() - 0.5]);
    this.places.set(graph.name, at);
    const near = new Set(graph.edges.filter(([a, b]) => a === shown.pick || b === shown.pick).flatMap(([a, b]) => [a, b]));
    if (this.fitted !== graph.name) this.fit(graph, at);
    this.resize();
    const title = (node) => graph.titles[node] ?? node;
    this.choices(graph, title);
    const bands = BANDS.map((top, rank) => this.edges(graph, at, rank ? BANDS[rank - 1] : -Infinity, rank === BANDS.length - 1 ? Infinity : top, rank));
    const labels = this.labels(graph, at, near, title);
    this.figure.replaceChildren(...bands, ...graph.nodes.map((node, row) => this.node(node, at.get(node), near, title(node), labels[row])));
  }

  // Whoever goes by keys chooses from a list what others click.
  choices(graph, title) {
    if (this.listed !== graph) offer(this.who, [["", "Nobody chosen"], ...[...graph.nodes].sort((a, b) => title(a).localeCompare(title(b))).map((node) => [node, title(node)])]);
    this.listed = graph;
    this.who.value = graph.nodes.includes(shown.pick) ? shown.pick : "";
  }

  fit(graph, at) {
    const range = (values) => { const low = Math.min(...values), high = Math.max(...values), room = 0.12 * (high - low || 1); return [low - room, high + room]; };
    this.view.bounds = [...range(graph.nodes.map((node) => at.get(node)[0])), ...range(graph.nodes.map((node) => at.get(node)[1]))];
    this.view.reset();
    this.fitted = graph.name;
  }

  resize() {
    const { width, height } = this.div.getBoundingClientRect();
    Object.assign(this.view, { width, height });
    this.figure.setAttribute("viewBox", `0 0 ${width || 1} ${height || 1}`);
  }

  node(node, spot, near, title, label) {
    const [x, y] = this.view.toPixels(...spot), chosen = node === shown.pick;
    const colour = token(chosen ? "--vermilion" : near.has(node) ? "--orange" : "--blue");
    return svg("g", { class: "node", "data-node": node }, svg("title", {}, title),
      svg("circle", { cx: x, cy: y, r: chosen ? 7 : 4.5, fill: colour, stroke: token("--halo") }),
      label ? svg("text", { x, y: y - 9, "text-anchor": "middle", "font-size": 10.5, "font-family": FONT, fill: token(near.size && !near.has(node) ? "--faint" : "--ink") }, label) : null);
  }

  // Names where there is room for them: the chosen one and those tied to it first, then whoever has most ties.
  labels(graph, at, near, title) {
    const ties = new Map(), taken = [], labels = new Map();
    for (const [a, b] of graph.edges) for (const node of [a, b]) ties.set(node, (ties.get(node) ?? 0) + 1);
    const rank = (node) => (node === shown.pick ? 1e6 : near.has(node) ? 1e3 : 0) + (ties.get(node) ?? 0);
    for (const node of [...graph.nodes].sort((a, b) => rank(b) - rank(a)).slice(0, LABELLED)) {
      const text = title(node), [x, y] = this.view.toPixels(...at.get(node)), half = (text.length * LETTER_PX) / 2;
      if (taken.some(([otherX, otherY, other]) => Math.abs(x - otherX) < half + other && Math.abs(y - otherY) < LINE_PX)) continue;
      taken.push([x, y, half]);
      labels.set(node, text);
    }
    return graph.nodes.map((node) => labels.get(node) ?? "");
  }

  edges(graph, at, above, upTo, rank) {
    const point = (node) => this.view.toPixels(...at.get(node)).map((value) => value.toFixed(1)).join(" ");
    const ties = graph.edges.filter(([a, b, strength]) => strength > above && strength <= upTo && at.has(a) && at.has(b));
    return svg("path", { d: ties.map(([a, b]) => `M${point(a)}L${point(b)}`).join(""), fill: "none", stroke: token("--place"), "stroke-width": 0.6 + rank * 0.9, opacity: 0.3 + rank * 0.18 });
  }
}

// A graph whose edges name its nodes by the nodes' own texts.
function slim(graph) {
  const own = new Map(graph.nodes.map((node) => [node, node])), named = (node) => own.get(node) ?? node;
  return { ...graph, edges: graph.edges.map(([a, b, strength]) => [named(a), named(b), strength]) };
}

// Fruchterman and Reingold's springs; of large graphs only near pairs push each other, by cells of a grid.
function settle({ nodes, edges }) {
  const count = nodes.length, index = new Map(nodes.map((node, at) => [node, at])), ideal = 1 / Math.sqrt(count || 1);
  const x = nodes.map((_, at) => Math.cos(at * 2.39996) * Math.sqrt(at / count)), y = nodes.map((_, at) => Math.sin(at * 2.39996) * Math.sqrt(at / count));
  const ties = edges.map(([a, b, strength]) => [index.get(a), index.get(b), Math.max(0.1, strength)]).filter(([a, b]) => a !== undefined && b !== undefined);
  const rounds = count > 400 ? 60 : ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    const dx = new Float64Array(count), dy = new Float64Array(count), cells = new Map(), size = 3 * ideal;
    for (let at = 0; at < count; at += 1) { const key = `${Math.floor(x[at] / size)},${Math.floor(y[at] / size)}`; if (!cells.has(key)) cells.set(key, []); cells.get(key).push(at); }
    for (let at = 0; at < count; at += 1) {
      const cx = Math.floor(x[at] / size), cy = Math.floor(y[at] / size);
      for (let i = -1; i <= 1; i += 1) for (let j = -1; j <= 1; j += 1) for (const other of cells.get(`${cx + i},${cy + j}`) ?? []) {
        if (other === at) continue;
        const gx = x[at] - x[other], gy = y[at] - y[other], away = Math.hypot(gx, gy) || 1e-6, push = (ideal * ideal) / (away * away);
        dx[at] += gx * push; dy[at] += gy * push;
      }
      dx[at] -= x[at] * 0.02; dy[at] -= y[at] * 0.02;
    }
    for (const [a, b, strength] of ties) {
      const gx = x[a] - x[b], gy = y[a] - y[b], pull = (Math.hypot(gx, gy) / ideal) * 0.12 * strength;
      dx[a] -= gx * pull; dy[a] -= gy * pull; dx[b] += gx * pull; dy[b] += gy * pull;
    }
    const most = 0.1 * (1 - round / rounds);
    for (let at = 0; at < count; at += 1) { const far = Math.hypot(dx[at], dy[at]) || 1e-9, step = Math.min(far, most) / far; x[at] += dx[at] * step; y[at] += dy[at] * step; }
  }
  return new Map(nodes.map((node, at) => [node, [x[at], y[at]]]));
}
