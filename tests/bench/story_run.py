"""One story, lived with scripted minds, in numbers: what its prompts took, and what came of it.

Runs as a file under any checkout, so that prompts can be compared with those of another one:
``PYTHONPATH=CHECKOUT python -P tests/bench/story_run.py valentine_party 301``. It prints one JSON object.
With ``--whole``, the script is shown all that the world shows its agent, and not its prompt alone: what comes of that
is what prompts could come to that left nothing out. With ``--context``, requests repeat so much of what was said.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, get_args
from unittest import mock

from cave_sim import Run, World, open_run
from cave_sim.agents import reading
from cave_sim.entity.json_form import referenced
from cave_sim.models.base import Context
from cave_sim.simulations.storm_warning.summary import CAFE, MANAGER
from cave_sim.simulations.valentine_party.spread import measure as spread_of

SHOWN = ("weather", "here", "near", "places", "heard", "plan")
"""The parts of an observation that prompts tell a choice of."""
MAYOR, WARNING = "mayor", "A storm is coming"
SETTINGS: dict[str, dict[str, Any]] = {
    "town_day": {"steps": 144, "residents": 8, "minds": "scripted"},
    "valentine_party": {"steps": 54},
    "storm_warning": {"steps": 60, "residents": 8},
}
"""How each story is lived: its steps, and the options of its ``create``."""


def lived(
    story: str, seed: int, *, whole: bool = False, context: Context | None = None, **settings: Any
) -> dict[str, float]:
    """Live a story and return measure -> value.

    Args:
        story: one of :data:`SETTINGS`.
        seed: of the run.
        whole: whether the script is shown all that the world shows its agent.
        context: how much of what was said requests repeat; None for what agents are made with.
        settings: in place of those of the story.
    """
    options = {**SETTINGS[story], **settings}
    steps = options.pop("steps")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        simulation = import_module(f"cave_sim.simulations.{story}").create(seed=seed, out=out, **options)
        if context is not None:
            by_pattern = import_module("cave_sim.models.for_agents")  # older checkouts have none
            simulation.contexts = by_pattern.ForAgents((("*", context),))
        with showing_all(simulation.world) if whole else nullcontext():
            simulation.run(until=steps)
        simulation.close()
        with open_run(out) as run:
            return {**tokens_of(run), **OUTCOMES[story](run)}


@contextmanager
def showing_all(world: World) -> Iterator[None]:
    """Have the scripts read what the world shows an agent in place of what its prompt tells of that."""
    modules = [module for module in list(sys.modules.values()) if getattr(module, "seen_in", None) is reading.seen_in]
    told = reading.seen_in

    def seen_in(prompt: str) -> dict[str, Any]:
        """Return the observation of whoever is asked."""
        read = told(prompt)
        observation = world.observe(read["me"]["name"])
        return {**read, **{part: observation[part] for part in SHOWN if part in observation}}

    with ExitStack() as stack:
        for module in modules:
            stack.enter_context(mock.patch.object(module, "seen_in", seen_in))
        yield


def tokens_of(run: Run) -> dict[str, float]:
    """Return the medians of prompt tokens: over agent-steps with a question, over requests, over the mayor's."""
    by_step: dict[tuple[int, str], int] = defaultdict(int)
    by_request: dict[bool, list[int]] = {True: [], False: []}
    for call in run.calls():
        if call["reply"] is not None:
            tokens = call["reply"]["usage"]["prompt_tokens"]
            by_step[call["step"], call["agent"]] += tokens
            by_request[call["agent"] == MAYOR].append(tokens)
    found = {
        "tokens of a step": median(by_step.values()),
        "tokens of a request": median(by_request[True] + by_request[False]),
        "agent-steps with a question": float(len(by_step)),
    }
    return found | ({"tokens of a request, its mayor": median(by_request[True])} if by_request[True] else {})


def _of_a_day(run: Run) -> dict[str, float]:
    landed = sum(turn.kind == "cell" and turn.status == "committed" for turn in run.turns())
    agreed = sum(change.op == "set" and str(change.new).startswith("meet ") for change in run.changes(field="plan"))
    return {"cells that landed": landed, "meetings agreed": agreed / 2}


def _of_a_party(run: Run) -> dict[str, float]:
    spread = spread_of(run)
    return {"who knows of the party": len(spread.invited), "who came": len(spread.came)}


def _of_a_storm(run: Run) -> dict[str, float]:
    warned = {
        call["agent"]
        for call in run.calls()
        if any(WARNING in message["text"] for message in call["request"]["messages"])
    }
    guests = {change.entity for change in run.changes(field="location") if referenced(change.new) == CAFE}
    turned = next(run.changes("weather", "held_until_s"), None)
    outdoors = run.measures()["outdoors (share)"]
    half_an_hour_later = (
        {} if turned is None else {"outdoors in the storm, %": 100 * outdoors.loc[: turned.step + 3].iloc[-1]}
    )
    return {
        "who was told the warning": len(warned - {MAYOR}),
        **half_an_hour_later,
        "guests of the new café": len(guests - {MANAGER}),
    }


OUTCOMES: Mapping[str, Callable[[Run], dict[str, float]]] = {
    "town_day": _of_a_day,
    "valentine_party": _of_a_party,
    "storm_warning": _of_a_storm,
}
"""What came of a story, from its journal alone."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("story", choices=SETTINGS)
    parser.add_argument("seed", type=int)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--context", choices=get_args(Context))
    print(json.dumps(lived(**vars(parser.parse_args()))))
