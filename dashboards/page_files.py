"""The files of the page, and the page as the live dashboard serves it."""

from __future__ import annotations

from importlib.resources import files

WEB = files("cave_sim.dashboards") / "web"


def web_text(name: str) -> str:
    """Return a file of the page."""
    return (WEB / name).read_text(encoding="utf-8")


def modules() -> list[str]:
    """Return the names of the page's modules, those of its panels among them."""
    places = {"": WEB, "panels/": WEB / "panels"}
    named = [f"{folder}{file.name}" for folder, place in places.items() for file in place.iterdir()]
    return sorted(name for name in named if name.endswith(".js") and name != "theme.js")


def live_page() -> str:
    """Return the page with its symbols in it and its modules named ahead, which a browser would find one by one."""
    links = "".join(f'<link rel="modulepreload" href="/web/{module}">\n' for module in modules())
    return _page().replace("</head>", f"{links}</head>")


def page_body() -> str:
    """Return what stands in the page's body."""
    return _page().partition("<body>\n")[2].partition("</body>")[0]


def _page() -> str:
    return web_text("index.html").replace("<!-- symbols.svg -->\n", web_text("symbols.svg"))
