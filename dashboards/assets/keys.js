// Every control has a key.
const keys = {
  " ": () => setPlaying(!playing),
  ArrowLeft: (event) => show({ at: frame() - (event.shiftKey ? 10 : 1) }),
  ArrowRight: (event) => show({ at: frame() + (event.shiftKey ? 10 : 1) }),
  Home: () => show({ at: 0 }),
  End: () => show({ at: last }),
  t: toggleTheme,
  "/": () => $("#who")?.focus(),
  Escape: () => { document.activeElement?.blur(); show({ chosen: -1 }); },
};

addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]), select") && event.key !== "Escape";
  const pressing = event.target.matches("button, summary") && event.key === " ";
  if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key](event);
});

addEventListener("hashchange", () => {
  const theme = location.hash.match(/\b(dark|light)\b/)?.[1];
  if (theme && theme !== document.documentElement.dataset.theme) setTheme(theme);
  readAddress();
});
readAddress();
document.documentElement.dataset.ready = "yes";
