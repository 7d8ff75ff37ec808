"""What of SciPy asks a cell's function asks it within the turn, as often as it may, and keeps numbers alone."""

import pytest

from cave_sim import Entity, Limits, World, field
from tests.late_imports import LateImport

optimize = LateImport("scipy.optimize")
REFUSED = {
    "minimize(square, np.ones(101))": "looks for at least 1 number, and 100 at the most",
    "minimize(square, [1.0], method='COBYLA')": "method='COBYLA' is not for cells; take nelder-mead",
    "minimize(square, [1.0], callback=print)": "callback= is not for cells",
    "minimize(square, [1.0], options={'disp': True})": "disp= prints past the cell; print the result",
    "minimize(3, [1.0])": "takes a function, not an int",
    "minimize(lambda x: 'much', [1.0])": "the function returns numbers, not str",
    "minimize(lambda x: {}, [1.0])": "what the function returns takes numbers and sequences of numbers, not dict",
    "minimize(lambda x: np.ones(200_000), [1.0])": "the function returns more than 100,000 values",
    "minimize(later, [1.0])": "the function answers at once; it is not an async one",
    "quad(square, 0, 1, limit=2_000)": "limit=1,000 at the most",
    "solve_ivp(lambda t, y: y, [0, 1], [1.0], events=square)": "events= is not for cells",
    "optimize.differential_evolution": "begin minimize(...) at several places",
    "optimize.milp": "take linprog, and look beside what it finds",
    "scipy.integrate.odeint": "take solve_ivp",
    "scipy.spatial.ConvexHull": "ask for a tool to be injected",
    "minimize(square, [1.0], constraints={'type': 'eq', 'fun': lambda x: np.ones(200) * x})": "200 equations for 1",
    "minimize(square, [1.0], constraints=[{'type': 'eq', 'fun': square}] * 2)": "2 equations for 1 unknowns",
    "minimize(square, [1.0, 1.0], bounds=[(0, 1), (1, 1)], constraints=[{'type': 'eq', 'fun': square}] * 2)": "for 1",
    "minimize(lambda x: 1.0, [], method='SLSQP')": "looks for at least 1 number",
    "minimize(square, [1.0], constraints={'type': 'ineq', 'fun': lambda x: np.ones(1_001) * x[0]})": "1,000 values at",
    "minimize(square, [1.0], method='SLSQP', constraints={'type': 'eq', 'fun': grows})": "1 values, and then 2",
    "minimize(square, [1.0], jac='cs')": "jac='cs' is not for cells",
    "optimize.least_squares(lambda p: p - 3.0, [1.0], jac='cs')": "take a function, '2-point' or '3-point'",
    "minimize(lambda x: np.array(x[0] * 1j), [1.0])": "real numbers, not complex ones",
    "linalg.det(np.array([[2j, 0], [0, 2j]]))": "takes real numbers, not complex ones",
    "linalg.sqrtm(np.full((2, 2), np.nan))": "must not contain infs or NaNs",
    "linalg.eigvals(np.full((2, 2), np.nan), None, False, False)": "must not contain infs or NaNs",
    "linalg.det(np.eye(2), True)": "takes 1 by place in a cell, not 2",
    "special.erf(np.ones(2), np.ones(2))": "takes 1 by place in a cell, not 2",
    "special.comb(10**6, 10**5, True)": "takes 2 by place in a cell, not 3",
    "linalg.logm(np.eye(2))": "take np.linalg.eigh",
    "scipy.constants": "write the number, as 299_792_458.0",
    "gaussian_kde([1.0, 2.0, 4.0]).resample(10**6)": "draws 100,000 numbers at the most",
}
SETUP = """
import scipy
from scipy import linalg, optimize, special
from scipy.integrate import quad, solve_ivp
from scipy.optimize import minimize
from scipy.stats import gaussian_kde
def square(x):
    return float((x[0] - 1.0) ** 2)
async def later(x):
    return 1.0
asked = []
def grows(x):
    asked.append(1)
    return np.ones(len(asked)) * x[0]
"""


class Well(Entity):
    depth: float = field(3.0)


def world_with_a_well(**limits):
    made = World(seed=1, limits=Limits(**limits))
    made.add("well", Well())
    made.execute(SETUP.strip(), agent="ann")
    return made


@pytest.fixture
def world():
    return world_with_a_well()


@pytest.mark.parametrize("code", REFUSED)
def test_what_goes_past_the_cell_or_on_too_long_is_refused_in_words(world, code):
    turn = world.execute(code, agent="ann")
    assert turn.status in ("blocked", "failed")
    assert REFUSED[code] in turn.error


def test_a_function_has_the_rights_of_its_cell_and_is_asked_within_its_turn(world):
    turn = world.execute("minimize(lambda x: setattr(well, 'depth', float(x[0])), [1.0])", agent="ann")
    assert turn.status == "blocked"
    assert world["well"].depth == 3.0
    world.grant("ann", "well.depth")
    code = "def sink(x):\n    well.depth = float(x[0])\n    return square(x)\nfound = minimize(sink, [4.0])"
    assert world.execute(code, agent="ann").committed
    assert abs(world["well"].depth - 1.0) < 1e-3
    assert world.execute("minimize(sink, [9.0])\n1 / 0", agent="ann").status == "failed"
    assert abs(world["well"].depth - 1.0) < 1e-3


def test_a_function_is_counted_and_timed_as_in_a_loop(world):
    world = world_with_a_well(deadline_s=0.5)  # all that it takes is loaded by now
    endless = "minimize(lambda x: float(np.sin(1e9 * x[0])), [1.0], method='Powell', options={'maxiter': 10**9})"
    assert (
        world.execute("def still(x):\n    while True:\n        pass\nminimize(still, [1.0])", "ann").status == "timeout"
    )
    turn = world.execute(f"import numpy as np\nfor at in range(1_000):\n    {endless}", agent="ann")
    assert turn.status in ("timeout", "blocked")


def test_what_a_function_keeps_of_its_arguments_is_its_own(world):
    code = """
held = []
def greedy(x):
    held.append(x)
    result = float((x[0] - 1.0) ** 2)
    x[:] = 99.0
    return result
found = minimize(greedy, [5.0])
print(found.x.round(3), len(held) > 3)
"""
    assert world.execute(code.strip(), agent="ann").output.startswith("[1.] True")


def test_a_result_is_there_in_the_next_turn_and_shows_itself_as_scipys_does(world):
    assert world.execute("found = minimize(square, [5.0], method='Nelder-Mead')", agent="ann").committed
    plain = optimize.minimize(lambda x: float((x[0] - 1.0) ** 2), [5.0], method="Nelder-Mead")
    told = world.execute("print(found.x, found['fun'], found.success, 'nit' in found)", agent="ann").output
    assert told.strip() == f"{plain.x} {plain['fun']} {plain.success} True"
    shown = world.execute("print(found)", agent="ann").output
    assert f"message: {plain.message}" in shown
    assert f"nfev: {plain.nfev}" in shown
    assert world.execute("found.x[0] = 7.0\nprint(found.x)", agent="ann").output.strip() == str(plain.x)
    assert "It has: " in world.execute("found.there", agent="ann").error
    assert world.execute("list(found) == [name for name, value in found.items()]", agent="ann").output == "True"


@pytest.mark.parametrize("jac", [None, "2-point", "3-point"])
def test_the_way_in_which_changes_are_found_is_the_one_that_was_asked_for(world, jac):
    plain = optimize.minimize(lambda x: float((x[0] - 1.0) ** 2), [5.0], jac=jac)
    assert world.execute(f"minimize(square, [5.0], jac={jac!r}).nfev", agent="ann").output == str(plain.nfev)
