// What the page shows: run, step, selection, filters. The address holds all of it, so that a view can be sent as a link.
const isSaved = Boolean(document.querySelector("#saved-run")); // opened from disk, an address has only its last part to write in
const KEYS = ["step", "tab", "pick", "turn", "target", "agent", "status", "kind", "entity", "search", "measures", "log", "with", "expr", "news", "source"];

export const shown = { run: "", step: 0, live: true, playing: false, speed: 6, tab: "feed", pick: "", turn: "", target: "", agent: "", status: "", kind: "cell", entity: "", search: "", measures: "", log: "", with: "", expr: "", news: "", source: "" };
const listeners = [];
let waiting = new Set();

// `listener(changed)` is called once a frame with the names that changed; only for names that it cares for, if it says which.
export function onChange(listener, ...names) {
  listeners.push({ listener, names });
}

export function show(change) {
  for (const [key, value] of Object.entries(change)) {
    if (shown[key] === value) continue;
    shown[key] = value;
    if (waiting.size === 0) queueMicrotask(tell);
    waiting.add(key);
  }
}

function tell() {
  const changed = waiting;
  waiting = new Set();
  for (const { listener, names } of listeners) if (!names.length || names.some((name) => changed.has(name))) listener(changed);
}

const END = "end"; // as a step: the newest, also once the run is over; without any, or with what is no number, the page opens where it likes
export function stepOf(words) {
  const text = (words.get("step") ?? "").trim(), step = Number(text);
  return text && Number.isFinite(step) ? step : null;
}

const plain = { tab: "feed", kind: "cell" };
export function readAddress() {
  // What is cut from a link to the live page may be put behind either sign of a saved one.
  const words = new URLSearchParams((isSaved && location.hash.slice(1)) || location.search);
  const change = Object.fromEntries(KEYS.filter((key) => key !== "step").map((key) => [key, words.get(key) ?? plain[key] ?? ""]));
  const step = stepOf(words);
  if (!isSaved) change.run = decodeURIComponent(location.pathname.replace(/^\/run\//, "")).replace(/\/$/, "");
  change.live = step === null;
  if (!change.live) change.step = step;
  show(change);
  return { step, tab: words.has("tab"), end: step === null && words.get("step") !== END };
}

export function viewAddress(given = shown) {
  const words = new URLSearchParams();
  for (const key of KEYS) {
    if (key === "step") { words.set("step", given.live ? END : Math.floor(given.step)); continue; }
    if (given[key] && given[key] !== plain[key]) words.set(key, given[key]);
  }
  if (isSaved) return `#${words}`;
  return `/run/${given.run.split("/").map(encodeURIComponent).join("/")}${words.size ? `?${words}` : ""}`;
}

let timer = 0;
let isNew = false; // a place to come back to, also where something else changes before it is written down
export function keepAddress() {
  onChange((changed) => {
    clearTimeout(timer);
    isNew ||= changed.has("tab") || changed.has("turn") || changed.has("pick") || changed.has("target");
    timer = setTimeout(() => {
      history[isNew ? "pushState" : "replaceState"](null, "", viewAddress());
      isNew = false;
    }, 200);
  }, ...KEYS, "live");
  addEventListener("popstate", () => {
    readAddress();
    queueMicrotask(() => { // behind those who are told of it: the address is written down already
      clearTimeout(timer);
      isNew = false;
    });
  });
}

// On a wide screen the feed stands beside the other panels instead of among them.
export const wide = matchMedia("(min-width: 1680px)");
export const pinned = new Set(); // panels that stand where others have a map
export const isOpen = (name) => shown.tab === name || pinned.has(name) || (wide.matches && (name === "feed" || (shown.tab === "feed" && name === "inspect")));
