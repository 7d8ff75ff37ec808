// What stands where on the page of a run: header, map or measures in its place, story, time, and panels behind tabs.
import { $, empty, fill, h } from "./dom.js";
import { source } from "./api.js";
import { MapView } from "./map.js";
import { mapTools, watchCrowd } from "./map_tools.js";
import { savedNote } from "./saved_note.js";
import { onChange, pinned, show, shown } from "./store.js";
import { Story } from "./story.js";
import { Tabs } from "./tabs.js";
import { listen } from "./talk.js";
import { Timeline } from "./timeline.js";
import { Weather } from "./weather.js";
import { Blame } from "./panels/blame.js";
import { Control } from "./panels/control.js";
import { Feed } from "./panels/feed.js";
import { Inspect } from "./panels/inspect.js";
import { Life } from "./panels/life.js";
import { Measures } from "./panels/measures.js";
import { Minds } from "./panels/minds.js";
import { Models } from "./panels/models.js";
import { News } from "./panels/news.js";
import { Relations } from "./panels/relations.js";
import { Turn } from "./panels/turn.js";

const PANELS = [Feed, Turn, Inspect, Blame, Relations, Measures, Control, Models, Life, Minds, News].filter((Panel) => !source.isSaved || Panel !== Control);
const tabOf = (Panel) => Panel.name.toLowerCase();

export function layOut(page) {
  const { overview } = page, names = [...overview.entities.map(([name]) => name), ...overview.movers.map(({ title }) => title)], seed = overview.about.seed;
  fill($("#top"), page.frame.header(h("div", { class: "title" }, h("h1", {}, overview.title), h("p", { class: "note" }, [shown.run, overview.map.name, seed === undefined ? "" : `seed ${seed}`].filter(Boolean).join(" · "))),
    h("span", { class: "status", id: "status", role: "status" }), h("div", { class: "weather", id: "weather" })));
  page.stage = h("section", { class: "stage card", "aria-label": "Map" });
  const bar = h("section", { class: "player card", "aria-label": "Time" }), told = h("section", { class: "card", id: "story", "aria-label": "What stands out" });
  page.tabs = new Tabs(PANELS.map(({ name }) => name), (tab) => show({ tab }));
  page.hosts = Object.fromEntries(PANELS.map(tabOf).map((name) => [name, h("div", { class: `panel p-${name}`, role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" })]));
  const side = h("section", { class: "panels", id: "panels", tabindex: "-1", "aria-label": "Panels" }, Object.values(page.hosts));
  fill($("#main"), h("datalist", { id: "entities" }, names.map((name) => h("option", { value: name }))), h("div", { class: "left" }, page.stage, told, bar), h("div", { class: "card side" }, page.tabs.element, side));
  $("#main").className = "run";
  page.timeline = new Timeline(bar, page);
  page.weather = new Weather($("#weather"), (light, kind, rain) => page.map?.light(light, kind, rain));
  page.story = new Story(told, page);
  if (overview.drawn) withMap(page); else withoutMap(page);
  if (source.isSaved) document.body.append(savedNote());
  page.panels = Object.fromEntries(PANELS.map((Panel) => [tabOf(Panel), new Panel(page.hosts[tabOf(Panel)], page)]));
}

function withMap(page) {
  page.map = new MapView(page.stage, page.overview, { onPick: (name) => page.inspect(name) });
  page.map.onPainted = () => page.connection.settle();
  page.hear = listen((said) => page.map.hear(said), page);
  onChange(page.hear, "step", "playing");
  page.hear();
  if (!source.isSaved || page.overview.movers.length) page.stage.append(mapTools(page));
  if (page.overview.districts?.length) watchCrowd(page);
}

// A world without positions shows its measures where others have a map.
function withoutMap(page) {
  page.stage.classList.add("bare");
  page.stage.setAttribute("aria-label", "Measures");
  if (!page.overview.measures.length) { fill(page.stage, empty("Nothing in this world has a position, and it takes no measures. The other panels show everything else; a portrayal function puts it on a map.")); return; }
  const { measures } = page.hosts;
  pinned.add("measures");
  measures.remove();
  page.tabs.remove("measures");
  measures.setAttribute("role", "group");
  measures.removeAttribute("aria-labelledby");
  measures.setAttribute("aria-label", "Measures");
  page.stage.append(h("p", { class: "note pad-small" }, "Nothing in this world has a position: here are its measures."), measures);
  if (shown.tab === "measures") show({ tab: "feed" });
}
