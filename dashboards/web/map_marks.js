// What is drawn over the ground beside people themselves: where they came from, places that are closed or new, and the ring around who is chosen.
import { token } from "./dom.js";

const LONGEST = 60; // letters of a name

export function trail(pen, map, row) {
  const frames = [...map.trails, map.to];
  pen.lineWidth = 2;
  pen.lineCap = "round";
  pen.strokeStyle = token(map.colour(map.to.states[row]));
  for (let at = 1; at < frames.length; at += 1) {
    if (map.from && at === frames.length - 1) break; // still on that leg
    const a = map.spot(frames[at - 1], row), b = map.spot(frames[at], row);
    if (!a || !b || (a[0] === b[0] && a[1] === b[1])) continue;
    pen.globalAlpha = (0.45 * at) / frames.length;
    pen.beginPath();
    (map.streets?.way(a, b) ?? [a, b]).forEach((point, index) => pen[index ? "lineTo" : "moveTo"](...map.view.toPixels(...point)));
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

// Places that came during the run, and those that are closed.
export function marks(pen, { to, overview, view }) {
  const shut = new Set(to.head.closed);
  pen.lineWidth = 1.8;
  for (const place of overview.places) {
    const late = place.step > overview.first && place.step < to.head.step;
    if (place.x === null || (!late && !shut.has(place.name))) continue;
    const [x, y] = view.toPixels(place.x, place.y);
    pen.strokeStyle = token(shut.has(place.name) ? "--bad" : "--ink");
    pen.beginPath();
    if (shut.has(place.name)) { pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5); pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5); }
    else pen.rect(x - 5, y - 5, 10, 10);
    pen.stroke();
  }
}

// The ring and the name of who, or what place, is chosen; `row` of the movers, -1 for nobody.
export function halo(pen, map, row) {
  let x = NaN, y = NaN, text = ""; // a very long name is cut: it would run out of the map
  if (row >= 0) [x, y, text] = [map.spots[2 * row], map.spots[2 * row + 1], map.overview.movers[row].title];
  const place = row < 0 && map.picked && map.overview.places.find(({ name }) => name === map.picked);
  if (place) { [x, y] = map.view.toPixels(place.x, place.y); text = place.title; }
  if (Number.isNaN(x)) return;
  pen.strokeStyle = token("--ink");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, row >= 0 && map.to.states.length <= map.mostFaces ? map.faceRadius + 4 : 9, 0, 7);
  pen.stroke();
  pen.font = `600 12.5px ${getComputedStyle(document.body).fontFamily}`;
  pen.lineWidth = 4;
  pen.strokeStyle = token("--halo");
  if (text.length > LONGEST) text = `${[...text].slice(0, LONGEST - 1).join("")}…`;
  const wide = pen.measureText(text).width, left = x + 19 + wide > map.box.width ? x - 19 - wide : x + 19;
  pen.strokeText(text, left, y + 4);
  pen.fillStyle = token("--ink");
  pen.fillText(text, left, y + 4);
}
