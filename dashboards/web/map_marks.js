// What is drawn over the ground beside people themselves: where they came from, places that are closed or new, who has heard the news, and the ring around who is chosen.
import { level, token } from "./dom.js";
import { nameThem } from "./labels.js";
import { LETTER } from "./place_symbols.js";

const LONGEST = 60, SHUT_PX = 10; // letters of a name; between the mark of a closed place and its name

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

// Places that are closed.
export function shut({ to, overview }) {
  const names = new Set(to.head.closed);
  return names.size ? overview.places.filter(({ name, x }) => x !== null && names.has(name)) : [];
}

// Places that came during the run, and those that are closed, as [x, y, whether it is closed] in pixels.
function marked({ to, overview, view }) {
  const closed = new Set(to.head.closed), late = ({ step }) => step > overview.first && step < to.head.step;
  return overview.places.filter((place) => place.x !== null && (late(place) || closed.has(place.name))).map((place) => [...view.toPixels(place.x, place.y), closed.has(place.name)]);
}

// The boxes of these marks, where no name may stand.
export const markBoxes = (map) => marked(map).map(([x, y]) => [x - 6, y - 6, x + 6, y + 6]);

export function marks(pen, map) {
  for (const [x, y, closed] of marked(map)) {
    pen.beginPath();
    if (closed) { pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5); pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5); }
    else pen.rect(x - 5, y - 5, 10, 10);
    for (const [colour, wide] of [["--name-halo", 5], [closed ? alarming(map) : "--ink", 2.2]]) {
      pen.strokeStyle = token(colour);
      pen.lineWidth = wide;
      pen.stroke();
    }
  }
}

// What closed places are written in.
const alarming = (map) => (map.isNight ? "--orange" : "--bad");

// Name closed places before any other; returns them.
export function nameShut(pen, map, spots, style) {
  const closed = shut(map);
  nameThem(pen, [["", closed.map((place) => ({ ...place, title: `${place.title}, closed` }))]], map.toPixels(), map.view.zoom, spots, { ...style, colour: alarming(map), near: SHUT_PX });
  return closed;
}

// Who has heard by the shown moment what goes from mouth to mouth.
export const hearers = ({ to, news }) => Object.entries(news?.knows ?? {}).filter(([, step]) => step < to.head.step).map(([name]) => name);

// A letter on each of them, above at the left: what they do and have stands at the right.
export function envelopes(pen, map) {
  const away = map.portrayed ? 0.74 * map.faceRadius : 4;
  for (const spot of hearers(map).map((name) => map.spotOf(name)).filter(Boolean)) map.stamp(pen, LETTER, spot[0] - away, spot[1] - away, "--bad");
}

// The ring and the name of who, or what place, is chosen; `row` of the movers, -1 for nobody. Returns the box of the name, or null.
export function halo(pen, map, row) {
  let x = NaN, y = NaN, text = ""; // a very long name is cut: it would run out of the map
  if (row >= 0) [x, y, text] = [map.spots[2 * row], map.spots[2 * row + 1], map.overview.movers[row].title];
  const place = row < 0 && map.picked && map.overview.places.find(({ name }) => name === map.picked);
  if (place) { [x, y] = map.view.toPixels(place.x, place.y); text = place.title; }
  if (Number.isNaN(x)) return null;
  pen.strokeStyle = token("--ink");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, row >= 0 && map.to.states.length <= map.mostFaces ? map.faceRadius + 4 : 9, 0, 7);
  pen.stroke();
  pen.font = `600 12.5px ${getComputedStyle(document.body).fontFamily}`;
  pen.lineWidth = 4;
  pen.strokeStyle = token("--halo");
  text = level(text);
  if (text.length > LONGEST) text = `${[...text].slice(0, LONGEST - 1).join("")}…`;
  const wide = pen.measureText(text).width, left = x + 19 + wide > map.box.width ? x - 19 - wide : x + 19;
  pen.strokeText(text, left, y + 4);
  pen.fillStyle = token("--ink");
  pen.fillText(text, left, y + 4);
  return [left - 2, y - 8, left + wide + 2, y + 9];
}
