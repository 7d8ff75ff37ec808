// What the page shows (the moment, the chosen resident) and who wants to know when that changes.
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const run = JSON.parse($("#run").textContent);
const last = run.times.length - 1;
const shown = { at: 0, chosen: -1 };
const listeners = [];
let drawing = 0;

const frame = () => Math.min(last, Math.floor(shown.at + 1e-6));
const onChange = (listener) => listeners.push(listener);

function redraw() {
  drawing ||= requestAnimationFrame(() => { drawing = 0; listeners.forEach((listener) => listener()); });
}

function show(change) {
  Object.assign(shown, change);
  shown.at = Math.max(0, Math.min(last, shown.at));
  redraw();
}

// 16-bit fractions of a range, frame after frame (motion.py); absent values read as null.
function unpack({ data, low, high }, width) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const fractions = new Uint16Array(bytes.buffer);
  const scale = (high - low) / 65534;
  return (at, who) => { const value = fractions[at * width + who]; return value === 65535 ? null : low + value * scale; };
}

const clockText = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });
const dayText = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" });
const number = (value, digits = 2) => value.toLocaleString("en-GB", { maximumFractionDigits: digits });

function nearestFrame(ms) {
  let low = 0, high = last;
  while (low < high) { const middle = (low + high) >> 1; if (run.times[middle] < ms) low = middle + 1; else high = middle; }
  return low > 0 && ms - run.times[low - 1] < run.times[low] - ms ? low - 1 : low;
}

// The address keeps theme, step and resident, so that a moment of a run can be sent as a link.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const step = words.get("step"), who = run.names?.indexOf(words.get("who")) ?? -1;
  const at = step === null ? run.opening : run.steps.findIndex((known) => known >= Number(step));
  show({ at: at < 0 ? last : at, chosen: who });
}

function writeAddress() {
  const words = [document.documentElement.dataset.theme, `step=${run.steps[frame()]}`];
  if (shown.chosen >= 0) words.push(`who=${encodeURIComponent(run.names[shown.chosen])}`);
  history.replaceState(null, "", `#${words.join("&")}`);
}

function debounced(action, wait_ms) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(action, wait_ms); };
}
onChange(debounced(writeAddress, 300));
