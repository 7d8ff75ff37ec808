// What stands in place of a page that could not be shown, and how it comes by itself: what failed is asked for again, less and less often.
import { empty, h } from "./dom.js";
import { get, source } from "./api.js";

const FIRST_WAIT_MS = 500, LONGEST_WAIT_MS = 10_000, SLOWER = 1.6;

const SAYS = {
  saved: ["This file cannot be shown", "It may have been cut short on its way: ask for it again, or write it anew from the run."],
  refused: ["This page cannot be shown", ""],
  unreached: ["The page could not be loaded", "Is cave-sim dash still running? If it was started anew, open the address that it printed."],
};

// The card; `error.asked` is the address that gave no answer, if asking again may help.
export function failure(error) {
  const [what, out] = SAYS[source.isSaved ? "saved" : error.answered ? "refused" : "unreached"];
  const reason = error.message.charAt(0).toUpperCase() + error.message.slice(1);
  if (error.asked) setTimeout(askAgain, FIRST_WAIT_MS, error.asked, FIRST_WAIT_MS);
  return h("section", { class: "card pad", id: "failure", role: "alert" }, h("h2", { class: "center" }, what), empty(reason), out ? h("p", { class: "note center" }, out) : null,
    error.asked ? h("p", { class: "note center" }, "This page asks again by itself, and shows what there is as soon as there is something.") : null,
    source.isSaved ? null : h("p", { class: "center" }, h("a", { href: location.href }, "Try again"), " · ", h("a", { href: "/runs" }, "All runs")));
}

async function askAgain(asked, waited_ms) {
  try {
    await get(asked);
    location.reload();
  } catch {
    const wait_ms = Math.min(LONGEST_WAIT_MS, waited_ms * SLOWER);
    setTimeout(askAgain, wait_ms, asked, wait_ms);
  }
}
