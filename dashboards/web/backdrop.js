// Everything below people, kept in canvases off the screen and put together on one: ground, night, names. The browser blends a single layer then.
import { token } from "./dom.js";

export class Backdrop {
  constructor(canvas) { Object.assign(this, { canvas, ground: new OffscreenCanvas(1, 1), names: new OffscreenCanvas(1, 1), lit: 1, snowy: false, stormy: false }); }

  // A pen for the "ground", or for the "names" above the night, cleared; sizes in pixels of the page.
  pen(which, width, height, ratio) {
    const layer = this[which], wide = Math.max(1, Math.round(width * ratio)), high = Math.max(1, Math.round(height * ratio));
    if (layer.width !== wide || layer.height !== high) Object.assign(layer, { width: wide, height: high });
    const pen = layer.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  }

  // Put the layers together as it is at a daylight of `lit`, from 0 (night) to 1.
  compose(lit = this.lit) {
    this.lit = lit;
    const { canvas, ground, names } = this, { width, height } = ground;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d", { alpha: false });
    pen.fillStyle = getComputedStyle(canvas.parentElement).backgroundColor;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(ground, 0, 0);
    this.veil(pen, lit, width, height);
    pen.drawImage(names, 0, 0);
  }

  // Night, snow and storm over what was drawn so far, below the names.
  veil(pen, lit, width, height) {
    darken(pen, lit, width, height);
    for (const [lies, colour] of [[this.snowy, "--sky-white"], [this.stormy, "--sky-storm"]]) {
      if (!lies) continue;
      pen.fillStyle = token(colour);
      pen.fillRect(0, 0, width, height);
    }
  }
}

// Night as deep as a daylight of `lit` leaves it.
function darken(pen, lit, width, height) {
  if (lit >= 1) return;
  pen.globalCompositeOperation = "multiply";
  pen.globalAlpha = (1 - lit) * Number(token("--night-depth"));
  pen.fillStyle = token("--night");
  pen.fillRect(0, 0, width, height);
  pen.globalAlpha = 1;
  pen.globalCompositeOperation = "source-over";
}
