// Which part of a plane a box shows: fitted to bounds at one scale, dragged, zoomed by the wheel, fitted again by a double click.
const MOST_ZOOM = 80;

export class Viewport {
  constructor(host, { stretch = 1, top = 0, bottom = 0, onMove }) {
    Object.assign(this, { host, stretch, top, bottom, onMove, bounds: [0, 1, 0, 1], width: 0, height: 0 });
    this.reset();
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    host.addEventListener("pointerdown", (event) => this.grab(event));
    host.addEventListener("dblclick", () => { this.reset(); this.onMove(); });
  }

  reset() { Object.assign(this, { zoom: 1, shift: [0, 0] }); }

  get scale() {
    const [west, east, south, north] = this.bounds, high = Math.max(1, this.height - this.top - this.bottom);
    return this.zoom * Math.min(this.width / (east - west || 1), high / ((north - south || 1) * this.stretch));
  }

  get middle() { return [this.width / 2 + this.shift[0], this.top + (this.height - this.top - this.bottom) / 2 + this.shift[1]]; }

  toPixels(x, y) {
    const [west, east, south, north] = this.bounds, { scale, middle } = this;
    return [middle[0] + (x - (west + east) / 2) * scale, middle[1] - (y - (south + north) / 2) * scale * this.stretch];
  }

  wheel(event) {
    event.preventDefault();
    const box = this.host.getBoundingClientRect(), at = [event.clientX - box.left, event.clientY - box.top], { middle } = this;
    const zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * Math.exp(-event.deltaY * 0.0015))), grown = zoom / this.zoom;
    if (zoom === 1) this.reset();
    else this.shift = this.shift.map((shift, axis) => shift + (at[axis] - middle[axis]) * (1 - grown)); // what is under the pointer stays there
    this.zoom = zoom;
    this.onMove();
  }

  grab(event) {
    if (event.pointerType !== "mouse" || event.button !== 0) return; // a finger scrolls the page
    const began = [event.clientX - this.shift[0], event.clientY - this.shift[1]];
    const move = ({ clientX, clientY }) => { this.shift = [clientX - began[0], clientY - began[1]]; this.onMove(); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
  }
}
