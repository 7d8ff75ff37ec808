"""Nothing that comes after a cell runs its code: what shows a turn, keeps it, undoes it, or does it again."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from cave_sim import Simulation, World, open_run
from cave_sim.entity.asking import CELL_FILE
from cave_sim.history.blame import blame
from cave_sim.history.diff import diff
from cave_sim.history.variable_blame import blame_variable
from cave_sim.journal.integrity import problems
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.world.turn_execution import take_turn
from tests.long_cases import cases
from tests.policy import square
from tests.policy.test_every_operation import HOOKS
from tests.policy.touching import cell

ENDINGS = """
kept = [x, E()]
kept = E
raise x
raise ValueError(x, E())
raise KeyError(E()) from ValueError(E())
class X(E, ValueError):\\n    pass\\nme.plan = 'before'\\nraise X(E())
class X(E, KeyError):\\n    pass\\nkept = X(E())\\nraise X(kept, E()) from X(kept)
raise ExceptionGroup('a', [ValueError(E())])
print(x, [E()], E())
x
me.memory = [E()]
me.notes.append(E())
me.counts[E()] = 1
me.diary['z'] = [E(), E()]
me.grid[:] = E()
me.map.add_node(E(), at=E())
me.plan = 'before'\\nkept = [E()]\\nassert False, E()
shop.buy(me, E(), E())
board.lines.append(E())\\nmissing
kept = pd.DataFrame({'a': [1, 2]})\\nraise KeyError('a', E())
kept = {'a': E(), 'f': lambda: E(), 'e': ValueError(E())}\\nme.mood = 0.25
def late():\\n    yield E()\\nkept = 3\\nmade = late()\\nnext(made)
""".strip().splitlines()
HELD = ("E()", "[E(), {'a': E()}]", "E", "ValueError(E())", "pd.Series([1, 'x'], dtype=object)")
CELLS = [
    cell(HELD[at % len(HELD)], ending.replace("kept", f"kept{at}"), HOOKS[at % len(HOOKS)])
    for at, ending in enumerate(ENDINGS)
]


def rights_asked(frame: FrameType | None) -> bool:
    """Say whether a turn runs its cell here, and asks for its agent's rights."""
    while frame is not None and frame.f_code is not take_turn.__code__:
        frame = frame.f_back
    return frame is not None and frame.f_locals["world"].undo_log.guard is not None


@contextmanager
def entered() -> Iterator[list[str]]:
    """A context that tells where code of cells is entered while nobody's rights are asked."""
    found: list[str] = []

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename == CELL_FILE and not rights_asked(frame):
            found.append(f"{frame.f_code.co_name}, line {frame.f_lineno}")

    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)


def simulation(cells: list[str], out: Path | None = None) -> Simulation:
    """A square whose ann is a mind that writes these cells, one a step."""
    script = [f"```python\n{each}\n```" for each in cells]
    habits = Habits(max_cells=1)
    return Simulation(
        square.build(), lambda sim: [LLMAgent(sim, "ann", habits=habits)], llm=ScriptedModel(script), out=out
    )


@pytest.mark.parametrize("part", cases(range(4), lambda part: part > 0))
def test_no_code_of_a_cell_runs_in_what_comes_after_it(part, tmp_path):
    cells = CELLS[part::4]
    make = partial(simulation, cells)
    with entered() as found:
        played = make(tmp_path / "run")
        for _ in cells:
            played.step()
        world = played.world
        world.describe("ann"), world.observe("ann"), world.variables("ann"), world.variable_types("ann")
        world.state_hash(), world.variables_hash(), world.fork(), World.restore(world.snapshot())
        played.close()
        with open_run(tmp_path / "run") as run:
            turns = [turn for turn in run.turns() if turn.code]
            assert verify(run, make).difference is None
            assert not list(problems(run))
            blame(run, "ann.plan"), diff(run, run)
            assert [blame_variable(run, f"ann:{name}") for name in world.variables("ann")]
        resume(tmp_path / "run", simulation=make()).close()
    assert [turn.code for turn in turns] == cells
    assert "failed" in {turn.status for turn in turns}
    assert not any("SyntaxError" in (turn.error or "") for turn in turns)
    assert not found
