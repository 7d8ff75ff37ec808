// The map as it is seen, as a picture to keep: with its moment, who does what, and whom the ground is by, which its licence asks for.
import { save, token } from "./dom.js";
import { Ground } from "./ground.js";
import { SvgPath, SvgPen } from "./svg_pen.js";

const BAND_PX = 34, GAP_PX = 12;

// `format`: "png", or "svg" for lines that stay sharp at any size.
export async function saveMap(map, title, name, format = "png") {
  const file = `${name.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.${format}`, titled = map.view.turned ? `${title} (north is to the right)` : title;
  if (format === "svg") save(file, drawn(map, titled), "image/svg+xml");
  else save(file, await painted(map, titled).convertToBlob({ type: "image/png" }), "image/png");
}

function painted(map, title) {
  const { width, height } = map.base, ratio = width / map.box.width, picture = new OffscreenCanvas(width, height + 2 * BAND_PX * ratio), pen = picture.getContext("2d");
  pen.scale(ratio, ratio);
  frame(pen, map, title, height / ratio);
  for (const layer of [map.base, map.sky.canvas, map.canvas]) if (!layer.hidden && layer.width) pen.drawImage(layer, 0, BAND_PX, width / ratio, height / ratio);
  return picture;
}

function drawn(map, title) {
  const { width, height } = map.box, pen = new SvgPen(width, height + 2 * BAND_PX), inner = new SvgPen(width, height, "m"), { overview } = map;
  frame(pen, map, title, height);
  inner.rect(0, 0, width, height);
  inner.clip();
  map.drawOn(inner, overview.map.ground ? new Ground(overview.map.ground, map.stretch, overview.bounds, SvgPath) : null);
  pen.include(inner, 0, BAND_PX);
  return pen.file(title);
}

// What stands above and below the map, in pixels of the page.
function frame(pen, map, title, height) {
  const { width } = map.box, family = getComputedStyle(document.body).fontFamily, middle = (top) => top + BAND_PX / 2 + 4.5;
  pen.fillStyle = token("--card");
  pen.fillRect(0, 0, width, height + 2 * BAND_PX);
  pen.fillStyle = token("--ink");
  pen.font = `600 13px ${family}`;
  pen.fillText(title, GAP_PX, middle(0));
  pen.font = `11.5px ${family}`;
  pen.fillStyle = token("--muted");
  const credit = map.overview.map.attribution ?? "";
  pen.fillText(credit, width - pen.measureText(credit).width - GAP_PX, middle(0));
  let x = GAP_PX;
  for (const [word, colour, many] of map.counted()) {
    const text = `${word} ${many}`, long = pen.measureText(text).width;
    if (x + long + 26 > width) break;
    pen.fillStyle = token(colour);
    pen.beginPath();
    pen.arc(x + 5, BAND_PX + height + BAND_PX / 2, 5, 0, 7);
    pen.fill();
    pen.fillStyle = token("--ink");
    pen.fillText(text, x + 14, middle(BAND_PX + height));
    x += long + 30;
  }
}
