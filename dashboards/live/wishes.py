"""What a page asks with: whole numbers in an address, and a wish that is sent. Both have bounds, whoever sends them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request

from cave_sim.determinism.canonical_json import from_json

LARGEST = 2**53 - 1
"""The largest whole number that a page can count to, and more than any run has of anything."""
LONGEST_WISH = 1_000_000
LONGEST_REFUSED = 16 * LONGEST_WISH
"""What is still taken of a request that is refused: who is cut off while sending hears no reason."""


def integer(request: Request, name: str, default: int) -> int:
    """Return a whole number that a page asked with, in the query or the path of its address.

    Raises:
        ValueError: it is none, or larger than any that a page could mean.
    """
    text = request.path_params.get(name, request.query_params.get(name))
    if text in (None, ""):
        return default
    try:
        number = int(text)
    except ValueError:
        number = LARGEST + 1
    if abs(number) > LARGEST:
        raise ValueError(f"{name}={str(text)[:40]}: give a whole number of at most 16 digits")
    return number


async def body(request: Request) -> dict[str, Any]:
    """Return what a page wishes; no more of it is read than a wish can hold.

    Raises:
        ValueError: it is no JSON object, too long, or was broken off.
    """
    read = bytearray()
    try:
        async for chunk in request.stream():
            read += chunk
            if len(read) > LONGEST_WISH:
                raise ValueError(f"a wish has at most {LONGEST_WISH:,} bytes; this one has more")
    except ClientDisconnect:
        raise ValueError("the wish was broken off") from None
    wish = from_json(bytes(read) or b"{}")
    if not isinstance(wish, dict):
        raise ValueError("a wish is a JSON object")
    return wish


async def hear_out(request: Request) -> None:
    """Take what a refused request still sends, and keep nothing of it; no more than ``LONGEST_REFUSED`` bytes."""
    taken = 0
    with suppress(ClientDisconnect, RuntimeError):  # the latter: all of it was read before
        async for chunk in request.stream():
            taken += len(chunk)
            if taken > LONGEST_REFUSED:
                return
