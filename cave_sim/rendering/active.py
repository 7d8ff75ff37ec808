"""What no document may hold: anything that would run, load, read or define something where it is opened.

Data is escaped, so whatever stands here as a tag or a command is a template's doing, and a template may be written by a
model. There are more ways to be active than a list could name, so the lists say what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from cave_sim.rendering.latex_sizes import wrong_sizes
from cave_sim.rendering.limits import RenderError

ELEMENTS = frozenset(
    """
    a abbr address article aside b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
    figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small
    span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr
    """.split()
)
ATTRIBUTES = frozenset(
    """
    align alt aria-label cite class colspan datetime dir height href id lang open rel role rowspan scope span src start
    style title valign width
    """.split()
)
TAG = re.compile(r"<[^<>]*>?")
WELL_FORMED = re.compile(
    r"""</?([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'`=<>]+))?)*)\s*/?>""", re.IGNORECASE
)
ATTRIBUTE = re.compile(r"""([a-z-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'`=<>]+))?""", re.IGNORECASE)
TARGET = re.compile(r"https?://|mailto:|#|(?:[\w.-][\w./-]*)?(?:#|$)", re.IGNORECASE)
PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,")
PLAIN_STYLE = re.compile(
    r"(?!.*(?:url|image|expression|binding|behavio|position|\d{5}|\de[+\d]))[\w\s:;#.,%()-]*", re.IGNORECASE | re.DOTALL
)
SIZES, SIZE = (
    frozenset("colspan height rowspan span start width".split()),
    re.compile(r"-?\d{1,4}(?:\.\d{1,4})?(?:%|px)?"),
)

PICTURE_MARK = re.compile(r"!\[")
LINK = re.compile(r"\]\(\s*([^\s)]*(?:[ \t]*\n\s*[^\s)]*)*)")  # what is on two lines is one address for some readers
TEX = re.compile(r"\\[a-zA-Z]")
DEFINITION = re.compile(r"\]:\s*(\S*)")  # in a list or a quote, too, and behind a label of two lines
BRACES = re.compile(r"\{([^{}]*)\}")  # kramdown and Pandoc read attributes there, handlers of clicks among them

COMMAND = re.compile(r"\\([a-zA-Z@]+|.|$)", re.DOTALL)
COMMANDS = frozenset(
    r"""
    section subsection subsubsection paragraph subparagraph part textbf textit textsl textsc texttt textrm textsf emph
    underline textsuperscript textsubscript begin end item hline cline multicolumn caption label ref pageref footnote
    endhead endfirsthead endfoot endlastfoot centering raggedright raggedleft noindent indent par newline linebreak
    pagebreak newpage clearpage bigskip medskip smallskip hfill vfill hspace vspace quad qquad tiny scriptsize
    footnotesize small normalsize large Large LARGE huge Huge bfseries itshape scshape ttfamily rmfamily sffamily
    linewidth textwidth tableofcontents appendix today ldots dots S P copyright pounds LaTeX TeX
    allowbreak textbackslash textasciicircum textasciitilde textless textgreater textbar textquotedbl textasciigrave
    """.split()
)
SIGNS = frozenset("\\{}$&#%_ ,;:!/-\n'\"`^~=.")
"""What may stand behind a backslash, beside a command's name: escapes, spaces and accents."""
ENVIRONMENTS = frozenset(
    """
    itemize enumerate description quote quotation verse center flushleft flushright tabular longtable table figure
    abstract
    """.split()
)
ENVIRONMENT = re.compile(r"\\(?:begin|end)(?![a-zA-Z@])\s*(?:\{([a-z]+\*?)\})?")


def expect_passive_html(body: str) -> None:
    """Raise RenderError if HTML holds an element, an attribute or an address that is not on the lists."""
    for tag in sorted(set(TAG.findall(body))):  # few of them differ, however long a table is
        if why := _wrong_tag(tag):
            raise RenderError("security", f"a document neither runs nor loads anything: {tag[:60]!r}: {why}")


def expect_passive_latex(body: str) -> None:
    """Raise RenderError if LaTeX holds a command or an environment that is not on the lists."""
    if why := next(_wrong_commands(body), ""):
        raise RenderError("security", f"a document reads, writes and defines nothing: {why}")


def expect_passive_markdown(body: str) -> None:
    """Raise RenderError if Markdown holds HTML, a picture or a link that is not on the lists."""
    expect_passive_html(body)
    if any(_is_a_sign(body, match) for match in PICTURE_MARK.finditer(body)):
        raise RenderError("security", "a document neither runs nor loads anything: a picture in Markdown is a chart")
    if any(_is_a_sign(body, match) for match in TEX.finditer(body)):
        raise RenderError("security", "a document neither runs nor loads anything: a command of TeX in Markdown")
    if any("=" in match[1] and _is_a_sign(body, match) for match in BRACES.finditer(body)):
        raise RenderError("security", "a document neither runs nor loads anything: attributes in Markdown")
    links = {match[1] for kind in (LINK, DEFINITION) for match in kind.finditer(body) if _is_a_sign(body, match)}
    for target in sorted(links):
        if not TARGET.match(unescape(target).strip()):
            raise RenderError("security", f"a document neither runs nor loads anything: a link to {target[:40]!r}")


def _is_a_sign(body: str, match: re.Match[str]) -> bool:
    """Say whether what was found in Markdown is not written behind a backslash, which itself is not."""
    before = match.start()
    while before and body[before - 1] == "\\":
        before -= 1
    return (match.start() - before) % 2 == 0


def _wrong_tag(tag: str) -> str:
    match = WELL_FORMED.fullmatch(tag)
    if not match:
        return "this is no tag that is whole; write &lt; for the sign, and no < or > within quotes"
    if match[1].lower() not in ELEMENTS:
        return f"{match[1][:20]} is no element for a document"
    for name, quoted in ATTRIBUTE.findall(match[2]):
        name, value = name.lower(), unescape(quoted.strip("\"'")).strip()
        if name not in ATTRIBUTES:
            return f"{name[:20]} is no attribute for a document"
        if name in ("href", "cite") and not TARGET.match(value):
            return "a link goes to http, https, mailto or a place beside the document"
        if name == "src" and not PICTURE.match(value):
            return "a picture is in the document, as data:image/png;base64"
        if name in SIZES and not SIZE.fullmatch(value):
            return f"a {name} is a number below 10,000"
        if name == "style" and not PLAIN_STYLE.fullmatch(value):
            return "this style could load something or cover the page, or has a number of 10,000 or more"
    return ""


def _wrong_commands(body: str) -> Iterator[str]:
    if "^^" in body:
        yield "^^ spells letters by their numbers"
    for name in sorted(set(COMMAND.findall(body))):
        if name not in COMMANDS and name not in SIGNS:
            yield f"\\{name[:40]} is no command for a document"
    for name in sorted(set(ENVIRONMENT.findall(body))):
        if name.rstrip("*") not in ENVIRONMENTS:
            yield f"\\begin{{{name[:40]}}} is no environment for a document"
    yield from wrong_sizes(body)
