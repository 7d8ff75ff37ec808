"""``hashlib``, ``base64``, ``binascii``, ``zlib`` and ``uuid`` in a cell: what they make follows from what they get."""

from __future__ import annotations

import base64
import binascii
import hashlib
import uuid
import zlib
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked

_ALGORITHMS = "md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s"
MAX_UUID_BITS = 128
MAX_BYTES = 1_000_000


class Digest:
    """A digest under way, as ``hashlib.sha256()`` returns it. It holds what it was given, so that it can be kept."""

    __slots__ = ("_data", "name")

    def __init__(self, name: str, data: bytes = b"") -> None:
        self.name: str = name
        self._data = b""
        self.update(data)

    def update(self, data: bytes) -> None:
        """Take more bytes."""
        if len(self._data) + len(data) > MAX_BYTES:
            raise Blocked(f"a digest of more than {MAX_BYTES:,} bytes")
        self._data += data

    def digest(self) -> bytes:
        """Return the digest."""
        return hashlib.new(self.name, self._data, usedforsecurity=False).digest()

    def hexdigest(self) -> str:
        """Return the digest as a text."""
        return self.digest().hex()

    def copy(self) -> Digest:
        """Return another one under way."""
        return Digest(self.name, self._data)

    def kept_as(self) -> list[Any]:
        """Return what a variable that holds one is kept as."""
        return [self.name, self._data]


def _algorithm(name: str) -> Callable[..., Digest]:
    def begin(data: bytes = b"", *, usedforsecurity: bool = True) -> Digest:  # noqa: ARG001 -- as in Python
        return Digest(name, data)

    begin.__name__ = name
    return begin


def new_digest(name: str, data: bytes = b"") -> Digest:
    """``hashlib.new``."""
    name = name.lower() if isinstance(name, str) else name
    if name not in _ALGORITHMS.split():
        raise ValueError(f"hash type {name!r:.40} is none of: {_ALGORITHMS}")
    return Digest(name, data)


def make_uuids(rng: Any) -> dict[str, Any]:
    """Return what ``uuid`` offers; ``uuid4`` draws from the agent's own stream."""

    def uuid4() -> uuid.UUID:
        return uuid.UUID(int=rng.getrandbits(MAX_UUID_BITS), version=4)

    names = ("NAMESPACE_DNS", "NAMESPACE_URL", "NAMESPACE_OID", "uuid3", "uuid5", "UUID")
    return {"uuid4": uuid4, **{name: getattr(uuid, name) for name in names}}


HASHLIB = {name: _algorithm(name) for name in _ALGORITHMS.split()} | {"new": new_digest}
BASE64 = {
    name: getattr(base64, name)
    for name in (
        "b64encode b64decode urlsafe_b64encode urlsafe_b64decode standard_b64encode standard_b64decode b32encode "
        "b32decode b32hexencode b32hexdecode b16encode b16decode a85encode a85decode b85encode b85decode encodebytes "
        "decodebytes"
    ).split()
}
BINASCII = {
    name: getattr(binascii, name)
    for name in "hexlify unhexlify b2a_hex a2b_hex b2a_base64 a2b_base64 crc32 crc_hqx Error".split()
}
ZLIB = {name: getattr(zlib, name) for name in ("crc32", "adler32")}
