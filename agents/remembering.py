"""What of a step is worth remembering, and how much it matters.

The study that this follows asks a model to rate each memory; we go by what kind of thing it is, which costs nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cave_sim.agents.prompts.view import since
from cave_sim.session.row import Row

COMPANY, DEED, OWN_WORDS, FAILURE, WORDS, QUESTION, NOTICE = 1, 2, 2, 4, 4, 5, 5
_SPEAKER = re.compile(r"\d\d:\d\d (?:you to (?P<to>\w+)|[^:]*\((?P<by>\w+)\)): ")
_TALK = re.compile(r"\bme\.(?:say|meet)\(")


def of_look(seen: Mapping[str, Any], looked: Mapping[str, Any], heard: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield what there is to remember of a look: who is there, what was said, what stands on the notice board."""
    near = [other["name"] for other in seen["near"]]
    here = seen["here"]["title"] if seen["here"] else "the street"
    if near and (set(near) - set(looked.get("near", ())) or (seen["here"] or {}).get("name", "") != looked.get("here")):
        yield {"text": f"At {here} with {', '.join(near)}.", "importance": COMPANY, "about": near}
    for line in heard:
        yield _of_words(line)
    for line in since(seen["news"], looked.get("news", "")):
        yield {"text": line, "importance": NOTICE}


def of_deeds(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """Yield what there is to remember of the cells that ran; talk is remembered as it is heard."""
    code = ""
    for row in rows:
        if row.kind == "cell":
            code = row.text
        elif row.kind == "error":
            yield {"text": f"This did not work: {_told(code)}", "importance": FAILURE}
        elif row.kind == "output" and not _TALK.search(code):
            yield {"text": _told(code), "importance": DEED}


def _of_words(line: str) -> dict[str, Any]:
    found = _SPEAKER.match(line)
    if found is None:
        return {"text": line, "importance": WORDS}
    if found["to"]:
        return {"text": line, "importance": OWN_WORDS, "about": [found["to"]]}
    return {"text": line, "importance": QUESTION if line.endswith("?") else WORDS, "about": [found["by"]]}


def _told(code: str) -> str:
    """Return a cell as one line: the thought that it begins with, then what it does."""
    lines = [line.strip() for line in code.splitlines() if line.strip()]
    thoughts = [line.lstrip("# ") for line in lines if line.startswith("#")]
    deeds = "; ".join(line for line in lines if not line.startswith("#")).replace('"', "'")
    return " ".join([*thoughts[:1], f"[{deeds[:120]}]"])
