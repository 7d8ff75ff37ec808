"""What is meant where a text is no YAML, or no TOML: the slips that people make, and the way out of each."""

from __future__ import annotations

import re

import yaml

QUOTES = "a text that begins with {} stands in quotes"
IN_BRACKETS = (
    "a bracket that opens here is not closed, or a text with any of , : ? [ ] {{ }} in it stands without quotes"
)
SLIPS = (
    (
        r"could not find expected ':'",
        "{line!r} is no key with a value; write KEY: VALUE, with a space behind the colon",
    ),
    (
        r"mapping values are not allowed here",
        "a text with a colon and a space in it stands without quotes, or the line above has no colon",
    ),
    (r"found character '\\t'", "this is a tab, and lines are indented by spaces"),
    (r"found character '(.)' that cannot start any token", QUOTES),
    (r"found undefined alias", QUOTES.format("*")),
    (r"could not determine a constructor for the tag '(.)", QUOTES),
    (
        r"expected a comment or a line break",
        "a text with > or | behind brackets stands in quotes, or begins below them",
    ),
    (r"expected ',' or ", IN_BRACKETS),
    (r"found unexpected end of stream", "a quote that opens here is not closed"),
    (
        r"expected <block end>, but found '<scalar>'",
        "something stands behind the end of a text in quotes; quote all of it",
    ),
    (r"expected <block end>, but found '[]}]'", "a bracket is closed that was not opened"),
    (r"expected <block end>", "this line is indented like none above it, or begins with - where the others do not"),
    (r"but found another document", "a scenario is one document; leave --- away"),
    (r"found unknown escape character", "a text with \\ in it stands in single quotes"),
)
"""What PyYAML says -> what is meant; ``{line!r}`` is the line it is about, ``{}`` what the pattern caught."""
TOML_SLIPS = (
    (r"Invalid value", "after = stands a value: a text in quotes, a number, true or false, a [list] or a {table}"),
    (r"Expected '=' after a key", "write KEY = VALUE"),
    (r"Cannot overwrite a value|Cannot declare", "this key is here twice; leave one of them away"),
    (r"Expected newline", "behind a value the line ends; a text stands in quotes"),
    (r"Unescaped '\\\\'", "a text with \\ in it stands in single quotes"),
)
"""What Python's reader says -> what is meant."""
BEGINS_BEFORE = ("while scanning a simple key", "while scanning a quoted scalar", "while parsing a flow")
"""Contexts whose beginning is where the slip is, and not where the reader noticed."""


def yaml_slip(error: yaml.MarkedYAMLError, text: str) -> tuple[int | None, str]:
    """Return the line of a slip, from 1, and what is wrong with it; None for a line that is not known.

    Args:
        error: what PyYAML raised.
        text: what it read.
    """
    problem = " ".join(str(error.problem or error.context).split())
    begins_before = str(error.context).startswith(BEGINS_BEFORE) and error.context_mark is not None
    mark = error.context_mark if begins_before else error.problem_mark or error.context_mark
    line = "" if mark is None else (text.splitlines() or [""])[min(mark.line, text.count("\n"))].strip()
    for pattern, way in SLIPS:
        if match := re.search(pattern, problem):
            problem = way.format(*match.groups(), line=line)
            break
    return None if mark is None else mark.line + 1, problem


def toml_slip(problem: str) -> str:
    """Return what is wrong with a text that is no TOML, from what Python's reader says of it."""
    return next((way for pattern, way in TOML_SLIPS if re.search(pattern, problem)), problem)
