"""Every kind of object that a cell can hold, and every operation on one that the gate lets through."""

IMPORTS = (
    "functools contextlib queue graphlib string difflib hashlib struct calendar textwrap operator decimal enum io "
    "fractions uuid sys copy itertools"
).split()

HELD = """
'abc de'
b'abc'
bytearray(b'abc')
7
1.5
True
1j
None
[3, 1, 2]
(3, 1, 2)
range(9)
slice(1, 2, 3)
{'a': 1, 'b': 2}
{1, 2, 3}
frozenset([1, 2])
me.notes
me.counts
me.tags
me.friends
me.map
me.map.nodes[0]
me.map.edges
me.map.adj[0]
me.grid
me.diary
me.diary['day']
vault.entries
vault.streets
vault.accounts
vault.grid
shop.stock
db
db.execute('select * from sales')
board
board.queue
collections.Counter('aab')
collections.defaultdict(list, {'a': [1]})
collections.OrderedDict(a=1, b=2)
collections.deque([1, 2, 3])
collections.ChainMap({'a': 1}, {'b': 2})
collections.namedtuple('P', 'x y')(1, 2)
{'a': 1}.keys()
{'a': 1}.items()
{'a': 1}.values()
(n for n in [1, 2])
(lambda n: n)
len
[].append
datetime.date(2020, 1, 2)
datetime.datetime(2020, 1, 2)
datetime.timedelta(1)
decimal.Decimal('1.5')
fractions.Fraction(1, 3)
uuid.uuid4()
statistics.NormalDist(0, 1)
re.compile('a(b)')
re.match('a(b)', 'ab')
np.arange(6.0).reshape(2, 3)
np.array([1, 'a', None], dtype=object)
np.array(['a', 'b'])
np.float64(1.5)
np.int64(3)
np.str_('ab')
np.dtype('int64')
np.add
np.poly1d([1, 2])
np.polynomial.Polynomial([1, 2])
np.random.default_rng(1)
io.StringIO('abc')
pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x']})
pd.Series([1, 'x', None], dtype=object)
pd.Series(['a', 'b', None])
pd.Series(['a', 'b']).str
pd.Series(['a', 'b'], dtype='category')
pd.to_datetime(pd.Series(['2020-01-01']))
pd.Timestamp('2020-01-01')
pd.Timedelta('1D')
pd.Period('2020-01')
pd.Interval(0, 1)
pd.NaT
pd.NA
pd.Index(['a', 'b'])
pd.date_range('2020-01-01', periods=3)
pd.MultiIndex.from_tuples([(1, 'a'), (2, 'b')])
pd.Categorical(['a', 'b'])
pd.array([1, None], dtype='Int64')
pd.array(['a', None], dtype='string')
pd.offsets.MonthEnd()
pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x']}).groupby('b')
pd.DataFrame({'a': [1, 2, 3]}).rolling(2)
nx.path_graph(3)
nx.DiGraph([(1, 2)])
nx.path_graph(3).nodes
rng
clock
world
team
me
bob
vault
Citizen
ValueError('x')
ExceptionGroup('x', [ValueError(1)])
property(lambda self: 1)
functools.partial(max, 1)
functools.singledispatch(lambda n: n)
contextlib.ExitStack()
queue.PriorityQueue()
string.Template('$a')
hashlib.sha256(b'a')
struct.Struct('<i')
operator.itemgetter(0)
operator.attrgetter('mood')
Own()
Own
""".strip().splitlines()
"""What makes each: ``x`` in the operations."""

EXPRESSIONS = """
x == E()
E() == x
x != E(), x <= E(), x >= E()
x < E()
E() > x
x + E()
E() + x
x - E()
x * E()
E() * x
x / E()
x // E()
x % E()
x ** E()
x << E()
x >> E()
x & E()
x | E()
x ^ E()
x @ E()
-x, +x
~x
not x
x and E() or x
x is E(), x is not E()
E() in x
x in E()
x not in [E()]
x[E()]
x[E():E():E()]
x[...]
x(E(), *E(), **{'a': E()})
E()(x)
E()[x]
x if E() else x
(y := E())
[*x, *E()]
(*x, E())
{E(), *x}
{x: E(), **E()}
[a for a in x if E()]
{a: E() for a in x}
{E() for a in x}
list(a for a in x for b in E())
(lambda a=x, *b, c=E(), **d: b)(*E())
f'{x}{E()!r:>{E()}}'
f'{x:{E()}}'
'{} {!r} {:{}}'.format(x, E(), x, E())
'%s %r' % (x, E())
isinstance(x, E()), isinstance(E(), x)
sorted([x, E()], key=E())
max(x, E()), sum([x, E()], E())
list(zip(x, map(E(), x), enumerate(x, E()), filter(x, [E()])))
str(x), repr(x), hash(x), len(x), bool(x), abs(x), round(x, E()), divmod(x, E())
next(x, E()), iter(x, E()), getattr(x, E(), E()), type(x)(E())
json.dumps([x, E()], default=lambda o: E())
copy.deepcopy([x, E()])
print(x, E(), sep=E(), end=E())
apply_to_each([x], lambda y: E())
np.array([x, E()]), np.where(E(), x, x)
pd.Series([x, E()]), pd.DataFrame({'a': x, 'b': E()})
nx.Graph([(x, E())])
shop.buy(me, x, E())
await x
""".strip().splitlines()

STATEMENTS = """
x += E()
x -= E()
x *= E()
x /= E()
x //= E()
x %= E()
x **= E()
x <<= E()
x >>= E()
x &= E()
x |= E()
x ^= E()
x @= E()
x[E()] = E()
x[:] = E()
x[0] += E()
x[E()] @= E()
x.a = E()
x.a += E()
del x[E()]
del x[:]
del x.a
del x
a, *b = x
[a, (b, c)] = E()
for a in x: pass
for x[0] in E(): pass
while x: break
with x as y: pass
with E() as x[E()]: pass
async def f(): return await x\\nawait f()
match x:\\n    case E(): pass\\n    case [a, *b]: pass\\n    case {'a': b, **c}: pass\\n    case 1 | 'a' as d: pass
match E():\\n    case [a, *b] if x: pass\\n    case {'a': b}: pass\\n    case None: pass\\n    case Own(a=b): pass
try:\\n    raise x\\nexcept E() as y: pass\\nelse: pass\\nfinally: E() == x
try:\\n    raise ExceptionGroup('a', [E(), ValueError(1)])\\nexcept* ValueError as y: x == y
raise x from E()
assert not x, E()
class K(x): pass
class K(Own):\\n    y = x\\n    y += E()
@x\\ndef f(): pass
@E()\\nclass K: pass
def g():\\n    z = yield x\\n    yield from E()\\nq = g()\\nnext(q)\\nq.send(E())
def f():\\n    global x\\n    x += E()\\nf()
def f(y):\\n    def g():\\n        nonlocal y\\n        y |= E()\\n    g()\\nf(x)
me.memory = [x, E()]
me.notes[:] = x
me.counts = x
me.grid[:] = x
me.diary['z'] = x
me.friends = x
bob.notes = x
x: E() = E()
import math, json as x\\nfrom math import pi as y
if x: pass\\nelse: pass
for a in E():\\n    continue
return_ = lambda: (yield x)
pass
""".strip().splitlines()


def cell(held: str, operation: str, hooks: str) -> str:
    """Return a cell that does one operation to one object, with an ``E`` of some hooks at hand."""
    operation = operation.replace("\\n", "\n")
    lines = [f"import {name}" for name in IMPORTS if f"{name}." in held + operation]
    return "\n".join([*lines, "class Own:\n    pass", hooks, f"x = {held}", operation])
