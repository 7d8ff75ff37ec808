// A village's tiles, painted by hand: grass with blades, water with ripples, trees with crowns, walls that stand up.
import { token } from "./dom.js";

const FLAT = { tree: "grass", door: "road" };
// A number from 0 to 1 that a tile keeps.
const chance = (column, row, salt = 0) => { const mixed = Math.sin(column * 127.1 + row * 311.7 + salt * 74.7) * 43758.5453; return mixed - Math.floor(mixed); };

export class Tiles {
  constructor({ kinds, rows }) {
    Object.assign(this, { high: rows.length, wide: rows[0]?.length ?? 0 });
    this.kinds = rows.map((row) => [...row].map((letter) => kinds[letter.charCodeAt(0) - 97] ?? "grass"));
  }

  get box() { return [-this.wide / 2, this.wide / 2, -this.high / 2, this.high / 2]; }
  at(column, row) { return this.kinds[row]?.[column]; }

  paint(pen, view) {
    const known = new Map();
    this.tint = (name) => { if (!known.has(name)) known.set(name, token(name)); return known.get(name); };
    const side = view.scale, corner = (column, row) => { const [x, y] = view.toPixels(column - this.wide / 2 + 0.5, this.high / 2 - row - 0.5); return [x - side / 2, y - side / 2]; };
    const each = (draw) => this.kinds.forEach((row, down) => row.forEach((kind, across) => { const [x, y] = corner(across, down); if (x > -2 * side && y > -2 * side && x < view.width + side && y < view.height + side) draw(kind, x, y, across, down); }));
    each((kind, x, y, across, down) => {
      const flat = FLAT[kind] ?? kind;
      pen.fillStyle = this.tint(`--tile-${flat}`);
      pen.fillRect(x, y, side + 0.6, side + 0.6);
      if (side > 5) this.detail(pen, flat, x, y, side, across, down);
    });
    each((kind, x, y, across, down) => {
      if (kind === "wall") this.wall(pen, x, y, side, across, down);
      if (kind === "door") { pen.fillStyle = this.tint("--tile-door"); pen.fillRect(x + side * 0.15, y + side * 0.2, side * 0.7, side * 0.6); }
    });
    each((kind, x, y, across, down) => { if (kind === "tree") this.tree(pen, x, y, side, across, down); });
  }

  detail(pen, kind, x, y, side, across, down) {
    const one = chance(across, down), two = chance(across, down, 1);
    if (kind === "grass" || kind === "lawn") {
      pen.fillStyle = this.tint(one > 0.5 ? "--tile-blade" : "--tile-shade");
      pen.fillRect(x + side * one * 0.8, y + side * two * 0.8, side * 0.09, side * 0.2);
      pen.fillRect(x + side * two * 0.8, y + side * (1 - one) * 0.8, side * 0.09, side * 0.16);
      if (kind === "lawn" && one > 0.8) { pen.fillStyle = this.tint(two > 0.5 ? "--yellow" : "--purple"); pen.fillRect(x + side * 0.4, y + side * two * 0.7, side * 0.14, side * 0.14); }
    } else if (kind === "water" && one > 0.45) {
      pen.fillStyle = this.tint("--tile-ripple");
      pen.fillRect(x + side * 0.15, y + side * two * 0.8, side * (0.3 + one * 0.4), Math.max(1, side * 0.07));
    } else if (kind === "road" && one > 0.7) {
      pen.fillStyle = this.tint("--tile-pebble");
      pen.fillRect(x + side * two * 0.8, y + side * one * 0.8, side * 0.14, side * 0.1);
    } else if (kind === "floor" || kind === "home") {
      pen.fillStyle = this.tint("--tile-plank");
      pen.fillRect(x, y + side * 0.48, side + 0.6, Math.max(0.5, side * 0.04));
      pen.fillRect(x + side * (down % 2 ? 0.2 : 0.7), y, Math.max(0.5, side * 0.04), side * 0.48);
    }
  }

  wall(pen, x, y, side, across, down) {
    pen.fillStyle = this.tint("--tile-wall");
    pen.fillRect(x, y, side + 0.6, side + 0.6);
    pen.fillStyle = this.tint("--tile-wall-top");
    pen.fillRect(x, y, side + 0.6, side * 0.62);
    if (this.at(across, down + 1) !== "wall") { pen.fillStyle = this.tint("--tile-shadow"); pen.fillRect(x, y + side, side + 0.6, side * 0.22); }
  }

  tree(pen, x, y, side, across, down) {
    const round = side * (0.5 + 0.22 * chance(across, down, 2)), middle = [x + side / 2, y + side * 0.42];
    const circle = (dx, dy, radius, colour) => { pen.fillStyle = this.tint(colour); pen.beginPath(); pen.arc(middle[0] + dx, middle[1] + dy, radius, 0, 7); pen.fill(); };
    circle(side * 0.1, side * 0.24, round, "--tile-shadow");
    circle(0, 0, round, "--tile-crown");
    circle(-round * 0.25, -round * 0.28, round * 0.55, "--tile-crown-light");
  }
}
