"""What a cell's code may contain: a text that hides nothing and hurts no parser, of the nodes that are listed here."""

from __future__ import annotations

import ast
import sys
from typing import Any

from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import Blocked
from cave_sim.policy.hidden_text import hidden_character

MAX_CELL_CHARS = 20_000
MAX_BRACKETS = 60


def readable(source: str) -> str:
    """Return a cell's text with one kind of line ends; raises Blocked for what would hurt the parser or a reader."""
    source = source.replace("\r\n", "\n")
    if len(source) > MAX_CELL_CHARS:
        raise Blocked(f"the cell has {len(source):,} characters; at most {MAX_CELL_CHARS:,} are run")
    hidden = hidden_character(source)
    if hidden:
        line = source[: source.index(hidden)].count("\n") + 1
        raise Blocked(
            f"line {line}: the invisible or control character U+{ord(hidden):04X}, which can hide what the cell does; "
            "write it as an escape in a text, or leave it out"
        )
    _check_brackets(source)
    return source


def parse(source: str) -> ast.Module:
    """Parse a cell, refusing first what would hurt the parser; raises Blocked or SyntaxError."""
    return tree_of(readable(source))


def tree_of(text: str) -> ast.Module:
    """Parse the text of a cell that is :func:`readable`; raises Blocked or SyntaxError."""
    try:
        return ast.parse(text, CELL_FILE)
    except (RecursionError, MemoryError):
        raise Blocked("the cell is nested too deeply to be read") from None
    except ValueError as error:
        raise Blocked(f"the cell cannot be read: {error}") from None


def _check_brackets(source: str) -> None:
    """Bound nesting before the parser sees it; brackets in texts count too, which only makes it stricter."""
    if source.count("(") + source.count("[") + source.count("{") <= MAX_BRACKETS:
        return
    depth = 0
    for character in source:
        if character in "([{":
            depth += 1
            if depth > MAX_BRACKETS:
                raise Blocked(f"brackets nested more than {MAX_BRACKETS} deep")
        elif character in ")]}":
            depth = max(0, depth - 1)


class Method(ast.Attribute):
    """A method that is called where it is read, so that the function itself never comes into a cell's hands."""


class PatternName(ast.Attribute):
    """A dotted name in a pattern, of a class that was looked at before."""


class Cleaned(ast.JoinedStr):
    """An f-string from which places in memory are taken out."""


class OwnHandler(ast.ExceptHandler):
    """A handler that the gate itself put in."""


CHILDREN: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Module: ("body",),
    ast.Expr: ("value",),
    ast.Expression: ("body",),
    ast.Assign: ("targets", "value"),
    ast.AugAssign: ("target", "value"),
    ast.AnnAssign: ("target", "annotation", "value"),
    ast.Delete: ("targets",),
    ast.Return: ("value",),
    ast.If: ("test", "body", "orelse"),
    ast.For: ("target", "iter", "body", "orelse"),
    ast.While: ("test", "body", "orelse"),
    ast.Break: (),
    ast.Continue: (),
    ast.Pass: (),
    ast.Assert: ("test", "msg"),
    ast.Raise: ("exc", "cause"),
    ast.TryStar: ("body", "handlers", "orelse", "finalbody"),
    OwnHandler: ("type", "body"),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.With: ("items", "body"),
    ast.withitem: ("context_expr", "optional_vars"),
    ast.ExceptHandler: ("type", "body"),
    ast.Import: (),
    ast.ImportFrom: (),
    ast.Global: (),
    ast.Nonlocal: (),
    ast.FunctionDef: ("decorator_list", "args", "body"),
    ast.AsyncFunctionDef: ("decorator_list", "args", "body"),
    ast.ClassDef: ("decorator_list", "bases", "body"),
    ast.Lambda: ("args", "body"),
    ast.arguments: ("posonlyargs", "args", "vararg", "kwonlyargs", "kw_defaults", "kwarg", "defaults"),
    ast.arg: (),
    ast.BoolOp: ("values",),
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.Compare: ("left", "comparators"),
    ast.IfExp: ("test", "body", "orelse"),
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("value",),
    ast.Attribute: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.Name: (),
    ast.Constant: (),
    ast.List: ("elts",),
    ast.Tuple: ("elts",),
    ast.Set: ("elts",),
    ast.Dict: ("keys", "values"),
    ast.ListComp: ("elt", "generators"),
    ast.SetComp: ("elt", "generators"),
    ast.GeneratorExp: ("elt", "generators"),
    ast.DictComp: ("key", "value", "generators"),
    ast.comprehension: ("target", "iter", "ifs"),
    ast.NamedExpr: ("target", "value"),
    ast.JoinedStr: ("values",),
    ast.FormattedValue: ("value", "format_spec"),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
    ast.Await: ("value",),
    ast.Match: ("subject", "cases"),
    ast.match_case: ("pattern", "guard", "body"),
    ast.MatchValue: ("value",),
    ast.MatchSingleton: (),
    ast.MatchSequence: ("patterns",),
    ast.MatchMapping: ("keys", "patterns"),
    ast.MatchClass: ("cls", "patterns", "kwd_patterns"),
    ast.MatchStar: (),
    ast.MatchAs: ("pattern",),
    ast.MatchOr: ("patterns",),
    Method: ("value",),
    Cleaned: ("values",),
}
"""Every node type that may stand in a cell, with the fields that hold its children."""

CLASS_METHODS = frozenset(
    "__init__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __len__ __iter__ __next__ __bool__ "
    "__contains__ __getitem__ __setitem__ __delitem__ __call__ __reversed__ __post_init__ __enter__ __exit__ "
    "__add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ __truediv__ __rtruediv__ "
    "__floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__ __neg__ __pos__ __abs__ __invert__ __and__ __rand__ "
    "__or__ __ror__ __xor__ __rxor__ __lshift__ __rshift__ __int__ __float__ __round__ __floor__ __ceil__ "
    "__trunc__ __matmul__ __rmatmul__ __imatmul__ __divmod__ __rdivmod__ __itruediv__ __ifloordiv__ __imod__ __iand__ "
    "__ior__ __ixor__ __format__ __missing__".split()
)
"""Special methods that a class of a cell may define. None of them runs behind the cell's back."""

READABLE_DUNDERS = frozenset({"__name__", "__doc__"})

_INSTEAD = {
    "__len__": "len(x)",
    "__str__": "str(x)",
    "__repr__": "repr(x)",
    "__eq__": "x == y",
    "__hash__": "hash(x)",
    "__iter__": "iter(x)",
    "__next__": "next(x)",
    "__getitem__": "x[key]",
    "__setitem__": "x[key] = value",
    "__contains__": "key in x",
    "__dict__": "x.name, or hold what varies in a dict",
    "__members__": "list(Colour), or {each.name: each for each in Colour}",
    "__setattr__": "x.name = value; what a frozen dataclass works out, as a property",
    "__delattr__": "del x.name",
    "__getattribute__": "getattr(x, name)",
    "__qualname__": "x.__name__",
    "__annotations__": "dataclasses.fields(x), or the names themselves",
    "__match_args__": "the names themselves",
    "__wrapped__": "the function under another name before it is decorated",
    "__closure__": "what it holds into an object",
    "__cause__": "the first error into an attribute of the second one",
    "__context__": "the first error into an attribute of the second one",
    "__traceback__": "print(error); what failed is in the turn's own error",
    **dict.fromkeys(
        ("__mro__", "__bases__", "__base__", "__subclasses__"), "issubclass(kind, other), or keep classes in a list"
    ),
    "_name_": "x.name",
    "_value_": "x.value",
}


def instead_of(name: str) -> str:
    """Return why a cell does not read a special attribute, and what it writes for it."""
    way_out = f"; write {_INSTEAD[name]}" if name in _INSTEAD else ""
    return f"such attributes are not for cells{way_out}"


METADATA = frozenset(
    "__all__ __author__ __contact__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__ __status__ "
    "__version__".split()
)
"""What modules say of themselves. It means nothing to Python, so that cells may keep it as they keep any variable."""


def is_reserved(name: str) -> bool:
    """Say whether a name is none for cells: it is Python's own, or made like those of the guards, as ``_attr_``."""
    return name.startswith("_") and name.endswith("_") and name.strip("_") != "" and name not in METADATA


def is_readable(node: ast.Attribute) -> bool:
    """Say whether a special attribute is the class of something, the notes of an error, or a method of ``super()``."""
    match node:
        case ast.Attribute(_, "__class__" | "__notes__"):
            return True
        case ast.Attribute(ast.Call(ast.Name("super")), name):
            return name in CLASS_METHODS
    return False


REFUSED: dict[type[ast.AST], str] = {
    ast.AsyncWith: "`async with` is not for cells",
    ast.AsyncFor: "`async for` is not for cells",
}
if sys.version_info >= (3, 12):
    REFUSED[ast.TypeAlias] = "`type X = ...` is not for cells; write X = ..."


class GuardName(ast.Name):
    """The name of a guard that the gate itself put in; the walk passes it by."""

    lineno: int = 1
    col_offset: int = 0


class Fixed(ast.Constant):
    """A constant that the gate itself put in."""

    lineno: int = 1
    col_offset: int = 0


def at(node: Any, like: ast.expr | ast.stmt | ast.ExceptHandler) -> Any:
    """Give a new node the place of an old one, so that errors name the right line."""
    node.lineno, node.col_offset = like.lineno, like.col_offset
    return node


_LOAD = ast.Load()
_GUARDS: dict[str, ast.Name] = {}


def load(name: str) -> ast.Name:
    """Return the node of a guard's name; one serves all cells, because nothing ever changes it."""
    if name not in _GUARDS:
        _GUARDS[name] = GuardName(name, _LOAD)
    return _GUARDS[name]


def call(guard: str, like: Any, *args: Any) -> Any:
    """Return a call of a guard, in the place of an old node."""
    node = ast.Call(load(guard), list(args), [])
    node.lineno, node.col_offset = like.lineno, like.col_offset
    return node


def bound_loop(loop: Any) -> None:
    """Have each round of a loop or a comprehension spend a tick; so one over a ``range`` may be of any length."""
    if type(loop) is ast.comprehension:
        loop.ifs.insert(0, at(ast.Compare(call("_tick_", loop.target), [ast.Is()], [Fixed(None)]), loop.target))
    else:
        loop.body.insert(0, at(ast.Expr(call("_tick_", loop)), loop))
    numbers = getattr(loop, "iter", None)
    if (
        type(numbers) is ast.Call
        and type(numbers.func) is ast.Name
        and numbers.func.id == "range"
        and not numbers.keywords
    ):
        numbers.args.insert(0, numbers.func)
        numbers.func = load("_looped_")


def enter(function: Any) -> Any:
    """Return the statement by which a function spends a tick where it begins, unless calls are too deep for it."""
    return at(ast.Expr(call("_enter_", function)), function)


def settle(handler: ast.ExceptHandler) -> Any:
    """Return the statement by which an error that is caught lists what it lists in one order."""
    first = handler.body[0]
    return at(ast.Expr(call("_settled_", first, at(ast.Name(handler.name or "", ast.Load()), first))), first)


def show_last(tree: ast.Module) -> None:
    """Hand the value of a last expression to ``_show_``, as a notebook does."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        last.value = call("_show_", last, last.value)


def become(node: Any, kind: type[ast.AST], **fields: Any) -> None:
    """Turn a node into one of another kind, in place, so that its parent need not be told."""
    node.__class__ = kind
    for name, value in fields.items():
        setattr(node, name, value)
