from types import SimpleNamespace

from cave_sim.dashboards.live.run_controls import RunControls
from cave_sim.models.budget import Budgets, Spent
from cave_sim.simulation.control import Control


def test_calls_of_models_are_in_flight_from_their_beginning_to_their_end():
    budgets = Budgets()
    controls = RunControls(Control(), ring=list)
    controls.on_start(SimpleNamespace(calls=SimpleNamespace(budgets=budgets)), until=1)
    budgets.reserve("mayor", Spent(calls=1))
    assert controls.in_flight == 1
    budgets.settle("mayor", Spent(calls=1), Spent(tokens=5, calls=1))
    assert controls.in_flight == 0
