// What is not the same in several runs at one step: values of those whom all of them have, and who is in some of them only.
import { empty, h, number } from "./dom.js";
import { fieldWords, inUnit, sideBySide } from "./units.js";

const COUNTED = 6;

// `found` as the server tells it; `classes` has what is declared of fields; `onPick` is called with a name, where there is a map to show it on.
export function differing(found, runs, classes, onPick) {
  const unit = ({ type, field }) => (Object.hasOwn(classes, type) && Object.hasOwn(classes[type], field) ? classes[type][field].unit : undefined);
  const missing = found.missing.map(({ total, named }, at) => (total ? h("p", { class: "note" }, h("b", {}, `Not in ${runs[at]}: `), named.join(", "), total > named.length ? ` and ${number(total - named.length)} more` : "") : null));
  if (!found.total) return missing.some(Boolean) ? [...missing, empty("Whoever is in all of them is alike.")] : [empty("The runs are in the same state at this step.")];
  const heads = ["Who or what", "Field", ...runs, "Difference"], shown = found.rows.length;
  const rows = found.rows.map((row) => h("tr", {},
    h("td", {}, onPick ? h("button", { type: "button", class: "link", title: row.entity, onclick: () => onPick(row.entity) }, row.title) : h("span", { title: row.entity }, row.title)), h("td", { title: `${row.type}.${row.field}` }, fieldWords(row.field, unit(row))),
    cells(row, unit(row))));
  return [h("p", { class: "note" }, `${number(found.total)} values differ, most often of ${often(found.fields.slice(0, COUNTED), unit)}.`), ...missing,
    h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Differing values" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows))),
    found.total > shown ? h("p", { class: "note" }, `The first ${number(shown)} of ${number(found.total)}.`) : null];
}

// The values of a row, and by how much the last one is more than the first; those that the page does not hold exactly as the server writes them.
function cells({ values, numbers }, unit) {
  const told = numbers ? sideBySide(numbers, unit) : null;
  return [...(told ?? values.map((value) => [value, numbers ? unit : ""].filter(Boolean).join(" "))).map((text) => h("td", {}, text)), h("td", { class: "number" }, told ? signed(numbers.at(-1) - numbers[0], unit) : "")];
}

// The commonest fields by their classes: "Place (cash 109, guests 106)".
function often(fields, unit) {
  const classes = new Map();
  for (const [type, field, many] of fields) classes.set(type, [...(classes.get(type) ?? []), `${fieldWords(field, unit({ type, field }))} ${number(many)}`]);
  return [...classes].map(([type, told]) => `${type} (${told.join(", ")})`).join(", ");
}

const signed = (value, unit) => `${value > 0 ? "+" : ""}${inUnit(value, unit)}`;
