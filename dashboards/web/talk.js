// Who says what to whom at the shown step, from the sentences of its cells.
import { runPath } from "./addresses.js";
import { get } from "./api.js";
import { gently } from "./dom.js";
import { shown } from "./store.js";

const CLOSES = "”";
const WRITTEN = /^(writes|adds|sets|strikes) /; // into a diary, a plan, a list: that is not said
const EVERY_MS = 500, TOO_QUICK_STEPS_A_S = 10;

// Call back with what is said whenever another step is shown, but not while steps run past, as history or live: nobody could read it.
export function listen(heard, page) {
  let last = null;
  const read = gently(async () => {
    const step = Math.floor(shown.step);
    if (step === last) return;
    last = step;
    const pace = shown.playing ? shown.speed : shown.live ? page.connection.pace : 0;
    if (pace > TOO_QUICK_STEPS_A_S) return heard([]);
    await page.frames.settled();
    let turns = [];
    try { ({ turns } = await get(runPath(shown.run, "talk"), { step })); } catch { last = null; } // nobody knows: better silent than of another moment
    heard(eachOnce(turns.flatMap((turn) => said(turn, (name) => page.called(name)))));
  }, EVERY_MS);
  return read;
}

function said({ agent, told }, called) {
  return (told ?? []).flatMap((sentence) => {
    const quoted = sentence.findIndex((part) => typeof part === "string" && part.endsWith("“"));
    if (quoted < 0 || WRITTEN.test(sentence[0])) return [];
    const words = sentence.slice(quoted + 1), end = words.findLastIndex((part) => typeof part === "string" && part.startsWith(CLOSES));
    const text = words.slice(0, end < 0 ? words.length : end).map((part) => part.entity ? called(part.entity) : part).join("");
    return text ? [{ agent, other: sentence.slice(0, quoted).find((part) => part.entity)?.entity, text }] : [];
  });
}

// Of all that somebody says in a step what has most words to it, an invitation rather than a good-bye; who says most comes first.
function eachOnce(said) {
  const most = new Map();
  for (const each of said) if (!(most.get(each.agent)?.text.length >= each.text.length)) most.set(each.agent, each);
  return [...most.values()].sort((one, other) => other.text.length - one.text.length);
}
