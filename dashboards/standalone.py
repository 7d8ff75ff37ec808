"""Pages in one file: they open from disk, and ask no one for anything."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from cave_sim.dashboards.bundle import bundle
from cave_sim.dashboards.page_files import web_text

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def standalone(title: str, body: str, data: str, entry: str) -> str:
    """Return a page with its styles, its data and its modules in it.

    Args:
        title: in plain text.
        body: what is on the page before its modules begin, in HTML.
        data: the element that holds what the page shows.
        entry: the module that draws the page.
    """
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>',
        f"<style>{web_text('tokens.css')}{web_text('page.css')}</style>",
        f"<script>{web_text('theme.js')}</script>\n</head>\n<body>",
        body,
        data,
        f"<script>{bundle(entry, web_text)}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def json_element(name: str, data: Any) -> str:
    """Return JSON as an element of a page, whatever texts it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
