"""The codec of a researcher's class: their functions, and what is said if one of them does not keep its word."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from cave_sim.determinism.canonical_json import same_json, to_json
from cave_sim.diagnostics.raised import said_of
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.codec import Codec
from cave_sim.errors import CaveSimError, SchemaError

SHOWN_CHARS = 80
_OF_THE_TURN = (CaveSimError, MemoryError, RecursionError)
"""What a function may raise that is no mistake of its own."""


class OwnCodec:
    """Asks a researcher's functions, and looks at what they give.

    The first object is written, read and written again, which tells functions that lose something of it.

    Args:
        kind: the class; the other arguments are those of ``register_codec``.
    """

    def __init__(
        self,
        kind: type,
        snapshot: Callable[[Any], Any],
        restore: Callable[[Any], Any],
        diff: Callable[[Any, Any], Any] | None,
    ) -> None:
        self._kind, self._about = kind, f"the codec of {kind.__name__}"
        self._snapshot, self._restore, self._diff = snapshot, restore, diff
        self._is_seen = False

    def codec(self) -> Codec:
        """Return how the class lives in a world; what is asked of it raises SchemaError if a function fails it."""
        return Codec(
            name=self._kind.__name__,
            type=self._kind,
            snapshot=self._plain,
            restore=self._made,
            copy=lambda value: self._made(self._plain(value)),
            same=lambda one, other: same_json(self._plain(one), self._plain(other)),
            patch=self._patch,
            apply=lambda _old, change: self._made(change["data"]),
        )

    def _plain(self, value: Any) -> Any:
        data = self._asked("snapshot", self._snapshot, value)
        if self._is_seen:
            self._written("snapshot", data, to_json)
            return data
        read = self._made(json.loads(self._written("snapshot", data, _strictly)))
        again = self._asked("snapshot", self._snapshot, read)
        if not same_json(data, again):
            before, after = (shortened(repr(each), SHOWN_CHARS) for each in (data, again))
            raise SchemaError(
                f"{self._about}: snapshot gave {before}, and {after} of what restore made of that;"
                " it says all about an object in plain JSON data, and the same each time"
            )
        self._is_seen = True
        return data

    def _made(self, data: Any) -> Any:
        value = self._asked("restore", self._restore, data)
        if not isinstance(value, self._kind):
            given, wanted = type(value).__name__, self._kind.__name__
            raise SchemaError(f"{self._about}: restore gives a {given}, and has to give a {wanted}")
        return value

    def _patch(self, old: Any, new: Any) -> Any:
        data = self._plain(new)
        if self._diff is None:
            return {"data": data}
        diff = self._asked("diff", self._diff, self._plain(old), data)
        self._written("diff", diff, _strictly)
        return {"data": data, "diff": diff}

    def _asked(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except _OF_THE_TURN:
            raise
        except Exception as error:  # a function of one's own may raise anything at all
            raise SchemaError(f"{self._about}: {what} raised {said_of(error)}") from error

    def _written(self, what: str, data: Any, write: Callable[[Any], bytes]) -> bytes:
        try:
            return write(data)
        except (TypeError, ValueError) as error:
            raise SchemaError(f"{self._about}: {what} gives no plain JSON data: {error}") from None


def _strictly(data: Any) -> bytes:
    """Return data as JSON; raises where it holds sets, numbers that are none, or what else JSON does not know."""
    return json.dumps(data, allow_nan=False).encode()
