"""Methods of columns of texts that could make longer ones: each asks how long these will be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.formats import MAX_WIDTH, check_normalized
from cave_sim.policy.libraries.numpy_bounds import check_items

MAX_CHARS = 20_000_000


def _check_chars(count: Any, name: str) -> None:
    if count > MAX_CHARS:
        raise Blocked(f"str.{name}: texts of more than {MAX_CHARS:,} characters")


def _padding(texts: Any, name: str) -> Callable[..., Any]:
    def pad(width: int, *args: Any, **options: Any) -> Any:
        if width > MAX_WIDTH:
            raise Blocked(f"str.{name}({width}): texts wider than {MAX_WIDTH} characters")
        _check_chars(width * len(texts.len()), name)
        return getattr(texts, name)(width, *args, **options)

    return pad


def _repeating(texts: Any, name: str) -> Callable[..., Any]:
    def repeat(repeats: Any) -> Any:
        _check_chars(int(np.max(repeats, initial=0)) * int(texts.len().sum()), name)
        return texts.repeat(repeats)

    return repeat


def _joining(texts: Any, name: str) -> Callable[..., Any]:
    def join(sep: str) -> Any:
        _check_chars(len(sep) * int(texts.len().sum()), name)
        return texts.join(sep)

    return join


def _translating(texts: Any, name: str) -> Callable[..., Any]:
    def translate(table: Any) -> Any:
        longest = max((len(each) for each in table.values() if isinstance(each, str)), default=1)
        _check_chars(longest * int(texts.len().sum()), name)
        return texts.translate(table)

    return translate


def _normalizing(texts: Any, name: str) -> Callable[..., Any]:
    def normalize(form: str) -> Any:
        check_normalized(int(max(texts.len().fillna(0).tolist(), default=0)), f"str.{name}")
        return texts.normalize(form)

    return normalize


def _parting(texts: Any, name: str) -> Callable[..., Any]:
    def get_dummies(sep: str = "|") -> Any:
        labels = texts.split(sep)
        check_items(len(labels) * len({part for parts in labels.dropna() for part in parts}), name)
        return texts.get_dummies(sep)

    return get_dummies


BOUNDED: dict[str, Callable[[Any, str], Callable[..., Any]]] = {
    **dict.fromkeys(("zfill", "pad", "center", "ljust", "rjust", "wrap"), _padding),
    "repeat": _repeating,
    "join": _joining,
    "translate": _translating,
    "get_dummies": _parting,
    "normalize": _normalizing,
}
"""Method of ``.str`` -> what makes the form of it that cells get."""
