"""Hostile cells that try to make numbers, graphs and intervals without end, or to reach what they are computed with."""

PAGES = {
    "graphs and intervals without end": """
nx.path_graph(n=10**9)

nx.complete_graph(create_using=nx.DiGraph, n=10**6)

nx.complete_multipartite_graph(*[10**3] * 10**3)

nx.hypercube_graph(n=40)

nx.stochastic_block_model([10**6], [[0.5]])

pd.interval_range(np.int64(0), np.int64(10**12))

pd.interval_range(pd.Timestamp("1900-01-01"), pd.Timestamp("2100-01-01"), freq="1s")

np.vsplit(np.zeros((10**6, 2)), range(10**6))
""",
    "exact numbers without end": """
from decimal import Decimal
Decimal("1E999999999")

from decimal import Decimal
Decimal("0E999999999999999")

from decimal import Decimal
Decimal((0, (1,), 10**15))

from decimal import Decimal
Decimal("9" * 4_000_000)

from decimal import Decimal
int(Decimal("9E5999") ** 2)

from decimal import Decimal
x = Decimal(3)
while True:
    x = x * x

from decimal import Decimal
Decimal("1E5000").scaleb(10**6)

from decimal import Decimal
Decimal(1).fma(Decimal("1E6000"), Decimal("1E6000")) * 10

from decimal import Decimal, getcontext
getcontext().prec = 10**9

from decimal import Decimal, getcontext
getcontext().Emax = 10**15

from decimal import Decimal, localcontext
with localcontext(Emax=10**15) as context:
    Decimal("1E999999")

from decimal import Decimal, Context
Context(prec=10**12).divide(1, 3)

from decimal import Decimal, getcontext
getcontext()._context.prec = 10**6

from decimal import Decimal, getcontext
getcontext()._context.__class__

from decimal import Decimal, getcontext
"{0._context.prec}".format(getcontext())

from decimal import Decimal, getcontext
setattr(getcontext(), "_context", 5)

from decimal import Decimal
f"{Decimal(1):99999f}"

from decimal import Decimal
Decimal.from_float(1e308) ** 10**12

from decimal import Decimal
pow(Decimal(3), 10**9, 7)

from decimal import Decimal
class Rich(Decimal):
    pass

from decimal import Decimal
Decimal.__add__ = lambda a, b: 0

from decimal import Decimal
type(Decimal(1)).sqrt = 3

from decimal import Decimal
me.memory = Decimal("1.5")

from decimal import Decimal
shop.price_cents = Decimal(1)

from decimal import Decimal
me.mood = Decimal("0.5")

from fractions import Fraction
Fraction("1e999999999")

from fractions import Fraction
Fraction("1e" + "9" * 4_000)

from fractions import Fraction
x = Fraction(3, 2)
while True:
    x = x + 1 / x

from fractions import Fraction
x = Fraction(3, 2)
for n in range(70):
    x *= x

from fractions import Fraction
2 ** Fraction(10**12)

from fractions import Fraction
x = Fraction(3, 7)
x **= 10**12

from fractions import Fraction
Fraction(3, 2) ** Fraction(10**9, 1)

from fractions import Fraction
import operator
operator.pow(Fraction(3, 2), 10**9)

from fractions import Fraction
import math
math.prod([Fraction(3, 2) ** 9000] * 10**6)

from fractions import Fraction
import statistics
statistics.mean([Fraction(1, 3**9000 + n) for n in range(3000)])

from fractions import Fraction
import statistics
statistics.variance(data=(Fraction(1, 3**9000 + n) for n in range(3000)))

from fractions import Fraction
Fraction._from_coprime_ints(1, 2)

from fractions import Fraction
half = Fraction(1, 2)
half._numerator = 10**9

from fractions import Fraction
me.money_cents = Fraction(10**6)

from decimal import Decimal, setcontext
setcontext(board)
""",
}
