// Where an axis of time is marked, and with what: at full hours or days of the world's clock, or in a world without one at round numbers of steps.
const MINUTE = 60e3, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STRIDES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 28 * DAY, 91 * DAY, 364 * DAY];

// At most about so many marks from one step to another, each as [step, text].
export function timeMarks(clock, first, last, most) {
  if (!Number.isFinite(first)) return [];
  if (clock.timed === false) return counted(first, last, most);
  const [from, to] = [clock.ms(first), clock.ms(last)], stride = STRIDES.find((each) => (to - from) / each <= most) ?? STRIDES.at(-1), marks = [];
  for (let ms = Math.ceil(from / stride) * stride; ms <= to; ms += stride) marks.push(clock.step(ms));
  return marks.map((step) => [step, clock[stride < DAY ? "time" : "date"](step)]);
}

function counted(first, last, most) {
  const rough = Math.max(1, (last - first) / most), ten = 10 ** Math.floor(Math.log10(rough)), stride = ten * [1, 2, 5, 10].find((part) => part * ten >= rough), marks = [];
  for (let step = Math.ceil(first / stride) * stride; step <= last; step += stride) marks.push([step, step.toLocaleString("en-GB")]);
  return marks;
}
