"""Partners: simulated users with a persona, a goal and a limit of turns, who talk with the agent under test.

An evaluation in which the user knows everything in advance measures another thing than one in which it must be asked
(tau-bench §3). A partner is a mind of its own: it has a session, is asked through the simulation as any other agent is,
so that its calls are journaled, within budget and paid once, and may have a model of its own. It talks until it says a
stop word, until its turns are used up, or until one of the two has no reply. Where it has tools of its own, functions
that ``world.inject(…, agent=NAME)`` gave to nobody else, it may act between what it says (dual control, tau2-bench §3).

How it is used, with a mind ``agent`` in ``simulation``::

    brief = PartnerBrief("You want your money back; your order is number 7.", persona="Short of patience.")
    partner = Partner(simulation, "customer", brief, llm=another_model)   # llm: that of the simulation by default
    dialogue = converse(agent, partner)
    dialogue.ended, [(each.speaker, each.text) for each in dialogue.utterances]

In a simulation that is stepped, give it among ``agents``; it never acts by itself. In a study, a task's
:class:`~cave_sim.experiment.task.Query` takes ``partner=brief``: the trial then makes the partner, and its model is the
one that ``--models FILE`` names under ``[customer]``, or else that of the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Model
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.tool_reference import tool_text
from cave_sim.world.tools import native

STOP = "###STOP###"
"""What a partner says when it has what it wanted, unless its brief has other stop words (that of tau-bench)."""
RULES = """\
You are a person who talks with an assistant. Speak as that person, one short message at a time.
- Say only what the moment needs; what the assistant has not asked for yet can wait.
- Do not make up what you were not told: say that you do not know it.
- When your goal is reached, or clearly cannot be reached, say {stop} and nothing else."""
ACTING = """\
You have functions of your own, which the assistant cannot call. To use one, answer with a block of Python code that
calls it and prints what you want to see, and nothing else; then tell the assistant in words what you saw."""
BEGINNING = "(The assistant waits for your first message.)"

Ending = Literal["stop word", "limit of turns", "no reply"]


@dataclass(frozen=True)
class PartnerBrief:
    """What a simulated user is told, as plain data.

    Attributes:
        goal: what it wants, and what it knows.
        persona: how it is and speaks; "" for nobody in particular.
        rules: how it is to play its part; ``{stop}`` stands for its first stop word.
        stop: words any of which ends the conversation; what holds one is not passed on to the agent.
        most_turns: how many messages it sends at most, at least 1.
        opening: its first message, if that is given; else it begins by itself.
        greeting: what the agent is taken to have said before that.
        cells: how many cells it may run for one message, if it has functions of its own.
    """

    goal: str
    persona: str = ""
    rules: str = RULES
    stop: tuple[str, ...] = (STOP,)
    most_turns: int = 30
    opening: str = ""
    greeting: str = ""
    cells: int = 8

    def __post_init__(self) -> None:
        if self.most_turns < 1 or not all(self.stop):
            raise ValueError("a partner sends at least 1 message, and no stop word is empty")


@dataclass(frozen=True)
class PartnerUtterance:
    """Something that was said, and by whom, with where it stands in the speaker's session."""

    speaker: str
    text: str
    row: int


@dataclass
class PartnerDialogue:
    """What two minds said to each other.

    Attributes:
        utterances: in their order; the last one of a partner may hold the stop word.
        ended: why it ended; ``no reply`` where a model failed or said nothing.
        by: who ended it.
    """

    utterances: list[PartnerUtterance] = field(default_factory=list)
    ended: Ending = "limit of turns"
    by: str = ""

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, for the manifest of a run."""
        return asdict(self)


class Partner(LLMAgent):
    """A simulated user.

    Args:
        simulation: the model it belongs to.
        name: under which it speaks, and acts.
        brief: who it is and what it wants.
        llm: the language model that plays it; that of the simulation unless given.
        habits: how it goes about its loop; by default it repeats the whole conversation in each request.
    """

    habits: Habits = replace(LLMAgent.habits, max_tokens=512, context="full")

    def __init__(
        self,
        simulation: Simulation,
        name: str,
        brief: PartnerBrief,
        *,
        llm: Model | None = None,
        habits: Habits | None = None,
    ) -> None:
        super().__init__(simulation, name, llm=llm, habits=habits or replace(self.habits, max_cells=brief.cells))
        self.brief = brief

    @property
    def has_functions(self) -> bool:
        """Whether it has functions of its own."""
        return bool(self._functions())

    def identity(self) -> str:
        return self.wording("partner", self.brief.rules).replace("{stop}", self.brief.stop[0])

    def instructions(self) -> str:
        persona = self.brief.persona and f"Your persona:\n{self.brief.persona}"
        acting = ACTING if self.has_functions else ""
        return "\n\n".join(filter(None, [acting, persona, f"Your goal:\n{self.brief.goal}"]))

    def front(self) -> Mapping[str, str]:
        parts = {"identity": self.identity(), "instructions": self.instructions()}
        if not self.has_functions:
            return parts
        return {**parts, "api": "\n".join(["Your functions:", *self._functions()])}

    def remind(self) -> Mapping[str, str]:
        return {}

    def moment(self) -> str:
        return ""

    def deliberate(self, observation: dict[str, Any]) -> Any:
        """Do nothing in a step: it speaks when it is spoken to."""
        yield from ()

    def answer(self, heard: str) -> str:
        """Hear what the agent said, act if it can, and return its next message; "" if its model gave none."""
        if self.has_functions:
            return said_by(self, heard)
        before = len(self.session)
        self.model.run_generator(self.name, self._respond(heard))
        return _last_words(self, before)

    def _respond(self, heard: str) -> Any:
        yield from self.respond(heard)

    def _functions(self) -> list[str]:
        """Return what was injected for it alone, as it is told of it: what the agent is handed is not for a user."""
        tools = self.model.world.tools.items()
        return [
            tool_text(tool.name, native(tool.value), tool.about, tool.values)
            for key, tool in tools
            if key.rpartition(".")[0] == self.name
        ]

    def stops(self, text: str) -> bool:
        """Say whether a message of its ends the conversation."""
        return any(word in text for word in self.brief.stop)


def converse(
    agent: LLMAgent,
    partner: Partner,
    *,
    before: str = "",
    on_utterance: Callable[[PartnerUtterance], None] = lambda utterance: None,
) -> PartnerDialogue:
    """Let a partner talk with an agent, outside of any step, until that ends.

    Args:
        agent: the mind under test; it acts as it does, and its last words are what the partner hears.
        partner: who begins, and ends.
        before: what the agent is told with the first message, such as the rules of its office.
        on_utterance: hears each utterance as it was made.

    Raises:
        BudgetReached: that of the run; what was said so far is in the sessions.
        ProviderOutage: a model's provider answers nobody.
    """
    dialogue, brief = PartnerDialogue(), partner.brief
    answer = brief.greeting or BEGINNING
    for turn in range(brief.most_turns):
        words = brief.opening if brief.opening and not turn else partner.answer(answer)
        dialogue.by = partner.name
        if not words.strip():
            dialogue.ended = "no reply"
            return dialogue
        dialogue.utterances.append(PartnerUtterance(partner.name, words, len(partner.session)))
        on_utterance(dialogue.utterances[-1])
        if partner.stops(words):
            dialogue.ended = "stop word"
            return dialogue
        answer = said_by(agent, f"{before}\n\n{words}" if before and not turn else words)
        if not answer.strip():
            dialogue.ended, dialogue.by = "no reply", agent.name
            return dialogue
        dialogue.utterances.append(PartnerUtterance(agent.name, answer, len(agent.session)))
        on_utterance(dialogue.utterances[-1])
    return dialogue


def said_by(mind: LLMAgent, text: str) -> str:
    """Say something to a mind, let it act, and return its last words; "" if it has none for this, unlike ``ask``."""
    before = len(mind.session)
    mind.ask(text)
    return _last_words(mind, before)


def _last_words(mind: LLMAgent, before: int) -> str:
    """Return the last thing that a mind said since a row of its session, unless its model failed after that."""
    rows = list(mind.session.rows.since(min(before, len(mind.session))))
    for row in reversed(rows):
        if row.kind in ("assistant", "model_error"):
            return row.text if row.kind == "assistant" else ""
    return ""
