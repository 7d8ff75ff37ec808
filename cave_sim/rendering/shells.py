"""What stands around a document: a page that runs nothing, a LaTeX preamble."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from cave_sim.rendering import escaping
from cave_sim.rendering.active import expect_passive_html, expect_passive_latex, expect_passive_markdown
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.fragments import Fragments
from cave_sim.rendering.limits import Meter

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"
GAP = re.compile(r"\n{3,}")
LETTERS = r"""\makeatletter
\@ifundefined{UTFviii@undefined@err}{}{%
  \def\letternumber#1:#2\relax{\textless\expandafter\UTFviii@hexcodepoint\expandafter{%
    \the\numexpr\decode@UTFviii#2\relax}\textgreater}%
  \def\UTFviii@undefined@err#1{\expandafter\letternumber\string#1\relax}}
\makeatother
"""
"""Has pdfTeX show a letter that its fonts lack by its number; LuaTeX and XeTeX have more of them."""
PREAMBLE = (
    r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{longtable}
\usepackage{xcolor}
\usepackage{pgfplots}
\pgfplotsset{compat=1.16}
"""
    + LETTERS
    + "\\begin{document}\n"
)
STYLE = """
body{margin:0 auto;padding:2rem 1rem;max-width:46rem;font:1rem/1.55 Georgia,serif;color:#1c2128;background:#fff;
  overflow-wrap:break-word}
h1,h2,h3{line-height:1.2;font-family:system-ui,sans-serif}.scroll{overflow-x:auto}
table{border-collapse:collapse;font:0.9rem system-ui,sans-serif}
th,td{padding:.25rem .6rem;border-bottom:1px solid #ccc;text-align:left}
caption{text-align:left;font-style:italic}pre{overflow-x:auto;background:#f4f4f4;padding:.6rem}figure{margin:1rem 0}
svg{max-width:100%;height:auto}@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16191d}pre{background:#23272d}}
"""


def _cleaned(value: Any) -> Any:
    """Return a value of a template without what no page may hold, unless it is HTML already."""
    return escaping.clean(value) if isinstance(value, str) and not isinstance(value, SAFE) else value


PAGES = Environment(
    loader=PackageLoader("cave_sim.rendering", "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    auto_reload=False,
    finalize=_cleaned,
)
"""For pages of our own: their templates come along, and are trusted as our code is."""


def page_part(name: str, **values: Any) -> SAFE:
    """Return what a template of ours makes of values; what is not marked as safe is escaped.

    Args:
        name: of its file, without a suffix.
        values: what it names.
    """
    return SAFE(PAGES.get_template(f"{name}.html.j2").render(**values))


def passive_page(title: str, body: SAFE, style: str) -> str:
    """Return a page that runs nothing and loads nothing.

    Args:
        title: in plain text.
        body: what is on it.
        style: in CSS.
    """
    return page_part("document", title=escaping.clean(title), body=body, policy=POLICY, style=SAFE(style))


def wrapped(body: str, title: str, format_: str, fragments: Fragments | None = None) -> str:
    """Return a whole document around its body.

    Args:
        body: what a template made.
        title: in plain text.
        format_: of both.
        fragments: what was kept apart for it.

    Raises:
        RenderError: the body would load or run something. What is in data was escaped, so it is the template's doing.
    """
    if format_ == "docx":
        return body
    whole = (fragments or Fragments(Meter())).put_back(body, CHECKS[format_])
    if format_ == "html":
        return passive_page(title, SAFE(whole), STYLE)
    return f"{PREAMBLE}{_closed_up(whole)}\\end{{document}}\n" if format_ == "latex" else _closed_up(whole)


CHECKS = {"html": expect_passive_html, "latex": expect_passive_latex, "markdown": expect_passive_markdown}


def _closed_up(body: str) -> str:
    """Return a text with single empty lines where the lines of a template left several."""
    return (GAP.sub("\n\n", body) if "\n\n\n" in body else body).strip("\n") + "\n"
