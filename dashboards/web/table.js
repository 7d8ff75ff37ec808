// A table that is sorted by a click on a head, searched by any of its words, and saved as CSV.
import { fill, h, later, number, save } from "./dom.js";

const ROWS_SHOWN = 200;

// Columns are { key, head, number: whether its values are, cell: what draws a row's value if not its text }.
export class Table {
  constructor(name, columns, { sort = columns[0].key } = {}) {
    Object.assign(this, { name, columns, sort, down: false, most: ROWS_SHOWN, rows: [] });
    this.search = h("input", { type: "search", id: `${name}-search`, placeholder: `Search ${name}`, "aria-label": `Search ${name}`, oninput: later(() => this.draw(), 150) });
    this.heads = columns.map((column) => h("th", { scope: "col", class: column.number ? "number" : "" }, h("button", { type: "button", class: "link", onclick: () => this.sortBy(column.key) }, column.head)));
    this.body = h("tbody");
    this.more = h("button", { type: "button", class: "quiet more", onclick: () => { this.most *= 4; this.draw(); } });
    const csv = h("button", { type: "button", class: "quiet", id: `${name}-csv`, onclick: () => save(`${name}.csv`, this.csv(), "text/csv") }, "Save as CSV");
    this.element = h("section", { class: "card pad", id: name }, h("div", { class: "filters" }, this.search, csv),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, h("table", { class: "rows" }, h("thead", {}, h("tr", {}, this.heads)), this.body)), this.more);
  }

  show(rows) {
    this.rows = rows;
    this.draw();
  }

  sortBy(key) {
    this.down = this.sort === key && !this.down;
    this.sort = key;
    this.draw();
  }

  draw() {
    const rows = this.chosen(), rest = rows.length - this.most;
    this.columns.forEach(({ key }, at) => this.heads[at].setAttribute("aria-sort", key !== this.sort ? "none" : this.down ? "descending" : "ascending"));
    fill(this.body, rows.slice(0, this.most).map((row) => h("tr", {}, this.columns.map((column) => h("td", { class: column.number ? "number" : "", "data-key": column.key, "data-head": column.head }, column.cell?.(row) ?? text(row, column))))));
    this.more.hidden = rest <= 0;
    this.more.textContent = `${number(rest)} more rows`;
  }

  // The rows that hold every word of the search, in their order; nothing comes behind everything.
  chosen() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean), turned = this.down ? -1 : 1;
    const fits = (row) => { const all = this.columns.map((column) => text(row, column)).join(" ").toLowerCase(); return words.every((word) => all.includes(word)); };
    const missing = (value) => value === null || value === undefined || value === "";
    return this.rows.filter(fits).sort(({ [this.sort]: a }, { [this.sort]: b }) => missing(a) - missing(b) || turned * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true })));
  }

  csv() {
    const quoted = (value) => `"${String(value ?? "").replace(/^(?=[=+@\t-]\D)/, "'").replaceAll('"', '""')}"`; // no spreadsheet takes it for a formula
    return [this.columns.map(({ head }) => quoted(head)), ...this.chosen().map((row) => this.columns.map(({ key }) => quoted(row[key])))].map((line) => line.join(",")).join("\r\n");
  }
}

const text = (row, { key, number: counts }) => (row[key] === null || row[key] === undefined ? "" : counts && typeof row[key] === "number" ? number(row[key], 4) : String(row[key]));
