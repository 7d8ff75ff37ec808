"""Telling a run that this account made from one of a stranger: by a mark that only this account's key can make.

A run's file may name files and servers. In a stranger's file that takes consent; in one's own it was typed already. The
key lies in the state folder of the account and goes nowhere; a mark covers how the run is made, and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cave_sim.canonical_json import to_json

if TYPE_CHECKING:
    from cave_sim.replay.recipe import Recipe

MARK = "made_here"
"""The entry of a run's manifest that holds its mark."""
KEY_BYTES = 32


def mark_of(recipe: Recipe) -> dict[str, str]:
    """Return the manifest entry that says that this account made a run; none where no key can be kept."""
    key = _key(make=True)
    return {} if key is None else {MARK: _mark(key, recipe)}


def is_own(manifest: Mapping[str, Any], recipe: Recipe) -> bool:
    """Say whether this account made a run by just this recipe."""
    mark, key = manifest.get(MARK), _key(make=False)
    return isinstance(mark, str) and key is not None and hmac.compare_digest(mark.encode(), _mark(key, recipe).encode())


def _mark(key: bytes, recipe: Recipe) -> str:
    made = recipe.to_manifest()
    made.pop("limits")  # these may be given anew
    return hmac.new(key, to_json(made, sort=True), hashlib.sha256).hexdigest()


def _key(*, make: bool) -> bytes | None:
    """Return the account's key; a new one if there is none and one is to be made."""
    home = os.environ.get("XDG_STATE_HOME")
    try:
        path = (Path(home) if home else Path.home() / ".local" / "state") / "cave_sim" / "key"
        if make and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o600, exist_ok=False)
            path.write_bytes(secrets.token_bytes(KEY_BYTES))
        key = path.read_bytes()
    except (OSError, RuntimeError):  # no home, or one that cannot be written: every run is a stranger's
        return None
    return key if len(key) == KEY_BYTES else None
