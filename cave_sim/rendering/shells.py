"""What stands around a document: a page that runs nothing, a LaTeX preamble; and what no document may hold."""

from __future__ import annotations

import re

from jinja2 import Environment, PackageLoader, StrictUndefined

from cave_sim.rendering import escaping
from cave_sim.rendering.limits import RenderError

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"
ELEMENTS = "script iframe frame object embed applet base meta link form input button portal template math foreignobject"
ACTIVE_HTML = re.compile(
    rf"<\s*/?\s*(?:{'|'.join(ELEMENTS.split())})\b|<.*?\b(?:href|src|action|"
    r"formaction|xlink:href)\s*=\s*[\"']?\s*(?!https?://|mailto:|data:image/|#)[^\"'\s>]",
    re.IGNORECASE | re.DOTALL,
)
ACTIVE_ATTRIBUTE = re.compile(r"""[\s/"']on\w+\s*=""", re.IGNORECASE)
QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
GAP = re.compile(r"\n{3,}")
TAG = re.compile(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>?""")
ACTIVE_LATEX = re.compile(
    r"\\(?:input|include|write|openin|openout|read|immediate|csname|catcode|def|edef|gdef|xdef|let|newcommand|renewcommand"
    r"|usepackage|RequirePackage|documentclass|special|directlua|luaexec|ShellEscape|includegraphics|verbatiminput"
    r"|lstinputlisting|loop|expandafter|makeatletter|newwrite|newread|typeout|message|jobname|href|url)(?![a-zA-Z])|\^\^",
)
PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{longtable}
\usepackage{xcolor}
\usepackage{pgfplots}
\pgfplotsset{compat=1.16}
\begin{document}
"""
STYLE = """
body{margin:0 auto;padding:2rem 1rem;max-width:46rem;font:1rem/1.55 Georgia,serif;color:#1c2128;background:#fff}
h1,h2,h3{line-height:1.2;font-family:system-ui,sans-serif}.scroll{overflow-x:auto}
table{border-collapse:collapse;font:0.9rem system-ui,sans-serif}
th,td{padding:.25rem .6rem;border-bottom:1px solid #ccc;text-align:left}
caption{text-align:left;font-style:italic}pre{overflow-x:auto;background:#f4f4f4;padding:.6rem}figure{margin:1rem 0}
svg{max-width:100%;height:auto}@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16191d}pre{background:#23272d}}
"""

PAGES = Environment(
    loader=PackageLoader("cave_sim.rendering", "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    auto_reload=False,
)
"""For pages of our own: their templates come along, and are trusted as our code is."""


def wrapped(body: str, title: str, format_: str) -> str:
    """Return a whole document around its body.

    Raises:
        RenderError: the body would load or run something. What is in data was escaped, so it is the template's doing.
    """
    if format_ == "html":
        body = escaping.clean(body)
        tags = set(TAG.findall(body))  # few of them differ, however long a table is
        if found := next(filter(_is_active, sorted(tags)), None):
            raise RenderError("security", f"a document neither runs nor loads anything: {found[:60]!r}")
        page = PAGES.get_template("document.html.j2")
        return page.render(
            title=escaping.clean(title), body=escaping.SAFE(body), policy=POLICY, style=escaping.SAFE(STYLE)
        )
    if format_ == "latex":
        body = escaping.clean(body)
        if found := ACTIVE_LATEX.search(body):
            raise RenderError("security", f"a document reads, writes and defines nothing: {found[0][:60]!r}")
        return f"{PREAMBLE}{_closed_up(body)}\\end{{document}}\n"
    return _closed_up(body) if format_ == "markdown" else body


def _closed_up(body: str) -> str:
    """Return a text with single empty lines where the lines of a template left several."""
    return GAP.sub("\n\n", body).strip("\n") + "\n"


def _is_active(tag: str) -> bool:
    return bool(ACTIVE_HTML.search(tag) or ACTIVE_ATTRIBUTE.search(QUOTED.sub('""', tag)))
