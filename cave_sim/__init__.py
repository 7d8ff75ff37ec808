"""cave_sim: a laboratory for societies of code-writing agents.

The public names are loaded when they are first used: ``import cave_sim`` itself waits for no library.
"""

from typing import TYPE_CHECKING

from cave_sim.errors import CaveSimError, JournalError, MissingExtra, Refused, SchemaError, WorldError
from cave_sim.version import __version__

if TYPE_CHECKING:
    from cave_sim.changes.change import Change
    from cave_sim.changes.turn import Limits, Turn
    from cave_sim.entity.codecs import register_codec
    from cave_sim.entity.entity import Entity, own_agent_only
    from cave_sim.entity.field import field
    from cave_sim.entity.narration import narrates
    from cave_sim.entity.visibility import Visibility
    from cave_sim.hosts.ray.remote_world import connect
    from cave_sim.journal.reader import Run, open_run
    from cave_sim.replay.run_by_name import run
    from cave_sim.runtime.graph.surroundings import vouch
    from cave_sim.simulation.agents import Agent
    from cave_sim.simulation.run_options import ModelRunOptions, RunOptions
    from cave_sim.simulation.simulation import Simulation
    from cave_sim.world.api_reference import json_schema
    from cave_sim.world.effects import effect
    from cave_sim.world.world import World
else:
    HOMES = {
        "Agent": "cave_sim.simulation.agents",
        "Change": "cave_sim.changes.change",
        "Entity": "cave_sim.entity.entity",
        "Limits": "cave_sim.changes.turn",
        "ModelRunOptions": "cave_sim.simulation.run_options",
        "Run": "cave_sim.journal.reader",
        "RunOptions": "cave_sim.simulation.run_options",
        "Simulation": "cave_sim.simulation.simulation",
        "Turn": "cave_sim.changes.turn",
        "Visibility": "cave_sim.entity.visibility",
        "World": "cave_sim.world.world",
        "vouch": "cave_sim.runtime.graph.surroundings",
        "connect": "cave_sim.hosts.ray.remote_world",
        "effect": "cave_sim.world.effects",
        "field": "cave_sim.entity.field",
        "json_schema": "cave_sim.world.api_reference",
        "open_run": "cave_sim.journal.reader",
        "narrates": "cave_sim.entity.narration",
        "own_agent_only": "cave_sim.entity.entity",
        "run": "cave_sim.replay.run_by_name",
        "register_codec": "cave_sim.entity.codecs",
    }

    ELSEWHERE = {
        "resume": "from cave_sim.replay.resume import resume",
        "fork": "from cave_sim.replay.fork import fork",
        "verify": "from cave_sim.replay.verify import verify",
        "diff": "from cave_sim.history.diff import diff",
        **dict.fromkeys(("load", "load_run", "open"), "cave_sim.open_run(folder)"),
        **dict.fromkeys(("study", "Study", "run_study"), "from cave_sim.scenario import run_study"),
        "arun": "await simulation.arun(steps=24)",
        "Control": "from cave_sim.simulation.control import Control",
        "Observer": "from cave_sim.simulation.observers import Observer",
        "ScriptedModel": "from cave_sim.models import ScriptedModel",
        **{name: f"from cave_sim.scenario import {name}" for name in ("Scenario", "load_scenario", "open_study")},
        **{
            name: f"from cave_sim.simulation.schedulers import {name}"
            for name in ("Batch", "EventDriven", "RandomOrder", "Sequential", "Simultaneous", "Staged")
        },
        **{
            name: f"from cave_sim.survey import {name}"
            for name in ("Choice", "FreeText", "Likert", "Number", "Panel", "Questionnaire", "interview")
        },
        **dict.fromkeys(("Model", "LLM", "llm"), "from cave_sim.models.from_cli import ModelChoice"),
        "compare": "cave-sim compare RUN RUN, or from cave_sim.history.diff import diff for two alone",
        "plot": "cave_sim.open_run(folder).plot()",
        "LLMAgent": "from cave_sim.llm_agent.llm_agent import LLMAgent",
    }
    """What others would look for here -> what to write."""

    def __getattr__(name):
        if name not in HOMES:
            way = f"; write {ELSEWHERE[name]}" if name in ELSEWHERE else ""
            if way and _is_imported():  # Python would drop what is said here
                raise ImportError(f"cannot import name {name!r} from {__name__!r}{way}", name=name)
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{way}")
        from importlib import import_module

        from cave_sim.loading.unsearched import unsearched

        try:
            with unsearched():
                return globals().setdefault(name, getattr(import_module(HOMES[name]), name))
        except AttributeError as problem:  # which `from cave_sim import ...` would turn into "there is no such name"
            raise ImportError(f"cave_sim.{name} could not be loaded: {problem}") from problem

    def _is_imported():
        """Say whether it is `from cave_sim import ...` that asks for a name."""
        from inspect import currentframe

        return currentframe().f_back.f_back.f_code.co_name == "_handle_fromlist"

    def __dir__():
        return sorted(globals().keys() | HOMES.keys())


__all__ = [
    "Agent",
    "CaveSimError",
    "Change",
    "Entity",
    "JournalError",
    "Limits",
    "MissingExtra",
    "ModelRunOptions",
    "Refused",
    "Run",
    "RunOptions",
    "SchemaError",
    "Simulation",
    "Turn",
    "Visibility",
    "World",
    "WorldError",
    "__version__",
    "connect",
    "effect",
    "field",
    "json_schema",
    "narrates",
    "open_run",
    "own_agent_only",
    "register_codec",
    "run",
    "vouch",
]
