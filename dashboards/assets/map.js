// Residents are drawn on a canvas over the plotly map, with its axes' transform: a thousand of them move smoothly.
const people = run.names?.length ?? 0;
const placed = people > 0 && Boolean(run.x) && Boolean($("#map"));
const eastOf = placed ? unpack(run.x, people) : null;
const northOf = placed ? unpack(run.y, people) : null;
const doing = people ? unpack(run.activity, people) : () => null;
const crowded = people > 200;
const tail = crowded ? 4 : 7;
const canvas = $("#people");

function toPixels() {
  const { xaxis, yaxis } = $("#map")._fullLayout;
  const [west, east] = xaxis.range, [south, north] = yaxis.range;
  return [
    (x) => xaxis._offset + ((x - west) / (east - west)) * xaxis._length,
    (y) => yaxis._offset + ((north - y) / (north - south)) * yaxis._length,
  ];
}

// People in one spot stand around it (a sunflower's spiral) instead of on top of each other.
const spreads = new Map();
function spread(at) {
  if (spreads.has(at)) return spreads.get(at);
  const crowd = new Map(), offsets = new Float32Array(2 * people), gap = crowded ? 2.6 : 5;
  for (let who = 0; who < people; who += 1) {
    const spot = `${eastOf(at, who)?.toFixed(5)},${northOf(at, who)?.toFixed(5)}`, place = crowd.get(spot) ?? 0;
    crowd.set(spot, place + 1);
    offsets[2 * who] = gap * Math.sqrt(place) * Math.cos(place * 2.39996);
    offsets[2 * who + 1] = gap * Math.sqrt(place) * Math.sin(place * 2.39996);
  }
  if (spreads.size > 40) spreads.clear();
  spreads.set(at, offsets);
  return offsets;
}

function whereAbouts(who) {
  const from = frame(), to = Math.min(last, from + 1), part = shown.at - from;
  const x = eastOf(from, who), y = northOf(from, who), nextX = eastOf(to, who), nextY = northOf(to, who);
  if (x === null || y === null) return null;
  if (nextX === null || nextY === null) return [x, y, 0, 0];
  const here = spread(from), there = spread(to), mix = (a, b) => a + (b - a) * part;
  return [mix(x, nextX), mix(y, nextY), mix(here[2 * who], there[2 * who]), mix(here[2 * who + 1], there[2 * who + 1])];
}

let spots = [];
function drawPeople() {
  if (!placed || !$("#map").dataset.drawn) return;
  const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(box.width * ratio)) canvas.width = Math.round(box.width * ratio);
  if (canvas.height !== Math.round(box.height * ratio)) canvas.height = Math.round(box.height * ratio);
  const pen = canvas.getContext("2d"), style = tokens(), token = (name) => style.getPropertyValue(name).trim();
  const [px, py] = toPixels(), paint = run.activities.map(({ colour }) => painted(colour, style));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, box.width, box.height);
  pen.lineCap = pen.lineJoin = "round";
  drawMarks(pen, px, py, token);
  spots = Array.from({ length: people }, (_, who) => {
    const here = whereAbouts(who);
    return here && [px(here[0]) + here[2], py(here[1]) + here[3]];
  });
  const colourOf = (who) => paint[Math.round(doing(frame(), who))] ?? token("--other");
  for (let who = 0; who < people; who += 1) if (spots[who]) drawTrail(pen, px, py, who, colourOf(who), tail, crowded ? 0.3 : 0.45);
  if (shown.chosen >= 0) drawTrail(pen, px, py, shown.chosen, token("--ink"), last + 1, 0.55);
  const radius = crowded ? 3 : 4.6;
  pen.lineWidth = crowded ? 0.8 : 1.4;
  pen.strokeStyle = token("--halo");
  for (let who = 0; who < people; who += 1) {
    if (!spots[who]) continue;
    pen.beginPath();
    pen.arc(...spots[who], radius, 0, 7);
    pen.fillStyle = colourOf(who);
    pen.fill();
    pen.stroke();
  }
  if (spots[shown.chosen]) drawChosen(pen, token);
}

function drawTrail(pen, px, py, who, colour, length, opacity) {
  const now = frame();
  pen.strokeStyle = colour;
  pen.lineWidth = crowded ? 1 : 2;
  for (let at = Math.max(0, now - length); at < now; at += 1) {
    const [x, y, nextX, nextY] = [eastOf(at, who), northOf(at, who), eastOf(at + 1, who), northOf(at + 1, who)];
    if (x === null || nextX === null || (x === nextX && y === nextY)) continue;
    pen.globalAlpha = opacity * (length > last ? 1 : 1 - (now - at - 1) / length);
    pen.beginPath();
    pen.moveTo(px(x), py(y));
    pen.lineTo(px(nextX), py(nextY));
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

function drawChosen(pen, token) {
  const [x, y] = spots[shown.chosen];
  pen.strokeStyle = token("--ink");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, 8.5, 0, 7);
  pen.stroke();
  label(pen, run.titles[shown.chosen], x + 13, y + 4, token, 600);
}

function label(pen, text, x, y, token, weight) {
  pen.font = `${weight} 12.5px ${getComputedStyle(document.body).fontFamily}`;
  pen.lineWidth = 4;
  pen.strokeStyle = token("--halo");
  pen.strokeText(text, x, y);
  pen.fillStyle = token("--ink");
  pen.fillText(text, x, y);
}

// Places that came during the run, and places while they are closed.
function drawMarks(pen, px, py, token) {
  for (const mark of run.marks.filter(({ first, last: until }) => frame() >= first && frame() <= until)) {
    const x = px(mark.x), y = py(mark.y);
    pen.lineWidth = 1.8;
    pen.strokeStyle = mark.kind === "closed" ? token("--bad") : token("--ink");
    pen.beginPath();
    if (mark.kind === "closed") { pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5); pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5); }
    else pen.rect(x - 5, y - 5, 10, 10);
    pen.stroke();
    if (mark.kind === "new" || run.marks.length <= 12) label(pen, mark.kind === "closed" ? `${mark.title}, closed` : mark.title, x + 10, mark.kind === "closed" ? y - 8 : y + 17, token, 500);
  }
}

function nearest(event) {
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  let best = -1, distance = 11 ** 2;
  spots.forEach((spot, who) => {
    const away = spot ? (spot[0] - x) ** 2 + (spot[1] - y) ** 2 : Infinity;
    if (away < distance) [best, distance] = [who, away];
  });
  return best;
}

function showTip(event) {
  const who = nearest(event), tip = $("#tip");
  tip.hidden = who < 0;
  if (who < 0) return;
  tip.textContent = `${run.titles[who]}: ${activityOf(who) ?? "–"}`;
  Object.assign(tip.style, { left: `${event.clientX + 14}px`, top: `${event.clientY + 14}px` });
}

function watchMap(div) {
  const stage = div.parentElement;
  let pressed = null;
  div.on("plotly_relayouting", redraw);
  div.on("plotly_afterplot", redraw);
  new ResizeObserver(redraw).observe(canvas);
  if (!placed) return;
  stage.addEventListener("pointermove", showTip);
  stage.addEventListener("pointerleave", () => { $("#tip").hidden = true; });
  stage.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; }, true);
  addEventListener("pointerup", (event) => {  // plotly lays a cover over the page while a button is down
    const still = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4;
    pressed = null;
    if (still && nearest(event) >= 0) show({ chosen: nearest(event) });
  }, true);
}
onChange(drawPeople);
