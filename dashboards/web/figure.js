// What all figures share: elements of SVG, drawing anew when the theme changes, and saving a figure as a file.
import { level, present, save, token } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...present(children));
  return element;
}

const LONGEST_LABEL = 100;
let ruler = null;

// A text that takes so many pixels at most, in the letters of figures; one that is longer ends in an ellipsis.
export function fitted(text, wide, size) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${size}px ${FONT}`;
  const letters = [...level(text)];
  if (letters.length <= LONGEST_LABEL && ruler.measureText(letters.join("")).width <= wide) return letters.join("");
  letters.length = Math.min(letters.length, LONGEST_LABEL);
  while (letters.length && ruler.measureText(`${letters.join("")}…`).width > wide) letters.pop();
  return `${letters.join("")}…`;
}

const drawings = new Set();
export function redrawWithTheme(draw) {
  drawings.add(draw);
  return () => drawings.delete(draw);
}
export const redrawAll = () => drawings.forEach((draw) => draw());

// A figure holds its colours, not their names, so that it is the same outside this page.
export async function exportFigure(figure, name, format) {
  const alone = figure.cloneNode(true), { width, height } = figure.getBoundingClientRect();
  alone.setAttribute("xmlns", SVG);
  alone.prepend(svg("rect", { width: "100%", height: "100%", fill: token("--card") }));
  const text = new XMLSerializer().serializeToString(alone);
  if (format === "svg") return save(`${name}.svg`, text, "image/svg+xml");
  if (format === "html") return save(`${name}.html`, `<!doctype html><meta charset="utf-8"><title>${name.replace(/[<&]/g, "")}</title>${text}`, "text/html");
  return save(`${name}.png`, await painted(text, width, height), "image/png");
}

async function painted(text, width, height, scale = 2) {
  const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(text)}` });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done); });
}
