"""The scripted model of the three: no model, but what good ones might say, from what the request itself holds.

The reporter gets the time of one line wrong at first. The checker finds it by comparing, and nobody tells it.
"""

from __future__ import annotations

import re

from cave_sim.models import Request
from cave_sim.simulations.newsroom.desk import BORNE_OUT, CHECK, CORRECT, HEADLINE, WRITE
from cave_sim.workflow.selector import TO_CHOOSE

LOGGED = re.compile(r"^\[(\d+)\] (\d\d:\d\d) (.*)$", re.MULTILINE)
WRITTEN = re.compile(r"^At (\d\d:\d\d), (.*) \[(\d+)\]$", re.MULTILINE)
SENTENCES = 3
TASKS = (WRITE, BORNE_OUT, CHECK, CORRECT, HEADLINE, TO_CHOOSE)


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    text = "\n".join(message.text for message in request.messages)
    task = max(TASKS, key=text.rfind)
    log = LOGGED.findall(text.partition(WRITE)[0].partition(BORNE_OUT)[0])
    if task in (WRITE, CORRECT):
        return article(log, slips=task == WRITE)
    if task == BORNE_OUT:
        return "\n".join(f"[{number}] {time}" for number, time, _ in log)
    latest = WRITTEN.findall(text.rpartition("reporter said:\n")[2])
    if task == CHECK:
        return "\n".join(wrong_ones(latest, log)) or "All stands."
    if task == HEADLINE:
        return latest[0][1].partition(":")[0] if latest else "Nothing happened"
    verdict = text.rpartition("checker said:\n")[2].partition("\n")[0]
    return "accept: all stands" if verdict == "All stands." else f"mend: {verdict}"


def article(log: list[tuple[str, str, str]], *, slips: bool) -> str:
    """Return sentences from the first lines of a log; one that slips is ten hours off in the second."""
    lines = []
    for place, (number, time, text) in enumerate(log[:SENTENCES]):
        hour = (int(time[:2]) + 10) % 24 if slips and place == 1 else int(time[:2])
        lines.append(f"At {hour:02}{time[2:]}, {text} [{number}]")
    return "\n".join(lines)


def wrong_ones(written: list[tuple[str, str, str]], log: list[tuple[str, str, str]]) -> list[str]:
    """Return what is wrong with an article, sentence by sentence, beside the log."""
    logged = {number: (time, text) for number, time, text in log}
    wrong = []
    for time, text, number in written:
        if logged.get(number) != (time, text):
            wrong.append(f"Wrong: [{number}] says {logged.get(number, ('nothing',))[0]}, the article {time}.")
    return wrong
