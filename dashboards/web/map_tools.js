// What lies on the map of a run: buttons to come nearer, go farther and keep a picture; of a city, its crowd and its districts.
import { gently, h, number } from "./dom.js";
import { pagePath, runPath } from "./addresses.js";
import { get, source } from "./api.js";
import { onChange, shown } from "./store.js";

// Nearer, farther and all of it, for whoever has no wheel.
export function mapTools(page) {
  const button = (text, label, act) => h("button", { type: "button", class: "quiet", title: label, "aria-label": label, onclick: act }, text);
  const mine = (event) => event.stopPropagation(); // the map below is neither dragged nor picked from
  return h("div", { class: "zoom", onpointerdown: mine, onpointerup: mine }, button("+", "Come nearer (+)", () => page.zoom(1.5)), button("−", "Go farther (−)", () => page.zoom(1 / 1.5)), pictureChoice(page));
}

function pictureChoice(page) {
  const choice = h("select", { class: "save", title: "Keep this picture of the map (m, or M for SVG)", "aria-label": "Keep this picture of the map", onchange: () => { page.keepMap(choice.value); choice.value = ""; } }, [["", "⤓"], ["png", "PNG"], ["svg", "SVG"]].map(([value, text]) => h("option", { value }, text)));
  return choice;
}

// The crowd of a city's districts, as density; and where each district is looked at by itself.
export function watchCrowd(page) {
  const count = h("span", { class: "note" }), glow = h("i", { class: "glow", title: "The stronger it glows, the more of the crowd are there" });
  const links = page.overview.districts.map((name, at) => [" ", h("a", { href: pagePath(`${shown.run}/${name}`) }, String(at))]);
  page.stage.append(h("p", { class: "city" }, glow, count, source.isSaved ? null : h("span", {}, "Districts:", links)));
  const read = gently(async () => {
    const { people, spots } = await get(runPath(shown.run, "crowd"), { step: Math.floor(shown.step) });
    count.textContent = `a crowd of ${number(people)} `;
    page.map.press(spots);
  }, 700);
  onChange(read, "step");
  read();
}
