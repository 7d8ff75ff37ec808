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


def of_look(
    observation: Mapping[str, Any], last_look: Mapping[str, Any], new_lines: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """Yield what there is to remember of a look: who is there, what was said, what stands on the notice board."""
    near = [other["name"] for other in observation["near"]]
    here = observation["here"]["title"] if observation["here"] else "the street"
    if near and (
        set(near) - set(last_look.get("near", ()))
        or (observation["here"] or {}).get("name", "") != last_look.get("here")
    ):
        yield {"text": f"At {here} with {', '.join(near)}.", "importance": COMPANY, "about": near}
    for line in new_lines:
        yield _of_words(line)
    for line in since(observation["news"], last_look.get("news", "")):
        yield {"text": line, "importance": NOTICE}


def of_deeds(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """Yield what there is to remember of the cells that ran; talk is remembered as it is heard."""
    code = ""
    for row in rows:
        if row.kind == "cell":
            code = row.text
        elif row.kind == "error":
            yield {"text": f"This did not work: {_summary_of_cell(code)}", "importance": FAILURE}
        elif row.kind == "output" and not _TALK.search(code):
            yield {"text": _summary_of_cell(code), "importance": DEED}


def _of_words(line: str) -> dict[str, Any]:
    match = _SPEAKER.match(line)
    if match is None:
        return {"text": line, "importance": WORDS}
    if match["to"]:
        return {"text": line, "importance": OWN_WORDS, "about": [match["to"]]}
    return {"text": line, "importance": QUESTION if line.endswith("?") else WORDS, "about": [match["by"]]}


def _summary_of_cell(code: str) -> str:
    """Return a cell as one line: the thought that it begins with, then what it does."""
    lines = [line.strip() for line in code.splitlines() if line.strip()]
    thoughts = [line.lstrip("# ") for line in lines if line.startswith("#")]
    deeds = "; ".join(line for line in lines if not line.startswith("#")).replace('"', "'")
    return " ".join([*thoughts[:1], f"[{deeds[:120]}]"])
