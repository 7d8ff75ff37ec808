"""Code in colours, for pages."""

from __future__ import annotations

from functools import lru_cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


@lru_cache(512)
def coloured(code: str) -> str:
    """Return Python as HTML with a class per kind of word; the page's style sheet gives them colours."""
    return str(highlight(code, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True, classprefix="k-")))
