// The pointer over a map: who or what is nearest to it, told beside it, and chosen by a click.
import { isTile } from "./board.js";
import { $ } from "./dom.js";

export class MapPointer {
  constructor(map, onPick) {
    Object.assign(this, { map, onPick, pressed: null });
    const { host } = map;
    host.addEventListener("pointermove", (event) => this.tip(event));
    host.addEventListener("pointerleave", () => { $("#tip").hidden = true; });
    host.addEventListener("pointerdown", (event) => { this.pressed = [event.clientX, event.clientY]; });
    host.addEventListener("pointerup", (event) => this.release(event));
  }

  release(event) {
    const still = this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) < 4, near = still && this.nearest(event);
    this.pressed = null;
    if (near) this.onPick(near.name);
  }

  nearest(event) {
    const { map } = this, box = map.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    if (!map.to || x < 0 || y < 0 || x > box.width || y > box.height || event.target.closest?.(".stage") !== map.host) return null;
    let best = null, distance = (map.to.states.length <= map.mostFaces ? 13 : 11) ** 2;
    for (let row = 0; row < map.spots.length / 2; row += 1) {
      const away = (map.spots[2 * row] - x) ** 2 + (map.spots[2 * row + 1] - y) ** 2 + Number(isTile(map, row)); // whoever stands on it comes first
      if (away < distance) [best, distance] = [{ ...map.overview.movers[row], state: [map.words[map.to.states[row]], ...map.has(map.overview.movers[row].name)].filter(Boolean).join(", ") }, away];
    }
    if (best) return best;
    for (const place of map.overview.places) {
      if (place.x === null) continue;
      const [px, py] = map.view.toPixels(place.x, place.y), away = (px - x) ** 2 + (py - y) ** 2;
      if (away < distance) [best, distance] = [{ ...place, state: place.kind + (map.to.head.closed.includes(place.name) ? ", closed" : "") }, away];
    }
    return best;
  }

  tip(event) {
    const found = this.nearest(event), tip = $("#tip");
    tip.hidden = !found;
    this.map.host.classList.toggle("over", Boolean(found));
    if (!found) return;
    tip.textContent = [found.title, found.state].filter(Boolean).join(": ");
    Object.assign(tip.style, { left: `${Math.min(innerWidth - 240, event.clientX + 14)}px`, top: `${event.clientY + 14}px` });
  }
}
