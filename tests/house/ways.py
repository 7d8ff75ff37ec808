"""Counts the files of one checkout that a cell, a reply or a fork passes: `python ways.py CHECKOUT cell|reply|fork`."""

import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType

TREE = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(TREE))


def ours(*names: str) -> ModuleType:
    """Return the first of these modules that there is: names of ours have changed."""
    for name in names[:-1]:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    return import_module(names[-1])


def a_cell() -> Callable[[], object]:
    """Return a way to run one new cell that writes a field."""
    from cave_sim import Entity, World, field

    entity = type("Ann", (Entity,), {"__annotations__": {"plan": str}, "plan": field(""), "__module__": __name__})
    world = World(seed=1)
    world.add("ann", entity())
    world.execute("me.plan = 'y'", agent="ann")
    return lambda: world.execute("me.plan = 'x'", agent="ann")


def a_reply() -> Callable[[], object]:
    """Return a way to let one step pass in a town of two who ask a model."""
    models = import_module("cave_sim.models")
    town = ours("cave_sim.simulations.town_day", "simulations.town_day")
    llm = models.ScriptedModel(["```python\nme.plan['20:00'] = 'rest'\n```"] * 50)
    simulation = town.create(seed=1, residents=2, llm=llm, minds="scripted")
    simulation.run(until=1)
    return simulation.step


def a_fork() -> Callable[[], object]:
    """Return a way to fork a run of three steps."""
    recipe = ours("cave_sim.replay.recipe", "cave_sim.recipe")
    fork = ours("cave_sim.replay.fork", "cave_sim.fork")
    folder = Path(tempfile.mkdtemp())
    simulation = recipe.Recipe("town_day", {"seed": 1, "residents": 2}).make(folder / "run")
    simulation.run(until=3)
    simulation.close()
    return lambda: fork.fork(folder / "run", at=2, out=folder / "branch").close()


def main() -> None:
    """Run what was asked for, and print how many files of ours it entered."""
    act = {"cell": a_cell, "reply": a_reply, "fork": a_fork}[sys.argv[2]]()
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(TREE)):
            entered.add(frame.f_code.co_filename)

    sys.setprofile(note)
    act()
    sys.setprofile(None)
    print(len(entered))


if __name__ == "__main__":
    main()
