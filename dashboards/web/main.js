// Which page the address asks for; what all pages share: header, theme, notices, keys and their help.
import { $, fill, h } from "./dom.js";
import { pagePath, runPath } from "./addresses.js";
import { get, source } from "./api.js";
import { BranchesPage } from "./branches.js";
import { ComparePage } from "./compare.js";
import { failure } from "./failure.js";
import { redrawAll } from "./figure.js";
import { RunPage } from "./run.js";
import { RunsPage } from "./runs.js";
import { StartPage } from "./start.js";
import { show, shown } from "./store.js";
import { StudyPage } from "./study.js";

const HELP = [
  ["space", "play or pause history"], ["← →", "one step back or on; with shift ten"], ["Home End", "first and last step"], ["l", "follow the live edge"], ["[ ]", "previous mark, next mark"], ["+ −", "nearer to the map, farther"],
  ["p", "play or pause the run itself"], ["s", "one step of the run"], ["f", "fork from the shown step"], ["n", "note the shown moment"], ["b", "blame the value that is shown, or name one"], ["/", "search the feed"], ["i", "find somebody to inspect"],
  ["1 … 9", "panels"], ["o", "follow the day of whoever is chosen"], ["m M", "keep a picture of the map: as PNG, as SVG"], ["c", "copy a link to this view"], ["t", "light or dark"], ["?", "this help"], ["Esc", "close, or let go"],
];

const HINTS = ["Space plays and pauses time; drag the strip below the map to any moment.", "Click anybody, or any place, to see what they are, plan and remember.", "“What stands out”, below the map, tells it all in ten lines; ? lists the keys."];

const LIVE_ONLY = new Set(["l", "p", "s", "f", "n"]);

const frame = {
  header(title, ...more) {
    const name = (title.querySelector("h1") ?? title).textContent;
    document.title = name === "cave_sim" ? name : `${name} · cave_sim`; // of a run: its page says more
    const pages = source.isSaved ? null : h("nav", { class: "brand", "aria-label": "Pages" }, h("a", { href: "/runs" }, "Runs"), h("a", { href: "/branches" }, "Branches"), h("a", { href: "/compare" }, "Compare"), h("a", { href: "/study" }, "Study"), h("a", { href: "/start" }, "Start"));
    const report = shown.run && !source.isSaved ? h("a", { class: "quiet", id: "report", href: runPath(shown.run, "download/report.html"), title: "The whole run in one HTML file", download: "" }, "Report") : null;
    return [pages, title, ...more,
      h("div", { class: "tools" }, report, h("button", { type: "button", class: "quiet", id: "link", title: "Copy a link to this view (c)", onclick: copyLink }, "Link"),
        h("button", { type: "button", class: "quiet", id: "theme", title: "Light or dark (t)", "aria-label": "Light or dark", onclick: toggleTheme }, h("span", { class: "swatch" })), h("button", { type: "button", class: "quiet", id: "help", title: "Keys (?)", "aria-label": "Keys", onclick: openHelp }, "?"))].filter(Boolean);
  },
  // One without a kind is for a moment: then the one before it is there again, which stays until an empty one takes it back.
  notice(text, kind = "", brief = Boolean(text && !kind)) {
    const box = $("#notice");
    if (!brief) this.lasting = [text, kind];
    box.hidden = !text;
    box.className = kind;
    box.textContent = text;
    clearTimeout(this.timer);
    if (brief) this.timer = setTimeout(() => this.notice(...(this.lasting ?? [""])), 6000);
  },
};

function toggleTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* a page from disk may keep nothing */ }
  redrawAll();
}

async function copyLink() {
  try { await navigator.clipboard.writeText(location.href); frame.notice("The link to this view is copied; it holds no token."); } catch { frame.notice(location.href); }
}

function openHelp() {
  let box = $("#help-box");
  if (!box) {
    box = h("dialog", { id: "help-box", "aria-label": "Keys" }, h("h2", {}, "Keys"), h("dl", { class: "keys" }, HELP.filter(([key]) => !source.isSaved || !LIVE_ONLY.has(key)).map(([key, told]) => [h("dt", {}, key.split(" ").map((each) => (each === "…" ? "… " : h("kbd", {}, each)))), h("dd", {}, told)])), h("form", { method: "dialog" }, h("button", {}, "Close")));
    document.body.append(box);
  }
  if (box.open) box.close(); else box.showModal();
}

function keys(page) {
  const move = (by) => () => show({ step: Math.max(page.overview?.first ?? page.first ?? 0, Math.min(page.last ?? 0, Math.floor(shown.step) + by)), live: false, playing: false });
  const panel = (name, focus) => () => { show({ tab: name }); setTimeout(() => $(focus)?.focus(), 30); };
  const bound = {
    " ": () => page.timeline?.toggle(), ArrowLeft: move(-1), ArrowRight: move(1), shiftArrowLeft: move(-10), shiftArrowRight: move(10), Home: move(-1e9), End: move(1e9),
    l: () => show({ live: !source.isSaved, playing: false }), "[": () => page.timeline?.jump(-1), "]": () => page.timeline?.jump(1), p: () => page.panels?.control?.toggle(), s: () => page.panels?.control?.step(),
    n: () => page.story?.writing(true), f: () => page.panels?.control && panel("control", "#fork-code")(), b: () => (shown.pick && !shown.target ? page.blame?.(shown.pick, "activity") : panel("blame", "#target")()), "/": panel("feed", "#search"), i: panel("inspect", "#pick"), o: panel("life", "#life-who"),
    "+": () => page.zoom?.(1.5), "=": () => page.zoom?.(1.5), "-": () => page.zoom?.(1 / 1.5), m: () => page.keepMap?.(), M: () => page.keepMap?.("svg"), c: copyLink, t: toggleTheme, "?": openHelp, Escape: () => { document.activeElement?.blur(); show({ pick: "" }); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("#help-box")?.open) return;
    const typing = event.target.matches("input:not([type=range], [type=checkbox]), select, textarea") && event.key !== "Escape", pressing = event.target.matches("button, summary, a, [type=checkbox]") && event.key === " ";
    const number = Number(event.key), names = Object.keys(page.hosts ?? {});
    const action = names[number - 1] ? () => show({ tab: names[number - 1] }) : bound[(event.shiftKey && event.key.startsWith("Arrow") ? "shift" : "") + event.key];
    if (typing || pressing || !action) return;
    event.preventDefault();
    action();
  });
}

function pageOf(path) {
  if (source.isSaved || path.startsWith("/run/")) return RunPage;
  const page = { "/": RunsPage, "/runs": RunsPage, "/compare": ComparePage, "/branches": BranchesPage, "/study": StudyPage, "/start": StartPage }[path];
  if (!page) throw Object.assign(new Error("There is nothing at this address."), { answered: true });
  return page;
}

// Where there are no panels, whoever goes by keys skips to what there is.
function skipToMain() {
  Object.assign($(".skip"), { href: "#main", textContent: "Skip to the content" });
  $("#main").tabIndex = -1;
}

// The first visit explains itself in three hints, until they are put away.
function hint(page) {
  try { if (localStorage.getItem("hints")) return; } catch { return; }
  if (!page.map) return;
  const box = h("aside", { id: "hints", "aria-label": "Hints" }, h("ol", {}, HINTS.map((text) => h("li", {}, text))), h("button", { type: "button", class: "quiet", onclick: () => { localStorage.setItem("hints", "seen"); box.remove(); } }, "Got it"));
  $("#main").before(box);
}

async function start() {
  if (!source.isSaved && location.pathname === "/") {
    const { runs, study } = await get("/api/runs");
    if (study) { location.replace("/study"); return; }
    const live = runs.find(({ live: each }) => each) ?? runs.find((run) => runs.every((each) => each === run || each.run.startsWith(`${run.run}/`))) ?? null;
    if (!live) { location.replace("/runs"); return; }
    history.replaceState(null, "", pagePath(live.run));
  }
  const page = new (pageOf(location.pathname))(frame);
  if (!(page instanceof RunPage)) skipToMain();
  window.cave = page; // for the console, and for tests
  keys(page);
  await page.open();
  hint(page);
}

start().catch((error) => {
  shown.run = "";
  skipToMain();
  fill($("#top"), frame.header(h("h1", {}, "cave_sim")));
  fill($("#main"), failure(error));
  document.documentElement.dataset.ready = "failed";
  if (error.name !== "Error" && !(error.constructor.name === "Trouble")) throw error;
});
