// Words on the map: names of places, and what people say. Each takes a free spot or is left away; nothing covers anything.
import { level, token } from "./dom.js";

const AT_FIRST = 16, HOMES_FROM_ZOOM = 4, LONGEST = 30, GAP = 3, BUBBLES = 6, BUBBLE_PX = 190, LINES = 3, FAR_APART = 120, NEAR = 7, HIGH = 13;
const family = () => getComputedStyle(document.body).fontFamily;

// Spots that are taken, as [left, top, right, bottom]; `faces` are those that people stand on, and `marks` those of places: names keep
// clear of both, bubbles may cover marks.
export class Spots {
  constructor(width, height, taken = [], faces = []) { Object.assign(this, { width, height, taken: [...taken], faces, marks: [] }); }

  take(left, top, wide, high, overFaces = false) {
    const box = [left, top, left + wide, top + high];
    if (left < 4 || top < 4 || box[2] > this.width - 4 || box[3] > this.height - 4) return false;
    if (touches(box, this.taken, GAP) || (!overFaces && touches(box, this.faces, 0)) || touches(box, this.marks, 1)) return false;
    this.taken.push(box);
    return true;
  }

  // Take the first of some corners [left, top] that is free, the one of last time before all others; returns its number, or -1.
  first(corners, wide, high, kept, key, overFaces = false) {
    const order = [...corners.keys()], last = kept?.get(key);
    if (last !== undefined) order.unshift(last);
    const found = order.find((at) => this.take(...corners[at], wide, high, overFaces)) ?? -1;
    if (found >= 0) kept?.set(key, found);
    return found;
  }
}

function touches(box, others, gap) {
  return others.some((other) => box[0] < other[2] + gap && box[2] > other[0] - gap && box[1] < other[3] + gap && box[3] > other[1] - gap);
}

// Names of places, or of people: of the kinds of which there are few first, homes when one looks closely, more as one comes nearer.
// A name stands right of its spot, or where else nobody stands: `far` pixels is as near as it comes to a face; `kept` remembers where each stood.
export function nameThem(pen, kinds, toPixels, zoom, spots, { colour = "--muted", halo = "--halo", near = NEAR, far = 0, kept = null } = {}) {
  const rarest = [...kinds].sort(([, one], [, two]) => one.length - two.length), most = AT_FIRST * zoom;
  pen.font = `11px ${family()}`;
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = token(halo);
  pen.fillStyle = token(colour);
  let named = 0;
  for (const [kind, places] of rarest) {
    if (kind === "home" && zoom < HOMES_FROM_ZOOM) continue;
    for (const { x, y, title: full } of places) {
      const title = level(full);
      if (x === null || named >= most || title.length > LONGEST) continue;
      const [px, py] = toPixels(x, y), wide = pen.measureText(title).width;
      const corners = around(px, py, wide, near, far), at = spots.first(corners, wide, HIGH, kept, title);
      if (at < 0) continue;
      const [left, top] = corners[at];
      pen.strokeText(title, left, top + 11);
      pen.fillText(title, left, top + 11);
      named += 1;
    }
  }
}

// Where a name may begin around a spot: right and left of it, beside whoever stands there, below and above.
function around(x, y, wide, near, far) {
  const beside = (away) => [[x + away, y - 7], [x - away - wide, y - 7]];
  return far ? [...beside(near), ...beside(far), [x - wide / 2, y + far - 2], [x - wide / 2, y - far - HIGH + 2]] : beside(near);
}

// What is said now: a bubble beside each who speaks, and a line to whom they speak.
// Bubbles keep off faces, `away` pixels from their own; where there is no such room they cover some rather than say nothing.
// Returns the boxes of those that are shown.
export function letThemSpeak(pen, said, spotOf, spots, away, kept) {
  pen.font = `11.5px ${family()}`;
  const boxes = [];
  for (const { agent, other, text } of said) {
    const from = spotOf(agent), to = other && spotOf(other);
    if (!from || boxes.length >= BUBBLES) continue;
    const lines = wrapped(pen, text), wide = Math.max(...lines.map((line) => pen.measureText(line).width)) + 14, high = 15 * lines.length + 8;
    const corners = [[-wide / 2, -high - away], [away, -high / 2], [-wide - away, -high / 2], [-wide / 2, away], [away / 2, -high - away], [-wide - away / 2, -high - away], [away / 2, away], [-wide - away / 2, away]].map(([dx, dy]) => [from[0] + dx, from[1] + dy]);
    const key = `${agent}: ${text}`, known = kept.has(key); // a bubble stays on its side while people walk past
    let at = spots.first(corners, wide, high, kept, key, known);
    if (at < 0) at = spots.first(corners, wide, high, kept, key, true);
    if (at < 0) continue;
    const apart = to ? Math.hypot(to[0] - from[0], to[1] - from[1]) : 0; // who walks away takes no line through the town along
    if (apart > 12 && apart < FAR_APART) line(pen, from, to);
    const [left, top] = corners[at];
    bubble(pen, left, top, wide, high, lines);
    boxes.push([left, top, left + wide, top + high]);
  }
  return boxes;
}

function line(pen, from, to) {
  pen.strokeStyle = token("--ink");
  pen.globalAlpha = 0.35;
  pen.lineWidth = 1.2;
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
  pen.globalAlpha = 1;
}

function bubble(pen, left, top, wide, high, lines) {
  pen.beginPath();
  pen.roundRect(left, top, wide, high, 7);
  pen.fillStyle = token("--card");
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = token("--faint");
  pen.stroke();
  pen.fillStyle = token("--ink");
  lines.forEach((text, at) => pen.fillText(text, left + 7, top + 16 + 15 * at));
}

function wrapped(pen, text) {
  const lines = [""];
  for (const word of level(text).split(" ").flatMap((each) => each.match(/.{1,28}/gsu) ?? [])) { // a word without an end is no bubble without an end
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= BUBBLE_PX || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= LINES) return lines;
  return [...lines.slice(0, LINES - 1), `${lines[LINES - 1]}…`];
}
