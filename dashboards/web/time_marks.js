// Where an axis of time is marked, and with what: at full seconds, hours, days or years of the world's clock, or in a world without one at round numbers of steps.
const SECOND = 1e3, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR, YEAR = 365.25 * DAY;
const STRIDES = [1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30].map((each) => each * SECOND), MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 28 * DAY, 91 * DAY];
const FITS = 0.6; // so many times fewer marks have room where each tells a thousandth of a second

// At most about so many marks from one step to another, each as [step, text]; `ends` asks for one at both.
export function timeMarks(clock, first, last, most, ends = false) {
  if (!Number.isFinite(first)) return [];
  const { steps, text } = clock.timed === false ? counted(first, last, most) : timed(clock, first, last, most);
  return (ends ? withEnds(steps, first, last, most) : steps).map((step) => [step, text(step)]);
}

function withEnds(steps, first, last, most) {
  const near = (last - first) / most;
  return first === last ? [first] : [first, ...steps.filter((step) => step - first >= near && last - step >= near), last];
}

function timed(clock, first, last, most) {
  const [from, to] = [clock.ms(first), clock.ms(last)], wide = Math.max(to - from, clock.ms(first + 1) - from), steps = [];
  const stride = STRIDES.find((each) => wide / each <= most * (each < SECOND ? FITS : 1));
  if (!stride) return years(clock, from, to, most);
  for (let ms = Math.ceil(from / stride) * stride; ms <= to; ms += stride) steps.push(clock.step(ms));
  return { steps, text: (step) => (stride < MINUTE ? clock.seconds(step, stride < SECOND) : clock[stride < DAY ? "time" : "date"](step)) };
}

function years(clock, from, to, most) {
  const of = (ms) => new Date(ms).getUTCFullYear(), stride = rounded((to - from) / YEAR / most), steps = [];
  for (let year = Math.ceil(of(from) / stride) * stride; year <= of(to); year += stride) steps.push(new Date(0).setUTCFullYear(year));
  return { steps: steps.filter((ms) => ms >= from).map((ms) => clock.step(ms)), text: (step) => String(of(clock.ms(step))) };
}

function counted(first, last, most) {
  const stride = rounded((last - first) / most), steps = [];
  for (let step = Math.ceil(first / stride) * stride; step <= last; step += stride) steps.push(step);
  return { steps, text: (step) => step.toLocaleString("en-GB") };
}

// The round number that is as great, and at least one.
function rounded(rough) {
  const least = Math.max(1, rough), ten = 10 ** Math.floor(Math.log10(least));
  return ten * [1, 2, 5, 10].find((part) => part * ten >= least);
}
