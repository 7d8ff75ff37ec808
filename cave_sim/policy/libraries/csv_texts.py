"""``csv`` in a cell: rows of texts from lines and back into a ``StringIO``, with readers and writers that are kept."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.decimals import Decimal
from cave_sim.policy.libraries.kept_classes import kept_class
from cave_sim.policy.libraries.pandas_texts import StringIO
from cave_sim.policy.libraries.ratios import Fraction

_DIALECTS = ("excel", "excel-tab", "unix")
_AS_IT_IS = (str, int, float, Decimal, Fraction, type(None))


def _checked(dialect: Any) -> str:
    if dialect not in _DIALECTS:
        raise csv.Error(f"unknown dialect; these are: {', '.join(_DIALECTS)}")
    return str(dialect)


@kept_class("_left", "line_num")
class Reader:
    """``csv.reader``: the rows are read from the lines when it is made, and handed out one by one."""

    def __init__(self, csvfile: Any, dialect: Any = "excel", **options: Any) -> None:
        rows = csv.reader(iter(csvfile), _checked(dialect), **options)
        self._left: list[list[Any]] = [[rows.line_num, row] for row in rows][::-1]
        self.line_num: int = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if not self._left:
            raise StopIteration
        self.line_num, row = self._left.pop()
        return row


@kept_class("_rows", "_names", "restkey", "restval")
class DictReader:
    """``csv.DictReader``."""

    def __init__(
        self,
        f: Any,
        fieldnames: Any = None,
        restkey: Any = None,
        restval: Any = None,
        dialect: Any = "excel",
        **options: Any,
    ) -> None:
        self._rows = Reader(f, dialect, **options)
        self._names = None if fieldnames is None else list(fieldnames)
        self.restkey = restkey
        self.restval = restval

    @property
    def fieldnames(self) -> Any:
        """The names of the columns: as they were given, or the first row."""
        if self._names is None:
            self._names = next(self._rows, None)
        return self._names

    @property
    def line_num(self) -> int:
        """The number of lines that were read."""
        return self._rows.line_num

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> dict[Any, Any]:
        if type(self._rows) is not Reader:  # it may have been kept, and kept by another's hand
            raise Blocked("csv reads rows of its own")
        names = self.fieldnames or []
        row = next(self._rows)
        while not row:
            row = next(self._rows)
        values: dict[Any, Any] = dict(zip(names, row, strict=False))
        if len(names) < len(row):
            values[self.restkey] = row[len(names) :]
        return values | dict.fromkeys(names[len(row) :], self.restval)


@kept_class("_text", "_dialect", "_options")
class Writer:
    """``csv.writer`` into a :class:`StringIO`."""

    def __init__(self, csvfile: Any, dialect: Any = "excel", **options: Any) -> None:
        if type(csvfile) is not StringIO:
            raise Blocked("csv writes into io.StringIO()")
        csv.writer(StringIO(), _checked(dialect), **options)  # says what does not fit
        self._text, self._dialect, self._options = csvfile, dialect, options

    def writerow(self, row: Any) -> int:
        """Write one row, and return the number of characters."""
        text = self._text
        if type(text) is not StringIO:
            raise Blocked("csv writes into io.StringIO()")
        fields = [each if isinstance(each, _AS_IT_IS) else without_addresses(str(each)) for each in row]
        return int(csv.writer(text, self._dialect, **self._options).writerow(fields))

    def writerows(self, rows: Any) -> None:
        """Write several rows."""
        for row in rows:
            self.writerow(row)


@kept_class("_rows", "fieldnames", "restval", "extrasaction")
class DictWriter:
    """``csv.DictWriter`` into a :class:`StringIO`."""

    def __init__(
        self,
        f: Any,
        fieldnames: Any,
        restval: Any = "",
        extrasaction: str = "raise",
        dialect: Any = "excel",
        **options: Any,
    ) -> None:
        if extrasaction not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction!s:.40}) must be 'raise' or 'ignore'")
        self._rows = Writer(f, dialect, **options)
        self.fieldnames: list[Any] = list(fieldnames)
        self.restval = restval
        self.extrasaction = extrasaction

    def writeheader(self) -> int:
        """Write the names of the fields."""
        return self._rows.writerow(self.fieldnames)

    def writerow(self, row: Any) -> int:
        """Write the values of one row in the order of the fields."""
        if type(self._rows) is not Writer or not isinstance(row, Mapping):
            raise TypeError("DictWriter.writerow() takes a dict")
        if self.extrasaction == "raise" and (more := [name for name in row if name not in self.fieldnames]):
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join(map(repr, more)))
        return self._rows.writerow([row.get(name, self.restval) for name in self.fieldnames])

    def writerows(self, rows: Any) -> None:
        """Write several rows."""
        for row in rows:
            self.writerow(row)


CSV: dict[str, Any] = {
    "reader": Reader,
    "DictReader": DictReader,
    "writer": Writer,
    "DictWriter": DictWriter,
    "Error": csv.Error,
} | {name: getattr(csv, name) for name in ("QUOTE_ALL", "QUOTE_MINIMAL", "QUOTE_NONNUMERIC", "QUOTE_NONE")}
