"""Forms of numpy arrays. An array that is a window into another variable's stays one; others own their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from cave_sim.entity.codecs import codec_named
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

MAX_DIMENSIONS = 32
READ_ONLY = "read_only"


def write_array(array: Any, see: See) -> Any:
    """Return the form of an array that owns its numbers, or of a window as one that does."""
    return _write_items(array, see) | _marked(array)


def _write_items(array: Any, see: See) -> Any:
    if array.dtype == object:
        return {"shape": list(array.shape), "items": [see(item) for item in array.ravel().tolist()]}
    if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous:
        return codec_named("ndarray").snapshot(array.T) | {"order": "F"}
    return codec_named("ndarray").snapshot(array)


def _marked(array: Any) -> dict[str, bool]:
    return {} if array.flags.writeable else {READ_ONLY: True}


def _as_marked(array: Any, content: Any) -> Any:
    if content.get(READ_ONLY):
        array.flags.writeable = False
    return array


def make_array(content: Any, reader: Any) -> Any:
    """Return the array of a form."""
    if "items" in content:
        return _as_marked(_make_objects(content, reader), content)
    array = codec_named("ndarray").restore(content)
    return _as_marked(np.asfortranarray(array.T) if content.get("order") == "F" else array, content)


def _make_objects(content: Any, reader: Any) -> Any:
    array = np.empty(len(content["items"]), dtype=object)
    for at, item in enumerate(content["items"]):
        array[at] = reader.read(item)
    return array.reshape([int(size) for size in content["shape"]])


def write_window(array: Any, base: Any, see: See) -> Any:
    """Return the form of an array that shows a part of another."""
    offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return {
        "of": see(base),
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "strides": list(array.strides),
        "offset": offset,
        **_marked(array),
    }


def _make_window(content: Any, reader: Any) -> Any:
    base = reader.read(content["of"])
    shape, strides = ([int(number) for number in content[key]] for key in ("shape", "strides"))
    dtype = np.dtype(str(content["dtype"]))
    if not isinstance(base, np.ndarray) or base.dtype == object or dtype.kind == "O" or len(shape) > MAX_DIMENSIONS:
        raise Malformed("a window into no array")
    flat = base.reshape(-1, order="A")
    if base.dtype.kind in "mM":  # which numpy lends to nobody as what they are
        flat = flat.view("i8")
    window: Any = np.ndarray(shape, dtype, buffer=flat.data, offset=int(content["offset"]), strides=strides)
    return _as_marked(window, content)


def base_of(array: Any) -> Any:
    """Return the array whose numbers another one shows; None for one that owns them."""
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    fits = type(base) is np.ndarray and base.dtype.kind not in "OV"  # of structures: numpy's own, as of unique(axis=0)
    fits = fits and (base.flags.c_contiguous or base.flags.f_contiguous)
    return base if base is not array and fits else None


ARRAY = Form("$array", write_array, make_array)
WINDOW = Form("$window", lambda array, see: write_window(array, base_of(array), see), _make_window)
