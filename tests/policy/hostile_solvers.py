"""Hostile cells whose functions SciPy calls: for code, for the world, for giants, for what goes on without an end."""

PAGES = {
    "solvers": """
from scipy.optimize import minimize
minimize(lambda x: setattr(vault, "treasury_cents", 0), [1.0])

from scipy.optimize import minimize
def spend(x):
    vault.treasury_cents = 0
    return 1.0
minimize(spend, [1.0])

from scipy.optimize import brentq
brentq(lambda x: world.execute("vault.treasury_cents = 0"), 0, 1)

from scipy.optimize import minimize
minimize(world.remove, ["vault"])

from scipy.optimize import minimize
minimize(open, ["/etc/passwd"])

from scipy.optimize import minimize
minimize(lambda x: float(x[0] ** 2), [1.0]).__dict__

from scipy.optimize import minimize
found = minimize(lambda x: float(x[0] ** 2), [1.0])
found._fields["x"] = vault

from scipy.optimize import minimize
type(minimize(lambda x: float(x[0] ** 2), [1.0]))({"x": vault})

from scipy.optimize import minimize
found = minimize(lambda x: float(x[0] ** 2), [1.0])
type(found).__getitem__ = lambda self, name: vault

from scipy.optimize import minimize
found = minimize(lambda x: float(x[0] ** 2), [1.0])
found["__class__"], found["_fields"], found.__class__.__mro__

from scipy.optimize import minimize
minimize(lambda x: float(x[0] ** 2), [1.0], callback=lambda x: vault.treasury_cents.__class__)

from scipy.optimize import minimize
minimize(lambda x: float(x[0] ** 2), [1.0], method=lambda *args, **named: args[0])

from scipy.optimize import minimize
minimize(lambda x: float(x[0] ** 2), [1.0], options={"disp": True})

from scipy.optimize import minimize
minimize(lambda x: float(x[0] ** 2), [1.0], options={"workers": map, "return_all": True})

from scipy.optimize import minimize
minimize(lambda x: float(x @ x), np.zeros(5_000))

from scipy.optimize import minimize
minimize(lambda x: np.zeros(10_000_000), [1.0])

from scipy.optimize import minimize
more = {"maxiter": 10**12, "maxfev": 10**12, "xatol": 0, "fatol": 0}
minimize(lambda x: float(np.sin(1e9 * x[0])), [1.0], method="Nelder-Mead", options=more)

from scipy.optimize import minimize
def endless(x):
    while True:
        pass
minimize(endless, [1.0])

from scipy.optimize import brentq
def never(x):
    try:
        while True:
            x = x + 1
    except BaseException:
        return 0.0
brentq(never, 0, 1)

from scipy.optimize import minimize
def deeper(x):
    return minimize(deeper, [1.0]).fun
minimize(deeper, [1.0])

from scipy.integrate import quad
def deeper(x):
    return quad(deeper, 0, 1)[0]
quad(deeper, 0, 1)

from scipy.optimize import fsolve
def deeper(x):
    return fsolve(deeper, [1.0])
fsolve(deeper, [1.0])

from scipy.integrate import quad
quad(lambda x: 1.0, 0, 1, limit=10**9)

from scipy.integrate import quad
quad(lambda x: x, 0, 1, weight=vault)

from scipy.integrate import quad
quad(vault.withdraw, 0, 1)

from scipy.integrate import solve_ivp
solve_ivp(lambda t, y: y, [0, 1], np.ones(10_000))

from scipy.integrate import solve_ivp
solve_ivp(lambda t, y: [0.0], [0, 1e12], [1.0], max_step=1e-3)

from scipy.integrate import solve_ivp
solve_ivp(lambda t, y: [0.0], [0, 1], [1.0], t_eval=np.linspace(0, 1, 900_000))

from scipy.integrate import solve_ivp
solve_ivp(lambda t, y: [0.0], [0, 1], [1.0], events=lambda t, y: setattr(vault, "treasury_cents", 0))

from scipy.integrate import solve_ivp
solve_ivp(lambda t, y: [0.0], [0, 1], [1.0], method="LSODA")

from scipy.integrate import solve_ivp
class Method:
    def __init__(self, *args, **named):
        vault.treasury_cents = 0
solve_ivp(lambda t, y: [0.0], [0, 1], [1.0], method=Method)

from scipy.optimize import least_squares
least_squares(lambda p: np.zeros(1_000_000), [1.0] * 90)

from scipy.optimize import least_squares
least_squares(lambda p: p, [1.0], jac=lambda p: np.zeros((100_000, 100_000)))

from scipy.optimize import least_squares
least_squares(lambda p: p, [1.0], loss=lambda z: setattr(vault, "treasury_cents", 0), tr_solver=vault)

from scipy.optimize import curve_fit
curve_fit(lambda x, *p: x, np.zeros(900_000), np.zeros(900_000), p0=np.ones(90))

from scipy.optimize import curve_fit
class Curve:
    __signature__ = vault
    def __call__(self, x, a):
        vault.treasury_cents = 0
        return a * x
curve_fit(Curve(), [1.0, 2.0], [1.0, 2.0])

from scipy.optimize import curve_fit
curve_fit(vault.deposit, [1.0, 2.0], [1.0, 2.0])

from scipy.optimize import curve_fit
curve_fit(lambda x, a: a * x, [1.0, 2.0], [1.0, 2.0], full_output=True, jac="cs")

from scipy.optimize import root
root(lambda x: x, [1.0], method="krylov", callback=print)

from scipy.optimize import root_scalar
root_scalar(lambda x: x, bracket=[vault, world])

from scipy.optimize import newton
newton(lambda x: x, np.ones(100_000))

from scipy.optimize import minimize
held = []
def keep(x):
    held.append(x)
    for each in held:
        each[:] = 99.0
    return float(x @ x)
minimize(keep, [1.0, 2.0])

from scipy.optimize import minimize
class Number:
    def __float__(self):
        vault.treasury_cents = 0
        return 1.0
    def __array__(self, *args, **named):
        vault.treasury_cents = 0
        return np.array([1.0])
minimize(lambda x: Number(), [Number()], args=Number(), bounds=[(Number(), 1)])

from scipy.optimize import minimize
class Pairs(list):
    def __iter__(self):
        vault.treasury_cents = 0
        return super().__iter__()
minimize(lambda x: 1.0, [1.0], bounds=Pairs([(0, 1)]), constraints=Pairs([{"type": "eq", "fun": lambda x: 0.0}]))

from scipy.optimize import minimize
minimize(lambda x: 1.0, [1.0], method="SLSQP", constraints=[{"type": "eq", "fun": lambda x: np.zeros(10_000_000)}])

from scipy.optimize import minimize
minimize(lambda x: 1.0, [1.0], method="SLSQP", constraints=[{"type": "eq", "fun": open, "args": ("made", "w")}])

from scipy import optimize
optimize.minimize.__globals__, optimize.minimize.__code__, optimize.differential_evolution

from scipy import optimize
optimize._minimize.np, optimize.linprog, optimize.show_options(disp=True)

from scipy.optimize import minimize
async def later(x):
    vault.treasury_cents = 0
    return 1.0
minimize(later, [1.0])

from scipy.optimize import minimize
def yields(x):
    vault.treasury_cents = 0
    yield 1.0
minimize(yields, [1.0])

from scipy import linalg
linalg.inv(np.eye(2), overwrite_a=True), linalg.solve(np.eye(2), np.ones(2), overwrite_b=True)

from scipy import linalg
linalg.svd(np.zeros((250_000, 1)))

from scipy import linalg
linalg.toeplitz(np.zeros(900_000)), linalg.null_space(np.zeros((1, 900_000)))

from scipy import linalg
linalg.expm(np.zeros((2_000, 2_000)))

from scipy import linalg
linalg.expm(np.zeros((20_000, 2, 2)))

from scipy import linalg
linalg.interpolative, linalg.lapack.dgesv, linalg.blas, linalg.fractional_matrix_power

from scipy import stats
stats.gaussian_kde([1.0, 2.0, 3.0]).resample(10**9, seed=vault)

from scipy import stats
stats.spearmanr([1, 2, 3], [1, 3, 2]).correlation.__class__.__base__

minimize(lambda x: x[0] ** 2, [1.0], constraints={"type": "eq", "fun": lambda x: np.ones(5_000) * x[0]})

turns = []
def swells(x):
    turns.append(1)
    return np.ones(1 if len(turns) < 2 else 3_000) * x[0]
minimize(lambda x: x[0] ** 2, [1.0], constraints={"type": "eq", "fun": swells})

from scipy import linalg
linalg.schur(np.full((200, 200), np.inf), "real", None, False, None, False)

from scipy import linalg
linalg.sqrtm(np.full((200, 200), np.nan)), linalg.eigvals(np.full((60, 60), np.nan), None, False, False)

from scipy import linalg, special
special.erf(np.ones(3), vault.numbers), linalg.det(vault.numbers, True)

for _ in range(20):
    minimize(lambda x: float((x ** 2).sum()), np.ones(100), method="SLSQP", bounds=[(0, 1)] * 2 + [(1, 1)] * 98,
        constraints=[{"type": "eq", "fun": lambda x: np.ones(100) * x[0]}, {"type": "ineq", "fun": lambda x: x[0]}])

minimize(lambda x: 1.0, [], method="SLSQP")
""",
}
