// World time: what the clock of the run shows, never that of the computer.
export class Clock {
  constructor({ start, step_s }) {
    this.start = Date.parse(`${start.slice(0, 19)}Z`);
    this.step_s = step_s;
    this.daily = step_s < 43200; // of longer steps the hour says nothing
    this.timed = !start.startsWith("2000-01-01T00:00"); // nobody said when it is: a world of mere steps
  }

  // How a moment is called: by its hour, or in a world without a clock by its step.
  moment(step) { return this.timed ? (this.daily ? this.time(step) : this.date(step)) : `step ${Math.floor(step).toLocaleString("en-GB")}`; }

  ms(step) { return Math.round(this.start + step * this.step_s * 1000); } // a second that is a trace short would be the one before
  step(ms) { return (ms - this.start) / (this.step_s * 1000); }
  hour(step) { const date = new Date(this.ms(step)); return date.getUTCHours() + date.getUTCMinutes() / 60; }
  time(step) { return time.format(this.ms(step)); }
  seconds(step, parts = false) { return (parts ? instant : second).format(this.ms(step)); }
  day(step) { return day.format(this.ms(step)); }
  date(step) { return date.format(this.ms(step)); }
  both(step) { return !this.timed ? `step ${Math.floor(step)}` : `${short.format(this.ms(step))} ${this.time(step)}`; }
}

const time = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });
const TO_SECONDS = { timeZone: "UTC", hour: "2-digit", minute: "2-digit", second: "2-digit" };
const second = new Intl.DateTimeFormat("en-GB", TO_SECONDS);
const instant = new Intl.DateTimeFormat("en-GB", { ...TO_SECONDS, fractionalSecondDigits: 3 });
const day = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" });
const date = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
const short = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "short", day: "numeric" });
export const daylight = (hour) => Math.max(0, Math.min(1, 0.75 + 1.3 * Math.cos(((hour - 13) / 12) * Math.PI)));

const SKIES = [["storm", /storm|thunder|gale/], ["snow", /snow|sleet|hail/], ["rain", /rain|drizzle|shower/], ["fog", /fog|mist|haze/], ["cloud", /cloud|overcast|gr[ea]y/]];
export const sky = (kind, hour) => SKIES.find(([, pattern]) => pattern.test((kind ?? "").toLowerCase()))?.[0] ?? (daylight(hour) < 0.3 ? "moon" : "sun");
