"""Time zones as plain data: by their key, as ``Europe/Helsinki``, or by how far they are from UTC."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from cave_sim.errors import SchemaError


def write_zone(zone: dt.tzinfo) -> Any:
    """Return a time zone as plain data; raises SchemaError for one that goes by no key and changes its distance."""
    if isinstance(zone, ZoneInfo) and zone.key:
        return zone.key
    if type(zone) is dt.timezone:
        offset, name = zone.utcoffset(None), zone.tzname(None)
        unnamed = name == dt.timezone(offset).tzname(None)
        return [offset.days, offset.seconds, offset.microseconds, *([] if unnamed else [name])]
    raise SchemaError(
        f"a time in a {type(zone).__module__} {type(zone).__name__} cannot be kept; a ZoneInfo or a timezone can"
    )


def read_zone(data: Any) -> dt.tzinfo:
    """Return the time zone of plain data; raises ValueError or TypeError if it is none."""
    if type(data) is str:
        try:
            return ZoneInfo(data)
        except (LookupError, OSError):
            raise ValueError(f"there is no time zone {data[:40]!r}") from None
    days, seconds, microseconds, *name = data
    return dt.timezone(dt.timedelta(days, seconds, microseconds), *name)


def write_time(value: dt.datetime | dt.time) -> Any:
    """Return a time, or a date with one, as a text; with its zone and fold beside it where it has one."""
    text = value.replace(tzinfo=None, fold=0).isoformat()
    if value.tzinfo is None and not value.fold:
        return text
    return [text, None if value.tzinfo is None else write_zone(value.tzinfo), value.fold]


def read_time(kind: Any, data: Any) -> Any:
    """Return a time of a kind from what :func:`write_time` returned; raises ValueError or TypeError."""
    if type(data) is str:
        return kind.fromisoformat(data)
    text, zone, fold = data
    return kind.fromisoformat(text).replace(tzinfo=None if zone is None else read_zone(zone), fold=int(fold))
