// Who says what to whom at the shown step, from the sentences of its cells.
import { runPath } from "./addresses.js";
import { get } from "./api.js";
import { gently } from "./dom.js";
import { shown } from "./store.js";

const WRITTEN = /^(writes|adds|sets|strikes) /; // into a diary, a plan, a list: that is not said
const EVERY_MS = 500, TOO_QUICK_STEPS_A_S = 6;

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
    try { ({ turns } = await get(runPath(shown.run, "talk"), { step })); } catch { last = null; } // nobody knows: better silent than of another moment
    heard(turns.flatMap(said));
  }, EVERY_MS);
  return read;
}

function said({ agent, told }) {
  return (told ?? []).flatMap((sentence) => {
    const quoted = sentence.findIndex((part) => typeof part === "string" && part.endsWith("“"));
    if (quoted < 0 || typeof sentence[quoted + 1] !== "string" || WRITTEN.test(sentence[0])) return [];
    return [{ agent, other: sentence.slice(0, quoted).find((part) => part.entity)?.entity, text: sentence[quoted + 1] }];
  });
}
