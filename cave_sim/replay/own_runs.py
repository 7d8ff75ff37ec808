"""Telling a run that this account made from one of a stranger: by a mark that only this account's key can make.

A run's file may name files and servers. In a stranger's file that takes consent; in one's own it was typed already. The
key lies in the state folder of the account and goes nowhere; a mark covers how the run is made, and nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Protocol

from cave_sim.determinism.canonical_json import to_json
from cave_sim.models.from_cli import ModelChoice
from cave_sim.simulation.measuring import module_of

DIALS = ("address",)
READS = ("map", "marginals", "personas", "replay", "sample")
"""Options of simulations that name an address, and those that name files."""
OURS = ("cave_sim.simulations.", "cave_sim.worlds.")
MARK = "made_here"
"""The entry of a run's manifest that holds its mark."""
KEY_BYTES = 32


class Made(Protocol):
    """How a run is made, as a :class:`~cave_sim.replay.recipe.Recipe` says it."""

    @property
    def found_in(self) -> str | None: ...
    @property
    def create(self) -> Mapping[str, Any]: ...
    @property
    def measures(self) -> Mapping[str, str]: ...
    @property
    def model(self) -> ModelChoice | None: ...
    def to_manifest(self) -> dict[str, Any]: ...


def mark_of(recipe: Made) -> dict[str, str]:
    """Return the manifest entry by which this account's run is known; none where no key can be kept, or none is needed.

    It is needed where the run names what lies elsewhere, or code.
    """
    named = recipe.found_in is not None or measuring_modules(recipe) or servers(recipe) or any(named_outside(recipe))
    key = _key(make=True) if named else None
    return {} if key is None else {MARK: _mark(key, recipe)}


def is_own(manifest: Mapping[str, Any], recipe: Made) -> bool:
    """Say whether this account made a run by just this recipe."""
    mark, key = manifest.get(MARK), _key(make=False)
    return isinstance(mark, str) and key is not None and hmac.compare_digest(mark.encode(), _mark(key, recipe).encode())


def _mark(key: bytes, recipe: Made) -> str:
    manifest = recipe.to_manifest()
    manifest.pop("limits")  # these may be given anew
    return hmac.new(key, to_json(manifest, sort=True), hashlib.sha256).hexdigest()


def _key(*, make: bool) -> bytes | None:
    """Return the account's key; a new one if there is none and one is to be made."""
    home = os.environ.get("XDG_STATE_HOME")
    try:
        path = (Path(home) if home else Path.home() / ".local" / "state") / "cave_sim" / "key"
        if make and not path.exists():
            _keep_new_key(path)
        key = path.read_bytes()
    except (OSError, RuntimeError):  # no home, or one that cannot be written: every run is a stranger's
        return None
    return key if len(key) == KEY_BYTES else None


def _keep_new_key(path: Path) -> None:
    """Write a key that nobody else reads, whole or not at all; of two who do so at once the first is heard."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent) as new:  # for its owner alone, as these files are
        new.write(secrets.token_bytes(KEY_BYTES))
        new.flush()
        with suppress(FileExistsError):
            os.link(new.name, path)


def measuring_modules(recipe: Made) -> set[str]:
    """Return the modules that a recipe is measured by and that are none of ours."""
    return {module for module in map(module_of, recipe.measures.values()) if module and not module.startswith(OURS)}


def servers(recipe: Made) -> set[str]:
    """Return the servers that a recipe names, for all agents or for some."""
    choices = () if recipe.model is None else recipe.model.choices
    return {url for choice in choices for url in (choice.api_base, choice.embeddings_base) if url is not None}


def named_outside(recipe: Made) -> Iterator[str]:
    """Yield what a recipe names that lies elsewhere."""
    for key, value in recipe.create.items():
        if isinstance(value, str) and (key in DIALS or key in READS or _is_path(value)):
            yield f"{key} {value!r}"
    for choice in () if recipe.model is None else recipe.model.choices:
        named = {"a file of weights": choice.gguf, "a run with replies": choice.replay}
        named["a file of weights for embeddings"] = choice.embeddings if choice.embeddings.endswith(".gguf") else None
        yield from (f"{what} {value!r}" for what, value in named.items() if value is not None)


def _is_path(value: str) -> bool:
    return any(mark in value for mark in "/\\\0") or value.startswith(("~", ".."))
