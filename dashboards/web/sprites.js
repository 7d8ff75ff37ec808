// Small pictures that are painted once and laid down often: dots by state, and the light of a lamp.
import { token } from "./dom.js";

export class Dots {
  // `colourOf` says the token of a state's colour; radius in pixels.
  constructor(radius, colourOf) { Object.assign(this, { radius, colourOf, size: 2 * radius + 4, made: [] }); }

  of(state) { return (this.made[state] ??= this.dot(token(this.colourOf(state)))); }

  // Put a dot where it belongs; on a pen that knows no pictures as a circle.
  lay(pen, state, x, y) {
    const { size } = this;
    if (pen.vector) this.circle(pen, x, y, token(this.colourOf(state)));
    else pen.drawImage(this.of(state), x - size / 2, y - size / 2, size, size);
  }

  dot(colour) {
    const { size } = this, ratio = devicePixelRatio || 1, dot = new OffscreenCanvas(Math.ceil(size * ratio), Math.ceil(size * ratio)), pen = dot.getContext("2d");
    pen.scale(ratio, ratio);
    this.circle(pen, size / 2, size / 2, colour);
    return dot;
  }

  circle(pen, x, y, colour) {
    const { radius } = this;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.fillStyle = colour;
    pen.fill();
    pen.lineWidth = radius > 4 ? 1.4 : 0.8;
    pen.strokeStyle = token("--halo");
    pen.stroke();
  }
}

export class Lamp {
  constructor(radius) { this.radius = radius; }

  lay(pen, x, y) {
    const { radius } = this;
    if (!pen.vector) { pen.drawImage((this.made ??= this.picture()), x - radius, y - radius); return; }
    pen.save();
    pen.translate(x - radius, y - radius);
    glowOn(pen, radius);
    pen.restore();
  }

  picture() {
    const canvas = new OffscreenCanvas(2 * this.radius, 2 * this.radius);
    glowOn(canvas.getContext("2d"), this.radius);
    return canvas;
  }
}

function glowOn(pen, radius) {
  const glow = pen.createRadialGradient(radius, radius, 2, radius, radius, radius);
  glow.addColorStop(0, "rgba(255, 214, 120, .75)");
  glow.addColorStop(1, "rgba(255, 190, 90, 0)");
  pen.fillStyle = glow;
  pen.fillRect(0, 0, 2 * radius, 2 * radius);
}
