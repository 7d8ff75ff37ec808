// What the header says of a run: whether it goes on, and for how long its present step has been under way.
const MEANS = { running: "Another process writes this run, and this page follows it", live: "This page’s server plays the run", finished: "The run is over: without a step in its address the page opens where most was going on; l leads to the end", "no connection": "The server does not answer" };

// Says it in one word; a run that goes on and has not come further for a while also tells which step takes so long.
export function showStatus(element, word, step, sinceGrown_ms) {
  const waits_s = word === "live" || word === "running" ? Math.floor(sinceGrown_ms / 1e4) * 10 : 0; // told in tens, as it is read aloud
  element.dataset.state = word;
  element.textContent = waits_s ? `${word}, step ${step} for ${waits_s < 120 ? `${waits_s} s` : `${Math.floor(waits_s / 60)} min`}` : word;
  element.title = waits_s ? `${MEANS[word]}. A step takes as long as its slowest cell or call of a model: Models tells which calls are in flight` : MEANS[word] ?? "";
  document.documentElement.dataset.state = word;
}
