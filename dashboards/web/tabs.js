// The panels' tabs in one row, however narrow: what does not fit is scrolled to, by finger, wheel, keys or the two buttons at its ends.
import { $, h } from "./dom.js";

const EDGE_PX = 2, PART = 0.7;

export class Tabs {
  // `names` as they are written on the tabs; `choose(name)` is called with a lower-case one.
  constructor(names, choose) {
    this.choose = choose;
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, names.map((name) => this.tab(name)));
    const end = (side, text, way) => h("button", { type: "button", class: `tabs-end ${side}`, tabindex: "-1", "aria-hidden": "true", hidden: true, onclick: () => this.list.scrollBy({ left: way * PART * this.list.clientWidth }) }, text);
    [this.before, this.after] = [end("before", "‹", -1), end("after", "›", 1)];
    this.element = h("div", { class: "tab-row" }, this.before, this.list, this.after);
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.list.addEventListener("scroll", () => this.look(), { passive: true });
    this.list.addEventListener("wheel", (event) => { if (!event.deltaX) { this.list.scrollLeft += event.deltaY; event.preventDefault(); } });
    new ResizeObserver(() => { this.look(); this.reveal(); }).observe(this.list);
  }

  tab(name) {
    const key = name.toLowerCase();
    return h("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, onclick: () => this.choose(key) }, name);
  }

  get all() { return [...this.list.children]; }

  // Mark the tab of a panel, and bring it into sight.
  select(name) {
    for (const tab of this.all) {
      const chosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.reveal();
  }

  remove(name) { $(`#tab-${name}`, this.list).remove(); }

  reveal() {
    const { list } = this, tab = $("[aria-selected=true]", list), [left, right] = tab ? [tab.offsetLeft - list.offsetLeft, tab.offsetLeft - list.offsetLeft + tab.offsetWidth] : [0, 0];
    if (!tab || !list.clientWidth) return;
    if (left < list.scrollLeft + tab.offsetWidth / 2) list.scrollLeft = left - tab.offsetWidth; // with a bit of its neighbour
    else if (right > list.scrollLeft + list.clientWidth - tab.offsetWidth / 2) list.scrollLeft = right - list.clientWidth + tab.offsetWidth;
  }

  look() {
    const { list } = this, rest = list.scrollWidth - list.clientWidth - list.scrollLeft;
    this.before.hidden = list.scrollLeft <= EDGE_PX;
    this.after.hidden = rest <= EDGE_PX;
  }

  walk(event) {
    const { all } = this, at = all.findIndex((tab) => tab.tabIndex === 0), last = all.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    all[next].click();
    all[next].focus();
  }
}
