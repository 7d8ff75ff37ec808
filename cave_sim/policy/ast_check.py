"""The gate: one pass over a cell's tree that lets known syntax through, and puts guards where only running can tell.

An allow-list of node types, as RestrictedPython's, but parsed and walked once: what needs a guard is rewritten in
place while walking. Names that start with an underscore belong to the guards alone, so no cell can reach or
rebind them. What stays unguarded is cheap on purpose: reading a declared field costs what it costs anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, NoReturn

from cave_sim.errors import Blocked, did_you_mean
from cave_sim.policy.class_syntax import is_abstract_class, patterns_of, registered, rename_private, settle_statements
from cave_sim.policy.exception_groups import written_out as written_out_groups
from cave_sim.policy.libraries.formats import checked_format
from cave_sim.policy.libraries.ways_out import instead_of_method, way_out
from cave_sim.policy.operators import IDENTITIES, OPERATORS, asks_which, is_harmless, may_tell_addresses, written_out
from cave_sim.policy.syntax import (
    CHILDREN,
    CLASS_METHODS,
    READABLE_DUNDERS,
    REFUSED,
    Cleaned,
    Fixed,
    GuardName,
    Method,
    PatternName,
    at,
    become,
    bound_loop,
    call,
    enter,
    instead_of,
    is_readable,
    is_reserved,
    load,
    settle,
)

MAX_NODES = 4_000
_OURS = frozenset({GuardName, Fixed, PatternName})
MAX_LITERAL = 2**4_096


class Direct(NamedTuple):
    """Attribute names that need no guard, because on no type that a cell can get hold of they do harm."""

    reads: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


class AstChecker:
    """One walk over one cell.

    Args:
        direct: attribute names that need no guard (:func:`cave_sim.policy.attributes.direct_names`).
        modules: names that may be imported.
    """

    def __init__(self, direct: Direct, modules: frozenset[str]) -> None:
        self._reads, self._calls, self._writes = direct
        self._modules = modules
        self._own_writes: list[ast.Attribute] = []  # me.field = ..., unguarded while `me` is nobody else
        self._rebinds_me = False
        self._kinds = 0

    def walk(self, tree: ast.Module) -> None:
        """Check the tree and put the guards in; raises Blocked, naming line, rule and way out."""
        stack: list[Any] = [tree]
        pop, push, extend = stack.pop, stack.append, stack.extend
        plans, seen = _PLANS, 0
        while stack:
            node = pop()
            kind = node.__class__
            if kind is ast.Name:
                if node.id[0] == "_" or node.id == "me":
                    self._special_name(node)
                continue
            if node is None or kind in _OURS:
                continue
            seen += 1
            plan = plans.get(kind)
            if plan is None:
                self.refuse(node, REFUSED.get(kind, f"{kind.__name__} is not a statement that cells may use"))
            special, fields = plan
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
        self._settle_names()
        if seen > MAX_NODES:
            raise Blocked(f"the cell has {seen:,} parts; at most {MAX_NODES:,} are run. Split it over several turns")

    def refuse(self, node: ast.AST, message: str) -> NoReturn:
        """Raise the refusal of a node, with its line."""
        line = getattr(node, "lineno", None)
        raise Blocked(f"line {line}: {message}" if line else message)

    def name(self, node: ast.AST, name: str | None) -> None:
        """Refuse a name that belongs to the guards."""
        if name == "me":
            self._rebinds_me = True
        if name is not None and name[0] == "_" and is_reserved(name):
            self.refuse(node, f"the name {name!r} belongs to Python or to the world; {way_out(name) or 'rename it'}")

    def _settle_names(self) -> None:
        """Now that the whole cell was seen: what it does not bind itself means what it means everywhere."""
        for target in self._own_writes:
            if self._rebinds_me:
                target.value = call("_write_", target, target.value)
            else:  # who acts, whatever an older function of the agent may make of `me`
                target.value = at(GuardName("_me_", ast.Load()), target)

    def _special_name(self, node: ast.Name) -> None:
        if node.ctx.__class__ is not ast.Load or (node.id != "__name__" and node.id != "me"):
            self.name(node, node.id)

    # Each of these looks at one kind of node, and may turn it into another, whose children are then walked.

    def _attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        if node.ctx.__class__ is not ast.Load:
            if name in self._writes and node.value.__class__ is ast.Name and node.value.id == "me":
                self._own_writes.append(node)
            else:
                self.name(node, name)
                node.value = call("_write_own_" if name[0] == "_" else "_write_", node, node.value)
        elif name not in self._reads:
            if name[0] == "_" and is_reserved(name) and name not in READABLE_DUNDERS and not is_readable(node):
                self.refuse(node, f".{name} belongs to Python or to the world; {instead_of(name)}")
            if name in ("__init__", "__class__"):
                guard = "_init_" if name == "__init__" else "_type_"
                become(node, ast.Call, func=load(guard), args=[node.value], keywords=[])
            elif name in CLASS_METHODS:
                become(node, ast.Call, func=load("_super_"), args=[node.value, Fixed(name)], keywords=[])
            else:
                become(node, ast.Call, func=load("_attr_"), args=[node.value, Fixed(name)], keywords=[])

    def _item(self, node: ast.Subscript) -> None:
        if node.ctx.__class__ is ast.Store and type(getattr(node.slice, "value", None)) is not str:
            node.value = call("_into_", node, node.value)  # arrays have no items by name

    def _called(self, node: ast.Call) -> None:
        function = node.func
        if function.__class__ is ast.Attribute and function.attr in self._calls:
            function.__class__ = Method

    def _constant(self, node: ast.Constant) -> None:
        if type(node.value) is int and not -MAX_LITERAL <= node.value < MAX_LITERAL:
            self.refuse(node, "an integer of more than 4,096 bits; compute it instead")

    def _function(self, node: Any) -> None:
        self._plain(node)
        if not node.name.startswith("__") or not node.name.endswith("__"):
            self.name(node, node.name)
        elif node.name not in CLASS_METHODS:
            instead = instead_of_method(node.name) or f"cells have none such.{did_you_mean(node.name, CLASS_METHODS)}"
            self.refuse(node, f"a cell may not define {node.name}; {instead}")
        node.decorator_list = [registered(each, node.args) for each in node.decorator_list]
        node.returns = None
        node.body.insert(1 if ast.get_docstring(node, clean=False) is not None else 0, enter(node))

    def _plain(self, node: Any) -> None:
        if getattr(node, "type_params", None):
            way = "leave them out, or write T = TypeVar('T') and class Name(Generic[T])"
            self.refuse(node, f"type parameters are not for cells; {way}")

    def _arg(self, node: ast.arg) -> None:
        self.name(node, node.arg)
        node.annotation = None

    def _keyword(self, node: ast.keyword) -> None:
        if node.arg is not None and node.arg[0] == "_":
            self.refuse(node.value, f"an argument {node.arg!r} is private to what is called; leave it out")

    def _class(self, node: ast.ClassDef) -> None:
        self.name(node, node.name)
        self._plain(node)
        rename_private(node)
        if node.keywords and not is_abstract_class(node):
            self.refuse(node, "a class of a cell takes no keywords; write `class Name(Base):`")
        node.bases += [keyword.value for keyword in node.keywords]
        node.keywords = []
        settle_statements(node)

    def _annotated(self, node: Any) -> None:
        if getattr(node, "keeps_annotation", False):
            node.annotation = Fixed(ast.unparse(node.annotation))
        elif node.value is None:
            become(node, ast.Pass)
        else:
            become(node, ast.Assign, targets=[node.target], value=node.value, type_comment=None)

    def _loop(self, node: Any) -> None:
        bound_loop(node)

    def _lambda(self, node: ast.Lambda) -> None:
        node.body = at(ast.BoolOp(ast.Or(), [call("_enter_", node), node.body]), node)

    def _comprehension(self, node: ast.comprehension) -> None:
        if node.is_async:
            self.refuse(node.target, "asynchronous comprehensions are not for cells; use a plain one")
        bound_loop(node)

    def _set(self, node: Any) -> None:
        become(node, ast.Call, func=load("_set_"), args=[at(ast.List(node.elts, ast.Load()), node)], keywords=[])

    def _set_comprehension(self, node: Any) -> None:
        inner = at(ast.GeneratorExp(node.elt, node.generators), node)
        become(node, ast.Call, func=load("_set_"), args=[inner], keywords=[])

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(node, alias.name)
            self.name(node, alias.asname)

    def _import_from(self, node: ast.ImportFrom) -> None:
        if node.level:
            self.refuse(node, "a cell has no package to import from")
        if node.module == "__future__":  # what it brings, every Python has that runs here
            become(node, ast.Pass)
            return
        self._module(node, node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.refuse(node, f"`from {node.module} import *` hides what it brings; name what you need")
            self.name(node, alias.name)
            self.name(node, alias.asname)

    def _module(self, node: ast.AST, module: str) -> None:
        if module not in self._modules:
            instead = way_out(module) or f"these are: {', '.join(sorted(self._modules))}"
            self.refuse(node, f"module {module!r} is not for cells; {instead}")

    def _handler(self, node: ast.ExceptHandler) -> None:
        self.name(node, node.name)
        node.type = node.type or load("Exception")
        if node.name:
            node.body.insert(0, settle(node))

    def _try(self, node: ast.Try) -> None:
        """What stops a cell, or throws its generator away, runs none of the cell's own handlers on its way out."""
        if node.handlers:
            again = at(ast.Raise(), node)
            node.handlers.insert(0, at(ast.ExceptHandler(load("_fatal_"), None, [again]), node))
        if node.finalbody:
            first = node.finalbody[0]
            node.finalbody = [at(ast.If(call("_calm_", first), node.finalbody, []), first)]

    def _try_groups(self, node: Any) -> None:
        """Write ``except*`` out, so that no handler of the cell sees what ends a turn in a group."""
        self._kinds += 1
        become(node, ast.Try, handlers=[written_out_groups(node, self._kinds)])
        self._try(node)

    def _delegation(self, node: ast.YieldFrom) -> None:
        node.value = call("_each_", node, node.value)

    def _names(self, node: Any) -> None:
        for name in node.names:
            self.name(node, name)

    def _pattern_name(self, node: Any) -> None:
        self.name(node, node.name)

    def _pattern_mapping(self, node: ast.MatchMapping) -> None:
        self.name(node, node.rest)
        if any(isinstance(key, ast.Attribute) for key in node.keys):
            self.refuse(node, "a dotted name in a pattern; compare it in an `if`")

    def _match(self, node: ast.Match) -> None:
        """What a pattern reads of a class, Python reads past the guards: it must be one of the cell's own.

        Each class is looked up once, and kept under a name that no code of a cell can bind anew in between.
        """
        looked_up: list[ast.expr] = []
        for pattern in patterns_of(node):
            kind, names = self._read_of(pattern)
            if isinstance(kind, ast.Name) and names:
                self._kinds += 1
                label = f"_kind{self._kinds}_"
                bound = at(ast.NamedExpr(GuardName(label, ast.Store()), at(ast.Name(kind.id, ast.Load()), kind)), kind)
                looked_up.append(at(ast.Tuple([bound, *map(Fixed, names)], ast.Load()), kind))
                become(kind, GuardName, id=label)
        if looked_up:
            node.subject = call("_subject_", node.subject, node.subject, *looked_up)

    def _read_of(self, pattern: ast.pattern) -> tuple[ast.expr | None, list[str]]:
        """Return the class of which a pattern reads attributes, and which; none if it reads none."""
        if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Attribute):
            kind, names = pattern.value.value, [pattern.value.attr]
        elif isinstance(pattern, ast.MatchClass):
            kind, names = pattern.cls, list(pattern.kwd_attrs)
            if isinstance(kind, ast.Name) and kind.id == "str":
                become(kind, GuardName, id="_texts_")
        else:
            return None, []
        if not isinstance(kind, ast.Name):
            self.refuse(pattern, "a dotted class in a pattern; use isinstance in an `if`")
        if any(name[0] == "_" for name in names):
            self.refuse(pattern, "a class pattern names a private attribute; compare it in an `if`")
        return kind, names

    def _pattern_value(self, node: ast.MatchValue) -> None:
        if isinstance(node.value, ast.Attribute):
            become(node.value, PatternName)

    def _with_item(self, node: ast.withitem) -> None:
        node.context_expr = call("_manager_", node.context_expr, node.context_expr)

    def _operation(self, node: ast.BinOp) -> None:
        guard = OPERATORS.get(type(node.op))
        if guard is not None and not is_harmless(node.op, node.left, node.right):
            become(node, ast.Call, func=load(guard), args=[node.left, node.right], keywords=[])

    def _comparison(self, node: ast.Compare) -> None:
        if asks_which(node):
            if len(node.ops) > 1:
                self.refuse(node, "`is` in a chain of comparisons; join them with `and`")
            guard = IDENTITIES[type(node.ops[0])]
            become(node, ast.Call, func=load(guard), args=[node.left, *node.comparators], keywords=[])

    def _augmented(self, node: ast.AugAssign) -> None:
        target = node.target
        is_risky = type(node.op) in OPERATORS and not is_harmless(node.op, target, node.value)
        if is_risky or (isinstance(target, ast.Attribute) and target.attr not in self._writes):
            become(node, ast.Assign, **written_out(node))

    def _text(self, node: ast.JoinedStr) -> None:
        if any(map(may_tell_addresses, node.values)):
            inner = at(Cleaned(node.values), node)
            become(node, ast.Call, func=load("_text_"), args=[inner], keywords=[])

    def _formatted(self, node: ast.FormattedValue) -> None:
        spec = node.format_spec
        if not isinstance(spec, ast.JoinedStr):
            return
        spec.__class__ = Cleaned
        if any(isinstance(part, ast.FormattedValue) for part in spec.values):
            shown = node.value
            if node.conversion != -1:
                shown = at(ast.JoinedStr([at(ast.FormattedValue(shown, node.conversion, None), node)]), node)
            node.value, node.conversion, node.format_spec = call("_format_", node, shown, spec), -1, None
        else:
            try:
                checked_format("".join(str(part.value) for part in spec.values if isinstance(part, ast.Constant)))
            except Blocked as refusal:
                self.refuse(node, str(refusal))

    handlers: ClassVar[dict[type[ast.AST], Callable[[Any, Any], None]]] = {
        ast.Attribute: _attribute,
        ast.Call: _called,
        ast.Subscript: _item,
        ast.Constant: _constant,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.arg: _arg,
        ast.keyword: _keyword,
        ast.ClassDef: _class,
        ast.AnnAssign: _annotated,
        ast.For: _loop,
        ast.While: _loop,
        ast.Lambda: _lambda,
        ast.comprehension: _comprehension,
        ast.Set: _set,
        ast.SetComp: _set_comprehension,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.ExceptHandler: _handler,
        ast.Try: _try,
        ast.TryStar: _try_groups,
        ast.Global: _names,
        ast.Nonlocal: _names,
        ast.MatchAs: _pattern_name,
        ast.MatchStar: _pattern_name,
        ast.MatchMapping: _pattern_mapping,
        ast.Match: _match,
        ast.withitem: _with_item,
        ast.MatchValue: _pattern_value,
        ast.BinOp: _operation,
        ast.Compare: _comparison,
        ast.AugAssign: _augmented,
        ast.FormattedValue: _formatted,
        ast.JoinedStr: _text,
        ast.YieldFrom: _delegation,
    }
    """What looks at a node, by its kind; nodes of other kinds are walked as they are."""


_PLANS = {kind: (AstChecker.handlers.get(kind), fields) for kind, fields in CHILDREN.items()}
"""What the walk does at each kind of node: the method that looks at it, and the fields that it goes on to."""
