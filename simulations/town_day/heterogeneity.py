"""Minds that differ: a model, a temperature and a set of prompts for each resident, from the file of personas."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cave_sim import WorldError
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.llm_agent.variants import prompts_of
from cave_sim.models import Model, PerAgent, RecordedModel
from cave_sim.simulations.minds import Minds
from cave_sim.worlds.town.names import key_of
from cave_sim.worlds.town.personas import Persona, read_personas


def as_described(minds: Minds, people: Sequence[Persona]) -> Minds:
    """Return minds with the temperatures and prompts that personas name.

    Raises:
        WorldError: somebody with such wishes has no name, there are no such prompts, or models are named that nobody
            opens: a command line does, see :func:`models_of`.
    """
    named = {_key(each): each for each in people if each.model or each.temperature is not None or each.prompts}
    if any(person.model for person in named.values()) and not _takes_turns(minds.llm):
        raise WorldError(
            "the personas name models of their own: give llm=PerAgent(...), or run it from a command line with --model"
        )
    return replace(
        minds,
        temperatures={name: each.temperature for name, each in named.items() if each.temperature is not None},
        prompts={name: prompts_of(each.prompts) for name, each in named.items() if each.prompts},
    )


def models_of(create: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what is different for the models of which residents, as a recipe asks for it.

    Args:
        create: the arguments of `create`.
    """
    path = create.get("personas")
    if path is None or Path(path).is_dir():
        return {}
    people = read_personas(path, RandomStream(0, "models"), create.get("biography", ""))
    return {_key(person): {"name": person.model} for person in people if person.model}


def _key(person: Persona) -> str:
    if not person.name:
        raise WorldError("personas: who has a model, a temperature or prompts of their own needs a name")
    return key_of(person.name)


def _takes_turns(llm: Model) -> bool:
    return isinstance(llm, PerAgent | RecordedModel) or getattr(llm, "is_scripted", False)
