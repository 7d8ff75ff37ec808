"""The gate under random source: it refuses, or what it compiles touches no name that is not the guards'."""

import dis
import re
import sys
from types import CodeType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cave_sim.errors import Blocked
from cave_sim.policy.syntax import CLASS_METHODS, READABLE_DUNDERS, is_reserved
from tests.policy import square
from tests.policy.hostile import HOSTILE
from tests.policy.judge import turns_of
from tests.policy.ordinary import ORDINARY

WORLD = square.build()
PUT_ASIDE = re.compile(r"_kind\d+_|_(held|raised)\d*_|_at_|_me_")
"""Names under which the gate itself keeps something for later in a cell."""
GUARDS = {
    name
    for name in WORLD.interpreter.scope
    if name.startswith("_") and name.endswith("_") and not name.startswith("__")
}
MADE_BY_PYTHON = {"__module__", "__qualname__", "__annotations__", "__build_class__", "__class__", "__classcell__", "_"}
if sys.version_info >= (3, 13):
    MADE_BY_PYTHON |= {"__firstlineno__", "__static_attributes__"}  # what the compiler says of a class
HARMLESS = GUARDS | READABLE_DUNDERS | CLASS_METHODS | MADE_BY_PYTHON
SEEDS = [code for page in HOSTILE.values() for script in page for _, code in turns_of(script)] + [
    c for c, _ in ORDINARY
]

NAMES = st.sampled_from(
    ["me", "x", "vault", "_attr_", "__class__", "__builtins__", "super", "math", "_", "__name__", "str"]
)
ATTRIBUTES = st.sampled_from(
    ["mood", "__class__", "_undo_log", "append", "__init__", "format", "gi_frame", "__name__", "buy"]
)
EXPRESSIONS = st.recursive(
    NAMES | st.sampled_from(["1", "'a'", "2.5", "None", "f'{x!r:>{x}}'", "{*x}", "(yield)", "super()"]),
    lambda inner: st.one_of(
        st.builds("{}.{}".format, inner, ATTRIBUTES),
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "*", "**", "%", "<<", "and", "is", "in"]), inner),
        st.builds("{}({}, **{})".format, inner, inner, inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("[{} for {} in {} if {}]".format, inner, NAMES, inner, inner),
        st.builds("(lambda {}: {})".format, NAMES, inner),
        st.builds("({} := {})".format, NAMES, inner),
        st.builds("f'{{{}:{{{}}}}}'".format, NAMES, NAMES),
    ),
    max_leaves=6,
)
SIMPLE = st.one_of(
    st.builds("{} = {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("{} **= {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("{}: {} = {}".format, EXPRESSIONS, EXPRESSIONS, EXPRESSIONS),
    st.builds("del {}".format, EXPRESSIONS),
    st.builds("import {} as {}".format, NAMES, NAMES),
    st.builds("from math import {}".format, NAMES),
    st.builds("global {}".format, NAMES),
    st.builds("raise {}".format, EXPRESSIONS),
    EXPRESSIONS,
)
BLOCKS = st.one_of(
    SIMPLE,
    st.builds(
        "try:\n    {}\nexcept {} as {}:\n    {}\nfinally:\n    {}".format, SIMPLE, EXPRESSIONS, NAMES, SIMPLE, SIMPLE
    ),
    st.builds("def {}({}, *{}):\n    {}\n    return {}".format, NAMES, NAMES, NAMES, SIMPLE, EXPRESSIONS),
    st.builds("class {}({}):\n    {}".format, NAMES, EXPRESSIONS, SIMPLE),
    st.builds(
        "match {}:\n    case {}:\n        {}\n    case {}({}={}):\n        pass".format,
        *[EXPRESSIONS] * 3,
        NAMES,
        NAMES,
        NAMES,
    ),
    st.builds("match {}:\n    case {{{}: {}, **{}}}:\n        pass".format, EXPRESSIONS, EXPRESSIONS, NAMES, NAMES),
    st.builds("for {} in {}:\n    {}\nwhile {}:\n    {}".format, EXPRESSIONS, EXPRESSIONS, SIMPLE, EXPRESSIONS, SIMPLE),
    st.builds("async def {}():\n    yield {}\n    await {}".format, NAMES, EXPRESSIONS, EXPRESSIONS),
)
SOURCES = st.lists(BLOCKS, min_size=1, max_size=4).map("\n".join)


@st.composite
def mutated(draw):
    """Two cells of the corpora, cut and joined somewhere, with a piece of one repeated."""
    one, other = draw(st.sampled_from(SEEDS)), draw(st.sampled_from(SEEDS))
    at, to = draw(st.integers(0, len(one))), draw(st.integers(0, len(other)))
    return (
        one[:at]
        + draw(st.sampled_from(["", "\n", ".", "_", "__class__", "(", "{", "\\", "'", "\x00", "\u202e"]))
        + other[to:]
    )


def names_in(code: CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= names_in(constant)
    return found


def attributes_read_in(code: CodeType) -> set[str]:
    """Return the attributes that code reads by itself, with no guard in between."""
    reads = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    return reads.union(*(attributes_read_in(const) for const in code.co_consts if isinstance(const, CodeType)))


def check(source: str) -> None:
    try:
        cell = WORLD.interpreter.cells.get(source)
    except (Blocked, SyntaxError):
        return
    reserved = {name for name in names_in(cell.code) if is_reserved(name)}
    assert not {name for name in reserved - HARMLESS if not PUT_ASIDE.fullmatch(name)}
    assert not {name for name in attributes_read_in(cell.code) if name[0] == "_"} - HARMLESS


@given(SOURCES)
def test_what_is_written_at_random_reaches_no_hidden_name(source):
    check(source)


@given(mutated())
@example("try:\n    vault.treasury_cents = 0\nexcept* BaseException:\n    pass")
def test_what_is_made_of_known_attacks_reaches_no_hidden_name(source):
    check(source)


@given(st.text(max_size=200))
def test_any_text_is_refused_or_compiled(source):
    check(source)


@pytest.mark.parametrize(
    "source", ["x = " + "-" * 3000 + "1", "x = " + "1+" * 1900 + "1", "x" + ".a" * 1500, "(" * 70, "\\"]
)
def test_a_source_that_could_hurt_the_compiler_is_only_refused(source):
    check(source)
