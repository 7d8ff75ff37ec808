// Ways along the drawn streets between two spots, so that nobody walks through houses. Short searches only; none found: straight.
const MOST_NODES = 900, WAYS_KEPT = 1_000, CLOSE = 0.02; // of the map's width: how far from a street somebody may stand

export class Streets {
  constructor(lines, stretch) {
    this.stretch = stretch;
    this.nodes = [];
    this.edges = [];
    this.ways = new Map();
    const known = new Map();
    const node = ([x, y]) => {
      const key = `${x.toFixed(6)},${y.toFixed(6)}`;
      if (!known.has(key)) { known.set(key, this.nodes.length); this.nodes.push([x, y]); this.edges.push([]); }
      return known.get(key);
    };
    for (const line of lines) {
      for (let at = 1; at < line.length; at += 1) {
        const a = node(line[at - 1]), b = node(line[at]), length = this.apart(this.nodes[a], this.nodes[b]);
        this.edges[a].push([b, length]);
        this.edges[b].push([a, length]);
      }
    }
    const xs = this.nodes.map(([x]) => x), ys = this.nodes.map(([, y]) => y);
    this.west = min(xs); this.south = min(ys);
    this.cell = (Math.max(max(xs) - this.west, max(ys) - this.south) || 1) / 60;
    this.grid = new Map();
    this.nodes.forEach(([x, y], at) => { const key = this.key(x, y); if (!this.grid.has(key)) this.grid.set(key, []); this.grid.get(key).push(at); });
  }

  apart(a, b) { return Math.hypot((a[0] - b[0]) / this.stretch, a[1] - b[1]); }
  key(x, y) { return Math.floor((x - this.west) / this.cell) * 4096 + Math.floor((y - this.south) / this.cell); }

  nearest(spot) {
    let best = -1, distance = 60 * this.cell * CLOSE;
    for (let dx = -1; dx <= 1; dx += 1) for (let dy = -1; dy <= 1; dy += 1) {
      for (const at of this.grid.get(this.key(spot[0] + dx * this.cell, spot[1] + dy * this.cell)) ?? []) {
        const away = this.apart(this.nodes[at], spot);
        if (away < distance) [best, distance] = [at, away];
      }
    }
    return best;
  }

  // Return the points of the way from one spot to another, both included, or null for straight.
  way(from, to) {
    const a = this.nearest(from), b = this.nearest(to);
    if (a < 0 || b < 0 || a === b) return null;
    const key = a * 1e6 + b;
    if (!this.ways.has(key)) {
      if (this.ways.size >= WAYS_KEPT) this.ways.clear();
      this.ways.set(key, this.search(a, b));
    }
    const found = this.ways.get(key);
    return found && [from, ...found, to];
  }

  search(a, b) {
    const goal = this.nodes[b], cost = new Map([[a, 0]]), came = new Map(), open = [[this.apart(this.nodes[a], goal), a]];
    for (let looked = 0; open.length && looked < MOST_NODES; looked += 1) {
      let least = 0;
      for (let at = 1; at < open.length; at += 1) if (open[at][0] < open[least][0]) least = at;
      const [, here] = open.splice(least, 1)[0];
      if (here === b) {
        const found = [];
        for (let at = b; at !== undefined; at = came.get(at)) found.unshift(this.nodes[at]);
        return found;
      }
      for (const [next, length] of this.edges[here]) {
        const reached = cost.get(here) + length;
        if (reached >= (cost.get(next) ?? Infinity)) continue;
        cost.set(next, reached);
        came.set(next, here);
        open.push([reached + this.apart(this.nodes[next], goal), next]);
      }
    }
    return null;
  }
}

const min = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
const max = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

// Return the spot at a share of a way's length.
export function along(way, share, streets) {
  if (!way.lengths) {
    way.lengths = [0];
    for (let at = 1; at < way.length; at += 1) way.lengths.push(way.lengths[at - 1] + streets.apart(way[at - 1], way[at]));
  }
  const target = share * way.lengths.at(-1);
  let leg = 1;
  while (leg < way.length - 1 && way.lengths[leg] < target) leg += 1;
  const span = way.lengths[leg] - way.lengths[leg - 1] || 1, part = Math.min(1, Math.max(0, (target - way.lengths[leg - 1]) / span));
  return [way[leg - 1][0] + (way[leg][0] - way[leg - 1][0]) * part, way[leg - 1][1] + (way[leg][1] - way[leg - 1][1]) * part];
}
