"""Where templates are rendered: Jinja2's immutable sandbox, of which little is left but loops, conditions and blocks.

A template is written by a model, and its data by anybody. So everything is on a list: which nodes it may consist of,
which filters and tests it may use, what may be called and what has attributes. Values are plain data. Whatever could
make much of little (loops, products, texts that are put together) is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, TypeVar

from jinja2 import StrictUndefined, Undefined, nodes
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from cave_sim.rendering import filters
from cave_sim.rendering.escaping import CONTROLS, ESCAPES, SAFE
from cave_sim.rendering.limits import LIMITS, Meter, RenderError, RenderLimits

ALLOWED_NODES = frozenset(
    """
    Template Output TemplateData For If Macro Assign AssignBlock Name NSRef Const List Tuple Dict Pair Keyword CondExpr
    Filter Test Call Getattr Getitem Slice Concat Compare Operand Add Sub Mul Div FloorDiv Mod Pow Neg Pos Not And Or
    """.split()
)
Made = TypeVar("Made")
NOT_NAMES = frozenset({"self", "super", "varargs", "kwargs", "caller", "environment", "context"})
TESTS = frozenset(
    "defined undefined none number string mapping iterable sequence boolean integer float even odd in".split()
)
SCALARS = (str, int, float, bool, type(None))
MOST_BITS = 256


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """An environment for one rendering.

    Args:
        format_: whose escaping holds: ``html``, ``latex``, ``markdown`` or ``docx``.
        meter: counts what the rendering takes.
        functions: what templates may call, by name.
    """

    intercepted_binops: frozenset[str] = frozenset({"+", "-", "*", "/", "//", "%", "**"})

    def __init__(self, format_: str, meter: Meter, functions: Mapping[str, Callable[..., Any]]) -> None:
        super().__init__(
            undefined=StrictUndefined,
            autoescape=True,
            finalize=self._shown,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            cache_size=0,
        )
        self.meter = meter
        self._escape = ESCAPES[format_]
        self._functions = set(functions.values())
        self.globals: dict[str, Any] = {**functions, "range": self._range, "namespace": Namespace}
        self.filters: dict[str, Any] = {
            **filters.by_name(meter, self._safe),
            "_counted": meter.counted,
            "_bounded": meter.bounded,
            "_concat": self._concat,
            "_shown": self._shown,
        }
        self.tests: dict[str, Any] = {name: test for name, test in self.tests.items() if name in TESTS}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a key of a mapping, or a trait of a loop or a namespace: nothing else has attributes here."""
        if isinstance(obj, Mapping):
            return self._item(obj, attribute)
        if isinstance(obj, Undefined):
            return getattr(obj, attribute)  # says what is undefined
        if isinstance(obj, LoopContext | Namespace) and not attribute.startswith("_"):
            return self._trait(obj, attribute)
        raise SecurityError(f"a template reads keys of mappings; {type(obj).__name__} has no {attribute!r} for it")

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item of a mapping, a list or a text."""
        if isinstance(obj, Undefined):
            return obj[argument]
        if isinstance(obj, Mapping):
            return self._item(obj, argument)
        if isinstance(obj, list | tuple | str) and isinstance(argument, int | slice):
            try:
                return obj[argument]
            except IndexError:
                return self.undefined(name=str(argument)[:80])
        raise SecurityError(f"{type(obj).__name__} has no item {argument!r} for a template")

    def is_safe_callable(self, obj: Any) -> bool:
        return isinstance(obj, Macro) or obj is Namespace or obj == self._range or obj in self._functions

    def call(self, *args: Any, **kwargs: Any) -> Any:
        self.meter.step()
        return self.meter.bounded(super().call(*args, **kwargs))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Do arithmetic with numbers of a sensible size, and join texts."""
        if operator == "+" and isinstance(left, str) and isinstance(right, str):
            return self._concat(left, right)
        if not all(isinstance(each, int | float) for each in (left, right)):
            raise SecurityError(f"{operator} is for numbers here; join texts with ~")
        if operator == "**" and not (isinstance(right, int) and abs(right) <= 64):
            raise SecurityError("** takes whole exponents up to 64")
        if any(isinstance(each, int) and each.bit_length() > MOST_BITS for each in (left, right)):
            raise SecurityError("that number is too large for a template")
        try:
            return super().call_binop(context, operator, left, right)
        except ArithmeticError as error:
            raise RenderError("template", f"{operator}: {error}") from None

    def _trait(self, obj: LoopContext | Namespace, attribute: str) -> Any:
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return self.undefined(name=attribute[:80])

    def _item(self, obj: Mapping[Any, Any], key: Any) -> Any:
        try:
            return obj[key]
        except (KeyError, TypeError):
            return self.undefined(obj=None, name=str(key)[:80])

    def _shown(self, value: Any) -> Any:
        """Return a value as it is put into a document: escaped, unless it is a block of ours."""
        if isinstance(value, SAFE | Undefined):
            return value
        return self._safe(value)

    def _safe(self, value: Any) -> SAFE:
        if isinstance(value, SAFE):
            return value
        if not isinstance(value, SCALARS):
            raise SecurityError(f"a {type(value).__name__} is not printed whole: loop over it, or give it to a block")
        return SAFE(self._escape("" if value is None else str(value)))

    def _concat(self, *texts: Any) -> str:
        """Join texts; if a block of ours is among them, the others are escaped."""
        if any(isinstance(each, Undefined) for each in texts):
            raise UndefinedError("an undefined value is joined with ~")
        is_safe = any(isinstance(each, SAFE) for each in texts)
        if not is_safe and not all(isinstance(each, SCALARS) for each in texts):
            raise SecurityError("~ joins texts and numbers")
        pieces = [str(self._safe(each)) if is_safe else str(each) for each in texts]
        if sum(map(len, pieces)) > self.meter.limits.chars:
            raise self.meter.too_long()
        self.meter.step()
        joined = "".join(pieces)
        return SAFE(joined) if is_safe else joined

    def _range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        if len(numbers) > self.meter.limits.steps:
            raise RenderError("limit", f"range({', '.join(map(str, bounds))}) is longer than any loop may be")
        return numbers


def parsed(source: str, limits: RenderLimits = LIMITS) -> nodes.Template:
    """Return a template's tree, with what is to be counted marked so; raises RenderError if anything is forbidden."""
    if CONTROLS.search(source):
        raise RenderError("template", "a template has no control characters")
    if len(source) > limits.source_chars:
        raise RenderError(
            "limit", f"a template has {limits.source_chars:,} characters at the most, not {len(source):,}"
        )
    try:
        environment = TemplateSandbox("html", Meter(limits), {})
        tree = environment.parse(source)
        _check(tree, limits)
        return _counted(tree, environment)
    except TemplateSyntaxError as error:
        raise RenderError("template", f"line {error.lineno}: {error.message}") from None
    except (RecursionError, MemoryError, ValueError, OverflowError) as error:
        raise RenderError("template", f"this template cannot be read: {type(error).__name__}") from None


def compiled(tree: nodes.Template, format_: str) -> CodeType:
    """Return the code of a tree that :func:`parsed` returned; its constants are escaped as the format does it."""
    return TemplateSandbox(format_, Meter(), {}).compile(tree)


def rendered(code: CodeType, format_: str, values: Mapping[str, Any], functions: Any, meter: Meter) -> str:
    """Render what :func:`compiled` returned.

    Args:
        code: of the template, for this format.
        format_: whose escaping holds.
        values: what it is rendered with, plain data.
        functions: what it may call, by name.
        meter: counts what it takes.

    Raises:
        RenderError: it did what is forbidden, took too much, or used what is not there.
    """
    environment = TemplateSandbox(format_, meter, functions)

    def generated() -> str:
        template = environment.template_class.from_code(environment, code, environment.make_globals(None))
        pieces, chars = [], 0
        for piece in template.generate(**values):
            chars += len(piece)
            if chars > meter.limits.chars:
                raise meter.too_long()
            meter.look()
            pieces.append(piece)
        return "".join(pieces)

    return guarded(generated)


def guarded(work: Callable[[], Made]) -> Made:
    """Do something with a template; what goes wrong is its fault, and a RenderError."""
    try:
        return work()
    except SecurityError as error:
        raise RenderError("security", str(error)) from None
    except UndefinedError as error:
        raise RenderError("template", f"{error}: the data has no such value") from None
    except RecursionError:
        raise RenderError("limit", "a macro calls itself too deeply") from None
    except (
        TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError, SyntaxError, MemoryError
    ) as error:  # fmt: skip
        raise RenderError("template", " ".join(f"{type(error).__name__}: {error}".split())[:300]) from None


def variables(tree: nodes.Template) -> list[str]:
    """Return which keys of ``data`` a template names."""
    names = {
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "data"
    }
    return sorted(names)


def _check(tree: nodes.Template, limits: RenderLimits) -> None:
    waiting: list[nodes.Node] = [tree]
    count = 0
    while waiting:
        node = waiting.pop()
        count += 1
        kind = type(node).__name__
        if count > limits.nodes:
            raise RenderError("limit", f"a template has {limits.nodes:,} parts at the most")
        if kind not in ALLOWED_NODES:
            raise RenderError("security", f"line {node.lineno}: {kind} has no place in a template")
        if why := _forbidden(node):
            raise RenderError("security", f"line {node.lineno}: {why}")
        waiting.extend(node.iter_child_nodes())


def _forbidden(node: nodes.Node) -> str:
    """Return what is wrong with a node; "" if nothing is."""
    match node:
        case nodes.Name(name=name) if name in NOT_NAMES or name.startswith("_"):
            return f"{name} is no name for a template"
        case nodes.Getattr(attr=name) if name.startswith("_"):
            return f"nothing has a {name} for a template"
        case nodes.Filter(name=name) if name not in filters.NAMES:
            return f"there is no filter {name!r}; there are {', '.join(filters.NAMES)}"
        case nodes.Test(name=name) if name not in TESTS:
            return f"there is no test {name!r}; there are {', '.join(sorted(TESTS))}"
        case nodes.Call(node=called) if not isinstance(called, nodes.Name):
            return "only blocks and macros are called, by their names"
        case nodes.Call(dyn_args=args, dyn_kwargs=kwargs) if args is not None or kwargs is not None:
            return "arguments are written out"
        case nodes.List() | nodes.Dict() | nodes.Tuple(ctx="load"):
            try:
                node.as_const()
            except nodes.Impossible:
                return "lists, tuples and dicts in a template hold constants"
    return ""


def _counted(tree: nodes.Template, environment: TemplateSandbox) -> nodes.Template:
    """Mark what is to be counted: what loops go over, what is kept, and what is joined."""

    def through(value: Any, name: str) -> nodes.Filter:
        return nodes.Filter(value, name, [], [], None, None, lineno=value.lineno)

    def visit(node: nodes.Node) -> nodes.Node:
        for name, value in node.iter_fields():
            if isinstance(value, nodes.Node):
                setattr(node, name, visit(value))
            elif isinstance(value, list):
                setattr(node, name, [visit(each) if isinstance(each, nodes.Node) else each for each in value])
        match node:
            case nodes.For():
                node.iter = through(node.iter, "_counted")
            case nodes.Assign():
                node.node = through(node.node, "_bounded")
            case nodes.AssignBlock():
                node.filter = nodes.Filter(node.filter, "_bounded", [], [], None, None, lineno=node.lineno)
            case nodes.Output():  # a constant would be escaped as HTML, whatever the format is
                node.nodes = [through(each, "_shown") if _is_constant(each) else each for each in node.nodes]
            case nodes.Concat():
                first, *rest = node.nodes
                return nodes.Filter(first, "_concat", rest, [], None, None, lineno=node.lineno)
        return node

    visit(tree)
    tree.set_environment(environment)
    return tree


def _is_constant(node: nodes.Expr) -> bool:
    return not isinstance(node, nodes.TemplateData | nodes.Name) and node.find(nodes.Name) is None
