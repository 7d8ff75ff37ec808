// Small pictures that are painted once and laid down often: dots by state, and the light of a lamp.
import { token } from "./dom.js";

export class Dots {
  // `colourOf` says the token of a state's colour; radius in pixels.
  constructor(radius, colourOf) { Object.assign(this, { radius, colourOf, size: 2 * radius + 4, made: [] }); }

  of(state) { return (this.made[state] ??= this.dot(token(this.colourOf(state)))); }

  dot(colour) {
    const { radius, size } = this, ratio = devicePixelRatio || 1, dot = new OffscreenCanvas(Math.ceil(size * ratio), Math.ceil(size * ratio)), pen = dot.getContext("2d");
    pen.scale(ratio, ratio);
    pen.beginPath();
    pen.arc(size / 2, size / 2, radius, 0, 7);
    pen.fillStyle = colour;
    pen.fill();
    pen.lineWidth = radius > 4 ? 1.4 : 0.8;
    pen.strokeStyle = token("--halo");
    pen.stroke();
    return dot;
  }
}

export function lampOf(radius) {
  const canvas = new OffscreenCanvas(2 * radius, 2 * radius), pen = canvas.getContext("2d"), glow = pen.createRadialGradient(radius, radius, 2, radius, radius, radius);
  glow.addColorStop(0, "rgba(255, 214, 120, .75)");
  glow.addColorStop(1, "rgba(255, 190, 90, 0)");
  pen.fillStyle = glow;
  pen.fillRect(0, 0, 2 * radius, 2 * radius);
  return canvas;
}
