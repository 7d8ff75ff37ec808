// What lies under a town: water, green, buildings, streets by class and their names; or a village's tiles. Drawn as paths in the map's own plane.
import { token } from "./dom.js";
import { Tiles } from "./tiles.js";

const DIGITS = 1e6;
const AREAS = ["sand", "rails", "green", "wood", "square", "water", "pier", "building"];
const LINES = [["stream", 2.2], ["path", 0.9], ["tram", 0.8], ["rail", 1.3], ["lane", 2.2], ["street", 4], ["main", 5.4]]; // pixels where a hundred metres are 60
const CASED = new Set(["lane", "street", "main"]), EDGED = new Set(["building", "water"]);
const SEEN_FROM = { path: 0.35, tram: 0.35, lane: 0.2, rail: 0.15 }; // pixels a metre
const NAMED_FROM = { green: 0.3, wood: 0.6, square: 0.75, water: 0.1, district: 0, street: 0 };
const ASIDE = [[0, 0], [0, 18], [0, -18], [36, 0], [-36, 0], [0, 34], [0, -34]]; // where a name goes when somebody stands on its middle
const NAME_STYLE = { district: "600 12px", green: "italic 11px", wood: "italic 11px", water: "italic 11px", square: "11px", street: "10.5px" };

// A text of Google's Encoded Polyline Algorithm Format as numbers x, y, x, y, …
export function decoded(text) {
  const found = [], here = [0, 0];
  for (let at = 0, axis = 0; at < text.length; axis = 1 - axis) {
    let rest = 0, shift = 0, part = 0;
    do { part = text.charCodeAt(at) - 63; at += 1; rest += (part & 31) * 2 ** shift; shift += 5; } while (part >= 32 && at < text.length);
    here[axis] += rest % 2 ? -(rest + 1) / 2 : rest / 2;
    found.push(here[axis] / DIGITS);
  }
  return found;
}

export class Ground {
  // `told` is the ground of the manifest's map; `stretch` what a unit upwards is longer than one across.
  // Its paths are of the browser's kind, or of the one that is given.
  constructor(told, stretch, [west, , south], Path = Path2D) {
    Object.assign(this, { stretch, Path, origin: [west, south], metre: stretch === 1 ? 1 : 1 / 111320 });
    if (told.tiles) { this.tiles = new Tiles(told.tiles); this.box = this.tiles.box; return; }
    this.unit = stretch === 1 ? 1 : 1e5; // degrees are too small for the precision of paths
    this.areas = AREAS.filter((kind) => told.areas?.[kind]).map((kind) => [kind, told.areas[kind].map((shape) => this.path(shape.split(" "), true))]); // each by itself: they overlap
    this.lines = LINES.filter(([kind]) => told.lines?.[kind]).map(([kind, wide]) => [kind, wide, this.path(told.lines[kind], false)]);
    this.names = told.names ?? [];
    if (!told.box) return;
    this.sheet = this.path([], false, told.box);
    this.box = [told.box[0], told.box[2], told.box[1], told.box[3]];
  }

  path(texts, closed, box) {
    const path = new this.Path();
    const spot = (x, y) => [(x - this.origin[0]) * this.unit, -(y - this.origin[1]) * this.stretch * this.unit];
    if (box) { const [x0, y0] = spot(box[0], box[3]), [x1, y1] = spot(box[2], box[1]); path.rect(x0, y0, x1 - x0, y1 - y0); }
    for (const text of texts) {
      const numbers = decoded(text);
      for (let at = 0; at + 1 < numbers.length; at += 2) path[at ? "lineTo" : "moveTo"](...spot(numbers[at], numbers[at + 1]));
      if (closed) path.closePath();
    }
    return path;
  }

  paint(pen, view, ratio) {
    if (this.tiles) return this.tiles.paint(pen, view);
    const px = 1 / (view.scale / this.unit), near = view.scale * this.metre; // a pixel in units of the paths; pixels a metre
    pen.save();
    view.transform(pen, this.origin, this.unit, ratio);
    if (this.sheet) { pen.fillStyle = token("--ground-land"); pen.fill(this.sheet); pen.clip(this.sheet); }
    for (const [kind, paths] of this.areas) {
      if (kind === "building" && near < 0.08) continue;
      if (kind === "building") this.streets(pen, px, near);
      pen.fillStyle = token(`--ground-${kind}`);
      if (EDGED.has(kind)) pen.strokeStyle = token(`--ground-${kind}-edge`);
      pen.lineWidth = 0.8 * px;
      for (const path of paths) { pen.fill(path, "evenodd"); if (EDGED.has(kind)) pen.stroke(path); }
    }
    if (!this.areas.some(([kind]) => kind === "building") || near < 0.08) this.streets(pen, px, near);
    pen.restore();
  }

  // Edges of all streets first, so that crossings are open.
  streets(pen, px, near) {
    const grown = Math.min(4, Math.max(0.42, near / 0.6));
    pen.lineCap = pen.lineJoin = "round";
    const seen = this.lines.filter(([kind]) => near >= (SEEN_FROM[kind] ?? 0));
    for (const [kind, wide, path] of seen) if (CASED.has(kind)) this.stroke(pen, path, `--ground-${kind}-edge`, (wide * grown + 1.4) * px);
    for (const [kind, wide, path] of seen) {
      if (kind === "path") pen.setLineDash([3 * px, 2.4 * px]);
      this.stroke(pen, path, `--ground-${kind}`, wide * grown * px);
      pen.setLineDash([]);
    }
  }

  stroke(pen, path, colour, wide) {
    pen.strokeStyle = token(colour);
    pen.lineWidth = wide;
    pen.stroke(path);
  }

  // Names of districts, parks and water in their middle, those of streets along them, as far as there is room.
  name(pen, view, spots, family, night, kept) {
    if (!this.names) return;
    const near = view.scale * this.metre;
    for (const kind of ["district", "water", "green", "square", "wood", "street"]) {
      if (near < NAMED_FROM[kind]) continue;
      pen.font = `${NAME_STYLE[kind]} ${family}`;
      for (const [, text, x, y, ...rest] of this.names.filter((each) => each[0] === kind)) {
        const wide = pen.measureText(text).width;
        if (kind === "street") this.along(pen, view, spots, text, wide, [x, y], rest, night);
        else if (!rest[0] || Math.sqrt(rest[0]) * near > 0.7 * wide) this.across(pen, view.toPixels(x, y), spots, kind, text, wide, night, kept);
      }
    }
  }

  across(pen, [x, y], spots, kind, text, wide, night, kept) {
    const words = kind === "district" ? text.toUpperCase() : text, broad = kind === "district" ? pen.measureText(words).width : wide;
    const corners = ASIDE.map(([dx, dy]) => [x - broad / 2 + dx, y - 7 + dy]), at = spots.first(corners, broad, 14, kept, `${kind} ${text}`);
    if (at < 0) return;
    print(pen, words, corners[at][0], corners[at][1] + 11, `--name-${kind}`, night, kind === "district" ? 0.7 : 1);
  }

  along(pen, view, spots, text, wide, from, to, night) {
    const [x0, y0] = view.toPixels(...from), [x1, y1] = view.toPixels(...to), long = Math.hypot(x1 - x0, y1 - y0);
    if (long < wide + 6) return;
    const angle = Math.atan2(y1 - y0, x1 - x0), upright = Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle, x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    const high = Math.abs(Math.sin(upright)) * wide + 12, broad = Math.abs(Math.cos(upright)) * wide + 12;
    if (!spots.take(x - broad / 2, y - high / 2, broad, high)) return;
    pen.save();
    pen.translate(x, y);
    pen.rotate(upright);
    print(pen, text, -wide / 2, 3.5, "--name-street", night);
    pen.restore();
  }
}

function print(pen, text, x, y, colour, night, strength = 1) {
  pen.globalAlpha = strength;
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = token(night ? "--name-halo-night" : "--name-halo");
  pen.strokeText(text, x, y);
  pen.fillStyle = token(night ? "--name-night" : colour);
  pen.fillText(text, x, y);
  pen.globalAlpha = 1;
}
