// Figures come from Python with CSS variables for colours; they are drawn when they scroll into view, and again on a new theme.
const figures = JSON.parse($("#figures").textContent);
const tokens = () => getComputedStyle(document.documentElement);

function painted(value, style) {
  if (typeof value === "string") return value.startsWith("var(") ? style.getPropertyValue(value.slice(4, -1)).trim() : value;
  if (Array.isArray(value)) return value.map((item) => painted(item, style));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, painted(item, style)]));
}

const buttons = ["pan2d", "select2d", "lasso2d", "zoom2d", "autoScale2d", "toImage", "sendDataToCloud", "sendChartToCloud"];
async function draw(div) {
  const map = div.id === "map";
  const { data, layout } = painted(figures[div.id], tokens());
  await Plotly.react(div, data, { ...layout, uirevision: "kept" },
    { displaylogo: false, responsive: true, displayModeBar: map, modeBarButtonsToRemove: buttons });
  if (!div.dataset.drawn) { div.dataset.drawn = "yes"; map ? watchMap(div) : addCursor(div); }
  redraw();
}

// One moment, marked in every chart; a click in any chart goes to that moment.
function addCursor(div) {
  div.append(Object.assign(document.createElement("i"), { className: "cursor" }));
  div.addEventListener("click", (event) => {
    const axis = div._fullLayout.xaxis;
    const across = event.clientX - div.getBoundingClientRect().left - axis._offset;
    if (across >= 0 && across <= axis._length) show({ at: nearestFrame(axis.p2c(across)) });
  });
}

function moveCursor(div) {
  const { xaxis, yaxis } = div._fullLayout, ms = run.times[frame()];
  const cursor = $(".cursor", div);
  Object.assign(cursor.style, { left: `${xaxis._offset + xaxis.c2p(ms)}px`, top: `${yaxis._offset}px`, height: `${yaxis._length}px` });
  const output = $("output", div.parentElement), line = div._fullData.find((trace) => trace.meta === "main");
  if (!output || !line) return;
  const value = line.y[frame()];
  output.firstChild.data = value === null || Number.isNaN(value) ? "–" : number(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

onChange(() => $$(".figure[data-drawn]").filter((div) => div.id !== "map").forEach(moveCursor));

const sight = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
  sight.unobserve(target);
  draw(target);
}), { rootMargin: "400px" });
$$(".figure").forEach((div) => sight.observe(div));

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("#theme-name").textContent = theme === "dark" ? "Light" : "Dark";
  $$(".figure[data-drawn]").forEach(draw);
  redraw();
}
const toggleTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
$("#theme").addEventListener("click", toggleTheme);
$("#theme-name").textContent = document.documentElement.dataset.theme === "dark" ? "Light" : "Dark";
