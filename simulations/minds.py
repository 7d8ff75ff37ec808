"""Residents with a language model, for any simulation that has residents; what their talk and thinking came to."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cave_sim import Agent, Run, Simulation, WorldError
from cave_sim.agents.faculties import Faculties
from cave_sim.agents.prompts import texts
from cave_sim.agents.resident import LLMResident
from cave_sim.diagnostics.plurals import counted
from cave_sim.history.dialogues import talk
from cave_sim.journal.tallies import step_count
from cave_sim.llm_agent.prompt import StabilityMeter
from cave_sim.models import Message, Model, ScriptedModel
from cave_sim.models.embeddings import is_for_embeddings
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulations.scripted_model import reply
from cave_sim.worlds.village.blueprint import SeedMemory

SCRIPTED = "scripted"


@dataclass(frozen=True)
class Minds:
    """Residents who think, and the model that they think with.

    Attributes:
        names: of the residents.
        mayors: those of them who look after the town, too.
        llm: the model.
        faculties: what their minds can do.
        memories: what they remember as the story begins, by name.
        temperatures: of their replies, by name; who is not there has that of everybody.
        prompts: what they say to their models, by name; the same holds.
    """

    names: Sequence[str]
    mayors: Collection[str]
    llm: Model
    faculties: Faculties
    memories: Mapping[str, Sequence[SeedMemory]] = field(default_factory=dict)
    temperatures: Mapping[str, float] = field(default_factory=dict)
    prompts: Mapping[str, Prompts] = field(default_factory=dict)

    def agents(self, simulation: Simulation) -> Iterable[Agent]:
        """Make the agents of a simulation."""
        for name in self.names:
            duties = texts.MAYOR if name in self.mayors else ""
            usual = LLMResident.habits
            habits = replace(usual, temperature=self.temperatures.get(name, usual.temperature))
            mind = LLMResident(
                simulation,
                name,
                faculties=self.faculties,
                duties=duties,
                habits=habits,
                prompts=self.prompts.get(name),
            )
            begin_with(mind, self.memories.get(name, ()))
            yield mind


def begin_with(mind: LLMResident, memories: Sequence[SeedMemory]) -> None:
    """Let a mind remember what it is to begin with."""
    ids: list[str] = []
    for memory in memories:
        because = [ids[place] for place in memory.because if place < len(ids)]
        about = memory._asdict() | {"because": because}
        ids.append(mind.remember(about.pop("text"), **about).id)


def minds_of(
    names: Sequence[str],
    llm: Model | None,
    minds: str | None,
    *,
    mayors: Collection[str] = ("mayor",),
    without: str = "",
    having: str = "",
    memories: Mapping[str, Sequence[SeedMemory]] | None = None,
) -> Minds | None:
    """Return the minds of residents; None if no model was asked for.

    Args:
        names: of the residents.
        llm: the model that they think with.
        minds: "scripted" for the scripted model, where no other is given; or the given one's name.
        mayors: those who look after the town.
        without: faculties to do without, with commas.
        having: faculties to have that are off by default, with commas.
        memories: what they remember as the story begins, by name.

    Raises:
        WorldError: there is no such faculty or nobody with faculties, or no model of that name was given.
    """
    faculties = Faculties().having(*_listed(having)).without(*_listed(without))
    if llm is None and minds is None:
        if setting := f"without={without!r}" if without else f"having={having!r}" if having else "":
            raise WorldError(f"{setting}: scripted urges have no faculties; name a model (--model, llm=)")
        return None
    if llm is None and minds != SCRIPTED:
        raise WorldError(f"minds={minds!r}: give the model itself, with llm=; only {SCRIPTED!r} comes without one")
    return Minds(names, mayors, llm or ScriptedModel(reply), faculties, memories or {})


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def talking(run: Run) -> list[str]:
    """Return how many dialogues of which lengths a run had, and how many were answered; nothing if nobody talked."""
    measures = talk(run)
    if not measures.lengths:
        return []
    share = f"{measures.answered_share:.0%} answered, {measures.mean_length:.1f} utterances on average"
    lengths = ", ".join(f"{count:,} of {length}" for length, count in sorted(measures.lengths.items()))
    return [f"{measures.lengths.total():,} dialogues, {share}", f"dialogues by their utterances: {lengths}"]


def thinking(run: Run) -> list[str]:
    """Return what a run's thinking came to, line by line, from its journal; nothing if no model was asked.

    Tokens are those of the replies. How much of the prompts repeated is counted here, from one request of an agent to
    its next: so much a prefix cache may keep.
    """
    meters: dict[str, StabilityMeter] = {}
    usages: list[dict[str, int]] = []
    texts_embedded = 0
    for call in run.calls():
        if is_for_embeddings(call["request"]):
            texts_embedded += len(call["request"]["messages"])
            continue
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
        f"{counted(calls, 'call')} in {counted(agent_steps, 'agent-step')}, {usages.count({}):,} without a reply",
        f"{per_step} tokens per agent-step (read + written), {per_call} per call",
        f"{repeated_share:.0%} of a prompt repeats the one before, so that a prefix cache may keep it",
        *([f"{texts_embedded:,} texts embedded, so that memories are found by meaning"] if texts_embedded else []),
    ]
