# ruff: noqa: E501 -- a cell a line reads best
"""What language models and students compute, each with what its last line shows: exact numbers, algorithms, draws."""

EXACT: list[tuple[str, object]] = [
    ("from decimal import Decimal\nstr(Decimal('0.1') + Decimal('0.2'))", "0.3"),
    (
        "from decimal import Decimal, ROUND_HALF_UP\nstr(Decimal('2.675').quantize(Decimal('0.01'), rounding=ROUND_HALF_UP))",
        "2.68",
    ),
    (
        "from decimal import Decimal, getcontext\ngetcontext().prec = 30\nstr(Decimal(2).sqrt())",
        "1.41421356237309504880168872421",
    ),
    (
        "from decimal import Decimal, localcontext\nwith localcontext() as ctx:\n    ctx.prec = 5\n    third = Decimal(1) / 3\nstr(third), str(Decimal(1) / 3)",
        ("0.33333", "0." + "3" * 28),
    ),
    (
        "from decimal import Decimal\nprices = [Decimal('1.10'), Decimal('2.20')]\nf'{sum(prices):.2f} {max(prices)} {sum(prices) / len(prices)}'",
        "3.30 2.20 1.65",
    ),
    (
        "from decimal import Decimal, InvalidOperation\ntry:\n    Decimal('ten')\nexcept InvalidOperation:\n    found = 'no number'\nfound",
        "no number",
    ),
    (
        "from decimal import Decimal, DivisionByZero\ntry:\n    Decimal(1) / 0\nexcept DivisionByZero as error:\n    found = str(error)\nfound",
        "division by zero",
    ),
    (
        "from decimal import Decimal\nround(Decimal('3.14159'), 2) == Decimal('3.14'), int(Decimal('7.9')), float(Decimal('0.5'))",
        (True, 7, 0.5),
    ),
    (
        "from decimal import Decimal\nisinstance(Decimal(1), Decimal), type(Decimal(1) + 1).__name__, Decimal('1.50').normalize() == 1.5",
        (True, "Decimal", True),
    ),
    (
        "from decimal import Decimal\ntotal = Decimal(0)\nfor price in ('19.99', '5.01'):\n    total += Decimal(price) * 2\nstr(total)",
        "50.00",
    ),
    (
        "import decimal\nstr(decimal.Decimal(10) ** -2), decimal.Decimal('1E+3').adjusted(), decimal.Decimal('-2').copy_abs() == 2",
        ("0.01", 3, True),
    ),
    (
        "from decimal import Decimal\nmatch Decimal('2'):\n    case Decimal() as two:\n        found = str(two)\nfound",
        "2",
    ),
    ("from fractions import Fraction\nstr(Fraction(1, 3) + Fraction(1, 6))", "1/2"),
    (
        "from fractions import Fraction\nhalf = Fraction('0.5')\nhalf.numerator, half.denominator, float(half), half == 0.5",
        (1, 2, 0.5, True),
    ),
    (
        "from fractions import Fraction\nstr(Fraction(3.14159).limit_denominator(100)), str(Fraction(3, 4) ** 2), str(2 ** Fraction(3))",
        ("311/99", "9/16", "8"),
    ),
    (
        "from fractions import Fraction\nshares = [Fraction(1, n) for n in (2, 3, 6)]\nsum(shares) == 1, str(max(shares)), sorted(shares)[0].denominator",
        (True, "1/2", 6),
    ),
    (
        "from fractions import Fraction\nfrom decimal import Decimal\nstr(Fraction(Decimal('1.5'))), isinstance(1 / Fraction(2), Fraction), round(Fraction(7, 2))",
        ("3/2", True, 4),
    ),
    (
        "from fractions import Fraction\nimport statistics\nstr(statistics.mean([Fraction(1, 2), Fraction(1, 3)]))",
        "5/12",
    ),
    ("from decimal import Decimal\nimport statistics\nstr(statistics.mean([Decimal('1.1'), Decimal('2.2')]))", "1.65"),
    (
        "import statistics\ntry:\n    statistics.mean([])\nexcept statistics.StatisticsError:\n    found = 'nothing'\nfound",
        "nothing",
    ),
    (
        "import statistics\nround(statistics.stdev([2, 4, 4, 5]), 3), statistics.median([3, 1, 2]), statistics.mode('aab'), statistics.quantiles([1, 2, 3, 4], n=2)",
        (1.258, 2, "a", [2.5]),
    ),
    (
        "import numbers\nfrom fractions import Fraction\nisinstance(3, numbers.Integral), isinstance(2.5, numbers.Real), isinstance(Fraction(1), numbers.Rational)",
        (True, True, True),
    ),
    ("import math\nmath.isclose(math.gamma(5), 24), round(math.cbrt(27), 9), math.comb(5, 2)", (True, 3.0, 10)),
    ("n = 115792089237316195423570985008687907853269984665640564039457584007908834671663\nn % 1000", 663),
]
NUMBERS: list[tuple[str, object]] = [
    (
        "import random\nrandom.seed(7)\ndraw = random.Random(42)\n0 <= draw.random() < 1 and 1 <= draw.randint(1, 6) <= 6",
        True,
    ),
    (
        "import random\ndeck = list(range(10))\nrandom.shuffle(deck)\nsorted(deck) == list(range(10)), len(random.sample(deck, 3)), random.choices('ab', weights=[1, 0], k=2)",
        (True, 3, ["a", "a"]),
    ),
    (
        "import itertools\nlist(itertools.accumulate([1, 2, 3])), [''.join(p) for p in itertools.permutations('ab')], list(itertools.chain.from_iterable([[1], [2]]))",
        ([1, 3, 6], ["ab", "ba"], [1, 2]),
    ),
    ("from itertools import groupby\n{key: len(list(group)) for key, group in groupby('aabbb')}", {"a": 2, "b": 3}),
    (
        "from itertools import product, combinations, zip_longest\nlen(list(product('ab', repeat=3))), list(combinations([1, 2, 3], 2))[-1], list(zip_longest('ab', 'c', fillvalue='-'))[-1]",
        (8, (2, 3), ("b", "-")),
    ),
    (
        "def sieve(n):\n    prime = [True] * (n + 1)\n    prime[0:2] = [False, False]\n    for i in range(2, int(n ** 0.5) + 1):\n        if prime[i]:\n            prime[i * i :: i] = [False] * len(prime[i * i :: i])\n    return [i for i, yes in enumerate(prime) if yes]\nsieve(20)",
        [2, 3, 5, 7, 11, 13, 17, 19],
    ),
    (
        "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\ngcd(48, 18), divmod(17, 5), pow(2, 10, 1000), -7 // 2",
        (6, (3, 2), 24, -4),
    ),
    (
        "def quicksort(items):\n    if len(items) < 2:\n        return items\n    pivot, *rest = items\n    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])\nquicksort([3, 1, 2])",
        [1, 2, 3],
    ),
    (
        "def hanoi(n, a='A', b='B', c='C'):\n    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)\nlen(hanoi(5))",
        31,
    ),
    (
        "matrix = [[1, 2], [3, 4]]\n[list(row) for row in zip(*matrix)], sum(matrix, []), [[sum(a * b for a, b in zip(r, c)) for c in zip(*matrix)] for r in matrix]",
        ([[1, 3], [2, 4]], [1, 2, 3, 4], [[7, 10], [15, 22]]),
    ),
    (
        "def knapsack(items, room):\n    best = [0] * (room + 1)\n    for weight, value in items:\n        for left in range(room, weight - 1, -1):\n            best[left] = max(best[left], best[left - weight] + value)\n    return best[room]\nknapsack([(2, 3), (3, 4), (4, 5)], 5)",
        7,
    ),
    (
        "def lcs(a, b):\n    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]\n    for i, x in enumerate(a):\n        for j, y in enumerate(b):\n            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])\n    return table[-1][-1]\nlcs('kitten', 'sitting')",
        4,
    ),
    (
        "import numpy as np\nhalf = np.float32(0.5)\nhalf.dtype.name, half.shape, half.nbytes, np.int64(3).ndim, np.bool_(1).size",
        ("float32", (), 4, 0, 1),
    ),
    (
        "from numpy.linalg import norm, inv\nimport numpy as np\nfloat(norm([3, 4])), inv(np.eye(2)).tolist()",
        (5.0, [[1.0, 0.0], [0.0, 1.0]]),
    ),
    ("import numpy.random as npr\nrandom_numbers = npr.default_rng(3)\n0 <= float(random_numbers.random()) < 1", True),
    (
        "import numpy as np\nfrom numpy.typing import NDArray\ndef spread(values: NDArray) -> float:\n    return float(np.max(values) - np.min(values))\nspread(np.array([1.0, 4.0]))",
        3.0,
    ),
    (
        "bits = 0b1011\nbin(bits).count('1'), bits & -bits, bits >> 1, bits ^ 0xF, ~bits, (5).bit_length()",
        (3, 1, 5, 4, -12, 3),
    ),
    ("complex(3, 4).real, abs(3 + 4j), (1 + 2j).conjugate() == 1 - 2j", (3.0, 5.0, True)),
    (
        "from datetime import datetime, timedelta\nstart = datetime(2012, 6, 1, 9, 30)\nend = start + timedelta(minutes=45)\nend.strftime('%H:%M'), (end - start).total_seconds(), datetime.strptime('2012-06-02', '%Y-%m-%d').day",
        ("10:15", 2700.0, 2),
    ),
    (
        "counts = {}\nfor letter in 'banana':\n    counts[letter] = counts.get(letter, 0) + 1\nmax(counts, key=counts.get), dict(sorted(counts.items(), key=lambda kv: -kv[1]))",
        ("a", {"a": 3, "n": 2, "b": 1}),
    ),
    (
        "first, *middle, last = range(5)\na = b = [0]\nb += [1]\nx, y = 1, 2\nx, y = y, x\nmiddle, a, (x, y), [*middle, *'ab'], {**{'k': 1}, 'j': 2}",
        ([1, 2, 3], [0, 1], (2, 1), [1, 2, 3, "a", "b"], {"k": 1, "j": 2}),
    ),
    (
        "def outer():\n    total = 0\n    def add(n, /, *, times=1):\n        nonlocal total\n        total += n * times\n        return total\n    return add\nadd = outer()\nadd(2), add(3, times=2)",
        (2, 8),
    ),
    (
        "for n in range(2, 10):\n    for d in range(2, n):\n        if n % d == 0:\n            break\n    else:\n        last_prime = n\nlast_prime",
        7,
    ),
    (
        "try:\n    result = 10 / 0\nexcept ZeroDivisionError:\n    result = None\nelse:\n    result += 1\nfinally:\n    tidy = True\nresult, tidy",
        (None, True),
    ),
    (
        "try:\n    try:\n        int('x')\n    except ValueError as error:\n        raise KeyError('bad') from error\nexcept KeyError as error:\n    found = str(error)\nfound",
        "'bad'",
    ),
    (
        "any(x > 2 for x in (1, 3)), all([]), next((x for x in [1, 4] if x > 3), None), list(filter(None, [0, 1, ''])), list(map(max, [1, 5], [4, 2])), sorted('bca', reverse=True)",
        (True, True, 4, [1], [4, 5], ["c", "b", "a"]),
    ),
]
