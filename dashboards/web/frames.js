// Frames by step: whole ones fetched in chunks and kept for a while, and the live edge patched from differences.
import { runPath, unpack } from "./addresses.js";
import { getBytes } from "./api.js";

const CHUNKS_KEPT = 8; // 12 MB at most, of ten thousand who move; of a hundred 0.3 MB
export const NOWHERE = 65535;

export class Frames {
  constructor(run, movers) {
    this.run = run;
    this.size = Math.max(1, Math.min(48, Math.floor(250000 / Math.max(1, movers))));
    this.chunks = new Map();
    this.recent = new Map();
    this.underWay = new Set();
    this.newest = null;
    this.last = 0;
  }

  // Return the frame of a step if it is here; otherwise ask for it, and call `ready` when it came, or `lost` when it did not.
  at(step, ready, lost = () => {}) {
    const near = this.recent.get(step);
    if (near) return near;
    const number = Math.floor(step / this.size), chunk = this.chunks.get(number);
    const found = chunk?.frames?.get(step);
    if (found) {
      this.chunks.delete(number);
      this.chunks.set(number, chunk);
      return found;
    }
    if (ready && !chunk?.asked) this.fetch(number).then(ready, lost);
    return null;
  }

  // Wait until no frame is on its way: people are waited for first, what is written beside them comes after.
  async settled() {
    await null; // whoever else hears of a new step asks for its frame now
    while (this.underWay.size) await Promise.allSettled(this.underWay);
  }

  // Look ahead while history plays.
  ahead(step) {
    const number = Math.floor((step + this.size / 2) / this.size);
    if (number * this.size <= this.last && !this.chunks.has(number)) this.fetch(number).catch(() => {});
  }

  fetch(number) {
    const coming = this.load(number);
    this.underWay.add(coming);
    return coming.finally(() => this.underWay.delete(coming));
  }

  async load(number) {
    const chunk = { asked: true, frames: this.chunks.get(number)?.frames };
    this.chunks.set(number, chunk);
    try {
      chunk.frames = new Map(read(await getBytes(runPath(this.run, "frames"), { from: number * this.size, count: this.size })).map((frame) => [frame.head.step, frame]));
    } finally {
      chunk.asked = false;
      if (!chunk.frames) this.chunks.delete(number);
    }
    for (const key of this.chunks.keys()) if (this.chunks.size > CHUNKS_KEPT && key !== number) this.chunks.delete(key);
  }

  patch(buffer) {
    const [head, begin] = unpack(buffer), { movers, rows } = head, base = head.whole ? null : this.newest;
    const where = new Uint16Array(2 * movers).fill(NOWHERE), states = new Uint8Array(movers).fill(255);
    if (base) { where.set(base.where.subarray(0, 2 * movers)); states.set(base.states.subarray(0, movers)); }
    const across = new Uint16Array(buffer, begin, rows[0]), up = new Uint16Array(buffer, begin + 2 * rows[0], rows[1]);
    const fresh = new Uint8Array(buffer, begin + 2 * (rows[0] + rows[1]), rows[2]);
    let bits = begin + 2 * (rows[0] + rows[1]) + rows[2];
    for (const [values, into, stride, offset] of [[across, where, 2, 0], [up, where, 2, 1], [fresh, states, 1, 0]]) {
      if (!values.length) continue;
      const all = values.length === movers, set = all ? null : new Uint8Array(buffer, bits, (movers + 7) >> 3);
      if (!all) bits += set.length;
      for (let row = 0, at = 0; at < values.length; row += 1) if (all || (set[row >> 3] >> (row & 7)) & 1) { into[stride * row + offset] = values[at]; at += 1; }
    }
    this.newest = { head, where, states };
    this.last = head.step;
    this.recent.set(head.step, this.newest);
    const most = movers > 2000 ? 6 : 40;
    for (const step of this.recent.keys()) if (this.recent.size > most) this.recent.delete(step); else break;
    for (const [number, chunk] of this.chunks) if (chunk.frames && (number + 1) * this.size > head.step - 1 && !chunk.frames.has(head.step)) this.chunks.delete(number);
    return this.newest;
  }

  forget() { this.chunks.clear(); this.recent.clear(); }
}

function read(buffer) {
  const [{ movers, frames }, begin] = unpack(buffer);
  const states = begin + 4 * movers * frames.length;
  return frames.map((head, index) => ({
    head,
    where: new Uint16Array(buffer, begin + 4 * movers * index, 2 * movers),
    states: new Uint8Array(buffer, states + movers * index, movers),
  }));
}
