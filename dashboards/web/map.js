// The map: ground, night and names on one canvas, above it rain, and residents on the topmost, moving between steps.
import { gently, h, stateColour, token } from "./dom.js";
import { Backdrop } from "./backdrop.js";
import { isTile, layTiles } from "./board.js";
import { Crowd } from "./crowd.js";
import { paintDensity } from "./density.js";
import { Faces, signColour } from "./faces.js";
import { redrawWithTheme } from "./figure.js";
import { NOWHERE } from "./frames.js";
import { Ground } from "./ground.js";
import { crowds, entry } from "./legend.js";
import { envelopes, halo, hearers, markBoxes, marks, nameShut, shut, trail } from "./map_marks.js";
import { MapPointer } from "./map_pointer.js";
import { letThemSpeak, nameThem, Spots } from "./labels.js";
import { keyOf, LETTER, MARKERS, OTHER_KINDS, SYMBOLS } from "./place_symbols.js";
import { isSnow, isStorm, Sky } from "./sky.js";
import { Dots, Lamp } from "./sprites.js";
import { pathFor } from "./svg_pen.js";
import { along, Streets } from "./streets.js";
import { Viewport } from "./viewport.js";

const MANY = 600, ROUTES_A_STEP_MS = 8, TOO_QUICK_MS = 120, NAMES_FROM_ZOOM = 2.5, PLACE_PX = 7.5, MARK_PX = PLACE_PX / 2 + 1, FACES = 200, FACE_RIM = 4, APART = 1.1, LIGHT_PX = 27, DUSK = 0.55, COVERS = ".states, .kinds, .zoom, .credit, .north, .city", PLACES_AT_ONCE = 200, NAMES_EVERY_MS = 400, AFTER_PEOPLE_MS = 20, calm = matchMedia("(prefers-reduced-motion: reduce)");

export class MapView {
  constructor(host, overview, { onPick }) {
    Object.assign(this, { host, overview, onPick, words: overview.words, from: null, to: null, picked: "", spots: new Float32Array(0), said: [], trails: [], crowd: new Crowd(), isNight: false, sides: new Map(), bubbles: new Map(), over: [], lamp: new Lamp(LIGHT_PX) });
    this.base = h("canvas", { class: "base", "aria-hidden": "true" });
    this.backdrop = new Backdrop(this.base);
    this.sky = new Sky(h("canvas", { class: "sky", "aria-hidden": "true" }));
    this.faces = new Faces();
    this.mostFaces = overview.map.ground || overview.map.axes === "lonlat" ? FACES : 0; // pieces on a board are no people
    host.classList.toggle("plain", !overview.map.ground);
    this.north = h("span", { class: "north", title: "North is to the right", hidden: true }, "N →");
    this.canvas = h("canvas", { role: "img", "aria-label": "Residents on the map" });
    this.key = h("div", { class: "kinds" });
    this.legend = h("div", { class: "states" });
    this.shut = h("span", { class: "shut", hidden: true }, h("b", {}, "✕"), " ");
    this.word = Object.assign(keyOf(" ", LETTER), { className: "word", hidden: true });
    host.append(this.base, this.sky.canvas, this.canvas, this.key, this.legend, this.north, h("span", { class: "credit" }, overview.map.attribution ?? ""));
    this.stretch = (overview.map.axes ?? "lonlat") === "lonlat" && overview.bounds[3] <= 90 && overview.bounds[2] >= -90 && (overview.movers.length || overview.places.length) && overview.map.axes
      ? 1 / Math.cos(((overview.bounds[2] + overview.bounds[3]) / 2) * Math.PI / 180) : 1;
    this.streets = overview.map.lines?.length ? new Streets(overview.map.lines, this.stretch) : null;
    this.draw = () => { if (!this.asked) this.asked = requestAnimationFrame((now) => { this.asked = 0; this.paint(now); }); };
    this.forget = redrawWithTheme(() => this.drawBase());
    this.ground = overview.map.ground ? new Ground(overview.map.ground, this.stretch, overview.bounds) : null;
    this.view = new Viewport(host, { stretch: this.stretch, top: 34, bottom: 44, mayTurn: Boolean(this.ground), onMove: () => { this.sides.clear(); if (this.to) this.place(1); this.paintBase(); this.draw(); } });
    this.nameAnew = gently(async () => { await new Promise((done) => { setTimeout(done, AFTER_PEOPLE_MS); }); this.paintNames(); }, NAMES_EVERY_MS);
    this.drawBase();
    this.listen();
  }

  // Places by kind: a symbol for each of the most frequent kinds, and one for all others.
  kinds() {
    const groups = new Map();
    for (const place of this.overview.places) groups.set(place.kind, [...(groups.get(place.kind) ?? []), place]);
    return [...groups].sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1));
  }

  drawBase() {
    const kinds = this.kinds(), others = kinds.length - SYMBOLS.length;
    this.view.bounds = this.ground?.box ?? this.overview.bounds;
    for (const [name, shape] of Object.entries(this.view.shapes)) this.host.style.setProperty(`--${name}`, shape); // a narrow page gives it no more height than it fills
    this.symbols = kinds.map(([, places], rank) => [MARKERS[SYMBOLS[rank] ?? OTHER_KINDS], places]);
    this.key.replaceChildren(...kinds.slice(0, SYMBOLS.length).map(([kind], rank) => keyOf(kind, SYMBOLS[rank])), ...(others > 0 ? [Object.assign(keyOf("other places", OTHER_KINDS), { title: kinds.slice(SYMBOLS.length).map(([kind]) => kind).join(", ") })] : []), this.shut, this.word);
    this.sprites = null;
    this.showLegend();
    this.paintBase();
    this.draw();
  }

  paintBase() {
    if (!this.box?.width) return;
    const ratio = devicePixelRatio || 1, pen = this.backdrop.pen("ground", this.box.width, this.box.height, ratio);
    this.north.hidden = !this.view.turned;
    this.drawGround(pen, this.ground, ratio);
    this.free(true);
    this.paintNames();
  }

  drawGround(pen, ground, ratio) {
    if (ground) ground.paint(pen, this.view, ratio);
    else this.outline(pen);
    if (this.density) paintDensity(pen, this.density, this.toPixels(), this.isNight);
  }

  paintNames() {
    if (!this.box?.width || !this.host.isConnected) return;
    this.drawNames(this.backdrop.pen("names", this.box.width, this.box.height, devicePixelRatio || 1));
    this.backdrop.compose();
  }

  // Places and names above the night; where people stand, or something is written over the map, there is no name.
  drawNames(names) {
    const spots = this.free();
    if (this.to) spots.taken.push(...markBoxes(this));
    if (this.overview.places.length < PLACES_AT_ONCE || this.view.zoom >= NAMES_FROM_ZOOM) spots.marks = this.markPlaces(names);
    spots.marks = [...spots.marks, ...this.over];
    const style = { ...(this.isNight ? { colour: "--name-night", halo: "--name-halo-night" } : {}), far: this.portrayed ? this.faceRadius + FACE_RIM : 0, kept: this.sides };
    const closed = this.to ? nameShut(names, this, spots, style) : [];
    nameThem(names, this.kinds().map(([kind, places]) => [kind, places.filter((place) => !closed.includes(place))]), this.toPixels(), this.view.zoom, spots, style);
    this.ground?.name(names, this.view, spots, getComputedStyle(document.body).fontFamily, this.isNight, this.sides);
    Object.assign(this, { named: spots.taken, marks: spots.marks });
  }

  // Draw the marks of places; returns their boxes, which names keep off.
  markPlaces(pen) {
    const seen = [...this.symbols].flatMap(([symbol, places]) => places.filter(({ x }) => x !== null).map(({ x, y }) => [symbol, this.view.toPixels(x, y)]));
    return seen.map(([symbol, [x, y]]) => { this.stamp(pen, symbol, x, y); return [x - MARK_PX, y - MARK_PX, x + MARK_PX, y + MARK_PX]; });
  }

  // The whole map as it is seen now, on another pen; `ground` with paths of that pen's kind.
  drawOn(pen, ground) {
    const { width, height } = this.box;
    pen.fillStyle = getComputedStyle(this.host).backgroundColor;
    pen.fillRect(0, 0, width, height);
    this.drawGround(pen, ground, 1);
    this.backdrop.veil(pen, this.lit ?? 1, width, height);
    this.drawNames(pen);
    this.sky.draw(pen);
    this.drawPeople(pen);
  }

  outline(pen) {
    pen.strokeStyle = token("--street");
    pen.lineWidth = 1;
    pen.beginPath();
    for (const line of this.overview.map.lines ?? []) line.forEach(([x, y], at) => pen[at ? "lineTo" : "moveTo"](...this.view.toPixels(x, y)));
    pen.stroke();
  }

  // Day or night, `lit` from 0 (night) to 1; and what falls from the sky.
  light(lit, kind, wet) {
    this.lit = lit;
    Object.assign(this.backdrop, { lit, snowy: isSnow(kind ?? "", wet), stormy: isStorm(kind ?? "", wet) });
    const dusk = this.isNight !== lit < DUSK;
    this.isNight = lit < DUSK;
    this.host.classList.toggle("night", this.isNight);
    if (dusk && this.density) this.paintBase(); // its glow has another colour at night; the ground itself takes long, and has not
    else if (dusk && !this.portrayed) this.paintNames();
    else if (this.box?.width) { if (dusk) this.namedFor = null; this.backdrop.compose(); } // names come with the next drawing of people
    this.sky.show(kind ?? "", wet);
    this.draw();
  }

  // The spots of the box that neither the legend nor anything else on it covers; looked up when the base is drawn, not at every frame.
  free(look = false) {
    if (look || !this.covers) {
      const { left, top } = this.host.getBoundingClientRect();
      this.covers = [...this.host.querySelectorAll(COVERS)].map((each) => each.getBoundingClientRect()).filter(({ width }) => width).map((each) => [each.left - left, each.top - top, each.right - left, each.bottom - top]);
    }
    return new Spots(this.box.width, this.box.height, this.covers, this.faceBoxes());
  }

  // Whether people are drawn with faces: few enough are there, in a place that is no board.
  get portrayed() { return Boolean(this.to) && this.to.states.length <= this.mostFaces; }

  // The boxes of all faces that are seen.
  faceBoxes() {
    if (!this.portrayed || this.spots.length !== 2 * this.to.states.length) return [];
    const far = this.faceRadius + FACE_RIM / 2, boxes = [];
    for (let at = 0; at < this.spots.length; at += 2) if (this.spots[at] === this.spots[at]) boxes.push([this.spots[at] - far, this.spots[at + 1] - far, this.spots[at] + far, this.spots[at + 1] + far]);
    return boxes;
  }

  // Show where a crowd is, as [[x, y, how many], …].
  press(spots) { this.density = spots; if (this.makeRoom()) this.view.onMove(); else this.paintBase(); }

  // Show what is said, as [{ agent, other, text }].
  hear(said) { this.said = said; this.bubbles.clear(); this.draw(); }

  // Show how far word of something has come, as the story tells it; null for no such thing.
  tell(news) { this.news = news; this.showLegend(); this.draw(); }

  stamp(pen, symbol, x, y, colour = "--place") {
    pen.save();
    pen.translate(x - PLACE_PX / 2, y - PLACE_PX / 2);
    pen.scale(PLACE_PX / 12, PLACE_PX / 12);
    pen.lineWidth = 4;
    pen.strokeStyle = token("--name-halo");
    const shape = pathFor(pen, symbol);
    pen.stroke(shape);
    pen.fillStyle = token(colour);
    pen.fill(shape);
    pen.restore();
  }

  listen() {
    const { host } = this;
    this.sight = new ResizeObserver(([{ contentRect }]) => { this.box = contentRect; this.view.resize(contentRect.width, contentRect.height); this.makeRoom(); this.sky.resize(Math.round(contentRect.width), Math.round(contentRect.height)); if (this.to) this.place(1); this.paintBase(); this.draw(); });
    this.sight.observe(this.canvas);
    this.pointer = new MapPointer(this, this.onPick);
  }

  close() {
    this.forget();
    this.sight.disconnect();
    cancelAnimationFrame(this.asked);
    this.host.replaceChildren();
  }

  colour(state) { return this.words[state] === undefined && !this.words.length ? "--blue" : stateColour(this.words, state, this.overview.palette ?? this.words); }

  // Show a frame, moving there from the one before in so many ms; 0 to be there at once.
  show(frame, glide_ms = 0) {
    if (this.to === frame) return;
    const near = this.to && this.to.where.length === frame.where.length && Math.abs(frame.head.step - this.to.head.step) === 1;
    if (String(this.to?.head.closed) !== String(frame.head.closed)) this.nameAnew();
    this.from = near && glide_ms > 0 && !calm.matches ? this.to : null;
    this.trails = near && frame.head.step > this.to.head.step ? [...this.trails.slice(-6), this.to] : [];
    this.to = frame;
    this.began = performance.now();
    this.glide_ms = glide_ms;
    this.offsets = null;
    this.routes = this.from && glide_ms > TOO_QUICK_MS ? this.route() : null;
    this.showLegend();
    this.draw();
  }

  pick(name) { this.picked = name; this.draw(); }

  spot(frame, row) {
    const [west, east, south, north] = this.overview.bounds, x = frame.where[2 * row], y = frame.where[2 * row + 1];
    return x === NOWHERE ? null : [west + (x / 65534) * (east - west), south + (y / 65534) * (north - south)];
  }

  route() {
    const routes = new Map(), until = performance.now() + ROUTES_A_STEP_MS, { from, to } = this;
    if (!this.streets) return routes;
    for (let row = 0; row < to.states.length && performance.now() < until; row += 1) {
      if (from.where[2 * row] === to.where[2 * row] && from.where[2 * row + 1] === to.where[2 * row + 1]) continue;
      const a = this.spot(from, row), b = this.spot(to, row), way = a && b && this.streets.way(a, b);
      if (way) routes.set(row, way);
    }
    return routes;
  }

  // People in one spot stand around it (a sunflower's spiral) instead of on top of each other.
  spread() {
    if (this.offsets && this.spreadFor === this.faceRadius) return this.offsets;
    this.spreadFor = this.faceRadius;
    const { where, states } = this.to, crowd = new Map(), gap = states.length > FACES ? 2.6 : this.mostFaces ? this.faceRadius * APART : 5;
    this.offsets = new Float32Array(2 * states.length);
    for (let row = 0; row < states.length; row += 1) {
      if (isTile(this, row)) continue;
      const key = where[2 * row] * 65536 + where[2 * row + 1], rank = crowd.get(key) ?? 0;
      crowd.set(key, rank + 1);
      this.offsets[2 * row] = gap * Math.sqrt(rank) * Math.cos(rank * 2.39996);
      this.offsets[2 * row + 1] = gap * Math.sqrt(rank) * Math.sin(rank * 2.39996);
    }
    return this.offsets;
  }

  paint(now) {
    const { to } = this;
    if (!to || !this.box?.width) return;
    const pen = this.pen(this.canvas);
    const part = this.from ? Math.min(1, (now - this.began) / this.glide_ms) : 1;
    if (this.spots.length !== 2 * to.states.length) this.spots = new Float32Array(2 * to.states.length);
    this.place(part);
    this.drawPeople(pen);
    this.host.dataset.step = to.head.step;
    if (part < 1) this.draw();
    else { this.from = null; this.nameAround(to); }
    this.onPainted?.(to);
  }

  // Names keep off faces, and off what is said or chosen now.
  nameAround(to) {
    const over = String(this.over.flat().map(Math.round));
    if (!this.portrayed || (this.namedFor === to && this.namedOver === over)) return;
    Object.assign(this, { namedFor: to, namedOver: over });
    this.nameAnew();
  }

  // Everybody where they stand, what surrounds them, and what they say.
  drawPeople(pen) {
    const { to, spots } = this, count = to.states.length, radius = count > 3000 ? 2.4 : count > FACES ? 3.2 : 4.8;
    const sprites = this.sprites?.radius === radius ? this.sprites : (this.sprites = new Dots(radius, (state) => this.colour(state)));
    if (count > MANY && !pen.vector) this.crowd.paint(pen, spots, to.states, sprites, (row) => isTile(this, row));
    layTiles(pen, this);
    marks(pen, this);
    if (count <= FACES) for (let row = 0; row < count; row += 1) trail(pen, this, row);
    const chosen = this.picked ? this.rowOf(this.picked) : -1;
    if (chosen >= 0 && count > FACES) trail(pen, this, chosen);
    if ((this.lit ?? 1) < 0.75 && count <= MANY) this.lamps(pen, 1 - this.lit);
    if (count <= this.mostFaces) this.portraits(pen);
    else if (count <= MANY || pen.vector) for (let row = 0; row < count; row += 1) if (spots[2 * row] === spots[2 * row] && !isTile(this, row)) sprites.lay(pen, to.states[row], spots[2 * row], spots[2 * row + 1]);
    if (count <= FACES) envelopes(pen, this);
    if (count <= FACES && this.view.zoom >= NAMES_FROM_ZOOM) this.names(pen);
    const title = halo(pen, this, chosen), bubbles = this.said.length ? letThemSpeak(pen, this.said, (name) => this.spotOf(name), this.free(), this.portrayed ? this.faceRadius + FACE_RIM : 12, this.bubbles) : [];
    this.over = title ? [title, ...bubbles] : bubbles;
  }

  // The size of a face: larger where few people are, and from near.
  get faceRadius() { return Math.round(Math.min(16, (this.to.states.length > 60 ? 6 : this.box.width < 500 ? 8 : 9.5) * Math.min(1.7, this.view.zoom ** 0.35))); }

  portraits(pen) {
    const { spots, to, faceRadius } = this;
    for (let row = 0; row < to.states.length; row += 1) {
      const x = spots[2 * row], y = spots[2 * row + 1];
      if (x !== x) continue;
      const name = this.overview.movers[row]?.name ?? "";
      this.faces.lay(pen, x, y, name, this.words[to.states[row]], this.colour(to.states[row]), faceRadius, this.has(name));
    }
  }

  // The words for what somebody has at the shown moment, as an illness.
  has(name) { return Object.entries(this.to.head.signs ?? {}).filter(([, names]) => names.includes(name)).map(([word]) => word); }

  // At night a warm light around everybody.
  lamps(pen, strength) {
    pen.globalAlpha = Math.min(0.7, strength);
    for (let at = 0; at < this.spots.length; at += 2) if (this.spots[at] === this.spots[at]) this.lamp.lay(pen, this.spots[at], this.spots[at + 1]);
    pen.globalAlpha = 1;
  }

  names(pen) {
    const spots = new Spots(this.box.width, this.box.height, this.named, this.faceBoxes()), near = (this.portrayed ? this.faceRadius : 4) + FACE_RIM, people = this.overview.movers.map(({ title }, row) => ({ title, row })).filter(({ row }) => this.spots[2 * row] === this.spots[2 * row]);
    nameThem(pen, [["", people.map(({ title, row }) => ({ title, x: this.spots[2 * row], y: this.spots[2 * row + 1] }))]], (x, y) => [x, y], this.view.zoom, spots, { colour: "--ink", near });
  }

  // The row of somebody; looked up once for each list of them.
  rowOf(name) {
    if (this.rowsOf !== this.overview.movers) [this.rowsOf, this.rows] = [this.overview.movers, new Map(this.overview.movers.map((each, row) => [each.name, row]))];
    return this.rows.get(name) ?? -1;
  }

  // Where somebody stands in pixels; null for nowhere.
  spotOf(name) {
    const row = this.rowOf(name), x = this.spots[2 * row];
    return row >= 0 && x === x ? [x, this.spots[2 * row + 1]] : null;
  }

  pen(canvas) {
    const { box } = this, ratio = devicePixelRatio || 1;
    const wide = Math.round(box.width * ratio), high = Math.round(box.height * ratio);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, box.width, box.height);
    return pen;
  }

  toPixels() { return (x, y) => this.view.toPixels(x, y); }
  // Where everybody stands in pixels, so much of the way from one frame to the next; NaN for nowhere.
  place(part) {
    const { spots, routes, from } = this, offsets = this.spread(), there = this.to.where, here = from && part < 1 ? from.where : there;
    const [west, east, south, north] = this.overview.bounds, toPixels = this.toPixels(), [x0, y0] = toPixels(west, south), right = toPixels(east, south), high = toPixels(west, north);
    const [ax, ay, ux, uy] = [right[0] - x0, right[1] - y0, high[0] - x0, high[1] - y0].map((long) => long / 65534);
    for (let at = 0; at < spots.length; at += 2) {
      let x = there[at], y = there[at + 1];
      if (x === NOWHERE) { spots[at] = NaN; continue; }
      if (here[at] !== NOWHERE) { x = here[at] + (x - here[at]) * part; y = here[at + 1] + (y - here[at + 1]) * part; }
      spots[at] = x0 + x * ax + y * ux + offsets[at];
      spots[at + 1] = y0 + x * ay + y * uy + offsets[at + 1];
    }
    if (here !== there) for (const [row, way] of routes ?? []) {
      const [x, y] = toPixels(...along(way, part, this.streets));
      spots[2 * row] = x + offsets[2 * row];
      spots[2 * row + 1] = y + offsets[2 * row + 1];
    }
  }

  // How many do what, as [word, the token of its colour, how many]; always in one order.
  counted() {
    const counts = new Map(), order = this.overview.palette ?? this.words;
    for (const state of this.to.states) counts.set(state, (counts.get(state) ?? 0) + 1);
    const rows = [...counts].filter(([state]) => this.words[state] !== undefined).sort(([a], [b]) => order.indexOf(this.words[a]) - order.indexOf(this.words[b]));
    const having = Object.entries(this.to.head.signs ?? {}).map(([word, names]) => [word, signColour(word), names.length]);
    return [...rows.slice(0, 14).map(([state, many]) => [this.words[state], this.colour(state), many]), ...having];
  }

  // The map keeps off the legend and off what lies below it.
  makeRoom() { return Boolean(this.box?.width) && this.view.fitBetween([this.legend], [...this.host.querySelectorAll(".kinds, .city")]); }

  // In the corner: the legend is the count.
  showLegend() {
    if (!this.to) return;
    const rows = this.counted(), closed = shut(this), heard = hearers(this).length, text = JSON.stringify([rows, closed.length, heard]);
    if (text === this.legendText) return;
    this.legendText = text;
    this.covers = null; // it may have another line now
    this.shut.hidden = !closed.length;
    this.shut.title = closed.map(({ title }) => title).join(", ");
    this.shut.lastChild.data = `${closed.length} closed`;
    this.word.hidden = !heard;
    this.word.title = this.news?.text ?? "";
    this.word.lastChild.data = `${heard} heard the news`;
    this.legend.replaceChildren(...(rows.length ? rows.map(([word, colour, many]) => entry(colour, word, many)) : crowds(this.overview.movers, this.colour(255))));
    if (this.makeRoom()) this.view.onMove();
  }
}
