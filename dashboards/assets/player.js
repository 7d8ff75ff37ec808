// The bar that plays the run by world time, with the sky of every hour behind its slider.
const slider = $("#time"), playButton = $("#play"), speed = $("#speed");
let playing = false, before = 0;

function setPlaying(on) {
  playing = on;
  playButton.setAttribute("aria-label", on ? "Pause" : "Play");
  $("path", playButton).setAttribute("d", on ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 1.5l10 6.5-10 6.5z");
  if (on && shown.at >= last) shown.at = 0;
  before = performance.now();
  if (on) requestAnimationFrame(advance);
}

function advance(now) {
  if (!playing) return;
  const at = shown.at + ((now - before) / 1000) * Number(speed.value);
  before = now;
  show({ at });
  if (at >= last) setPlaying(false); else requestAnimationFrame(advance);
}

const daylight = (hour) => Math.max(0, Math.min(1, 0.75 + 1.3 * Math.cos(((hour - 13) / 12) * Math.PI)));

function skyIcon(kind, hour) {
  const word = (kind ?? "").toLowerCase();
  const found = [["storm", /storm|thunder|gale/], ["snow", /snow|sleet|hail/], ["rain", /rain|drizzle|shower/], ["fog", /fog|mist|haze/], ["cloud", /cloud|overcast|grey|gray/]]
    .find(([, pattern]) => pattern.test(word));
  return found?.[0] ?? (daylight(hour) < 0.3 ? "moon" : "sun");
}

function showWeather() {
  const at = frame(), { weather } = run, stage = $(".stage");
  const rain = weather?.precipitation_mm?.[at] ?? 0;
  stage?.style.setProperty("--daylight", daylight(run.hours[at]).toFixed(2));
  stage?.style.setProperty("--wet", Math.min(1, rain > 0 ? 0.4 + rain / 8 : 0).toFixed(2));
  if (!weather) return;
  const kind = weather.kinds[weather.kind[at]];
  $(".weather use").setAttribute("href", `#${skyIcon(kind, run.hours[at])}`);
  const degrees = weather.temperature_c?.[at];
  $(".weather b").textContent = degrees == null ? "" : `${degrees.toFixed(1)} °C`;
  $(".weather span").textContent = [kind, rain > 0 ? `${number(rain, 1)} mm` : ""].filter(Boolean).join(", ");
}

function showClock() {
  const ms = run.times[frame()];
  $(".clock b").textContent = clockText.format(ms);
  $(".clock span").textContent = `${dayText.format(ms)}`;
  slider.value = shown.at;
  slider.setAttribute("aria-valuetext", `${clockText.format(ms)}, step ${run.steps[frame()]}`);
}

// Night, dawn and day by the hour; rain stands on the strip's lower edge.
function drawSky() {
  const sky = $("#sky"), pen = sky.getContext("2d"), dark = document.documentElement.dataset.theme === "dark";
  const night = dark ? [24, 32, 52] : [92, 110, 148], day = dark ? [70, 110, 148] : [201, 226, 242], dawn = dark ? [120, 88, 84] : [245, 206, 170];
  sky.width = run.times.length;
  const rain = run.weather?.precipitation_mm ?? [], most = Math.max(4, ...rain);
  run.hours.forEach((hour, at) => {
    const light = daylight(hour), glow = 1 - Math.abs(2 * light - 1);
    const colour = night.map((tone, part) => Math.round(tone + (day[part] - tone) * light + (dawn[part] - day[part]) * glow * 0.6));
    pen.fillStyle = `rgb(${colour})`;
    pen.fillRect(at, 0, 1, 26);
    pen.fillStyle = dark ? "rgba(86,180,233,.9)" : "rgba(0,114,178,.75)";
    const height = rain[at] > 0 ? 2 + (16 * rain[at]) / most : 0;
    pen.fillRect(at, 26 - height, 1, height);
  });
}

playButton.addEventListener("click", () => setPlaying(!playing));
slider.addEventListener("input", () => show({ at: Number(slider.value) }));
onChange(showClock);
onChange(showWeather);
drawSky();
new MutationObserver(drawSky).observe(document.documentElement, { attributeFilter: ["data-theme"] });
