"""Who makes the paper, what it is made of, and the workflow by which it is made."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cave_sim import Entity, Refused, Run, field
from cave_sim.history.highlights import highlights
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Message
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.workflow.branches import Branches
from cave_sim.workflow.selector import TO_CHOOSE, Selector
from cave_sim.workflow.steps import AskAgent, Compress, Remember, RunCell, last_words
from cave_sim.workflow.workflow import Workflow

DESK = "desk"
TOLD = frozenset({"act", "first", "world", "switch", "refusal", "people"})
"""What sorts of highlights are news."""
LINES = 9
CITED = re.compile(r"\[(\d+)\]\.?$")
TIMES = re.compile(r"(?:\[\d+\] \d\d:\d\d\s*)+")
"""What the checker notes of the log if it writes no more than was asked: times, which the log has, too."""
ROLES = {
    "reporter": "You are the reporter of a small paper. You write what the log of the day says, and nothing else.",
    "checker": "You are the fact-checker of a small paper. You compare each sentence with the log of the day.",
    "editor": "You are the editor of a small paper. You decide what is printed, and find the headline.",
}
WRITE = (
    "Write an article of three sentences, each on a line of its own, from three lines of the log. A sentence begins"
    " with the time, as in `At 07:30, ...`, and ends with the number of the line in brackets, as in [2]."
)
BORNE_OUT = "Say for each line of the log when it was, as in `[2] 07:30`, so that others can be held to it."
CHECK = "Compare each sentence of the reporter's latest article with the log. Say what is wrong, or `All stands.`"
CORRECT = "Correct what the checker found. Write the whole article again, in the same form."
HEADLINE = "Say the headline of the article, and nothing else."
THE_LOG = "The town's log of the day:"
TASKS: dict[str, tuple[str, ...]] = {"reporter": (WRITE, CORRECT), "checker": (BORNE_OUT, CHECK), "editor": (HEADLINE,)}


class DayLog(Entity):
    """What stood out in a day, numbered."""

    lines: list[str] = field([], guarded=True)


class PrintedPaper(Entity):
    """What was printed."""

    articles: list[dict[str, str]] = field([], guarded=True)

    def print_article(self, title: str, text: str) -> int:
        """Print an article, each sentence of which names its line of the log; returns its number."""
        if self.world.actor != DESK:
            raise Refused("the desk prints")
        lines = text.strip().splitlines()
        known = {f"{number}" for number in range(1, len(self.world["log"].lines) + 1)}
        for line in lines:
            cited = CITED.search(line.strip())
            if cited is None or cited[1] not in known:
                raise Refused(f"{line!r} names no line of the log, and is not printed")
        if not lines or not title.strip():
            raise Refused("there is no article, or no headline")
        self.articles.append({"title": title.strip(), "text": "\n".join(lines)})
        return len(self.articles)


class Journalist(LLMAgent):
    """A mind with a role, which answers in words."""

    habits: Habits = Habits(context="summary", max_cells=1)

    def identity(self) -> str:
        """Return its role."""
        return ROLES[self.name]

    def front(self) -> Mapping[str, str]:
        """Return its role, and that no code is asked of it."""
        return {"identity": self.identity(), "instructions": "You answer in plain words, and write no code."}

    def remind(self) -> Mapping[str, str]:
        """Return nothing: whatever it knows is in the session."""
        return {}

    def message_of(self, row: Row) -> Message | None:
        """Return a row as it is sent: not what others were asked, and to the editor, who goes by them, no log.

        To those who are sent the log, no times of its lines once more.
        """
        others = {task for name, tasks in TASKS.items() if name != self.name for task in tasks}
        has_log = self.name != "editor"
        not_theirs = TO_CHOOSE if has_log else THE_LOG
        if row.text in others or row.text.startswith(not_theirs) or (has_log and TIMES.fullmatch(row.text)):
            return None
        return super().message_of(row)


def log_of(run: Run) -> tuple[str, ...]:
    """Return what stood out in a run, oldest first: `[number] time text`."""
    moments = [each for each in highlights(run, 3 * LINES) if each.sort in TOLD][:LINES]
    lines = (
        f"{each.time[11:16]} {' '.join(each.text.split()).removesuffix(' (the first to do so)')}" for each in moments
    )
    return tuple(f"[{number}] {line}" for number, line in enumerate(lines, 1))


def printing(session: Session) -> str:
    """Return the cell that prints the latest article under the latest headline."""
    title = last_words(session, "editor").strip().partition("\n")[0]
    return f"print(paper.print_article({title!r}, {last_words(session, 'reporter').strip()!r}))"


def printed(session: Session) -> str:
    """Return what is worth remembering of it."""
    return f"Printed: {last_words(session, 'editor').strip()}"


ACCEPT = Workflow(
    "accept",
    "takes the article as it is; for when the checker found nothing wrong.",
    (Remember("The article was taken as it was.", importance=3.0),),
)
MEND = Workflow(
    "mend",
    "has the reporter correct what the checker found wrong, and the checker look again.",
    (AskAgent("reporter", CORRECT), AskAgent("checker", CHECK)),
)
NEWSROOM = Workflow(
    "newsroom",
    "makes an article of the log of a day, and prints what is borne out.",
    (
        Branches(
            (
                Workflow("draft", "The reporter writes.", (AskAgent("reporter", WRITE),)),
                Workflow("facts", "The checker notes what there is to hold to.", (AskAgent("checker", BORNE_OUT),)),
            )
        ),
        AskAgent("checker", CHECK),
        Selector((ACCEPT, MEND), by="editor"),
        AskAgent("editor", HEADLINE),
        RunCell(printing),
        Remember(printed, importance=8.0),
        Compress(keep=2),
    ),
)
