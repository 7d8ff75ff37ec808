"""Residents with a language model, for any simulation that has residents; what their talk and thinking came to."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from cave_sim import Agent, Run, Simulation, WorldError
from cave_sim.agents.faculties import Faculties
from cave_sim.agents.prompts import texts
from cave_sim.agents.resident import LLMResident
from cave_sim.history.dialogues import talk
from cave_sim.journal.tallies import step_count
from cave_sim.llm_agent.prompt import StabilityMeter
from cave_sim.models import Message, Model, ScriptedModel
from cave_sim.simulations.scripted_model import reply

SCRIPTED = "scripted"


@dataclass(frozen=True)
class Minds:
    """Residents who think, and the model that they think with.

    Attributes:
        names: of the residents.
        mayors: those of them who look after the town, too.
        llm: the model.
        faculties: what their minds can do.
    """

    names: Sequence[str]
    mayors: Collection[str]
    llm: Model
    faculties: Faculties

    def agents(self, simulation: Simulation) -> Iterable[Agent]:
        """Make the agents of a simulation."""
        for name in self.names:
            duties = texts.MAYOR if name in self.mayors else ""
            yield LLMResident(simulation, name, faculties=self.faculties, duties=duties)


def minds_of(
    names: Sequence[str],
    llm: Model | None,
    minds: str | None,
    *,
    mayors: Collection[str] = ("mayor",),
    without: str = "",
) -> Minds | None:
    """Return the minds of residents; None if no model was asked for.

    Args:
        names: of the residents.
        llm: the model that they think with.
        minds: "scripted" for the scripted model, where no other is given; or the given one's name.
        mayors: those who look after the town.
        without: faculties to do without, with commas.

    Raises:
        WorldError: there is no such faculty or nobody with faculties, or no model of that name was given.
    """
    faculties = Faculties().without(*filter(None, (faculty.strip() for faculty in without.split(","))))
    if llm is None and minds is None:
        if without:
            raise WorldError(f"without={without!r}: scripted urges have no faculties; name a model (--model, llm=)")
        return None
    if llm is None and minds != SCRIPTED:
        raise WorldError(f"minds={minds!r}: give the model itself, with llm=; only {SCRIPTED!r} comes without one")
    return Minds(names, mayors, llm or ScriptedModel(reply), faculties)


def talking(run: Run) -> list[str]:
    """Return how many dialogues of which lengths a run had, and how many were answered; nothing if nobody talked."""
    found = talk(run)
    if not found.lengths:
        return []
    share = f"{found.answered_share:.0%} answered, {found.mean_length:.1f} utterances on average"
    lengths = ", ".join(f"{count:,} of {length}" for length, count in sorted(found.lengths.items()))
    return [f"{found.lengths.total():,} dialogues, {share}", f"dialogues by their utterances: {lengths}"]


def thinking(run: Run) -> list[str]:
    """Return what a run's thinking came to, line by line, from its journal; nothing if no model was asked.

    Tokens are those of the replies. How much of the prompts repeated is counted here, from one request of an agent to
    its next: so much a prefix cache may keep.
    """
    meters: dict[str, StabilityMeter] = {}
    usages: list[dict[str, int]] = []
    for call in run.calls():
        messages = tuple(Message(message["role"], message["text"]) for message in call["request"]["messages"])
        meters.setdefault(call["agent"], StabilityMeter()).measure(messages)
        usages.append(call["reply"]["usage"] if call["reply"] else {})
    if not usages:
        return []
    agent_steps = max(1, (step_count(run) - 1) * run.manifest["agents"])
    prompt_tokens, completion_tokens = (
        sum(usage.get(f"{kind}_tokens", 0) for usage in usages) for kind in ("prompt", "completion")
    )
    repeated_share = sum(meter.stable_bytes for meter in meters.values()) / sum(
        meter.total_bytes for meter in meters.values()
    )
    calls = len(usages)
    per_step = f"{prompt_tokens / agent_steps:,.0f} + {completion_tokens / agent_steps:,.0f}"
    per_call = f"{prompt_tokens / calls:,.0f} + {completion_tokens / calls:,.0f}"
    return [
        f"{calls:,} calls in {agent_steps:,} agent-steps, {usages.count({}):,} without a reply",
        f"{per_step} tokens per agent-step (read + written), {per_call} per call",
        f"{repeated_share:.0%} of a prompt repeats the one before, so that a prefix cache may keep it",
    ]
