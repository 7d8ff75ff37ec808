"""Whether a run is what it says: first its file by itself, then its cells run again, and why something differs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from cave_sim.errors import CaveSimError
from cave_sim.journal.integrity import Problem, problems
from cave_sim.journal.opening import expect_our_format
from cave_sim.journal.queries import first_step, status_of, step_before_new_fields
from cave_sim.journal.reader import Run
from cave_sim.journal.tallies import step_count
from cave_sim.replay.input_files import other_files
from cave_sim.replay.made_by import MADE_OTHERWISE, made_otherwise, other_machine
from cave_sim.replay.mismatch import Mismatch
from cave_sim.replay.reexecute import Place, Told, reexecute
from cave_sim.replay.simulation_names import is_installed
from cave_sim.simulation.runnable import Runnable

MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run is what it says, and if not, why.

    Attributes:
        problems: what is wrong with the file, the gravest first.
        difference: the first turn that came out otherwise when it was run again; None if none did.
        why: the likely reason, in words; empty if all is well.
        steps: how many steps were looked at.
        by_file: the last step whose cells were not run again, because classes got fields behind it; None if all were,
            or none was to be.
    """

    problems: tuple[Problem, ...]
    difference: Mismatch | None
    why: str
    steps: int
    by_file: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the run is what it says."""
        return not self.problems and self.difference is None and not self.why


def verify(
    run: Run, make: Callable[[], Runnable] | None, place: Place | None = None, on_step: Told | None = None
) -> Verdict:
    """Check a run's file, and run its cells again.

    Args:
        run: the run; nothing in its file is executed, but its cells are, under the policy of the world.
        make: makes its simulation as it was made, with no ``out``; None to leave the cells alone.
        place: where the cells run; here unless given.
        on_step: is called with each step whose cells came out the same.

    Returns:
        The verdict; damage is part of it and is not raised.

    Raises:
        JournalError: the run has another format, so that nothing can be said of its hashes.
    """
    expect_our_format(run.folder, run.manifest.get("format"))
    file_problems = tuple(islice(problems(run), MOST_PROBLEMS))
    difference, why, by_file = None, _tampering(file_problems), None
    if make is not None:
        try:
            with closing(make()) as simulation:
                difference = reexecute(run, simulation, place=place, on_step=on_step)
            grown = step_before_new_fields(run)
            by_file = grown if grown != first_step(run) else None
        except CaveSimError as error:
            why = why or f"its cells could not be run again: {error}"
    if difference is not None:
        why = why or _why_otherwise(run, difference)
    try:
        steps = step_count(run)
    except CaveSimError:
        steps = 0
    return Verdict(file_problems, difference, why, steps, by_file)


def _why_otherwise(run: Run, difference: Mismatch) -> str:
    """Return the likeliest reason why a turn came out otherwise."""
    return (
        made_otherwise(run.manifest)
        or other_files(run.manifest)
        or _deadline(run, difference)
        or _noted(run)
        or other_machine(run.manifest)
        or _order(difference)
        or _unknown(run)
    )


def _unknown(run: Run) -> str:
    """Return what remains when everything that can be compared is the same, and what that was."""
    compared = ["the code of cave_sim", "Python", *dict(run.manifest.get("versions") or {})]
    if run.manifest.get("machine"):
        compared += ["the machine", "the threads of its linear algebra"]
    module = str(run.manifest.get("module", ""))
    theirs = ""
    if module and not is_installed(module):
        unwritten = f"a module that {module} imports" if "own_code" in run.manifest else f"the code of {module}"
        theirs = f"{unwritten}, which nobody wrote down, is another; "
    return (
        f"neither of these is another: {', '.join(compared)}; no turn ran into its deadline, no process was lost, no"
        f" other code went on with it. What remains: {theirs}something in the simulation does not follow from its"
        " seed; or somebody changed the file and computed its hashes anew"
    )


def _order(difference: Mismatch) -> str:
    if not difference.reordered:
        return ""
    return (
        "what was written is the same in another order, as what is made of a plain set: its order is another in each"
        " process. Sort there: sorted(...)"
    )


def _tampering(file_problems: tuple[Problem, ...]) -> str:
    return "the file was changed after it was written, or is damaged" if file_problems else ""


def _deadline(run: Run, difference: Mismatch) -> str:
    if "timeout" in (status_of(run, difference.turn), difference.recorded, difference.now):
        return "the turn ran into its deadline, which is processor time: a faster machine may come further"
    return ""


def _noted(run: Run) -> str:
    """Return what the run itself noted that lets turns come out otherwise."""
    noted = [f"{what}, in step {step}" for kind, what in NOTED.items() for step in _first_step_with(run, kind)]
    return f"the run noted that {'; '.join(noted)}" if noted else ""


def _first_step_with(run: Run, kind: str) -> list[int]:
    return [step for (step,) in run.query("SELECT min(step) FROM events WHERE kind = ?", kind) if step is not None]


NOTED = {
    MADE_OTHERWISE: "it was gone on with by other code or other libraries",
    "world_process_lost": "a world process was lost",
    "cell_stopped": "a cell was stopped from outside",
    "cell_run_again": "a cell ran once more, because its process was ended from outside",
}
"""Events after which turns may come out otherwise though nobody changed the file, by kind."""
