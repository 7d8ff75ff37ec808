"""What a jailed cell may say: the one message that leaves its process, and the shape it must have.

It is plain JSON, read strictly into these types: whoever broke out of the cell's Python can send anything, but nothing
that is not a proposal of this shape is looked at any further.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cave_sim.changes.change import Change

ProposedStatus = Literal["committed", "failed", "blocked", "timeout"]
"""What a cell's process may say its turn came to; only the world knows of conflicts."""


class ProposedWrites(msgspec.Struct, tag="writes", forbid_unknown_fields=True, frozen=True):
    """What the cell's own code wrote, as net changes since the act before."""

    changes: list[Change]


class ProposedCall(msgspec.Struct, tag="call", forbid_unknown_fields=True, frozen=True):
    """A call of trusted code: a method of an entity, or an injected function where ``entity`` is None.

    What it did is not taken from here: it is called again.
    """

    entity: str | None
    method: str
    args: list[Any]
    kwargs: dict[str, Any]


class ProposedTurn(msgspec.Struct, tag="turn", forbid_unknown_fields=True):
    """A turn, the outermost or one inside another.

    Attributes:
        agent, code: whose and which cell; of the outermost turn they are known, and these are not looked at.
        status, output, error: what the turn came to.
        drew: whether the cell used its random stream.
        acts: what it did, in order.
    """

    agent: str
    code: str
    status: ProposedStatus = "failed"
    output: str = ""
    error: str | None = None
    drew: bool = False
    acts: list[ProposedWrites | ProposedCall | ProposedTurn] = []


class Variables(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What became of one agent's variables: bound anew, gone, and those that could not be kept."""

    bound: dict[str, Any]
    gone: list[str]
    lost: list[str]


class Proposal(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """All that a cell's process says.

    Attributes:
        turn: what the cell did.
        claimed: the net changes of the whole turn, where it called trusted code; a check on what calling again does.
        variables: by agent.
    """

    turn: ProposedTurn
    claimed: list[Change] | None
    variables: dict[str, Variables]


_DECODER = msgspec.json.Decoder(Proposal, strict=True)


def read(data: bytes) -> Proposal:
    """Return the proposal; raises ValueError if it is none."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ValueError(f"no proposal: {error}") from None
