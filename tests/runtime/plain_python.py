"""Programs of ordinary Python over two or three cells (``plain_python.txt``), and what Python itself makes of them."""

import ast
import decimal
import io
import re
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path


def read(text: str) -> dict[str, list[str]]:
    """Return the programs of a file: name -> its cells."""
    programs = {}
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        title, _, cells = part.partition("\n")
        programs[title] = [cell.strip("\n") for cell in cells.split("\n--\n")]
    return programs


PROGRAMS = read(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))


@cache
def in_python(title: str) -> list[str]:
    """Return what each cell of a program shows where Python runs it: what it prints, and its last value."""
    names: dict[str, object] = {"__name__": "__main__"}
    with decimal.localcontext(decimal.Context()):  # which others before it may have changed for good
        return [shown(cell, names) for cell in PROGRAMS[title]]


def shown(cell: str, names: dict[str, object]) -> str:
    """Run a cell as a notebook does, and return what it shows."""
    tree, out = ast.parse(cell), io.StringIO()
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(out):
        exec(compile(tree, "<program>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<program>", "eval"), names)
            if value is not None:
                print(repr(value), end="")
    return out.getvalue()
