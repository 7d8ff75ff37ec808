"""Where SQL is only to read, what is on no list is refused, whoever's list it is."""

import sqlite3

import pytest

from cave_sim.files.reading_sql import REACH_OUTSIDE, reading


@pytest.fixture
def connection():
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE town (name)")
    made.set_authorizer(reading(refused=REACH_OUTSIDE | {"upper"}, may_be_asked=lambda pragma, _: pragma == "encoding"))
    yield made
    made.close()


@pytest.mark.parametrize("sql", ["SELECT lower(name) FROM town", "PRAGMA encoding", "PRAGMA ENCODING"])
def test_what_is_listed_is_done(connection, sql):
    connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        *("INSERT INTO town VALUES (1)", "CREATE TEMP TABLE other (x)", "ATTACH ':memory:' AS other", "BEGIN"),
        *("SELECT UPPER(name) FROM town", "SELECT load_extension('x')", "PRAGMA soft_heap_limit = 1"),
    ],
)
def test_what_is_not_listed_is_refused(connection, sql):
    with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
        connection.execute(sql)
