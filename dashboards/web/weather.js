// The weather of the shown step: in figures in the header, and as light and rain on the map.
import { fill, h, icon } from "./dom.js";
import { daylight, sky } from "./clock.js";

export class Weather {
  // `light(daylight, kind, rain)` is what the map makes of it, rain from 0 to 1.
  constructor(element, light) { Object.assign(this, { element, light, drawn: "" }); }

  // `hour` of the day; `daily` says whether days of the run have mornings and nights.
  show({ kind, temperature_c: degrees, precipitation_mm: rain }, hour, daily) {
    const text = `${kind},${degrees},${rain},${Math.floor(hour)}`;
    if (text === this.drawn) return;
    this.drawn = text;
    this.light(daily ? daylight(hour) : 1, kind, Math.min(1, rain > 0 ? 0.3 + rain / 8 : 0));
    if (kind === undefined && degrees === undefined) return fill(this.element);
    fill(this.element, icon(sky(kind, hour)), h("div", {}, h("b", {}, degrees == null ? "" : `${degrees.toFixed(1)} °C`), h("span", {}, [kind, rain > 0 ? `${rain.toFixed(1)} mm` : ""].filter(Boolean).join(", "))));
  }
}
