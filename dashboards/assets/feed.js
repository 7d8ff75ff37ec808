// The feed of notable turns follows the shown moment, and can be narrowed to one kind.
const entries = $$(".feed li").map((row) => ({ row, step: Number(row.dataset.step) }));
const list = $(".feed ol");
let kept = "";

function follow() {
  const step = run.steps[frame()], visible = entries.filter(({ row }) => !row.hidden);
  const past = visible.filter((entry) => entry.step <= step), here = past.at(-1)?.step;
  entries.forEach((entry) => entry.row.classList.toggle("here", entry.step === here && !entry.row.hidden));
  const first = past.find((entry) => entry.step === here)?.row;
  if (!list.matches(":hover")) list.scrollTop = first ? first.offsetTop - list.offsetTop - 60 : 0;
}

function keep(kind) {
  kept = kept === kind ? "" : kind;
  $$(".chips button").forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.kind === kept)));
  entries.forEach(({ row }) => { row.hidden = kept !== "" && row.dataset.kind !== kept; });
  redraw();
}

if (list) {
  $$(".chips button").forEach((chip) => chip.addEventListener("click", () => keep(chip.dataset.kind)));
  entries.forEach(({ row, step }) => $("time", row).addEventListener("click", () => show({ at: run.steps.findIndex((known) => known >= step) })));
  onChange(follow);
}
