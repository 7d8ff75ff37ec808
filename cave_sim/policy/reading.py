"""Reading a cell: refuse first what would hurt the parser or hide from a reader, then parse."""

from __future__ import annotations

import ast

from cave_sim.errors import Blocked

MAX_CELL_CHARS = 20_000
MAX_BRACKETS = 60


def parse(source: str) -> ast.Module:
    """Parse a cell, refusing first what would hurt the parser; raises Blocked or SyntaxError."""
    if len(source) > MAX_CELL_CHARS:
        raise Blocked(f"the cell has {len(source):,} characters; at most {MAX_CELL_CHARS:,} are run")
    if not source.isascii():
        for line, text in enumerate(source.splitlines(), 1):
            if any(_invisible(character) for character in text):
                raise Blocked(f"line {line}: an invisible or control character, which can hide what the cell does")
    elif "\x00" in source:
        raise Blocked("a NUL character in the cell")
    _check_brackets(source)
    try:
        return ast.parse(source, "<cell>")
    except (RecursionError, MemoryError):
        raise Blocked("the cell is nested too deeply to be read") from None
    except ValueError as error:
        raise Blocked(f"the cell cannot be read: {error}") from None


def _invisible(character: str) -> bool:
    code = ord(character)
    return 0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E or 0x2060 <= code <= 0x2069 or 0xD800 <= code <= 0xDFFF


def _check_brackets(source: str) -> None:
    """Bound nesting before the parser sees it; brackets in texts count too, which only makes it stricter."""
    if source.count("(") + source.count("[") + source.count("{") <= MAX_BRACKETS:
        return
    depth = 0
    for character in source:
        if character in "([{":
            depth += 1
            if depth > MAX_BRACKETS:
                raise Blocked(f"brackets nested more than {MAX_BRACKETS} deep")
        elif character in ")]}":
            depth = max(0, depth - 1)
