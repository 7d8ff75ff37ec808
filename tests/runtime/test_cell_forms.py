"""Cells that differ in numbers and texts alone share what they were compiled to, and nobody can tell."""

import dis
import random
import re
import sys
import warnings

import pytest

from cave_sim import World
from cave_sim.errors import Blocked
from cave_sim.policy.ast_check import Direct
from cave_sim.policy.attributes import direct_names
from cave_sim.runtime.cell import CellCache
from tests.bench.subjects import Neighbour
from tests.policy.ordinary import ORDINARY

DIRECT = direct_names(frozenset({Neighbour}))
LITERAL = re.compile(r"""(?<![\w.'"])[1-9][0-9]*(?:\.[0-9]+)?(?![\w.'"])|(?<![\w'"])'[^'"\\\n{}%]*'(?!['"])""")
EXCHANGED = [
    "me.say(ann, 'so {n}')",
    "x = {n}",
    "x = 'a {n}' if me.mood > 0.{n} else 'b {n}'\nme.note(x)",
    "me.mood = me.mood + 0.{n}\nme.money_cents -= {n}\nme.heard['{n}'] = {n}.5",
    "if me.place == 'place {n}' and clock.hour > {n}:\n    me.go('park {n}', 'é', minutes={n})",
    "# it's late\nme.note('{n}')",
    "f({n}, 'a', {n}, b={n}, c='{n}')[{n}] * {n}",
    "x = {'a': {n}, 'b': '{n}'}\ndel x['{n}']",
]
KEPT = [
    *("x = -{n}", "x = [1, 2, {n}]", "x = ({n}, 'a')", "x = {n} * 'a'", "x = me.mood << {n}", "'%s {n}' % x", "'a{n}'"),
    *("if {n}: pass", "x = me.mood or {n}", "x = f'{me.mood:.{n}f}'", "x = 'a' '{n}'", "x = '''it's {n}'''", "{n}"),
    *("x = 'abc'[{n}] + 'd'", "x = me is {n}", "x = 0x1{n}", "x = {n}_000", "x = {n}e3", "x = r'{n}'", "x = '\\t{n}'"),
    *(
        "def f():\n    return '{n}'",
        *(["x = [y + {n} for y in z]"] if sys.version_info < (3, 12) else []),
        "x = {n} + 1",
        "x = {n} < 2",
        "assert me, '{n}'",
    ),
]
"""What stands where a literal is looked into, or has a form of its own."""


def as_it_runs(cell):
    """Return what decides how a cell runs: each instruction, what it takes, of which type, and its line."""
    code = dis.get_instructions(cell.code)
    steps = [(each.opname, type(each.argval), each.argval, each.starts_line) for each in code]
    return [step for step in steps if step[0] != "EXTENDED_ARG"], cell.names, cell.awaits, cell.is_brief, cell.source


def compiled(source, cells=None):
    """Return a cell as a cache gives it, by default one that has met no other."""
    if cells is None:
        cells = CellCache(guarded=True)
        cells.allow(DIRECT)
    return cells.get(source)


def shares_a_form(template):
    """Say whether the third and fourth cell of a template share what was compiled, having seen that they are right."""
    cells = CellCache(guarded=True)
    cells.allow(DIRECT)
    made = [compiled(template.replace("{n}", str(number)), cells) for number in (3, 4, 5, 6)]
    for cell in made:
        assert as_it_runs(cell)[1:] == as_it_runs(compiled(cell.source))[1:]
    assert [as_it_runs(cell)[0] for cell in made if _has_no_function(cell)] == [
        as_it_runs(compiled(cell.source))[0] for cell in made if _has_no_function(cell)
    ]
    return made[2].names is made[3].names


def _has_no_function(cell):
    return not any(hasattr(constant, "co_code") for constant in cell.code.co_consts)


@pytest.mark.parametrize("template", EXCHANGED)
def test_a_literal_that_nothing_looks_into_is_exchanged(template):
    assert shares_a_form(template)


@pytest.mark.parametrize("template", KEPT)
def test_a_literal_that_something_looks_into_is_not(template):
    assert not shares_a_form(template)


def test_ordinary_cells_are_what_compiling_makes_of_them_whatever_numbers_and_texts_they_hold():
    draw, cells, shared = random.Random(7), CellCache(guarded=True), 0
    cells.allow(DIRECT)

    def another(found):
        if found[0][0] == "'":
            return f"'{draw.choice('abcd')}{found[0][1:-1][:3]}'"
        return f"{draw.randint(1, 99)}.5" if "." in found[0] else str(draw.randint(1, 99))

    for source, _ in draw.sample(ORDINARY, 120):
        known = None
        for text in (source, *(LITERAL.sub(another, source) for _ in range(3))):
            try:
                fresh = compiled(text)
            except (Blocked, SyntaxError) as error:
                with pytest.raises(type(error), match=re.escape(str(error))):
                    cells.get(text)
                continue
            cell = cells.get(text)
            shared += cell.names is known
            known = cell.names
            if _has_no_function(cell):
                assert as_it_runs(cell) == as_it_runs(fresh)
    assert shared > 10


@pytest.mark.parametrize(
    ("template", "good", "bad"),
    [
        ("x = '{}'", ("a", "b", "c"), "\u202e"),
        ("me.note('{}')", ("a", "b", "c"), "(" * 70),
        ("x = {}", ("1", "2", "3"), "9" * 2_000),
        ("x = me.mood << {}", ("1", "2", "3"), "99_999_999_999"),
        ("me.note('{}')", ("a", "b", "c"), "x" * 20_000),
        ("x = '{}'", ("a", "b", "c"), "'\nimport os\n'"),
        ("x = {}", ("1", "2", "3"), "__import__"),
    ],
)
def test_what_the_gate_says_of_a_cell_does_not_depend_on_those_before(template, good, bad):
    cells = CellCache(guarded=True)
    for each in good:
        cells.get(template.format(each))
    told = []
    for cache in (cells, CellCache(guarded=True)):
        try:
            told.append(as_it_runs(cache.get(template.format(bad))))
        except (Blocked, SyntaxError) as error:
            told.append((type(error), str(error)))
    assert told[0] == told[1]


@pytest.mark.parametrize("template", ["x = me.mood * {}", "x = {{}}\nx[{}] = 1", "x = {}", "me.mood + {}"])
def test_a_number_is_not_put_where_a_text_was_nor_one_of_another_kind(template):
    cells = CellCache(guarded=True)
    cells.allow(DIRECT)
    for literal in ("1", "2", "3", "4.5", "'a'", "5.5", "6", "'b'", '"c"'):
        source = template.format(literal)
        assert as_it_runs(cells.get(source)) == as_it_runs(compiled(source))


def test_what_people_write_beside_it_is_no_part_of_a_cell_that_is_exchanged():
    cells = CellCache(guarded=True)
    for number in range(6):
        for remark in ("# it's late", '# "so" it is'):
            cells.get(f"{remark}\nme.note('{number}')")
    for remark in ("# it's late", '# "so" it is'):
        last, one = cells.get(f"{remark}\nme.note('8')"), cells.get(f"{remark}\nme.note('9')")
        assert last.names is one.names


def test_cells_under_other_rules_share_nothing():
    cells = CellCache(guarded=True)
    cells.allow(DIRECT)
    for number in range(3):
        assert "_attr_" not in cells.get(f"x = me.mood + {number}").names
    cells.allow(Direct())
    assert "_attr_" in cells.get("x = me.mood + 3").names


def test_what_python_warns_of_in_a_cell_changes_nothing_where_warnings_are_errors():
    cells = CellCache(guarded=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(4):
            assert number in cells.get(f"x = 7if clock else 8\ny = {number}").code.co_consts


def test_each_cell_of_a_form_does_its_own_and_fails_in_its_own_line():
    world = World(seed=1)
    world.add("ann", Neighbour())
    for number in range(1, 6):
        assert world.execute(f"me.money_cents = {number}\nme.place = 'cafe {number}'", agent="ann").committed
        assert (world["ann"].money_cents, world["ann"].place) == (number, f"cafe {number}")
        turn = world.execute(f"x = 'text {number}'\nme.mood = {number}.5", agent="ann")
        assert turn.error.startswith(f"line 2: me.mood = {number}.5\nSchemaError: ann.mood")
