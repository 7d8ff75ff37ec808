"""What tokens cost. Prices change, so none of a paid model is written down here: litellm brings its own list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens read, written, read from the provider's prefix cache, and read to be kept there.

    None for ``cached_usd`` or ``kept_usd``: such tokens cost as much as others.
    """

    prompt_usd: float
    completion_usd: float
    cached_usd: float | None = None
    kept_usd: float | None = None


FREE = Price(0.0, 0.0)

RUNS_AT_HOME = frozenset({"scripted", "recorded", "local", "ollama", "ollama_chat", "llamafile", "lm_studio"})
"""Providers that answer from one's own machine and send no bill."""


def provider_of(name: str) -> str:
    """Return the provider in a model's name: ``ollama`` for ``ollama/qwen2.5``; all of it if there is no slash."""
    return name.partition("/")[0]


def price_of(name: str, prices: Mapping[str, Price] | None = None) -> Price | None:
    """Return the price of a model: from a table of one's own (by name, then by provider), or None if unknown."""
    table = prices or {}
    price = table.get(name) or table.get(provider_of(name))
    return price or (FREE if provider_of(name) in RUNS_AT_HOME else None)
