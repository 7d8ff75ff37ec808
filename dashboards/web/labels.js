// Words on the map: names of places, and what people say. Each takes a free spot or is left away; nothing covers anything.
import { level, token } from "./dom.js";

const AT_FIRST = 16, HOMES_FROM_ZOOM = 4, LONGEST = 30, GAP = 3, BUBBLES = 6, COVERING = 2, BUBBLE_PX = 190, LINES = 3, FAR_APART = 120, NEAR = 7, HIGH = 13, TAIL_PX = 9, FACE_GAP = 3;
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
// Bubbles keep off faces, and stand beside their own, which reaches `rim` pixels far; where there is no such room COVERING of them cover some rather than that nothing is said.
// Returns the boxes of those that are shown.
export function letThemSpeak(pen, said, spotOf, spots, rim, kept) {
  const away = rim + TAIL_PX / 2;
  pen.font = `11.5px ${family()}`;
  const bubbles = [];
  let covering = 0;
  for (const { agent, other, text } of said) {
    const from = spotOf(agent), to = other && spotOf(other);
    if (!from || bubbles.length >= BUBBLES) continue;
    const lines = wrapped(pen, text), wide = Math.max(...lines.map((line) => pen.measureText(line).width)) + 14, high = 15 * lines.length + 8;
    const corners = [[-wide / 2, -high - away], [away, -high / 2], [-wide - away, -high / 2], [-wide / 2, away], [away / 2, -high - away], [-wide - away / 2, -high - away], [away / 2, away], [-wide - away / 2, away]].map(([dx, dy]) => [from[0] + dx, from[1] + dy]);
    const key = `${agent}: ${text}`, known = kept.has(key); // a bubble stays on its side while people walk past
    let at = spots.first(corners, wide, high, kept, key, known);
    if (at < 0 && covering < COVERING) { at = spots.first(corners, wide, high, kept, key, true); covering += 1; }
    if (at >= 0) bubbles.push({ from, to, lines, box: [...corners[at], wide, high] });
  }
  for (const { from, to } of bubbles) {
    const apart = to ? Math.hypot(to[0] - from[0], to[1] - from[1]) : 0; // who walks away takes no line through the town along
    if (apart > 12 && apart < FAR_APART) line(pen, from, to);
  }
  for (const { from, lines, box } of bubbles) bubble(pen, ...box, lines, from, rim);
  return bubbles.map(({ box: [left, top, wide, high] }) => [left, top, left + wide, top + high]);
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

// A bubble, and the tail by which it belongs to whoever stands at a spot, with a face so wide.
function bubble(pen, left, top, wide, high, lines, spot, rim) {
  pen.lineWidth = 1;
  pen.fillStyle = token("--card");
  pen.strokeStyle = token("--faint");
  pen.beginPath();
  pen.roundRect(left, top, wide, high, 7);
  pen.fill();
  pen.stroke();
  tail(pen, left, top, wide, high, spot, rim - FACE_GAP);
  pen.fillStyle = token("--ink");
  lines.forEach((text, at) => pen.fillText(text, left + 7, top + 16 + 15 * at));
}

function tail(pen, left, top, wide, high, [x, y], rim) {
  const beside = y > top && y < top + high, within = (value, low, long) => Math.max(low + TAIL_PX, Math.min(low + long - TAIL_PX, value));
  const root = beside ? [x < left ? left : left + wide, within(y, top, high)] : [within(x, left, wide), y < top ? top : top + high];
  const far = Math.hypot(x - root[0], y - root[1]), share = (far - rim) / far, side = beside ? [0, TAIL_PX / 2] : [TAIL_PX / 2, 0];
  if (!(share > 0)) return;
  const into = beside ? [x < left ? 1 : -1, 0] : [0, y < top ? 1 : -1]; // over the rim of the bubble, so that both are one
  const tip = [root[0] + (x - root[0]) * share, root[1] + (y - root[1]) * share], feet = [-1, 1].map((way) => [root[0] + way * side[0], root[1] + way * side[1]]);
  pen.beginPath();
  for (const [at, [px, py]] of [[feet[0][0] + into[0], feet[0][1] + into[1]], feet[0], tip, feet[1], [feet[1][0] + into[0], feet[1][1] + into[1]]].entries()) pen[at ? "lineTo" : "moveTo"](px, py);
  pen.fill();
  pen.beginPath();
  [feet[0], tip, feet[1]].forEach((point, at) => pen[at ? "lineTo" : "moveTo"](...point));
  pen.stroke();
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
