// A pen with the calls of a canvas that writes SVG: what is drawn with it is the same drawing, as a file that refers to nothing outside of it.
const PARTS = 100; // of a pixel

const short = (value) => String(Math.round(value * PARTS) / PARTS);
const numbers = (...values) => values.map(short).join(" ");
const escaped = (text) => String(text).toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "").replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);

// A path, for whoever draws one of these instead of the browser's.
export class SvgPath {
  constructor(d = "") { this.d = d; }

  moveTo(x, y) { this.d += `M${numbers(x, y)}`; }
  lineTo(x, y) { this.d += `L${numbers(x, y)}`; }
  closePath() { this.d += "Z"; }
  rect(x, y, wide, high) { this.d += `M${numbers(x, y)}h${short(wide)}v${short(high)}h${short(-wide)}Z`; }

  roundRect(x, y, wide, high, radius) {
    const corner = (dx, dy) => `a${numbers(radius, radius)} 0 0 1 ${numbers(dx * radius, dy * radius)}`;
    this.d += `M${numbers(x + radius, y)}h${short(wide - 2 * radius)}${corner(1, 1)}v${short(high - 2 * radius)}${corner(-1, 1)}h${short(2 * radius - wide)}${corner(-1, -1)}v${short(2 * radius - high)}${corner(1, -1)}Z`;
  }

  arc(x, y, radius, from, to) { this.ellipse(x, y, radius, radius, 0, from, to); }

  // Clockwise, as all of ours are.
  ellipse(x, y, wide, high, turn, from, to) {
    const round = 2 * Math.PI, sweep = to - from >= round ? round : ((to - from) % round + round) % round;
    const at = (angle) => { const [right, down] = [wide * Math.cos(angle), high * Math.sin(angle)]; return [x + right * Math.cos(turn) - down * Math.sin(turn), y + right * Math.sin(turn) + down * Math.cos(turn)]; };
    const leg = (angle) => `A${numbers(wide, high, (turn * 180) / Math.PI)} 0 1 ${numbers(...at(angle))}`;
    this.d += `${this.d ? "L" : "M"}${numbers(...at(from))}${leg(from + sweep / 2)}${leg(from + sweep)}`; // in two halves: a whole one has no direction
  }
}

// The path of a text of SVG for a pen: its own kind.
const known = new Map();
export function pathFor(pen, d) {
  if (pen.vector) return new SvgPath(d);
  if (!known.has(d)) known.set(d, new Path2D(d));
  return known.get(d);
}

const PLAIN = { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineCap: "butt", lineJoin: "miter", globalAlpha: 1, globalCompositeOperation: "source-over", font: "10px sans-serif", dash: [], groups: 0 };

export class SvgPen {
  vector = true;

  // `prefix`: what ids of what is referred to begin with.
  constructor(width, height, prefix = "d") {
    Object.assign(this, { width, height, prefix, ...PLAIN, matrix: new DOMMatrix(), path: new SvgPath(), parts: [], defs: new Map(), kept: [] });
    this.rule = new OffscreenCanvas(1, 1).getContext("2d");
  }

  save() { this.kept.push({ ...Object.fromEntries(Object.keys(PLAIN).map((name) => [name, this[name]])), matrix: this.matrix }); this.groups = 0; }
  restore() { this.parts.push("</g>".repeat(this.groups)); Object.assign(this, this.kept.pop()); }
  transform(...six) { this.matrix = this.matrix.multiply(new DOMMatrix(six)); }
  translate(x, y) { this.matrix = this.matrix.translate(x, y); }
  scale(x, y) { this.matrix = this.matrix.scale(x, y); }
  rotate(angle) { this.matrix = this.matrix.rotate((angle * 180) / Math.PI); }
  setTransform(...six) { this.matrix = new DOMMatrix(six); }
  setLineDash(dash) { this.dash = dash; }

  beginPath() { this.path = new SvgPath(); }
  moveTo(...spot) { this.path.moveTo(...spot); }
  lineTo(...spot) { this.path.lineTo(...spot); }
  closePath() { this.path.closePath(); }
  rect(...box) { this.path.rect(...box); }
  roundRect(...box) { this.path.roundRect(...box); }
  arc(...round) { this.path.arc(...round); }
  ellipse(...round) { this.path.ellipse(...round); }

  fill(path = this.path, rule = "nonzero") { this.put("path", { d: path.d, "fill-rule": rule === "evenodd" ? rule : null, ...this.paint("fill", this.fillStyle) }); }
  stroke(path = this.path) { this.put("path", { d: path.d, fill: "none", ...this.line() }); }
  fillRect(x, y, width, height) { this.put("rect", { x: short(x), y: short(y), width: short(width), height: short(height), ...this.paint("fill", this.fillStyle) }); }
  fillText(text, x, y) { this.put("text", { x: short(x), y: short(y), style: `font:${this.font}`, ...this.paint("fill", this.fillStyle) }, text); }
  strokeText(text, x, y) { this.put("text", { x: short(x), y: short(y), style: `font:${this.font}`, fill: "none", ...this.line() }, text); }
  measureText(text) { this.rule.font = this.font; return this.rule.measureText(text); }

  // What comes until the next restore is seen within a path alone.
  clip(path = this.path) {
    const shape = `<path d="${path.d}"${this.placed()}/>`;
    this.parts.push(`<g clip-path="url(#${this.define(shape, (id) => `<clipPath id="${id}">${shape}</clipPath>`)})">`);
    this.groups += 1;
  }

  createRadialGradient(x0, y0, r0, x1, y1, r1) {
    const stops = [], place = `gradientUnits="userSpaceOnUse" fx="${short(x0)}" fy="${short(y0)}" fr="${short(r0)}" cx="${short(x1)}" cy="${short(y1)}" r="${short(r1)}"`;
    const text = () => `${place}>${stops.join("")}`;
    return { addColorStop: (at, colour) => { const [solid, share] = parted(colour); stops.push(`<stop offset="${at}" stop-color="${solid}" stop-opacity="${share}"/>`); }, id: () => this.define(text(), (id) => `<radialGradient id="${id}" ${text()}</radialGradient>`) };
  }

  // Keep something that others refer to, once.
  define(key, write) {
    if (!this.defs.has(key)) { const id = `${this.prefix}${this.defs.size}`; this.defs.set(key, { id, text: write(id) }); }
    return this.defs.get(key).id;
  }

  line() { return { ...this.paint("stroke", this.strokeStyle), "stroke-width": String(Number(this.lineWidth.toPrecision(4))), "stroke-linecap": this.lineCap === "butt" ? null : this.lineCap, "stroke-linejoin": this.lineJoin === "miter" ? null : this.lineJoin, "stroke-dasharray": this.dash.length ? numbers(...this.dash) : null }; }

  paint(which, style) {
    if (typeof style !== "string") return { [which]: `url(#${style.id()})` };
    const [solid, share] = parted(style);
    return { [which]: solid, [`${which}-opacity`]: share < 1 ? short(share) : null };
  }

  placed() { const { a, b, c, d, e, f } = this.matrix; return this.matrix.isIdentity ? "" : ` transform="matrix(${[a, b, c, d, e, f].map((value) => Number(value.toPrecision(8))).join(" ")})"`; }

  put(tag, attributes, text) {
    if (attributes.d === "") return;
    const blend = this.globalCompositeOperation === "source-over" ? null : `mix-blend-mode:${this.globalCompositeOperation}`, all = { ...attributes, opacity: this.globalAlpha < 1 ? short(this.globalAlpha) : null, ...(blend ? { style: blend } : {}) };
    const written = Object.entries(all).filter(([, value]) => value !== null).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    this.parts.push(text === undefined ? `<${tag}${written}${this.placed()}/>` : `<${tag}${written}${this.placed()}>${escaped(text)}</${tag}>`);
  }

  // Take in what another pen drew, one with a prefix of its own, so far to the right and down.
  include(other, x, y) {
    for (const [key, kept] of other.defs) this.defs.set(`${other.prefix} ${key}`, kept);
    this.parts.push(`<g transform="translate(${numbers(x, y)})">`, ...other.parts, "</g>".repeat(other.groups + 1));
  }

  // All that was drawn, as a file.
  file(title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"><title>${escaped(title)}</title><defs>${[...this.defs.values()].map(({ text }) => text).join("")}</defs>${this.parts.join("")}</svg>`;
  }
}

// A colour as one that is solid, and how much of it there is; not every program knows the two in one.
function parted(colour) {
  const found = colour.match(/^rgba\(\s*([\d.]+),\s*([\d.]+),\s*([\d.]+),\s*([\d.]+)\s*\)$/);
  return found ? [`rgb(${found.slice(1, 4).join(",")})`, Number(found[4])] : [colour, 1];
}
