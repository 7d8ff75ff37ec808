// What all figures share: no frame, no background, the page's own colours; redrawn when the theme changes.
import { $$, save, token } from "./dom.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
// plotly.js is large: whatever a page asks the server for is under way while it is read.
const script = document.querySelector("#plotly");
export const plotly = window.Plotly ? Promise.resolve() : new Promise((done, fail) => {
  script.addEventListener("load", () => done());
  script.addEventListener("error", () => fail(new Error("plotly.js could not be loaded from this dashboard: reload the page")));
});
export const settings = { displaylogo: false, displayModeBar: false, responsive: true };

export const axis = (more) => ({ gridcolor: token("--grid"), linecolor: token("--grid"), zeroline: false, ticks: "", automargin: true, ...more });

export function layout(more) {
  return {
    template: "none", paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: false, dragmode: false, uirevision: "kept",
    font: { family: FONT, size: 12, color: token("--muted") }, margin: { l: 44, r: 12, t: 8, b: 28 },
    hoverlabel: { bgcolor: token("--card"), bordercolor: token("--line"), font: { color: token("--ink"), family: FONT, size: 12 } },
    ...more,
  };
}

// plotly's labels understand tags, and names of a world may look like one.
export const plain = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const drawn = new Set();
export function redrawWithTheme(draw) {
  drawn.add(draw);
  return () => drawn.delete(draw);
}
export const redrawAll = () => drawn.forEach((draw) => draw());

export async function exportFigure(div, name, format) {
  if (format === "html") return save(`${name}.html`, await alone(div, name), "text/html");
  const { width, height } = div.getBoundingClientRect();
  const options = { format, width, height, scale: format === "png" ? 2 : 1, filename: name };
  return window.Plotly.downloadImage({ data: div.data, layout: { ...div.layout, paper_bgcolor: token("--card") } }, options);
}

// One file that opens from disk, with plotly.js inside.
async function alone(div, name) {
  const library = await (await fetch("/plotly.js")).text();
  const figure = JSON.stringify({ data: div.data, layout: { ...div.layout, paper_bgcolor: token("--card") } }).replace(/</g, "\\u003c");
  return `<!doctype html><meta charset="utf-8"><title>${plain(name)}</title><div id="figure" style="height:90vh"></div>`
    + `<script>${library.replace(/<\/script/gi, "<\\/script")}</script><script>const f=${figure};Plotly.newPlot("figure",f.data,f.layout,{responsive:true});</script>`;
}

export function resizeFigures(within = document) {
  $$(".js-plotly-plot", within).forEach((div) => { if (div.offsetParent) window.Plotly.Plots.resize(div); });
}
