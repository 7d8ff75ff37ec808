"""The gate: one pass over a cell's tree that lets known syntax through, and puts guards where only running can tell.

An allow-list of node types, as RestrictedPython's, but parsed and walked once: what needs a guard is rewritten in
place while walking. Names that start with an underscore belong to the guards alone, so no cell can reach or
rebind them. What stays unguarded is cheap on purpose: reading a declared field costs what it costs anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from cave_sim.errors import Blocked

MAX_CELL_CHARS = 20_000
MAX_NODES = 4_000
MAX_BRACKETS = 60
MAX_INT = 2**63

class Direct(NamedTuple):
    """Attribute names that need no guard, because on no type that a cell can get hold of they do harm."""

    reads: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


class _Method(ast.Attribute):
    """A method that is called where it is read, so that the function itself never comes into a cell's hands."""


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
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
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
    _Method: ("value",),
}
"""Every node type that may stand in a cell, with the fields that hold its children."""

CLASS_METHODS = frozenset(
    "__init__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __len__ __iter__ __next__ __bool__ "
    "__contains__ __getitem__ __setitem__ __delitem__ __call__ __add__ __radd__ __sub__ __mul__ __truediv__ __neg__ "
    "__int__ __float__ __post_init__".split()  # noqa: SIM905
)
"""Special methods that a class of a cell may define. None of them runs behind the cell's back."""

READABLE_DUNDERS = frozenset({"__name__", "__doc__"})
KNOWN_NAMES = frozenset({"_", "__name__"})


class Gate:
    """One walk over one cell.

    Args:
        direct: attribute names that need no guard (:func:`cave_sim.policy.attributes.direct_names`).
        modules: names that may be imported.
    """

    def __init__(self, direct: Direct, modules: frozenset[str]) -> None:
        self._reads, self._calls, self._writes = direct
        self._modules = modules

    def walk(self, tree: ast.Module) -> None:
        """Check the tree and put the guards in; raises Blocked, naming line, rule and way out."""
        stack: list[Any] = [tree]
        pop, push, extend = stack.pop, stack.append, stack.extend
        plans, seen = _PLANS, 0
        while stack:
            node = pop()
            kind = node.__class__
            if kind is ast.Name:
                if node.id[0] == "_":
                    self.name(node, node.id)
                continue
            if node is None or kind is _Guard or kind is _Fixed:
                continue
            seen += 1
            plan = plans.get(kind)
            if plan is None:
                self.refuse(node, _REFUSED.get(kind, f"{kind.__name__} is not a statement that cells may use"))
            special, fields = plan  # type: ignore[misc]
            if special is not None:
                special(self, node)
                if node.__class__ is not kind:
                    fields = CHILDREN[node.__class__]
            for field in fields:
                child = getattr(node, field)
                if child.__class__ is list:
                    extend(child)
                else:
                    push(child)
        if seen > MAX_NODES:
            raise Blocked(f"the cell has {seen:,} parts; at most {MAX_NODES:,} are run. Split it over several turns")

    def refuse(self, node: ast.AST, message: str) -> None:
        """Raise the refusal of a node, with its line."""
        line = getattr(node, "lineno", None)
        raise Blocked(f"line {line}: {message}" if line else message)

    def name(self, node: ast.AST, name: str | None) -> None:
        """Refuse a name that belongs to the guards."""
        if name is not None and name[0] == "_" and name not in KNOWN_NAMES:
            self.refuse(node, f"the name {name!r} starts with an underscore; such names are not for cells. Rename it")

    # Each of these looks at one kind of node, and may turn it into another, whose children are then walked.

    def _attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        if node.ctx.__class__ is not ast.Load:
            if name not in self._writes:
                self.name(node, name)
                node.value = _call("_write_", node, node.value)
        elif name not in self._reads:
            if name[0] == "_" and name not in READABLE_DUNDERS and not _is_super_init(node):
                self.refuse(node, f".{name} starts with an underscore; such attributes are not for cells")
            if name != "__init__":
                _become(node, ast.Call, func=_load("_attr_"), args=[node.value, _Fixed(name)], keywords=[])

    def _called(self, node: ast.Call) -> None:
        if node.func.__class__ is ast.Attribute and node.func.attr in self._calls:  # type: ignore[attr-defined]
            node.func.__class__ = _Method

    def _constant(self, node: ast.Constant) -> None:
        if type(node.value) is int and not -MAX_INT <= node.value < MAX_INT:
            self.refuse(node, "an integer of more than 64 bits; compute it instead")

    def _function(self, node: Any) -> None:
        self._plain(node)
        if node.name.startswith("__") and node.name not in CLASS_METHODS:
            self.refuse(node, f"a cell may not define {node.name}. It may define {', '.join(sorted(CLASS_METHODS))}")
        elif not node.name.startswith("__"):
            self.name(node, node.name)
        node.returns = None
        node.body.insert(0, _tick(node))

    def _plain(self, node: Any) -> None:
        if getattr(node, "type_params", None):
            self.refuse(node, "type parameters are not for cells; leave them out")

    def _arg(self, node: ast.arg) -> None:
        self.name(node, node.arg)
        node.annotation = None

    def _keyword(self, node: ast.keyword) -> None:
        self.name(node, node.arg)

    def _class(self, node: ast.ClassDef) -> None:
        self.name(node, node.name)
        self._plain(node)
        if node.keywords:
            self.refuse(node, "a class of a cell takes no keywords; write `class Name(Base):`")
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                statement.kept = True  # type: ignore[attr-defined]  # dataclasses read the annotations

    def _annotated(self, node: Any) -> None:
        if getattr(node, "kept", False):
            node.annotation = _Fixed(ast.unparse(node.annotation))
        elif node.value is None:
            _become(node, ast.Pass)
        else:
            _become(node, ast.Assign, targets=[node.target], value=node.value, type_comment=None)

    def _loop(self, node: Any) -> None:
        node.body.insert(0, _tick(node))

    def _lambda(self, node: ast.Lambda) -> None:
        node.body = _at(ast.BoolOp(ast.Or(), [_call("_tick_", node), node.body]), node)

    def _comprehension(self, node: ast.comprehension) -> None:
        if node.is_async:
            self.refuse(node.target, "asynchronous comprehensions are not for cells; use a plain one")
        ticked = ast.Compare(_call("_tick_", node.target), [ast.Is()], [_Fixed(None)])
        node.ifs.insert(0, _at(ticked, node.target))

    def _set(self, node: Any) -> None:
        _become(node, ast.Call, func=_load("_set_"), args=[_at(ast.List(node.elts, ast.Load()), node)], keywords=[])

    def _set_comprehension(self, node: Any) -> None:
        inner = _at(ast.GeneratorExp(node.elt, node.generators), node)
        _become(node, ast.Call, func=_load("_set_"), args=[inner], keywords=[])

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(node, alias.name)
            self.name(node, alias.asname)

    def _import_from(self, node: ast.ImportFrom) -> None:
        if node.level:
            self.refuse(node, "a cell has no package to import from")
        self._module(node, node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.refuse(node, f"`from {node.module} import *` hides what it brings; name what you need")
            self.name(node, alias.name)
            self.name(node, alias.asname)

    def _module(self, node: ast.AST, module: str) -> None:
        if module not in self._modules:
            self.refuse(node, f"module {module!r} is not for cells. These are: {', '.join(sorted(self._modules))}")

    def _handler(self, node: ast.ExceptHandler) -> None:
        self.name(node, node.name)
        if node.type is None:
            node.type = _load("Exception")

    def _try(self, node: ast.Try) -> None:
        for inner in (each for statement in node.finalbody for each in ast.walk(statement)):
            if isinstance(inner, (ast.Return, ast.Break, ast.Continue)):
                self.refuse(inner, "leaving a `finally` by return, break or continue would swallow errors")
        if node.finalbody and any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
            self.refuse(node, "a generator may not yield inside try/finally: its end could run in another's turn")

    def _names(self, node: Any) -> None:
        for name in node.names:
            self.name(node, name)

    def _pattern_name(self, node: Any) -> None:
        self.name(node, node.name)

    def _pattern_mapping(self, node: ast.MatchMapping) -> None:
        self.name(node, node.rest)

    def _pattern_class(self, node: ast.MatchClass) -> None:
        if node.kwd_attrs:
            self.refuse(node, "a class pattern may not name attributes; compare them in an `if`")

    def _pattern_value(self, node: ast.MatchValue) -> None:
        if isinstance(node.value, ast.Attribute):
            self.refuse(node, "a dotted name in a pattern; compare it in an `if`")

    def _operation(self, node: ast.BinOp) -> None:
        guard = _OPERATORS.get(type(node.op))
        if guard is not None and not _is_harmless(node.op, node.left, node.right):
            _become(node, ast.Call, func=_load(guard), args=[node.left, node.right], keywords=[])

    def _augmented(self, node: ast.AugAssign) -> None:
        guard = _OPERANDS.get(type(node.op))
        if guard is not None and not _is_harmless(node.op, node.target, node.value):
            node.value = _call(guard, node, node.value)

    def _formatted(self, node: ast.FormattedValue) -> None:
        spec = node.format_spec
        if isinstance(spec, ast.JoinedStr):
            for part in spec.values:
                if isinstance(part, ast.FormattedValue):
                    part.value = _call("_width_", node, part.value)
                elif isinstance(part, ast.Constant) and _digits(str(part.value)) > 4:
                    self.refuse(node, f"the format {part.value!r} is wider than 9999 characters")


_SPECIAL: dict[type[ast.AST], Callable[[Gate, Any], None]] = {
    ast.Attribute: Gate._attribute,
    ast.Call: Gate._called,
    ast.Constant: Gate._constant,
    ast.FunctionDef: Gate._function,
    ast.AsyncFunctionDef: Gate._function,
    ast.arg: Gate._arg,
    ast.keyword: Gate._keyword,
    ast.ClassDef: Gate._class,
    ast.AnnAssign: Gate._annotated,
    ast.For: Gate._loop,
    ast.While: Gate._loop,
    ast.Lambda: Gate._lambda,
    ast.comprehension: Gate._comprehension,
    ast.Set: Gate._set,
    ast.SetComp: Gate._set_comprehension,
    ast.Import: Gate._import,
    ast.ImportFrom: Gate._import_from,
    ast.ExceptHandler: Gate._handler,
    ast.Try: Gate._try,
    ast.Global: Gate._names,
    ast.Nonlocal: Gate._names,
    ast.MatchAs: Gate._pattern_name,
    ast.MatchStar: Gate._pattern_name,
    ast.MatchMapping: Gate._pattern_mapping,
    ast.MatchClass: Gate._pattern_class,
    ast.MatchValue: Gate._pattern_value,
    ast.BinOp: Gate._operation,
    ast.AugAssign: Gate._augmented,
    ast.FormattedValue: Gate._formatted,
}

_PLANS = {kind: (_SPECIAL.get(kind), fields) for kind, fields in CHILDREN.items()}
"""What the walk does at each kind of node: the method that looks at it, and the fields that it goes on to."""

_REFUSED: dict[type[ast.AST], str] = {
    ast.With: "`with` is not for cells: there is nothing to open. Call the method directly",
    ast.AsyncWith: "`async with` is not for cells",
    ast.AsyncFor: "`async for` is not for cells",
    ast.TryStar: "`except*` is not for cells; use `except`",
}

_OPERATORS: dict[type[ast.operator], str] = {ast.Pow: "_power_", ast.LShift: "_shift_", ast.Mult: "_times_", ast.Mod: "_modulo_"}
_OPERANDS: dict[type[ast.operator], str] = {ast.Pow: "_exponent_", ast.LShift: "_exponent_", ast.Mult: "_factor_"}


def _is_harmless(operator: ast.operator, left: ast.expr, right: ast.expr) -> bool:
    """Say whether numbers written in the cell make an operation harmless whatever the other operand is."""
    if isinstance(operator, ast.Mod):
        return _number(left) is not None
    number = _number(right)
    if isinstance(operator, ast.Mult):
        return isinstance(number, float) or isinstance(_number(left), float)
    return number is not None and abs(number) <= 4


def _number(node: ast.expr) -> int | float | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) in (int, float) else None  # type: ignore[return-value]


def _digits(spec: str) -> int:
    return max((len(run) for run in "".join(c if c.isdigit() else " " for c in spec).split()), default=0)


def _is_super_init(node: ast.Attribute) -> bool:
    call = node.value
    return node.attr == "__init__" and isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "super"


class _Guard(ast.Name):
    """The name of a guard that the gate itself put in; the walk passes it by."""

    lineno, col_offset = 1, 0


class _Fixed(ast.Constant):
    """A constant that the gate itself put in."""

    lineno, col_offset = 1, 0


def _at(node: Any, like: ast.expr | ast.stmt) -> Any:
    """Give a new node the place of an old one, so that errors name the right line."""
    node.lineno, node.col_offset = like.lineno, like.col_offset
    return node


_LOAD = ast.Load()
_GUARDS: dict[str, ast.Name] = {}


def _load(name: str) -> ast.Name:
    """Return the node of a guard's name; one serves all cells, because nothing ever changes it."""
    if name not in _GUARDS:
        _GUARDS[name] = _Guard(name, _LOAD)
    return _GUARDS[name]


def _call(guard: str, like: Any, *args: Any) -> Any:
    node = ast.Call()
    node.func, node.args, node.keywords = _load(guard), list(args), []
    node.lineno, node.col_offset = like.lineno, like.col_offset
    return node


def _tick(node: Any) -> Any:
    return _at(ast.Expr(_call("_tick_", node)), node)


def show_last(tree: ast.Module) -> None:
    """Hand the value of a last expression to ``_show_``, as a notebook does."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        last.value = _call("_show_", last, last.value)


def _become(node: Any, kind: type[ast.AST], **fields: Any) -> None:
    """Turn a node into one of another kind, in place, so that its parent need not be told."""
    node.__class__ = kind
    for name, value in fields.items():
        setattr(node, name, value)


def parse(source: str) -> ast.Module:
    """Parse a cell, refusing first what would hurt the parser; raises Blocked or SyntaxError."""
    if len(source) > MAX_CELL_CHARS:
        raise Blocked(f"the cell has {len(source):,} characters; at most {MAX_CELL_CHARS:,} are run")
    if not source.isascii():
        for line, text in enumerate(source.splitlines(), 1):
            if any(_invisible(character) for character in text):
                raise Blocked(f"line {line}: an invisible or control character, which can hide what the cell does")
    elif "\x00" in source:
        raise Blocked("a NUL character in the cell")
    _check_brackets(source)
    try:
        return ast.parse(source, "<cell>")
    except (RecursionError, MemoryError):
        raise Blocked("the cell is nested too deeply to be read") from None
    except ValueError as error:
        raise Blocked(f"the cell cannot be read: {error}") from None


def _invisible(character: str) -> bool:
    code = ord(character)
    return 0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E or 0x2060 <= code <= 0x2069 or 0xD800 <= code <= 0xDFFF


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
