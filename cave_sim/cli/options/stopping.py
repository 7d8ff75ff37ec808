"""``--stop-when``: a watch point that ends a run of the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from cave_sim.errors import WorldError

if TYPE_CHECKING:
    from cave_sim.simulation.runnable import Runnable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--stop-when",
        metavar="CONDITION",
        help="end after the step in which this holds, of fields or measures: weather.kind == 'rain'",
    )


def watch(simulation: Runnable, options: argparse.Namespace) -> None:
    """Have a simulation end where the option says; a simulation that cannot be asked is closed.

    Raises:
        WorldError: the text is no condition, or names what this world has not.
    """
    if options.stop_when is None:
        return
    from cave_sim.history.asked_classes import expect_heard
    from cave_sim.history.condition import Condition
    from cave_sim.history.condition_over_steps import ConditionOverSteps
    from cave_sim.history.measures_by_name import holds
    from cave_sim.scenario.trial import read_so_far
    from cave_sim.simulation.control import Control
    from cave_sim.simulation.runnable import measured

    condition = ConditionOverSteps(Condition(options.stop_when))
    try:
        read_so_far(condition, simulation)
        holds(condition, simulation.world, measured(simulation), simulation.measures)
        expect_heard(options.stop_when, simulation.world)
    except WorldError as error:
        simulation.close()
        raise WorldError(f"--stop-when: {error}") from None
    simulation.control = simulation.control or Control()
    simulation.control.watch("stop-when", condition, then="stop")


def expect_possible(options: argparse.Namespace) -> None:
    """Refuse what is no condition, or has no world to look at in this process; raises WorldError."""
    if options.stop_when is None:
        return
    from cave_sim.history.condition import Condition

    Condition(options.stop_when)
    if options.host == "ray":
        raise WorldError("--stop-when looks at a world in this process: use --host local or --host process")
