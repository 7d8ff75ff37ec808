// What agents asked models, from what was saved in this page.
const LISTED = 60, REMEMBERED = 40;

const whole = (minds, call) => ({ ...call, messages: call.messages.map(({ role, text }) => ({ role, text: minds.texts[text] })) });

export const callsOf = (minds, agent, step) => minds.calls.filter((call) => call.agent === agent && call.step === step).map((call) => whole(minds, call));

export function mind(minds, { agent: wanted, step, call: number = null }) {
  const by = minds.calls.filter(({ shown_at: shown }) => shown <= step), agent = wanted || by.at(-1)?.agent || minds.names[0] || "";
  const own = by.filter((call) => call.agent === agent).reverse(), kept = minds.calls.reduce((sum, call) => sum + (call.agent === agent), 0);
  const call = number === null ? own[0] : own.find((each) => each.call === number);
  const calls = own.filter((each, at) => at < LISTED || each === call).map(({ call: each, step: asked, attempt, retry, error, usage, cost_usd }) => ({ call: each, step: asked, attempt, retry, failed: Boolean(error), prompt_tokens: usage.prompt_tokens ?? 0, completion_tokens: usage.completion_tokens ?? 0, cost_usd }));
  return { agent, step, minds: minds.names, waiting: minds.waiting, calls, call: call ? whole(minds, call) : null, left_out: (minds.asked[agent] ?? 0) - kept };
}

// The latest memories at a step, oldest first; null for somebody who keeps none.
export function memoriesOf(minds, name, step) {
  const kept = (minds.memories[name] ?? []).filter(([made]) => made < step || made === 0).slice(-REMEMBERED);
  return kept.length ? kept.map(([made, text, importance]) => ({ step: made, text, importance })) : null;
}
