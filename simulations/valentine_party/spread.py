"""Who knows of the party, and who came: by three ways of measuring, side by side.

By provenance: whom word can have reached from the host, because somebody told them something, or let them read it. By
words: in whose ears, diary or plan a text about the party is found. By asking: who answers yes. The first cannot miss
anybody, the second misses paraphrases, the third believes whoever says yes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cave_sim import Run
from cave_sim.entity.json_form import referenced
from cave_sim.history.diffusion import Agreement, Matcher, agreement, contacts, mentioned, reached
from cave_sim.journal.queries import answers
from cave_sim.survey import Choice, Questionnaire

LASTS_H = 2.0
ABOUT_IT = Matcher((r"valentine", r"part(y|ies)\b|celebrat|gathering"))
"""What counts as a text about the party: anything that names the day and a feast."""
FIELDS = ("heard", "diary", "plan")
ASKED = Questionnaire(
    name="party",
    items=(Choice(name="knows", question="Did you hear of a party on Valentine's Day?", options=("yes", "no")),),
)


@dataclass
class InvitationSpread:
    """How far an invitation went.

    Attributes:
        host: whose party it is.
        people: everybody who lives there.
        knows: by words: who heard, noted or planned it -> (step at which they first did, whose turn it was).
        reached: by provenance: whom word can have reached, the host not counted.
        says_so: by asking: who answered yes last; None if nobody was asked.
        present: everybody who was in the place while the party lasted.
    """

    host: str
    people: frozenset[str] = frozenset()
    knows: dict[str, tuple[int, str]] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)
    says_so: set[str] | None = None
    present: set[str] = field(default_factory=set)

    @property
    def by_words(self) -> Agreement:
        """How well words tell who knows, if those know who say so."""
        return agreement(self.invited, (self.says_so or set()) - {self.host}, self.people - {self.host})

    @property
    def claimed(self) -> set[str]:
        """Those who say that they know, and whom word cannot have reached."""
        return (self.says_so or set()) - self.reached - {self.host}

    @property
    def invited(self) -> set[str]:
        """Everybody but the host who knows of the party."""
        return self.knows.keys() - {self.host}

    @property
    def came(self) -> set[str]:
        """Those who knew of the party, and were there; the host is not counted."""
        return self.present & self.invited


def measure(run: Run) -> InvitationSpread:
    """Return how far the invitation of a run of this simulation went.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    config = run.manifest["config"]
    spread = InvitationSpread(config["host"], frozenset(_residents(run)), mentioned(run, ABOUT_IT, FIELDS))
    spread.reached = set(reached(contacts(run), [spread.host])) & spread.people
    spread.says_so = _says_so(run)
    begins, ends = _steps(run, config["at"])
    spread.present = set(_present(run, config["venue"], begins, ends))
    return spread


def _residents(run: Run) -> Iterator[str]:
    """Yield everybody who has ears."""
    for change in run.changes():
        if change.op == "create" and "heard" in change.new["fields"]:
            yield change.entity


def _says_so(run: Run) -> set[str] | None:
    """Return who answered yes in the last wave; None if there was none."""
    asked = [answer for answer in answers(run) if answer["survey"] == ASKED.name]
    last = {answer["agent"]: answer["value"] for answer in asked}
    return {name for name, value in last.items() if value == "yes"} if asked else None


def _steps(run: Run, at: str) -> tuple[int, int]:
    """Return the steps between which the party lasts."""
    start, step_s = datetime.fromisoformat(run.manifest["start"]), float(run.manifest["step_s"])
    hour, minute = map(int, at.split(":"))
    begins = start.replace(hour=hour, minute=minute)
    steps = [(time - start).total_seconds() / step_s for time in (begins, begins + timedelta(hours=LASTS_H))]
    return int(steps[0]), int(steps[1])


def _present(run: Run, venue: str, begins: int, ends: int) -> Iterator[str]:
    """Yield who was in the place at any time between two steps."""
    inside: dict[str, int] = {}
    for change in run.changes(field="location"):
        since = inside.pop(change.entity, None)
        if since is not None and change.step > begins and since <= ends:
            yield change.entity
        if referenced(change.new) == venue:
            inside[change.entity] = change.step
    yield from (entity for entity, since in inside.items() if since <= ends)
