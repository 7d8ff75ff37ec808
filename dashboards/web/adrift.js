// What map, or what is in its place, and panels say while the line to the server is lost: of which moment each is, and how to try again.
import { h } from "./dom.js";

export class Adrift {
  // `again` is called by whoever does not wait for the next try.
  constructor(stage, panels, again) {
    const button = () => h("button", { type: "button", class: "quiet", onclick: again }, "Try now");
    const note = () => h("span");
    [this.onMap, this.onPanels] = [note(), note()];
    const mine = (event) => event.stopPropagation(); // the map below is neither dragged nor picked from
    this.boxes = [h("p", { class: "adrift", role: "status", onpointerdown: mine, onpointerup: mine }, this.onMap, button()), h("p", { class: "adrift", role: "status" }, this.onPanels, button())];
    stage.append(this.boxes[0]);
    panels.before(this.boxes[1]);
    this.since = null;
  }

  // `moment` is shown in the time strip; `missing` says whether the map lacks it. Panels keep the moment in which the line was lost.
  say(moment, missing) {
    this.since ??= moment;
    this.onMap.textContent = missing ? `No connection: ${moment} was not loaded; all stands as before.` : "No connection: this is what was loaded.";
    this.onPanels.textContent = `No connection: what stands here was read at ${this.since}.`;
  }

  end() { for (const box of this.boxes) box.remove(); }
}
