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


def test_a_run_that_waits_for_a_page_begins_when_the_first_one_is_open():
    controls = RunControls(Control(), ring=list)
    controls.wait_for_page()
    assert controls.control.paused
    controls.opened()
    assert not controls.control.paused
    controls.control.pause()
    controls.opened()  # by a second page
    assert controls.control.paused
