"""What kind of value stands where in a manifest; a stranger's may hold anything, and all who read one go by this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from cave_sim.errors import JournalError
from cave_sim.loading.converted_types import converted_to

Table = dict[str, Any]


class _Parent(msgspec.Struct):
    run: str | None = None
    step: int | None = None
    hash: str | None = None
    cells: list[Table] | None = None


class _Declared(msgspec.Struct):
    about: str | None = None
    unit: str | None = None
    low: float | None = None
    high: float | None = None
    whole: bool | None = None


class _Words(msgspec.Struct):
    template: str
    parameters: list[str]
    defaults: Table | None = None
    if_written: dict[str, str] | None = None


@converted_to
class _Manifest(msgspec.Struct):
    """What readers look up; more may stand beside it."""

    simulation: str | None = None
    module: str | None = None
    start: str | None = None
    step_s: float | None = None
    parents: list[_Parent] | None = None
    tags: list[str] | None = None
    notes: list[Table] | None = None
    config: Table | None = None
    create: Table | None = None
    defaults: Table | None = None
    model: Table | None = None
    limits: Table | None = None
    machine: Table | None = None
    versions: Table | None = None
    measures: dict[str, str] | None = None
    narrations: dict[str, dict[str, _Words]] | None = None
    titles: dict[str, str] | None = None
    fields: dict[str, dict[str, _Declared]] | None = None
    measured: dict[str, str] | None = None
    map: Table | None = None
    portrayal: Table | None = None
    interventions: list[Table] | None = None
    outcomes: list[Table] | None = None
    redacted: Table | None = None


def expect_shape(manifest: Mapping[str, Any]) -> None:
    """Refuse a manifest in which something is of another kind than what this package writes there.

    Raises:
        JournalError: it is one; the message names the place.
    """
    try:
        msgspec.convert(manifest, _Manifest)
    except msgspec.ValidationError as error:
        raise JournalError(f"its manifest is none of ours: {str(error).replace('$.', '')}") from None
