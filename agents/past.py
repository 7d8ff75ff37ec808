"""What a resident has seen, said and learned before, read from their session: so a resumed run knows it too."""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Any

from cave_sim.agents.hours import Hour
from cave_sim.session.follower import Follower
from cave_sim.session.row import Row

_OUTPUT = re.compile(r"<output>\n(.*)\n</output>", re.DOTALL)
_ERROR = re.compile(r"<(error|refusal)>\n(.*)\n</\1>", re.DOTALL)
_DEED = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")
"""What a deed returns: a sentence, which how things stand now tells as well."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def reason_in(error: str) -> str:
    """Return why a cell did not land, as one line, of the text of a row that tells its error; "" if it is none."""
    match = _ERROR.search(error)
    return match[2].splitlines()[-1] if match else ""


def _date(start: datetime, time_s: float) -> date:
    return (start + timedelta(seconds=time_s)).date()


class Past(Follower):
    """Follows one session; costs what is new in it.

    Attributes:
        looked: what the last look saw, as `view.look` tells it; empty before the first.
        looked_at_s: world time of that look.
        planned: the day for which there is a plan; "" for none.
        missed: the missed hours that led to the latest new plan.
        hour: how the latest hour that was broken down is to be spent; None if none was.
        failure: why the last cell did not land; "" if it did.
        failed: the last cell, if it did not land; "" if it did.
        result: what the last cell printed; "" if that was nothing, or it did not land.
    """

    def is_of_another_day(self, start: datetime, now_s: float) -> bool:
        """Say whether the last look was on an earlier day than now; not before the first.

        Args:
            start: when the world began.
            now_s: world time in seconds.
        """
        return self.looked_at_s >= 0 and _date(start, self.looked_at_s) < _date(start, now_s)

    def _begin(self) -> None:
        self.looked: Mapping[str, Any] = _NOTHING
        self.looked_at_s: float = float("-inf")
        self.hour: Hour | None = None
        self.planned: str = ""
        self.missed: str = ""
        self.failure: str = ""
        self.failed: str = ""
        self.result: str = ""
        self._cell = ""

    def _take(self, row: Row) -> None:
        data = row.data
        if row.kind == "cell":
            self._cell = row.text
        if row.kind in ("output", "error"):
            self.failure = reason_in(row.text) if row.kind == "error" else ""
            self.failed = self._cell if self.failure else ""
            printed = _OUTPUT.search(row.text) if row.kind == "output" else None
            self.result = printed[1].strip() if printed and not _DEED.fullmatch(printed[1].strip()) else ""
        if "hour" in data:
            self.hour = Hour.of(data["hour"])
        if "looked" in data:
            self.looked, self.looked_at_s = data["looked"], row.time_s
        self.planned, self.missed = data.get("plans", self.planned), data.get("missed", self.missed)
