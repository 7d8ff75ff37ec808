// A crowd as density: the more people stand somewhere, the stronger the glow.
import { token } from "./dom.js";

const LARGEST_PX = 30;

export function paintDensity(pen, spots, toPixels, night) {
  const most = spots.reduce((best, [, , many]) => Math.max(best, many), 1), colour = token(night ? "--density-night" : "--density");
  pen.save();
  pen.globalCompositeOperation = night || document.documentElement.dataset.theme === "dark" ? "screen" : "multiply";
  for (const [x, y, many] of spots) {
    const share = Math.sqrt(many / most), [px, py] = toPixels(x, y), radius = 5 + LARGEST_PX * share, glow = pen.createRadialGradient(px, py, 0, px, py, radius);
    glow.addColorStop(0, colour);
    glow.addColorStop(1, colour.replace(/[\d.]+\)$/, "0)"));
    pen.globalAlpha = 0.25 + 0.6 * share;
    pen.fillStyle = glow;
    pen.fillRect(px - radius, py - radius, 2 * radius, 2 * radius);
  }
  pen.restore();
}
