// Fields and their numbers as people read them: a unit stands behind the number, and not in the name as well.
import { inWords } from "./dom.js";

const UNIT = /_(cents_h|cents|mm|ms|c|h|m|s)$/;

export const fieldWords = (field, unit) => inWords(unit ? field.replace(UNIT, "") : field);

// An amount as people pay it, with its unit; null of what is no money.
export const asPaid = (value, unit) => (unit?.startsWith("EUR cent") ? [(value / 100).toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 }), unit.replace("EUR cent", "EUR")] : null);

// With at least four decimals or significant digits, whichever tells more; `digits` asks for more of the latter.
export function inUnit(value, unit, digits = 4) {
  const paid = unit?.startsWith("EUR cent"), [amount, called] = paid ? [value / 100, unit.replace("EUR cent", "EUR")] : [value, unit];
  return (paid && Number.isInteger(value) ? asPaid(value, unit) : [precise(amount, digits), called]).filter(Boolean).join(" ");
}

// Numbers of one field, with so many digits that those that differ look it; null of what is no number here, or none that a page holds exactly.
export function sideBySide(values, unit) {
  if (!values.every((value) => typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return null;
  for (let digits = 4; digits <= 17; digits += 1) {
    const texts = values.map((value) => inUnit(value, unit, digits));
    if (new Set(texts).size === new Set(values).size) return texts;
  }
  return null;
}

const precise = (value, digits) => (value && Math.abs(value) < 1e-6 ? String(Number(value.toPrecision(digits))) : value.toLocaleString("en-GB", { maximumFractionDigits: 4, maximumSignificantDigits: digits, roundingPriority: "morePrecision" }));
