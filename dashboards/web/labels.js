// Words on the map: names of places, and what people say. Each takes a free spot or is left away; nothing covers anything.
import { token } from "./dom.js";

const AT_FIRST = 16, HOMES_FROM_ZOOM = 4, LONGEST = 30, GAP = 3, BUBBLES = 6, BUBBLE_PX = 168, LINES = 2;
const family = () => getComputedStyle(document.body).fontFamily;

// Spots that are taken, as [left, top, right, bottom].
export class Spots {
  constructor(width, height, taken = []) { Object.assign(this, { width, height, taken: [...taken] }); }

  take(left, top, wide, high) {
    const box = [left, top, left + wide, top + high];
    if (left < 4 || top < 4 || box[2] > this.width - 4 || box[3] > this.height - 4) return false;
    if (this.taken.some((other) => box[0] < other[2] + GAP && box[2] > other[0] - GAP && box[1] < other[3] + GAP && box[3] > other[1] - GAP)) return false;
    this.taken.push(box);
    return true;
  }
}

// Names of places, or of people: of the kinds of which there are few first, homes when one looks closely, more as one comes nearer.
export function nameThem(pen, kinds, toPixels, zoom, spots, colour = "--muted", halo = "--halo") {
  const rarest = [...kinds].sort(([, one], [, two]) => one.length - two.length), most = AT_FIRST * zoom;
  pen.font = `11px ${family()}`;
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = token(halo);
  pen.fillStyle = token(colour);
  let named = 0;
  for (const [kind, places] of rarest) {
    if (kind === "home" && zoom < HOMES_FROM_ZOOM) continue;
    for (const { x, y, title } of places) {
      if (x === null || named >= most || title.length > LONGEST) continue;
      const [px, py] = toPixels(x, y), wide = pen.measureText(title).width;
      if (!spots.take(px + 7, py - 7, wide, 13)) continue;
      pen.strokeText(title, px + 7, py + 4);
      pen.fillText(title, px + 7, py + 4);
      named += 1;
    }
  }
}

// What is said now: a bubble beside each who speaks, and a line to whom they speak.
export function letThemSpeak(pen, said, spotOf, spots) {
  pen.font = `11.5px ${family()}`;
  let shown = 0;
  for (const { agent, other, text } of said) {
    const from = spotOf(agent), to = other && spotOf(other);
    if (!from || shown >= BUBBLES) continue;
    const lines = wrapped(pen, text), wide = Math.max(...lines.map((line) => pen.measureText(line).width)) + 14, high = 15 * lines.length + 8;
    const place = [[-wide / 2, -high - 11], [12, -high / 2], [-wide - 12, -high / 2], [-wide / 2, 12]].find(([dx, dy]) => spots.take(from[0] + dx, from[1] + dy, wide, high));
    if (!place) continue;
    shown += 1;
    if (to && Math.hypot(to[0] - from[0], to[1] - from[1]) > 12) line(pen, from, to);
    bubble(pen, from[0] + place[0], from[1] + place[1], wide, high, lines);
  }
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
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= BUBBLE_PX || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= LINES) return lines;
  return [...lines.slice(0, LINES - 1), `${lines[LINES - 1]}…`];
}
