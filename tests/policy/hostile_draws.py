"""Hostile cells by way of SciPy's draws, curves, trees and programs: giants, code of their own, and other streams."""

PAGES = {
    "draws and curves": """
from scipy.stats import norm
norm.rvs(size=10**9), norm.rvs(size=(10**5, 10**5))

from scipy.stats import norm
norm.rvs(size=(1,) * 70)

from scipy.stats import norm
class Evil:
    def __index__(self):
        vault.treasury_cents = 0
        return 5
norm.rvs(size=Evil())

from scipy.stats import norm
class Evil:
    def normal(self, *_, **__):
        vault.treasury_cents = 0
    standard_normal = uniform = random_sample = normal
norm.rvs(size=3, random_state=Evil())

from scipy.stats import norm
me.plan = str(norm.rvs(size=3).tolist()) + str(norm(0, 1).rvs(2).tolist())

from scipy.stats import gaussian_kde
me.plan = str(gaussian_kde([1.0, 2.0, 4.0]).resample(3).tolist())

from scipy.stats import norm
norm.rvs(loc=np.zeros(10**6), size=10**6)

from scipy.stats import binom, poisson, hypergeom, beta, t
binom.rvs(10**18, 0.5, size=10**5)

from scipy.stats import hypergeom
hypergeom.rvs(10**9, 5 * 10**8, 10**8, size=10**5)

from scipy.stats import beta, gamma
beta.rvs(1e-300, 1e-300, size=1_000), gamma.rvs(1e-300, size=1_000)

from scipy.stats import poisson
poisson.rvs(float("nan")), poisson.rvs(-1.0)

from scipy.stats import norm
norm.rvs(random_state=-1), norm.rvs(random_state=10**30)

from scipy.stats import norm
norm.rvs.__closure__, norm.rvs.__globals__

from scipy.stats import norm, gaussian_kde
drawn = norm(0, 1).rvs
print(drawn(2))

from scipy.stats import gaussian_kde
gaussian_kde([1.0, 2.0]).resample(10**9)

from scipy.interpolate import interp1d
interp1d([1, 2], [1, 2], kind=lambda *_: setattr(vault, "treasury_cents", 0))

from scipy.interpolate import interp1d
class Evil:
    def __array__(self, *_, **__):
        vault.treasury_cents = 0
        return np.zeros(2)
    __len__ = __getitem__ = __float__ = __array__
interp1d(Evil(), [1, 2])

from scipy.interpolate import CubicSpline
CubicSpline(np.arange(10**6), np.arange(10**6))

from scipy.interpolate import CubicSpline
CubicSpline([1, 2, 3], np.ones((3, 300)))(np.ones(10**6))

from scipy.interpolate import CubicSpline
curve = CubicSpline([1, 2, 3], [1, 4, 9])
curve(2, nu=-1), curve(2, nu=10**9), curve._x, curve.c

from scipy.interpolate import CubicSpline
CubicSpline([1, 1, 1], [float("nan")] * 3), CubicSpline([], [])

from scipy.interpolate import CubicSpline
CubicSpline([1, 2, 3], [1, 4, 9], bc_type=((1, 10**400), (2, 0)))

from scipy.interpolate import interp1d
interp1d([1, 2], [1, 2], fill_value=(lambda: 1, 2))

from scipy.interpolate import interp1d
interp1d(np.ones(5), np.ones(5), kind="cubic")(1)

from scipy.spatial import KDTree
KDTree(np.ones((10**6, 2))), KDTree([[float("nan"), 1.0]])

from scipy.spatial import KDTree
tree = KDTree(np.ones((5_000, 20)))
tree.query(np.ones((5_000, 20)), k=5_000)

from scipy.spatial import KDTree
tree = KDTree(np.ones((5_000, 20)))
len(tree.query_ball_point(np.ones((900, 20)), 1.0))

from scipy.spatial import KDTree
KDTree(np.ones((1_000, 2))).query_pairs(1.0).pop()

from scipy.spatial import KDTree
tree = KDTree([[1.0, 2.0]])
tree.query([1.0, 2.0], workers=-1), tree.tree, tree._data

from scipy.spatial import KDTree
KDTree([[1.0, 2.0]], leafsize=0), KDTree([[1.0, 2.0]], balanced_tree=False)

from scipy.spatial import KDTree
tree = KDTree([[1.0, 2.0]])
tree.query([1.0, 2.0], k=[0]), tree.query([1.0, 2.0], k=[-5]), tree.query([1.0, 2.0], k=5)

from scipy.optimize import linprog
linprog([1.0], callback=lambda *_: setattr(vault, "treasury_cents", 0))

from scipy.optimize import linprog
linprog([1.0], options={"disp": True})

from scipy.optimize import linprog
linprog(np.ones(150), integrality=np.ones(150))

from scipy.optimize import linprog
linprog(np.ones(10**5))

from scipy.optimize import linprog
linprog([1.0, 2.0], A_ub=[[1.0]], b_ub=[1.0]), linprog([float("nan")])

from scipy.optimize import linprog
linprog([float("inf")], bounds=[(float("-inf"), float("nan"))])

from scipy.optimize import linprog
rows = np.random.default_rng(1).random((200, 200))
linprog(-np.ones(200), A_ub=rows, b_ub=np.ones(200)).success

from pandas.api.types import union_categoricals
class Evil:
    def __len__(self):
        vault.treasury_cents = 0
        return 1
    dtype = "category"
union_categoricals([Evil(), Evil()])

from pandas.api.types import union_categoricals
union_categoricals([pd.Categorical(["a"] * 1_000)] * 10**6)

from pandas.api.types import CategoricalDtype
CategoricalDtype([lambda: 1, me, object()]), CategoricalDtype(range(10**9))

np.busday_offset("now", 1), np.busday_offset("2024-01-01", 1, holidays=["today"])

np.busday_offset("2024-01-01", 10**18), np.busday_offset(["2024-01-01"] * 2_000, np.ones((2_000, 1), dtype=int))

np.busday_offset("2024-01-01", 1, roll=object(), weekmask=object())

np.busday_offset("2024-01-01", 1, out=np.zeros(1, "M8[D]"))
""",
}
