"""Programs of three cells as people write them in notebooks, and what the last cell shows (``idioms.txt``).

Each builds something, changes it in a later cell, and looks at it in a third: what an agent's variables are between
cells must be what they were within one.
"""

import re
from pathlib import Path


def read(text: str) -> dict[str, tuple[str, str, str, str]]:
    """Return the programs of a file: name -> three cells, and the output of the third."""
    programs = {}
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        cells, _, output = rest.rpartition("\n=> ")
        first, second, third = cells.split("\n--\n")
        programs[title] = (first, second, third, output.rstrip("\n"))
    return programs


IDIOMS = read(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
