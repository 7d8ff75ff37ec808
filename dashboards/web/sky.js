// Rain, snow and storm over the map: streaks and flakes on a canvas of their own, at rest where motion is not wanted.
import { token } from "./dom.js";

const FRAME_MS = 70, MOST = 150, COARSE = 2, calm = matchMedia("(prefers-reduced-motion: reduce)");
const FLASH_MS = 140, FLASHES_MS = [5_000, 14_000]; // a flash of lightning, and from one to the next: far from what flickers

export const isSnow = (kind, strength) => strength > 0 && /snow|sleet/.test(kind);
export const isStorm = (kind, strength) => strength > 0 && /storm|gale|thunder/.test(kind);

export class Sky {
  constructor(canvas) { Object.assign(this, { canvas, kind: "", strength: 0, drops: [], before: 0, size: [0, 0], stormy: false, flashAt: Infinity }); }

  // `kind` as the weather is called; `strength` from 0 to 1.
  show(kind, strength) {
    const falls = isSnow(kind, strength) ? "snow" : strength > 0 ? "rain" : "";
    this.strength = strength;
    const stormy = isStorm(kind, strength);
    if (stormy && !this.stormy) this.flashAt = performance.now() + FLASHES_MS[0] / 4;
    this.stormy = stormy;
    this.wind = stormy ? 0.7 : 0.18;
    if (falls !== this.kind) { this.kind = falls; this.drops = []; }
    this.canvas.hidden = !falls; // every layer costs every frame
    this.fill();
    if (falls) this.ask();
  }

  resize(width, height) { this.size = [width, height]; this.drops = []; this.fill(); if (this.kind) this.ask(); }

  fill() {
    const wanted = this.kind ? Math.round(MOST * (this.stormy ? 2.2 : 1) * (0.3 + 0.7 * this.strength) * Math.min(1.6, (this.size[0] * this.size[1]) / 5e5)) : 0;
    this.drops.length = Math.min(this.drops.length, wanted);
    while (this.drops.length < wanted) this.drops.push([Math.random() * this.size[0], Math.random() * this.size[1], 0.5 + Math.random() / 2]);
  }

  ask() { if (!this.asked) this.asked = requestAnimationFrame((now) => { this.asked = 0; this.frame(now); }); }

  frame(now) {
    if (!this.kind || !this.size[0]) return;
    const past = Math.min(100, now - this.before);
    if (past >= FRAME_MS || calm.matches) { this.before = now; this.fall(past / 1000); this.paint(); }
    if (!calm.matches && !document.hidden && this.canvas.isConnected) this.ask();
    else if (document.hidden) document.addEventListener("visibilitychange", () => this.ask(), { once: true });
  }

  fall(seconds) {
    const [wide, high] = this.size, speed = this.kind === "snow" ? 60 : 620;
    for (const drop of this.drops) {
      drop[1] += speed * drop[2] * seconds;
      drop[0] -= speed * drop[2] * this.wind * seconds + (this.kind === "snow" ? Math.sin(drop[1] / 24) * 0.6 : 0);
      if (drop[1] > high) { drop[1] = -12; drop[0] = Math.random() * wide * (1 + this.wind); }
      if (drop[0] < -12) drop[0] += wide + 12;
    }
  }

  clear() { this.canvas.getContext("2d").resetTransform(); this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height); }

  paint() {
    const [wide, high] = this.size;
    const pixels = [Math.ceil(wide / COARSE), Math.ceil(high / COARSE)]; // every repaint is sent to the screen whole: fewer pixels, more frames
    if (this.canvas.width !== pixels[0] || this.canvas.height !== pixels[1]) Object.assign(this.canvas, { width: pixels[0], height: pixels[1] });
    this.clear();
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1 / COARSE, 0, 0, 1 / COARSE, 0, 0);
    this.draw(pen);
  }

  // What falls now, on a pen of the page's pixels.
  draw(pen) {
    if (!this.kind) return;
    if (this.stormy && !pen.vector && !calm.matches) this.lightning(pen);
    if (this.kind === "snow") {
      this.flakes(pen, "--sky-flake-edge", 3.4);
      this.flakes(pen, "--sky-snow", 2.4);
      return;
    }
    pen.strokeStyle = token("--sky-rain");
    pen.lineWidth = this.stormy ? 1.5 : 1.1;
    pen.beginPath();
    for (const [x, y, near] of this.drops) { pen.moveTo(x, y); pen.lineTo(x - 15 * near * this.wind, y + 15 * near); }
    pen.stroke();
  }

  // For an instant all is bright; there is no lightning where motion is not wanted.
  lightning(pen) {
    const since = performance.now() - this.flashAt;
    if (since >= FLASH_MS) this.flashAt = performance.now() + FLASHES_MS[0] + Math.random() * (FLASHES_MS[1] - FLASHES_MS[0]);
    if (since < 0 || since >= FLASH_MS) return;
    pen.fillStyle = token("--sky-flash");
    pen.fillRect(0, 0, ...this.size);
  }

  // Flakes of at most so many pixels; on pale ground it is their edge that shows.
  flakes(pen, colour, radius) {
    pen.fillStyle = token(colour);
    for (const [x, y, near] of this.drops) { pen.beginPath(); pen.arc(x, y, radius * near, 0, 7); pen.fill(); }
  }
}
