"""The files of the page, and the page as the live dashboard serves it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from cave_sim.dashboards.bundle import bundle

WEB = files("cave_sim.dashboards") / "web"
LIVE = "main.js"
"""The module that draws the page of runs, live or from disk."""


def web_text(name: str) -> str:
    """Return a file of the page."""
    return (WEB / name).read_text(encoding="utf-8")


@cache
def page_script(entry: str) -> str:
    """Return a module and all that it imports as one script: a browser would ask for each of them by itself."""
    return bundle(entry, web_text)


@cache
def live_page() -> str:
    """Return the page with its symbols in it; its script's address says what is in that, so that it may be kept."""
    content = sha256(page_script(LIVE).encode()).hexdigest()[:16]
    return _page().replace("/web/page.js", f"/web/page.js?{content}")


def page_body() -> str:
    """Return what stands in the page's body."""
    return _page().partition("<body>\n")[2].partition("</body>")[0]


def _page() -> str:
    return web_text("index.html").replace("<!-- symbols.svg -->\n", web_text("symbols.svg"))
