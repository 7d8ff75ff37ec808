// What stands below a saved page.
import { h, number } from "./dom.js";
import { source } from "./api.js";

// What a saved page is, what it holds of how much, and how to get what only a live one does.
export function savedNote() {
  const { totals, turns, turns_in_all: all, steps, overview } = source.data, statuses = Object.entries(totals.turns).map(([status, many]) => `${number(many)} ${status}`).join(", ");
  const { asked, calls } = source.data.minds, all_calls = Object.values(asked).reduce((sum, each) => sum + each, 0);
  const part = [steps.length < overview.last - overview.first + 1 ? `${number(steps.length)} of its steps` : "", turns.length < all ? `${number(turns.length)} of its ${number(all)} turns` : "", calls.length < all_calls ? `${number(calls.length)} of its ${number(all_calls)} calls to models` : ""].filter(Boolean).join(", ");
  return h("footer", { class: "note", id: "saved-note" }, h("span", {}, [statuses && `Turns: ${statuses}.`, part && `This file holds ${part}.`, "To steer, fork or compare this run, in the folder above it: "].filter(Boolean).join(" "), h("code", {}, `cave-sim dash ${overview.folder}`)),
    overview.documents.length ? h("span", { id: "documents" }, "Documents, in the folder of the run: ", overview.documents.flatMap((name, at) => [at ? ", " : "", h("a", { href: `documents/${encodeURIComponent(name)}` }, name)])) : null,
    totals.state_hash ? h("span", {}, "State hash ", h("code", { title: totals.state_hash }, totals.state_hash.slice(0, 16))) : null);
}
