// Elements by calls: h("button", { class: "quiet", onclick }, "Fork"). Texts are never read as HTML.
export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// A text whose letters carry at most four marks: some hundred upon one tower over what stands above.
const TOWER = /(\p{M}{4})\p{M}+/gu;
export const level = (text) => text.replace(TOWER, "$1");

// Children as they are appended: those that are there, texts levelled.
export const present = (children) => children.flat(3).filter((child) => child !== null && child !== undefined && child !== false).map((child) => (typeof child === "string" ? level(child) : child));

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "html") element.innerHTML = value; // only what the server has coloured and escaped
    else if (name === "style") element.style.cssText = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

export function icon(name, label) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${name}`);
  svg.setAttribute("aria-hidden", "true");
  if (label) svg.setAttribute("title", label);
  svg.append(use);
  return svg;
}

const FOLDS = "details[data-name]";

// Draw what is in an element anew. A fold with a name stays as the reader has left it, open or shut.
export function fill(element, ...children) {
  const left = new Map([...element.querySelectorAll(FOLDS)].map((fold) => [fold.dataset.name, fold.open]));
  element.replaceChildren(...present(children));
  if (left.size) for (const fold of element.querySelectorAll(FOLDS)) fold.open = left.get(fold.dataset.name) ?? fold.open;
}

// Options of a list, each [value, label]. One that offers the same already is left alone: somebody may have it open.
export function offer(select, rows) {
  const offered = JSON.stringify(rows), { value } = select;
  if (select.offered === offered) return;
  select.offered = offered;
  fill(select, rows.map(([each, label]) => h("option", { value: each }, label)));
  if (rows.some(([each]) => each === value)) select.value = value;
}

// A name as people write it: `mean_mood` is "mean mood"; what is no single name, such as an expression, stays as it is.
export const inWords = (name) => (/^\p{L}[\p{L}\p{N}]*(_[\p{L}\p{N}]+)+$/u.test(name) ? name.replaceAll("_", " ") : name);
export const empty = (text) => h("p", { class: "empty" }, text);
export const number = (value, digits = 2) => (typeof value === "number" && Number.isFinite(value) ? value.toLocaleString("en-GB", { maximumFractionDigits: digits }) : "–");
export const money = (value) => (value ? `$${value.toFixed(value < 1 ? 4 : 2)}` : "$0");
export const seconds = (value) => (value === null || value === undefined ? "–" : value < 1 ? `${number(value * 1000, value < 0.01 ? 2 : 0)} ms` : `${number(value, 2)} s`);

// The last of some rising steps that is not behind a step.
export function nearest(steps, step) {
  let low = 0, high = steps.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (steps[middle] <= step) low = middle; else high = middle - 1; }
  return low;
}

export function later(action, wait_ms) {
  let timer = 0;
  return (...details) => { clearTimeout(timer); timer = setTimeout(() => action(...details), wait_ms); };
}

// At most one at a time and never more often than every so many ms (or what a function says now); the last wish always comes through.
export function gently(action, every_ms) {
  let busy = false, again = false, last = -Infinity;
  return async function run() {
    if (busy) { again = true; return; }
    busy = true;
    const every = typeof every_ms === "function" ? every_ms() : every_ms, wait = Math.max(0, every - (performance.now() - last));
    if (wait) await new Promise((done) => setTimeout(done, wait));
    again = false;
    last = performance.now();
    try { await action(); } catch (error) { console.debug(error.message); } // whoever must know has said so on the page
    busy = false;
    if (again) run();
  };
}

export function save(name, content, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const shade = () => getComputedStyle(document.documentElement);
export const token = (name) => shade().getPropertyValue(name).trim();
export const CYCLE = ["--blue", "--orange", "--green", "--purple", "--sky", "--vermilion", "--yellow", "--black"];
export const STATUS = { committed: "--blue", failed: "--orange", blocked: "--vermilion", conflict: "--purple", timeout: "--yellow" };

// An activity has one colour in every run and on every page, and what is called a colour has that. Sleep and rest fill much of every day, so they are pale;
// words that are not listed take the colour that their letters say, or the next one that is free.
const COLOURS = { blue: "--blue", orange: "--orange", green: "--green", purple: "--purple", pink: "--purple", red: "--vermilion", yellow: "--yellow", black: "--black", walking: "--blue", working: "--green", eating: "--orange", talking: "--vermilion", relaxing: "--sky", shopping: "--yellow", drinking: "--purple", waiting: "--black", "fully grown": "--green" };

export function stateColour(words, code, order = words) {
  const word = words[code];
  return word === undefined ? "--other" : coloursOf(order).get(word) ?? "--other";
}

const remembered = new Map();

function coloursOf(words) {
  const key = words.join("\n");
  if (!remembered.has(key)) {
    const chosen = new Map(words.map((word) => [word, /sleep/.test(word) ? "--asleep" : /^rest/.test(word) ? "--at-rest" : COLOURS[word]]));
    const taken = new Set(chosen.values());
    for (const word of words.filter((each) => !chosen.get(each)).sort()) {
      const letters = [...word].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 8191, 7);
      const free = CYCLE.map((_, at) => CYCLE[(letters + at) % CYCLE.length]).find((colour) => !taken.has(colour)) ?? "--other";
      chosen.set(word, free);
      taken.add(free);
    }
    remembered.set(key, chosen);
  }
  return remembered.get(key);
}

export const badge = (status) => h("span", { class: "badge", style: `--c:var(${STATUS[status] ?? "--other"})` }, h("i", { class: "dot" }), status);
