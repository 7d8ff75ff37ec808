"""What a command of LaTeX may be told: lengths, columns and counts that fit on paper, and only so many leaps.

Which commands there may be is on a list (:mod:`cave_sim.rendering.active`). Those here take a size or a number; with a
large one, a short text would be a document without end, or one that no TeX can set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_LEAPS = 1_000
"""New pages and gaps of a document: each may take up a whole page, whatever little is said to have it."""
LENGTH = r"(?:-?\d{0,2}(?:\.\d{1,4})?(?:cm|em|ex)|-?\d{0,3}(?:\.\d{1,4})?(?:mm|pt)|-?\d(?:\.\d{1,4})?(?:in|pc))"
WIDTH = rf"(?:{LENGTH}|[01]?(?:\.\d{{1,4}})?\\(?:line|text)width)"
COLUMNS = rf"(?:[lcr|\s]|[pmb]\{{{WIDTH}\}}|@\{{\}})*"
NO_MORE = r"(?![a-zA-Z@]|\s*\[)"
LEAP = (
    rf"(?:[hv]space\*?\{{{WIDTH}\}}|\\\*?\s*\[{LENGTH}\]|(?:new|clear)page{NO_MORE}|pagebreak(?:\[[0-4]\]|{NO_MORE}))"
)
TOLD = re.compile(
    rf"""\\(?:
    (?P<leap>{LEAP})
    | multicolumn\{{\d{{1,3}}\}}\{{{COLUMNS}\}}
    | cline\{{\d{{1,3}}-\d{{1,3}}\}}
    | linebreak\[[0-4]\]
    | footnote\[\d{{1,3}}\]
    | begin\s*\{{(?:tabular|longtable)\}}\s*(?:\[[a-z]\])?\{{{COLUMNS}\}}
    | begin\s*\{{tabular\*\}}\s*\{{{WIDTH}\}}(?:\[[a-z]\])?\{{{COLUMNS}\}}
    )""",
    re.VERBOSE,
)
"""What is told as it may be."""
TAKES = re.compile(
    r"""\\(?: (?:[hv]space|multicolumn|cline|(?:line|text)width|pagebreak(?=\s*\[))(?![a-zA-Z@])
    | (?:linebreak|footnote)\s*\[ | \\\s*\*?\s*\[ | begin\s*\{(?:tabular\*?|longtable)\})""",
    re.VERBOSE,
)
"""What takes a size or a number, where it is not :data:`TOLD`."""


def wrong_sizes(body: str) -> Iterator[str]:
    """Yield what is wrong with the sizes and numbers of a body.

    Args:
        body: in LaTeX, whose commands are all on the list.
    """
    leaps, rest, at = 0, [], 0
    for match in TOLD.finditer(body):
        leaps += match["leap"] is not None
        rest.append(body[at : match.start()])
        at = match.end()
    rest.append(body[at:])
    if wrong := TAKES.search(" ".join(rest)):
        yield f"{wrong[0][:20]} is told a size below a metre, a number below 1,000, or columns as in {{lr|p{{3cm}}}}"
    if leaps > MOST_LEAPS:
        yield f"it leaps {leaps:,} times to a new place, and may {MOST_LEAPS:,} times"
