// Before anything is painted: the theme that was chosen last, or the one that the system asks for.
document.documentElement.dataset.theme = document.documentElement.dataset.agThemeMode =
  localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
