// Cells of a board that are agents themselves, such as patches of grass: squares below whoever stands there.
import { token } from "./dom.js";

const DEPTH = 0.4; // of their colour: whoever stands there is seen first

export const hasTiles = ({ overview }) => (overview.hasTiles ??= overview.movers.some(({ tile }) => tile));
export const isTile = (map, row) => hasTiles(map) && Boolean(map.overview.movers[row]?.tile);

// Below what was drawn so far.
export function layTiles(pen, map) {
  if (!hasTiles(map)) return;
  const { spots, to, view } = map, side = Math.max(2, view.scale), colours = new Map();
  pen.globalCompositeOperation = "destination-over";
  pen.globalAlpha = DEPTH;
  for (let row = 0; row < to.states.length; row += 1) {
    const state = to.states[row], [x, y] = [spots[2 * row], spots[2 * row + 1]];
    if (x !== x || !isTile(map, row)) continue;
    if (!colours.has(state)) colours.set(state, token(map.colour(state)));
    pen.fillStyle = colours.get(state);
    pen.fillRect(x - side / 2, y - side / 2, side, side);
  }
  pen.globalAlpha = 1;
  pen.globalCompositeOperation = "source-over";
}
