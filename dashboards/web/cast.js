// Everybody on the map with their face and what they do now: what is shown while nobody is chosen.
import { h } from "./dom.js";

const MOST = 200, FACE_PX = 9;

export class Cast {
  constructor(page) {
    Object.assign(this, { page, rows: new Map() });
    this.list = h("ul", { class: "cast" });
    this.element = h("div", {}, h("p", { class: "note" }, "Choose somebody here or on the map, or any place."), this.list);
  }

  // Whether there is a map with so many people that a list of them can be read.
  get fits() { const people = this.page.map?.to?.states.length ?? 0; return people > 0 && people <= MOST; }

  // Draw anew what is different since the last call.
  refresh() {
    const { map, overview } = this.page;
    overview.movers.forEach(({ name, title }, at) => {
      const word = map.words[map.to.states[at]] ?? "", theme = document.documentElement.dataset.theme;
      let row = this.rows.get(name);
      if (!row) {
        row = { face: h("canvas", { "aria-hidden": "true" }), does: h("span", { class: "note" }) };
        this.rows.set(name, row);
        this.list.append(h("li", {}, h("button", { type: "button", onclick: () => this.page.inspect(name) }, row.face, h("span", {}, title), row.does)));
      }
      if (row.word === word && row.theme === theme) return;
      Object.assign(row, { word, theme });
      row.does.textContent = word;
      const { canvas } = map.faces.of(name, word, map.colour(map.to.states[at]), FACE_PX);
      Object.assign(row.face, { width: canvas.width, height: canvas.height });
      row.face.getContext("2d").drawImage(canvas, 0, 0);
    });
  }
}
