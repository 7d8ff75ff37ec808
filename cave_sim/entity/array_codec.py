"""How arrays of numpy live in a world."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from cave_sim.entity.codec import Codec
from cave_sim.errors import SchemaError

MAX_ARRAY_BYTES = 256 * 2**20
PLAIN_DTYPES = "biufcSUmM"
"""Kinds of numpy dtype that hold no Python objects."""
WIDEST = {"f": 8, "c": 16}
"""Bytes of the widest item of a kind; how long doubles are kept differs between machines, and part of them is noise."""


def array_snapshot(array: Any) -> Any:
    """Return an array as plain data; raises SchemaError for one that no file can keep."""
    data = array_with_bytes(array)
    return data | {"base64": base64.b64encode(data["base64"]).decode("ascii")}


def array_with_bytes(array: Any) -> dict[str, Any]:
    """Return the same with the bytes themselves, which msgspec writes as that text in half the time."""
    _check(array)
    contiguous = np.ascontiguousarray(array)
    return {"dtype": contiguous.dtype.str, "shape": list(array.shape), "base64": contiguous.tobytes()}


def _check(array: Any) -> None:
    if array.dtype.kind not in PLAIN_DTYPES:
        raise SchemaError(f"an array of dtype {array.dtype} may hold any object; use numbers, booleans, dates or texts")
    if array.dtype.itemsize > WIDEST.get(array.dtype.kind, array.dtype.itemsize):
        raise SchemaError(f"an array of dtype {array.dtype} is another one on each machine; use float64 or complex128")
    if array.nbytes > MAX_ARRAY_BYTES:
        raise SchemaError(f"an array of {array.nbytes:,} bytes; at most {MAX_ARRAY_BYTES:,} are kept")


def array_restore(data: Any) -> Any:
    """Return the array that :func:`array_snapshot` wrote."""
    dtype = np.dtype(str(data["dtype"]))
    if dtype.kind not in PLAIN_DTYPES:
        raise SchemaError(f"an array of dtype {dtype} may not be read from a file")
    flat = np.frombuffer(base64.b64decode(data["base64"], validate=True), dtype=dtype)
    return flat.reshape([int(size) for size in data["shape"]]).copy()


def _copy(array: Any) -> Any:
    _check(array)
    return np.array(array, copy=True, order="C", subok=False)  # as it comes back from a file: sums follow the order


def array_same(one: Any, other: Any) -> bool:
    """Say whether two arrays are the same, bit by bit."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    return one.nbytes == 0 or bool(np.array_equal(_bits(one), _bits(other)))


def _bits(array: Any) -> Any:
    """Return the bits of an array as whole numbers, shape (items, words): a NaN equals itself, and 0.0 is not -0.0."""
    flat = np.ascontiguousarray(array).reshape(-1)
    word = next(size for size in (8, 4, 2, 1) if flat.itemsize % size == 0)
    return flat.view(f"u{word}").reshape(flat.size, -1)


def _patch(old: Any, new: Any) -> Any:
    """Positions and values that differ, if they are few; the whole new array otherwise."""
    if old.shape == new.shape and old.dtype == new.dtype and new.dtype.kind in "biuf":
        at = np.flatnonzero(_bits(old) != _bits(new))  # an item of these kinds is one word
        if at.size * 4 < new.size and np.isfinite(old.ravel()[at]).all() and np.isfinite(new.ravel()[at]).all():
            return {"at": at.tolist(), "old": old.ravel()[at].tolist(), "new": new.ravel()[at].tolist()}
    return {"data": array_snapshot(new)}


def _apply(old: Any, patch: Any) -> Any:
    if "data" in patch:
        return array_restore(patch["data"])
    changed = old.copy()
    changed.ravel()[np.array(patch["at"], dtype=np.intp)] = patch["new"]
    return changed


ARRAY_CODEC = Codec("numpy array", np.ndarray, array_snapshot, array_restore, _copy, array_same, _patch, _apply)
