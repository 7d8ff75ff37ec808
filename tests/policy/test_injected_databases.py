"""A function of SQLite goes on until it is done: what it compares is counted before, and a deadline heard after."""

import sqlite3
from contextlib import closing

import pytest

from cave_sim.policy.libraries import comparisons, databases
from tests.policy import square

LONG = "a" * 990_000
COUNTING = "with recursive c(x) as (select 1 union all select x + 1 from c limit {}) "


@pytest.fixture
def asked():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table texts (long, short)")
        connection.execute("insert into texts values (?, ?)", (LONG, "a" * 400_000 + "b"))
        connection.execute("create view few as select short like '%B' as found, trim('xax', 'x') as bare from texts")
        connection.commit()
        world = square.build(deadline_s=0.3)
        world.inject("db", connection)
    return lambda sql: world.execute(f"db.execute({sql!r}).fetchall()", agent="ann")


@pytest.mark.parametrize(
    "expression",
    [
        "instr(long, short)",
        "length(replace(long, short, ''))",
        "long like '%' || substr(short, 380000) || 'b%'",
        "long like '%' || substr(short, 380000) || 'b%' escape 'z'",
        "long glob '*' || substr(short, 380000) || 'b*'",
        "length(trim(long, substr(short, 300000)))",
        "length(ltrim(long, substr(short, 300000)))",
        "length(rtrim(long, substr(short, 300000)))",
        "json_patch('{\"' || long || '\":1}', '{\"' || short || '\":1}')",
        "instr(long, substr(long, 900000) || 1.5)",
    ],
)
def test_texts_that_it_would_compare_for_long_are_refused(asked, expression):
    turn = asked(f"select {expression} from texts")
    assert turn.status == "blocked"
    assert turn.error.endswith("a statement that takes more than 30,000,000 steps; narrow it down")


@pytest.mark.parametrize(
    "found",
    [
        *("body like '%change of climate%'", "body like 'change of%'", "body like '%change%of climate%'"),
        *("instr(body, 'change of climate')", "length(replace(body, 'change of climate', ''))"),
        *("body glob '*change of climate*'", "body not like '%Änderung des Klimas%'"),
    ],
)
def test_what_is_looked_for_in_many_texts_counts_where_it_may_begin(monkeypatch, found):
    monkeypatch.setattr(databases, "MAX_STEPS", 300_000)
    bodies = [(" ".join(f"word {number} of {row}" for number in range(150)),) for row in range(400)]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table papers (body)")
        connection.executemany("insert into papers values (?)", bodies)
        connection.commit()
        wanted = connection.execute(f"select sum({found}) from papers").fetchall()
        assert databases.Database(connection).execute(f"select sum({found}) from papers").fetchall() == wanted


@pytest.mark.parametrize(
    ("compared", "arguments"),
    [
        *((comparisons.of_like, (f"%{letter}b", letter * 100)) for letter in ("a", "A", "ǅ", "ß", "İ")),
        *((comparisons.of_like, ("%_b", "a" * 100)), (comparisons.of_like, ("ab", "a" * 200, "b"))),
        *((comparisons.of_glob, (pattern, "a" * 100)) for pattern in ("*ab", "*?b", "*[a]b")),
        *((comparisons.of_part, ("a" * 100, "ab")), (comparisons.of_part, (b"a" * 100, b"ab"))),
    ],
)
def test_each_letter_counts_with_each_where_all_may_be_the_first(compared, arguments):
    assert compared(*arguments) >= 200


def test_many_short_comparisons_end_with_the_deadline_and_not_in_an_error_of_sqlite(asked):
    turn = asked(f"{COUNTING.format(5_000_000)} select sum(instr('abc', x)) from c")
    assert turn.status == "timeout", turn.error
    assert "ran longer than 0.3 s" in turn.error


@pytest.mark.parametrize(
    "expression",
    [
        *("instr('abc', 'c')", "instr(null, 'c')", "instr(x'0102', x'02')", "instr(12.5, '.')", "instr('äb', 'b')"),
        *("replace('aab', 'a', 'cd')", "replace('aab', '', 'c')", "replace(11, 1, 2)", "trim('xxaxx', 'x')"),
        *("trim('  a ')", "ltrim('xxaxx', 'x')", "rtrim('xxaxx', 'x')", "'abc' glob '*[b]c'", "'abc' glob 'B*'"),
        *("'ABC' like '%b%'", "'Ä' like '%ä%'", "'a%c' like 'a\\%c' escape '\\'", "'a' like '%'", "'' like '%%'"),
        *("'a_b' like '%_%'", "'ab' like '%a_%'", "null like '%a%'", "'a' like null", "12 like '%2%'", "'b' like 'a%'"),
        *("'a%b' like '%%%'", "x'61' like '%a%'", "'abc' not like '%B%'", "'a' || char(0) || 'b' like '%b%'"),
        """json_patch('{"a": 1, "b": 2}', '{"a": null}')""",
    ],
)
def test_all_else_is_as_sqlite_has_it(asked, expression):
    with closing(sqlite3.connect(":memory:")) as connection:
        wanted = connection.execute(f"select {expression}").fetchall()
    turn = asked(f"select {expression}")
    assert (turn.output, turn.error) == (repr(wanted), None)


def test_a_view_may_compare_too(asked):
    assert asked("select * from few").output == "[(1, 'a')]"


def test_what_a_function_refuses_it_says(asked):
    assert asked("select date('now')").error.endswith("the time of the machine is not for cells; use clock.date")
