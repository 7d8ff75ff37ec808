// Answers from the server that this page came from, and the line to its live edge.
import { address, Trouble } from "./addresses.js";

const words = new URLSearchParams(location.search);
if (words.has("token")) {
  sessionStorage.setItem("token", words.get("token"));
  words.delete("token");
  history.replaceState(null, "", location.pathname + (words.size ? `?${words}` : "") + location.hash);
}
const token = () => sessionStorage.getItem("token") ?? "";


async function checked(response) {
  if (response.ok) return response;
  const text = await response.text();
  let reason = text;
  try { reason = JSON.parse(text).error; } catch { /* it was no JSON: say it as it is */ }
  throw new Trouble(reason || `the server answered ${response.status}`, true);
}

async function reach(address, options) {
  try {
    return await checked(await fetch(address, { headers: { "x-cave-token": token(), ...options?.headers }, ...options }));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const trouble = error instanceof Trouble ? error : new Trouble("the server does not answer; is cave-sim still running?");
    throw Object.assign(trouble, { asked: options?.method ? undefined : address });
  }
}

export class LiveSource {
  isSaved = false;
  async get(path, wanted, signal) { return (await reach(address(path, wanted), { signal })).json(); }
  async getBytes(path, wanted) { return (await reach(address(path, wanted))).arrayBuffer(); }
  async post(path, wish) { return (await reach(path, { method: "POST", body: JSON.stringify(wish) })).json(); }
  watch(run, listeners) { return new Line(run, listeners); }
}

const LOOK_MS = 2_000, SILENT_MS = 15_000; // the server says every five seconds that it is there

// One WebSocket for one run; it comes back by itself, and says what it does meanwhile, and when nothing is heard.
class Line {
  constructor(run, { onStatus, onDelta, onLost, onSilent, onBeat }) {
    Object.assign(this, { run, onStatus, onDelta, onLost, onSilent, onBeat, wait_ms: 250, closed: false, looked: performance.now() });
    this.open();
    this.looking = setInterval(() => this.look(), LOOK_MS);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.heard = performance.now();
    this.socket = new WebSocket(`${scheme}://${location.host}/ws?run=${encodeURIComponent(this.run)}${token() && `&token=${token()}`}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }) => {
      this.wait_ms = 250;
      this.heard = performance.now();
      if (data === "{}") this.onBeat();
      else if (typeof data === "string") this.onStatus(JSON.parse(data));
      else this.onDelta(data);
    };
    this.socket.onclose = () => {
      if (this.closed) return;
      this.onLost(this.wait_ms);
      this.timer = setTimeout(() => this.open(), this.wait_ms);
      this.wait_ms = Math.min(5000, this.wait_ms * 1.6);
    };
  }

  // Whether anything was heard lately; a page that slept itself begins to count anew.
  look() {
    const now = performance.now(), slept = now - this.looked > 3 * LOOK_MS;
    this.looked = now;
    if (slept) this.heard = now;
    else if (this.silent) this.onSilent(now - this.heard);
  }

  get silent() { return performance.now() - this.heard > SILENT_MS && this.socket.readyState !== WebSocket.CLOSED; }

  // Try now, for whoever does not wait.
  again() {
    if (this.socket.readyState !== WebSocket.CLOSED) {
      if (!this.silent) return;
      this.socket.onclose = this.socket.onmessage = null;
      this.socket.close();
      this.onLost();
    }
    clearTimeout(this.timer);
    this.wait_ms = 250;
    this.open();
  }

  drawn() { if (this.socket.readyState === WebSocket.OPEN) this.socket.send("drawn"); }
  close() { this.closed = true; clearInterval(this.looking); this.socket.close(); }
}
