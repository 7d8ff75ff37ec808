// Which part of a plane a box shows: fitted to bounds at one scale, dragged, zoomed by the wheel or keys, fitted again by a double click.
// A high map in a broad box is turned by a quarter, north to the right, where it shows much larger so.
const MOST_ZOOM = 80, WORTH_TURNING = 1.1, BETWEEN_PX = 4, MOST_COVERED = 0.4;

export class Viewport {
  constructor(host, { stretch = 1, top = 0, bottom = 0, mayTurn = false, onMove }) {
    Object.assign(this, { host, stretch, top, bottom, least: { top, bottom }, mayTurn, onMove, bounds: [0, 1, 0, 1], width: 0, height: 0 });
    this.reset();
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    host.addEventListener("pointerdown", (event) => this.grab(event));
    host.addEventListener("dblclick", () => { this.reset(); this.onMove(); });
  }

  reset() { Object.assign(this, { zoom: 1, shift: [0, 0] }); }

  // Another size: what is written over the box may take another part of it.
  resize(width, height) {
    if (width !== this.width) Object.assign(this, this.least);
    Object.assign(this, { width, height });
  }

  // Fit between what is written above and below, as far as that ever reached: no map jumps with every word. Says whether it moved.
  fitBetween(above, below) {
    const { top, bottom } = this.host.getBoundingClientRect(), rects = (parts) => parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height), most = MOST_COVERED * this.height;
    const room = { top: Math.min(most, Math.max(this.top, ...rects(above).map((each) => each.bottom - top + BETWEEN_PX))), bottom: Math.min(most, Math.max(this.bottom, ...rects(below).map((each) => bottom - each.top + BETWEEN_PX))) };
    const moved = room.top !== this.top || room.bottom !== this.bottom;
    Object.assign(this, room);
    return moved;
  }

  get turned() { return this.mayTurn && this.fitted(true) > WORTH_TURNING * this.fitted(false); }

  fitted(turned) {
    const [west, east, south, north] = this.bounds, wide = Math.max(1, this.width), high = Math.max(1, this.height - this.top - this.bottom);
    const across = east - west || 1, up = (north - south || 1) * this.stretch;
    return turned ? Math.min(wide / up, high / across) : Math.min(wide / across, high / up);
  }

  // How much wider than high it is as it stands, and at most, turned or not.
  get shapes() {
    const [west, east, south, north] = this.bounds, upright = (east - west || 1) / ((north - south || 1) * this.stretch);
    return { upright, broadest: this.mayTurn ? Math.max(upright, 1 / upright) : upright };
  }

  get scale() { return this.zoom * this.fitted(this.turned); }

  get middle() { return [this.width / 2 + this.shift[0], this.top + (this.height - this.top - this.bottom) / 2 + this.shift[1]]; }

  toPixels(x, y) {
    const [west, east, south, north] = this.bounds, { scale, middle } = this;
    const across = (x - (west + east) / 2) * scale, up = (y - (south + north) / 2) * scale * this.stretch;
    return this.turned ? [middle[0] + up, middle[1] + across] : [middle[0] + across, middle[1] - up];
  }

  // Have a pen draw in the plane itself, in units of so many to one, y downwards, from an origin of the plane.
  transform(pen, [x, y], unit, ratio) {
    const [left, top] = this.toPixels(x, y), part = (this.scale / unit) * ratio;
    if (this.turned) pen.setTransform(0, part, -part, 0, left * ratio, top * ratio);
    else pen.setTransform(part, 0, 0, part, left * ratio, top * ratio);
  }

  wheel(event) {
    event.preventDefault();
    const box = this.host.getBoundingClientRect();
    this.closer(Math.exp(-event.deltaY * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
  }

  closer(times, at = [this.width / 2, this.height / 2]) {
    const { middle } = this, zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * times)), grown = zoom / this.zoom;
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
