// Before anything is painted: the theme that the address asks for, the one that was chosen last, or that of the system.
{
  const asked = location.hash.match(/\b(dark|light)\b/)?.[1], system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* a page from disk may keep nothing */ }
  document.documentElement.dataset.theme = asked ?? chosen ?? system;
}
