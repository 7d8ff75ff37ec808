// Residents as faces: skin, hair and clothes are drawn from the letters of their names, so that each keeps theirs; around it the colour of what they do, and its sign.
import { token } from "./dom.js";
import { pathFor } from "./svg_pen.js";

const FACES_KEPT = 1_200; // pictures of 4 to 16 kB each

const SKINS = ["#f6d7bd", "#eec39f", "#d9a47a", "#b67c52", "#8d5a3a", "#5f3c28"];
const HAIRS = ["#2b2420", "#4a3326", "#7a4f2c", "#b58143", "#d9b56a", "#8f8f8f", "#a8442a", "#1f2430"];
const CLOTHES = ["#3f6fa8", "#7d4f8a", "#3f8a6b", "#b3553f", "#c08a2e", "#5a6270", "#a34d72", "#2f7f8f"];

// Signs of what people do, in a box of 12; the first whose word fits.
const SIGNS = [
  [/sleep|dream/, "M3 3h6L3.6 9.2H9"], [/walk|heads|travel|cross|commut/, "M2.6 3l3 3-3 3M6.4 3l3 3-3 3"], [/work|study|studi|teach|job/, "M2 4.4h8v5.2H2zM4.4 4.2V2.6h3.2v1.6"],
  [/eat|meal|lunch|dinner|breakfast/, "M3.2 2v3.4M5.4 2v3.4M4.3 2v8M8.6 10V2C7 3 7 6 8.4 6.6"], [/drink|coffee/, "M2.6 3.4h5v4.2a2.5 2.5 0 0 1-5 0zM7.6 4.4h1.8v2.4H7.6"],
  [/talk|chat|speak|meet/, "M2 2.6h8v5H6.2L4 9.8V7.6H2z"], [/shop|buy/, "M2.8 4.4h6.4l.6 5.4H2.2zM4.4 4.4a1.6 1.6 0 0 1 3.2 0"], [/wait|queue/, "M6 2.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6M6 4v2.2l1.5 1"],
  [/rest|relax|sit/, "M2 6.4h8M3 6.4v3M9 6.4v3M2.6 3.4v3M9.4 3.4v3"], [/ill|sick|infect/, "M6 2.4v7.2M2.4 6h7.2"],
];
export const signOf = (word) => SIGNS.find(([pattern]) => pattern.test(word ?? ""))?.[1] ?? "";

// The colour of what somebody has; and one that is seen on a colour: dark signs on pale discs.
export const signColour = (word) => (/ill|sick|infect/.test(word) ? "--ill" : "--other");
export function signInk(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.72 ? "#1f2630" : "#fff";
}

function letters(name) {
  let mixed = 2166136261;
  for (const letter of name) mixed = Math.imul(mixed ^ letter.codePointAt(0), 16777619) >>> 0;
  return (most) => { mixed = Math.imul(mixed ^ (mixed >>> 13), 1540483477) >>> 0; return mixed % most; };
}

export class Faces {
  // A face is painted once for each size, activity and theme.
  constructor() { this.kept = new Map(); }

  // `has` are words for what somebody has beside what they do, as an illness.
  of(name, word, colour, radius, has = []) {
    const key = `${name}\n${word}\n${colour}\n${radius}\n${has}\n${token("--card")}`;
    if (!this.kept.has(key)) {
      if (this.kept.size >= FACES_KEPT) this.kept.clear();
      this.kept.set(key, this.paint(name, signOf(word), token(colour), radius, has));
    }
    return this.kept.get(key);
  }

  // Put a face where it belongs: one that is kept, or on a pen that knows no pictures each stroke of it.
  lay(pen, x, y, name, word, colour, radius, has) {
    if (pen.vector) {
      pen.save();
      pen.translate(x, y);
      face(pen, name, signOf(word), token(colour), radius, has);
      pen.restore();
      return;
    }
    const { canvas, size } = this.of(name, word, colour, radius, has);
    pen.drawImage(canvas, x - size / 2, y - size / 2, size, size);
  }

  paint(name, sign, colour, radius, has) {
    const ratio = (globalThis.devicePixelRatio || 1) * 2, size = 2 * radius + 10, canvas = new OffscreenCanvas(Math.ceil(size * ratio), Math.ceil(size * ratio)), pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.translate(size / 2, size / 2);
    face(pen, name, sign, colour, radius, has);
    return { canvas, size };
  }
}

function face(pen, name, sign, colour, radius, has) {
  disc(pen, 0, 0.8, radius + 1.6, "rgba(0,0,0,.22)");
  disc(pen, 0, 0, radius + 1, token("--card"));
  pen.save();
  pen.beginPath();
  pen.arc(0, 0, radius - 0.6, 0, 7);
  pen.clip();
  portrait(pen, letters(name), radius, colour);
  pen.restore();
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 7);
  pen.lineWidth = Math.max(1.8, radius * 0.2);
  pen.strokeStyle = colour;
  pen.stroke();
  if (sign && radius >= 7) badge(pen, sign, colour, radius, 1);
  for (const each of has.slice(0, 1)) badge(pen, signOf(each), token(signColour(each)), Math.max(radius, 7), -1);
}

function portrait(pen, draw, radius, colour) {
  const skin = SKINS[draw(SKINS.length)], hair = HAIRS[draw(HAIRS.length)], cloth = CLOTHES[draw(CLOTHES.length)], cut = draw(5), glasses = draw(6) === 0;
  const unit = radius / 10;
  pen.fillStyle = token("--face-back");
  pen.fillRect(-radius, -radius, 2 * radius, 2 * radius);
  pen.globalAlpha = 0.2;
  pen.fillStyle = colour;
  pen.fillRect(-radius, -radius, 2 * radius, 2 * radius);
  pen.globalAlpha = 1;
  if (cut === 1 || cut === 3) oval(pen, 0, 0.6 * unit, 6.6 * unit, 7.4 * unit, hair); // long hair behind
  oval(pen, 0, 10.4 * unit, 7.6 * unit, 5 * unit, cloth);
  pen.fillStyle = skin;
  pen.fillRect(-1.6 * unit, 3 * unit, 3.2 * unit, 3.6 * unit);
  oval(pen, 0, -0.2 * unit, 4.9 * unit, 5.6 * unit, skin);
  pen.fillStyle = hair;
  if (cut !== 4) { pen.beginPath(); pen.ellipse(0, -2.6 * unit, 5.3 * unit, 3.9 * unit, 0, Math.PI, 0); pen.fill(); }
  if (cut === 2) { pen.beginPath(); pen.ellipse(-1.6 * unit, -2.6 * unit, 4 * unit, 2 * unit, 0.5, 0, 7); pen.fill(); }
  if (cut === 3) oval(pen, 0, -7 * unit, 2.1 * unit, 2 * unit, hair);
  if (cut === 4) { pen.beginPath(); pen.ellipse(0, 3.4 * unit, 4.4 * unit, 2.6 * unit, 0, 0, Math.PI); pen.fill(); }
  disc(pen, -1.9 * unit, 0, 0.75 * unit, "#22242a");
  disc(pen, 1.9 * unit, 0, 0.75 * unit, "#22242a");
  pen.strokeStyle = "rgba(60,30,20,.75)";
  pen.lineWidth = 0.7 * unit;
  pen.beginPath();
  pen.arc(0, 1.7 * unit, 1.7 * unit, 0.25, Math.PI - 0.25);
  pen.stroke();
  if (!glasses) return;
  pen.strokeStyle = "#22242a";
  pen.lineWidth = 0.5 * unit;
  for (const side of [-1, 1]) { pen.beginPath(); pen.arc(side * 1.9 * unit, 0, 1.6 * unit, 0, 7); pen.stroke(); }
}

// What they do stands below, what they have above.
function badge(pen, sign, colour, radius, side) {
  const size = Math.min(14, radius * 1.05), at = radius * 0.74;
  disc(pen, at, side * at, size / 2 + 1, token("--card"));
  disc(pen, at, side * at, size / 2, colour);
  pen.save();
  pen.translate(at - size / 2, side * at - size / 2);
  pen.scale(size / 12, size / 12);
  pen.translate(1.5, 1.5);
  pen.scale(0.75, 0.75);
  pen.strokeStyle = signInk(colour);
  pen.lineWidth = 1.7;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke(pathFor(pen, sign));
  pen.restore();
}

function disc(pen, x, y, radius, colour) { pen.fillStyle = colour; pen.beginPath(); pen.arc(x, y, radius, 0, 7); pen.fill(); }
function oval(pen, x, y, wide, high, colour) { pen.fillStyle = colour; pen.beginPath(); pen.ellipse(x, y, wide, high, 0, 0, 7); pen.fill(); }
