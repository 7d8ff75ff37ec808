// Fields and their numbers as people read them: a unit stands behind the number, and not in the name as well.
import { inWords, number } from "./dom.js";

const UNIT = /_(cents_h|cents|mm|ms|c|h|m|s)$/;

export const fieldWords = (field, unit) => inWords(unit ? field.replace(UNIT, "") : field);

// An amount as people pay it, with its unit; null of what is no money.
export const asPaid = (value, unit) => (unit?.startsWith("EUR cent") ? [(value / 100).toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 }), unit.replace("EUR cent", "EUR")] : null);

export const inUnit = (value, unit) => (asPaid(value, unit) ?? [number(value, 4), unit]).filter(Boolean).join(" ");
