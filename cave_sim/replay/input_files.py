"""The files that a simulation is made from, those of its own code among them, which a manifest tells by digests.

So that a run that is gone on with knows its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from cave_sim.files.given_files import sha256_of
from cave_sim.replay.modules_beside import modules_beside, written
from cave_sim.replay.simulation_names import own_file


def digests(create: Mapping[str, Any]) -> dict[str, str]:
    """Return option -> SHA-256 of its file, for the options of ``create`` that name one."""
    by_option = {}
    for option, value in create.items():
        if isinstance(value, str | os.PathLike) and (digest := _digest(Path(value))):
            by_option[option] = digest
    return by_option


def own_code_digest(simulation: object, found_in: object) -> str:
    """Return the SHA-256 of the file of a simulation of one's own; empty if it is none, or lies there no more."""
    file = own_file(simulation, found_in)
    return "" if file is None else _digest(file)


def module_digests(simulation: object, found_in: object) -> dict[str, str]:
    """Return path in its folder -> SHA-256, for the modules that a simulation of one's own imports from there."""
    file = own_file(simulation, found_in)
    if file is None:
        return {}
    folder = Path(str(found_in))
    beside = modules_beside(file, folder)
    return {path.relative_to(folder).as_posix(): _digest_as_written(path, *written(path)) for path in beside}


@lru_cache(4_096)
def _digest_as_written(path: Path, _written_ns: int, _size_bytes: int) -> str:
    return _digest(path)


def other_files(manifest: Mapping[str, Any]) -> str:
    """Return in words which files are not what they were when a run began; empty if all are, or none was noted."""
    changed = [*_other_code(manifest), *_other_options(manifest)]
    return f"not as it was when the run began: {', '.join(changed)}" if changed else ""


def _other_code(manifest: Mapping[str, Any]) -> list[str]:
    """Return names of the simulation's own file and of modules beside it that are others; of what was moved, none."""
    module, folder = manifest.get("module"), manifest.get("found_in")
    now = own_code_digest(module, folder)
    if now == "":
        return []
    own = [f"the code of {module}"] if now != manifest.get("own_code", now) else []
    known = manifest.get("own_modules")
    return [*own, *(_other_modules(known, Path(str(folder))) if isinstance(known, dict) else ())]


def _other_modules(known: Mapping[str, Any], folder: Path) -> Iterator[str]:
    for name, then in known.items():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            continue  # no file of somebody else's run leads out of the folder
        now = _digest(folder / name)
        if now != then:
            yield f"{name} beside it" if now else f"{name} beside it, which is gone"


def _other_options(manifest: Mapping[str, Any]) -> list[str]:
    then, create = manifest.get("files"), manifest.get("create")
    if not isinstance(then, dict) or not isinstance(create, dict):
        return []
    named = {option: create[option] for option in then if isinstance(create.get(option), str)}
    return [f"{path} ({option})" for option, path in named.items() if _digest(Path(path)) != then[option]]


def _digest(path: Path) -> str:
    """Return the digest of a regular file; empty for anything else, which may never end."""
    try:
        return sha256_of(path) if path.is_file() else ""
    except (OSError, ValueError):
        return ""
