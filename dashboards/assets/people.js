// Beside the map: how many do what at this moment, and the chosen resident.
const activityOf = (who) => { const code = doing(frame(), who); return code === null ? null : run.activities[Math.round(code)].name; };

function countActivities() {
  const counts = run.activities.map(() => 0);
  for (let who = 0; who < people; who += 1) {
    const code = doing(frame(), who);
    if (code !== null) counts[Math.round(code)] += 1;
  }
  $$(".now li").forEach((row, index) => {
    $("i", row).style.setProperty("--share", counts[index] / people);
    row.classList.toggle("nobody", counts[index] === 0);
    row.lastElementChild.textContent = number(counts[index]);
  });
}

const levels = (run.levels ?? []).map((level) => ({ ...level, at: unpack(level, people) }));
const locations = run.location ? unpack(run.location, people) : null;

function describeChosen() {
  const who = shown.chosen, known = who >= 0, facts = $(".person dl");
  $(".person .does").textContent = known ? activityOf(who) ?? "not in the world" : "";
  if (document.activeElement !== $("#who")) $("#who").value = known ? run.titles[who] : "";
  const place = known && locations ? locations(frame(), who) : null;
  const rows = place === null ? [] : [["at", run.locations[Math.round(place)]]];
  for (const level of known ? levels : []) {
    const value = level.at(frame(), who);
    if (value !== null) rows.push([level.name, `${number(value, level.unit ? 0 : 2)} ${level.unit}`]);
  }
  facts.replaceChildren(...rows.flatMap(([term, value]) => [
    Object.assign(document.createElement("dt"), { textContent: term }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ]));
}

if (people) {
  const choose = () => show({ chosen: run.titles.findIndex((title) => title.toLowerCase() === $("#who").value.trim().toLowerCase()) });
  $("#who").addEventListener("input", choose);
  onChange(countActivities);
  onChange(describeChosen);
}
