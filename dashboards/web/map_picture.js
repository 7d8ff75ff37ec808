// The map as it is seen, as a picture to keep: with its moment, who does what, and whom the ground is by, which its licence asks for.
import { save, token } from "./dom.js";

const BAND_PX = 34, GAP_PX = 12;

export async function saveMap(map, title, name) {
  const picture = pictureOf(map, title), blob = await picture.convertToBlob({ type: "image/png" });
  save(`${name.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.png`, blob, "image/png");
}

function pictureOf(map, title) {
  const { width, height } = map.base, ratio = width / map.box.width, band = BAND_PX * ratio, picture = new OffscreenCanvas(width, height + 2 * band), pen = picture.getContext("2d");
  const family = getComputedStyle(document.body).fontFamily, middle = (top) => top + band / 2 + 4.5 * ratio;
  pen.fillStyle = token("--card");
  pen.fillRect(0, 0, width, picture.height);
  for (const layer of [map.base, map.sky.canvas, map.canvas]) if (!layer.hidden && layer.width) pen.drawImage(layer, 0, band, width, height);
  pen.fillStyle = token("--ink");
  pen.font = `600 ${13 * ratio}px ${family}`;
  pen.fillText(title, GAP_PX * ratio, middle(0));
  pen.font = `${11.5 * ratio}px ${family}`;
  pen.fillStyle = token("--muted");
  const credit = map.overview.map.attribution ?? "", wide = pen.measureText(credit).width;
  pen.fillText(credit, width - wide - GAP_PX * ratio, middle(0));
  let x = GAP_PX * ratio;
  for (const [word, colour, many] of map.counted()) {
    const text = `${word} ${many}`, long = pen.measureText(text).width;
    if (x + long + 26 * ratio > width) break;
    pen.fillStyle = token(colour);
    pen.beginPath();
    pen.arc(x + 5 * ratio, band + height + band / 2, 5 * ratio, 0, 7);
    pen.fill();
    pen.fillStyle = token("--ink");
    pen.fillText(text, x + 14 * ratio, middle(band + height));
    x += long + 30 * ratio;
  }
  return picture;
}
