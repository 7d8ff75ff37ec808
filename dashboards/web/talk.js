// Who says what to whom at the shown step, from the sentences of the feed.
import { runPath } from "./addresses.js";
import { get } from "./api.js";
import { gently } from "./dom.js";
import { shown } from "./store.js";

const LOOKED_AT = 80, EVERY_MS = 500, TOO_QUICK_STEPS_A_S = 6;

// Call back with what is said whenever another step is shown, but not while history runs past.
export function listen(heard, frames) {
  let last = null;
  const read = gently(async () => {
    const step = Math.floor(shown.step);
    if (step === last) return;
    last = step;
    if (shown.playing && shown.speed > TOO_QUICK_STEPS_A_S) return heard([]);
    await frames.settled();
    let turns = [];
    try { ({ turns } = await get(runPath(shown.run, "feed"), { step, kind: "cell", status: "committed", most: LOOKED_AT })); } catch { last = null; } // nobody knows: better silent than of another moment
    heard(turns.filter(({ step: when }) => when >= step - 1 && when === turns[0].step).flatMap(said));
  }, EVERY_MS);
  return read;
}

function said({ agent, told }) {
  return (told ?? []).flatMap((sentence) => {
    const quoted = sentence.findIndex((part) => typeof part === "string" && part.endsWith("“"));
    if (quoted < 0 || typeof sentence[quoted + 1] !== "string" || /diary/.test(sentence[quoted])) return []; // what is written for oneself is not said
    return [{ agent, other: sentence.slice(0, quoted).find((part) => part.entity)?.entity, text: sentence[quoted + 1] }];
  });
}
