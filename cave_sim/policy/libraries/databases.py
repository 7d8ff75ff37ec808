"""An injected SQLite connection in a cell's hands: a copy of the database in memory, which is read and never written.

SQLite itself asks before each thing that a statement would do, and what is not on a list is refused: no other file, no
extension, no write. Its clock and its chance are not the world's, so functions that read either are refused, too.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any
from weakref import finalize

import pandas as pd

from cave_sim.diagnostics.plurals import article
from cave_sim.diagnostics.told_names import told_as
from cave_sim.errors import Blocked, WorldError
from cave_sim.files.reading_sql import REACH_OUTSIDE, reading
from cave_sim.policy.libraries import comparisons
from cave_sim.policy.libraries.comparisons import Comparisons

MAX_ROWS = 200_000
MAX_STEPS = 30_000_000
"""Of SQLite's own machine, in one statement: a second or so."""
MAX_VALUE_BYTES = 1_000_000
MAX_STATEMENT_CHARS = 20_000
_STEPS_BETWEEN = 1_000
_COMPARED_A_STEP = 10
"""How many letters SQLite compares in the time of one step."""
_COMPARING: dict[str, tuple[tuple[int, ...], Comparisons]] = {
    "instr": ((2,), comparisons.of_part),
    "replace": ((3,), comparisons.of_part),
    "trim": ((2,), comparisons.of_all),
    "ltrim": ((2,), comparisons.of_all),
    "rtrim": ((2,), comparisons.of_all),
    "json_patch": ((2,), comparisons.of_all),
    "like": ((2, 3), comparisons.of_like),
    "glob": ((2,), comparisons.of_glob),
}
"""Functions that may compare each letter of one text with each of another: with how many arguments, and what counts."""
_PRAGMAS = frozenset("table_info table_xinfo table_list index_list index_info foreign_key_list".split())
_DATES = ("date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff")
_FORMATS = ("printf", "format")
_REFUSED = REACH_OUTSIDE | frozenset(
    "random randomblob current_date current_time current_timestamp zeroblob sqlite_compileoption_used "
    "sqlite_compileoption_get sqlite_source_id sqlite_version changes total_changes last_insert_rowid sqlite_offset "
    "sqlite_log".split()
)
_MOVING = re.compile(r"\s*(now|localtime|utc|subsec|subsecond)\s*|\s*\d{1,2}:.*", re.IGNORECASE | re.DOTALL)
_WIDE = re.compile(r"\*|\d{6}")
Error: tuple[type[Exception], ...] = (sqlite3.Error, sqlite3.Warning)


class Cursor:
    """The rows that a statement found, read one after another; as :class:`sqlite3.Cursor` has them.

    Args:
        database: where it asks.
        names: of the columns, None before it asked.
        rows: all of them.
        at: how many were read.
    """

    __slots__ = ("_at", "_database", "_names", "_rows")

    def __init__(
        self, database: Database, names: list[str] | None = None, rows: list[Any] | None = None, at: int = 0
    ) -> None:
        self._database, self._names, self._at = database, names, at
        self._rows = [] if rows is None else rows  # which may be filled only after this, where it is read back

    @property
    def description(self) -> tuple[tuple[Any, ...], ...] | None:
        """The columns, each a tuple that begins with its name; None before a statement."""
        return None if self._names is None else tuple((name, *(None,) * 6) for name in self._names)

    @property
    def rowcount(self) -> int:
        """-1: statements that read count no rows."""
        return -1

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Run a statement that reads."""
        self._names, self._rows = self._database.ask(sql, parameters)
        self._at = 0
        return self

    def fetchone(self) -> Any:
        """Return the next row; None if there is none."""
        row = self._rows[self._at] if self._at < len(self._rows) else None
        self._at = min(self._at + 1, len(self._rows))
        return row

    def fetchmany(self, size: int = 1) -> list[Any]:
        """Return the next rows."""
        rows = self._rows[self._at : self._at + max(0, size)]
        self._at += len(rows)
        return rows

    def fetchall(self) -> list[Any]:
        """Return all rows that were not read yet."""
        rows, self._at = self._rows[self._at :], len(self._rows)
        return rows

    def close(self) -> None:
        """Let go of the rows."""
        self._rows = []

    def kept_as(self) -> list[Any]:
        """Return what it is made of."""
        return [self._database, self._names, self._rows, self._at]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())

    def __repr__(self) -> str:
        return "<cursor>"


class Database:
    """A database that cells read, as it was when it was injected.

    Args:
        connection: whose database it is; it is copied, so that nothing a cell does reaches it.
    """

    __slots__ = ("__weakref__", "_connection", "_raised", "_steps")

    def __init__(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:  # SQLite would wait for its end
            raise WorldError("commit() the connection first: cells read what was committed")
        self._steps = 0
        self._raised: BaseException | None = None
        self._connection = copy = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        finalize(self, copy.close)
        connection.backup(copy)
        copy.execute("pragma temp_store = memory")
        for name in _DATES:
            self._offer(name, -1, _calendar(name))
        for name in _FORMATS:
            self._offer(name, -1, _format)
        for name, (arities, compared) in _COMPARING.items():
            for arity in arities:
                function = _like if name == "like" else _sqlites_own(name, arity)
                self._offer(name, arity, self._counted(function, compared))
        copy.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        copy.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        copy.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200)
        copy.set_authorizer(reading(refused=_REFUSED, may_be_asked=lambda pragma, _: pragma in _PRAGMAS))
        copy.set_progress_handler(self._keeping_errors(self._count), _STEPS_BETWEEN)

    def _offer(self, name: str, arity: int, function: Callable[..., Any]) -> None:
        """Have statements call a function in the place of SQLite's own."""
        self._connection.create_function(name, arity, self._keeping_errors(function), deterministic=True)

    def _keeping_errors(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose errors are kept, a deadline among them: SQLite says of any that there was one."""

        def called(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except BaseException as error:
                self._raised = error
                raise

        return called

    def _counted(self, function: Callable[..., Any], compared: Comparisons) -> Callable[..., Any]:
        """Return a function that counts what it compares as steps before it does: nothing interrupts it then."""

        def counted(*arguments: Any) -> Any:
            self._steps += compared(*arguments) // _COMPARED_A_STEP
            if self._steps > MAX_STEPS:
                raise ValueError("too much to compare")
            return function(*arguments)

        return counted

    def _count(self) -> int:
        self._steps += _STEPS_BETWEEN
        return int(self._steps > MAX_STEPS)

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Run a statement that reads, and return its rows."""
        return Cursor(self).execute(sql, parameters)

    def cursor(self) -> Cursor:
        """Return a cursor."""
        return Cursor(self)

    def commit(self) -> None:
        """Do nothing: there is nothing to write."""

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave a ``with`` statement, which commits, and so does nothing."""

    def close(self) -> None:
        """Do nothing: the database is there in the next turn, too."""

    def ask(self, sql: str, parameters: Any = ()) -> tuple[list[str] | None, list[Any]]:
        """Return the names of columns, and the rows; raises Blocked where a statement does more than read."""
        if type(sql) is not str or len(sql) > MAX_STATEMENT_CHARS:
            raise Blocked(f"a statement is a text of at most {MAX_STATEMENT_CHARS:,} characters")
        self._steps, self._raised = 0, None
        try:
            cursor = self._connection.execute(sql, _plain_parameters(parameters))
            rows = cursor.fetchmany(MAX_ROWS + 1)
        except sqlite3.DatabaseError as error:
            if "not authorized" in str(error) or "prohibited" in str(error) or self._steps > MAX_STEPS:
                raise Blocked(_why(str(error), self._steps > MAX_STEPS)) from None
            raised, self._raised = self._raised, None
            if isinstance(raised, ValueError):
                raise sqlite3.OperationalError(str(raised)) from None
            raise error if raised is None else raised from None
        if len(rows) > MAX_ROWS:
            raise Blocked(f"a statement of more than {MAX_ROWS:,} rows: add a limit, or count and sum in SQL")
        names = None if cursor.description is None else [column[0] for column in cursor.description]
        return names, rows

    def __repr__(self) -> str:
        return "<database>"


def _why(error: str, is_long: bool) -> str:
    if is_long:
        return f"a statement that takes more than {MAX_STEPS:,} steps; narrow it down"
    return f"{error}: cells read the database with select, and neither write it nor ask it for time or chance"


def _plain_parameters(parameters: Any) -> Any:
    """Return what stands in for ? and :name; numbers of numpy become Python's."""
    if isinstance(parameters, dict):
        return {str(name): _plain(value) for name, value in parameters.items()}
    if not isinstance(parameters, Sequence) or isinstance(parameters, str):
        raise Blocked("parameters of a statement are a tuple, a list or a dict")
    return [_plain(value) for value in parameters]


def _plain(value: Any) -> Any:
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        value = value.item()
    if value is None or type(value) in (str, int, float, bytes, bool):
        return value
    raise Blocked(f"a parameter of a statement is a number or a text, not {article(type(value).__name__)}")


def _format(*arguments: Any) -> Any:
    """SQLite's own ``printf``, but for widths that would make it write for seconds."""
    if arguments and _WIDE.search(str(arguments[0])):
        raise ValueError("widths of a format are written out and below 100,000")
    return _calendars().execute(f"select printf({', '.join('?' * len(arguments))})", arguments).fetchone()[0]


def _like(pattern: Any, text: Any, *escape: Any) -> Any:
    """SQLite's own ``like``, but for what is asked most, of row after row, and is quicker asked of Python."""
    if type(pattern) is type(text) is str and text.isascii() and "\0" not in text and not escape:
        middle = _middle(pattern)
        if middle is not None:
            return int(middle in text.lower())
    return _sqlites_own("like", 2 + len(escape))(pattern, text, *escape)


@lru_cache(1_000)
def _middle(pattern: str) -> str | None:
    """Return what a pattern looks for anywhere in a text, in small letters; None if it asks for something else."""
    middle = pattern[1:-1]
    is_simple = pattern[:1] == pattern[-1:] == "%" and middle.isascii() and not {*middle} & {"%", "_", "\0"}
    return middle.lower() if is_simple else None


@cache
def _sqlites_own(name: str, arity: int) -> Callable[..., Any]:
    """Return a function of SQLite, from a database in which it is not replaced."""
    sql = f"select {name}({', '.join('?' * arity)})"
    return lambda *arguments: _calendars().execute(sql, arguments).fetchone()[0]


@cache
def _calendars() -> sqlite3.Connection:
    """Return what works out dates and formats for all databases."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    return connection


@cache
def _calendar(name: str) -> Any:
    """SQLite's own function of dates, which is not asked for the time of the machine."""
    first_moment = 1 if name == "strftime" else 0

    def compute(*arguments: Any) -> Any:
        if len(arguments) <= first_moment or any(map(_moves, arguments[first_moment:])):
            raise ValueError("the time of the machine is not for cells; use clock.date")
        marks = ", ".join("?" * len(arguments))
        return _calendars().execute(f"select {name}({marks})", arguments).fetchone()[0]

    return compute


def _moves(moment: Any) -> bool:
    """Say whether a moment is another in each run; SQLite reads texts up to their first zero, and bytes as texts."""
    return isinstance(moment, bytes) or (isinstance(moment, str) and bool(_MOVING.fullmatch(moment.partition("\0")[0])))


def read_sql(sql: str, con: Any, *, params: Any = None, index_col: Any = None, parse_dates: Any = None) -> Any:
    """``pd.read_sql`` of an injected database."""
    if type(con) is not Database:
        raise Blocked("pd.read_sql asks a database that was injected")
    names, rows = con.ask(sql, () if params is None else params)
    table = pd.DataFrame.from_records(rows, columns=names, coerce_float=True)
    for column in [parse_dates] if isinstance(parse_dates, str) else parse_dates or ():
        table[column] = pd.to_datetime(table[column])
    return table if index_col is None else table.set_index(index_col)


SQLITE = {
    name: getattr(sqlite3, name)
    for name in "Error DatabaseError OperationalError IntegrityError ProgrammingError InterfaceError".split()
}
"""What ``sqlite3`` offers: errors, to be caught."""
SQL_READERS = dict.fromkeys(("read_sql", "read_sql_query"), read_sql)


told_as(Cursor, "sqlite3.Cursor")
told_as(Database, "sqlite3.Connection")
