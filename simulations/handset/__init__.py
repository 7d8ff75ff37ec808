"""An assistant on a handset with more than twenty tools: what does it cost to tell it of them, and to remember?

The evaluation of "Efficient on-device agents" (§4), with scripted roles or any model; ``python -m
cave_sim.simulations.handset`` prints the table of all variants.
"""

from functools import partial
from typing import Annotated, Unpack

from pydantic import Field

from cave_sim import ModelRunOptions, Run, Simulation
from cave_sim.dashboards import write_report as report
from cave_sim.experiment.talk_judge import KIND
from cave_sim.models import ScriptedModel
from cave_sim.models.from_cli import SCRIPTED
from cave_sim.simulation.run_options import extended
from cave_sim.simulations.handset.conversation import ASSISTANT, Variant, agents
from cave_sim.simulations.handset.roles import reply
from cave_sim.simulations.handset.scenarios import Category, generate
from cave_sim.simulations.handset.stored_scenarios import given_scenario
from cave_sim.worlds.handset import build_handset

STEPS = 30
OPTIONS = {
    "variant": "reference, baseline, tool_efficient, memory_efficient or combined: how tools and history are told",
    "category": "what the owner wants: multi, single, mixed, cloud or conversational",
    "length": "how many things they want, for multi and cloud ; 0: as the paper has it",
    "scenario": "a .json file of what the owner wants and the calls that it takes, or the id of a kept one: multi-17",
    "judge": "whether a judge rates the talk from 1 to 5 at its end: by the run's model, or [judge] of --models FILE",
    "troubles": "how often they ask besides for what is refused, and say thanks",
}
__all__ = ["OPTIONS", "STEPS", "create", "report", "summary"]


def create(
    *,
    seed: int,
    variant: Variant = "combined",
    category: Category = "multi",
    length: Annotated[int, Field(ge=0, le=100, title="Wishes of the owner")] = 0,
    scenario: str | None = None,
    troubles: Annotated[int, Field(ge=0, le=20, title="Requests that are refused")] = 0,
    judge: bool = False,
    **run: Unpack[ModelRunOptions],
) -> Simulation:
    """Return a handset, its owner and their assistant.

    Args:
        seed: what is on the handset, and what the owner wants, follow from it.
        variant: how the assistant is told of its tools and of what was said.
        category: of the scenario.
        length: how many things the owner wants, where that is not the scenario's own.
        scenario: a file with what the owner wants, or the id of a kept one, in place of category, length and troubles.
        troubles: how often they ask besides for what the device or the assistant refuses, and then say thanks.
        judge: whether somebody rates the talk at its end.
        **run: as every simulation takes them.
    """
    wanted = given_scenario(scenario, seed) if scenario else generate(category, seed, length or None, troubles)
    options = extended(run, manifest={"scenario": wanted.to_data()})
    options["llm"] = options.get("llm") or ScriptedModel(partial(reply, asks=wanted.asks))
    config = {"variant": variant, "category": wanted.category, "length": length, "troubles": troubles}
    if judge:
        config["judge"] = True
    return Simulation(
        build_handset(seed), lambda sim: agents(sim, wanted, variant, judged=judge), config=config, **options
    )


def summary(run: Run) -> str:
    """Return what the assistant was asked, and what its prompts came to."""
    calls = [call for call in run.calls() if call["agent"] == ASSISTANT and call["reply"]]
    tokens = [call["reply"]["usage"]["prompt_tokens"] for call in calls]
    if not tokens:
        return "the assistant was never asked"
    rated = f"; {rating}" if (rating := _rated(run)) else ""
    return f"{len(calls)} prompts, from {min(tokens):,} to {max(tokens):,} tokens; the last has {tokens[-1]:,}{rated}"


def _rated(run: Run) -> str:
    """Return what the judge said, and which model that is; "" if nobody was to judge."""
    if not run.manifest.get("config", {}).get("judge"):
        return ""
    rows = [row for entry in run.sessions() for row in entry["rows"] if row["kind"] == KIND]
    if not rows:
        return "not judged: the talk is not over"
    by = rows[-1]["data"]["by"]
    return f"judged by {by}{', no language model' if by == SCRIPTED else ''}: {rows[-1]['text']}"
