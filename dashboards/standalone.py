"""Pages in one file: they open from disk, and ask no one for anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cave_sim.dashboards.lookups.page_json import page_json
from cave_sim.dashboards.page_files import page_script, web_text
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.shells import PAGES

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def standalone(title: str, body: str, data: str, entry: str) -> str:
    """Return a page with its styles, its data and its modules in it.

    Args:
        title: in plain text.
        body: what is on the page before its modules begin, in HTML.
        data: the element that holds what the page shows.
        entry: the module that draws the page.
    """
    styles = ("tokens.css", "page.css")
    return page(title, body, styles=styles, data=data, script=page_script(entry))


def page(title: str, body: str, *, styles: Sequence[str], data: str = "", script: str = "") -> str:
    """Return a whole page: ours are made by one template.

    Args:
        title: in plain text.
        body: what is on the page, in HTML.
        styles: the files of its styles, in order.
        data: the element that holds what the page shows, "" for none.
        script: what runs in it.
    """
    return (
        PAGES.get_template("standalone.html.j2").render(
            title=title,
            body=SAFE(body),
            policy=SAFE(POLICY),
            style=SAFE("".join(map(web_text, styles))),
            theme=SAFE(web_text("theme.js")),
            data=SAFE(data),
            script=SAFE(script),
        )
        + "\n"
    )


def json_element(name: str, data: Any) -> str:
    """Return JSON as an element of a page, whatever texts it holds."""
    text = page_json(data).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
