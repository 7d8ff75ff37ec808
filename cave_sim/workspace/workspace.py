"""Workspace: a jailed folder in which commands, and one Python that keeps its variables, work on files.

What runs there reads the folder and the system's programs, writes the folder alone, reaches no network and sees no key.
How far that holds here is found out by trying, and said (``level``). A workspace forks: the copy shares what both hold
until one is written, where the file system has that.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cave_sim.errors import SchemaError, WorldError, reason
from cave_sim.hosts.process.isolation_level import LEVELS, IsolationLevel
from cave_sim.policy.text_cleaning import clean
from cave_sim.workspace import file_changes, files
from cave_sim.workspace.file_changes import Files
from cave_sim.workspace.kept_process import CommandLimits, KeptProcess
from cave_sim.workspace.trees import LEAST_BYTES

READ_BYTES = 48_000
"""How much of a file is read at once."""


class Workspace:
    """A folder, and what runs in it.

    Args:
        folder: made if missing, and kept; None for a temporary one that goes with :meth:`close`, or with this process,
            however it ends.
        limits: of what runs there.
        require: the least level of isolation; below it, nothing runs.
        source: a folder whose files it begins with, as copies; ``folder`` is not to be there yet then.

    Attributes:
        folder: of the files.
        limits: of what runs there.

    Raises:
        WorldError: the folder cannot be made, or there is no such level.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        *,
        limits: CommandLimits | None = None,
        require: str = "isolated",
        source: str | Path | None = None,
    ) -> None:
        self.limits: CommandLimits = limits or CommandLimits()
        if require not in LEVELS:
            raise WorldError(f"require={require!r}: takes {', '.join(map(repr, LEVELS))}")
        self._require = require
        self._own = None if folder is not None else Path(tempfile.mkdtemp(prefix="cave-sim-workspace-")).resolve()
        self.folder: Path = (self._own / "files") if self._own is not None else Path(str(folder)).absolute()
        try:
            if source is None:
                self.folder.mkdir(parents=True, exist_ok=True)
            else:
                self.folder.parent.mkdir(parents=True, exist_ok=True)
                files.copy(Path(source), self.folder, self.limits.most_bytes)
        except (OSError, WorldError) as error:
            if source is not None:
                files.clear(self._own or self.folder)
            problem = reason(error) if isinstance(error, OSError) else error
            raise WorldError(f"workspace {self.folder}: {problem}") from None
        self.folder = self.folder.resolve()
        self._processes: dict[str, KeptProcess] = {}
        self._gone = False
        self._seen: Files | None = None
        self._births: tuple[tuple[Workspace, Files], ...] = ((self, self._look()),)
        if self._own is not None:
            self._process("command")  # from now on its keeper removes the folder, whatever happens to this process

    @property
    def level(self) -> IsolationLevel:
        """How well what runs here is held, found out by trying; :meth:`capabilities` says it in words."""
        return self._process("command").level

    def capabilities(self) -> dict[str, str]:
        """Return what can be done here, and how far it goes, in words."""
        limits = self.limits
        can = {
            "files": f"reads and writes {self.folder}; at most {limits.most_bytes:,} bytes",
            "commands": f"run one by one, each at most {limits.timeout_s:g} s; what they start ends with them",
            "python": "keeps its variables from call to call; a fork begins without them",
            "network": "none",
            "reads": "programs and libraries of the system and of Python",
        }
        return {**can, "isolation": str(self.level)}

    # ---- what is done there

    def run(self, command: str | Sequence[str], *, stdin: str = "", timeout_s: float | None = None) -> dict[str, Any]:
        """Run a command and return what came of it, as plain data.

        Args:
            command: a program and its arguments; a text is split as a shell would, and no shell runs it.
            stdin: what it reads.
            timeout_s: seconds of wall time; at most those of the limits.

        Returns:
            ``exit``, its status, or None where it was ended; ``output``; ``ended``, what ended it, or None; and
            ``changed``, what became of files.

        Raises:
            SchemaError: the command is empty or none, or its quotes do not close.
            WorldError: the isolation here is below what is required, the keeper is gone, or it was closed and its
                temporary folder is gone.
        """
        try:
            argv = shlex.split(command) if isinstance(command, str) else [str(part) for part in command]
        except ValueError as error:
            raise SchemaError(f"command {command!r}: {error}") from None
        except TypeError:
            raise SchemaError(f"command {command!r}: it is a text, or a list of a program and its arguments") from None
        if not argv or any("\0" in part for part in argv):
            raise SchemaError(f"command {command!r}: say a program and its arguments")
        return self._do("command", {"do": "command", "argv": argv, "stdin": stdin}, timeout_s)

    def python(self, code: str, *, timeout_s: float | None = None) -> dict[str, Any]:
        """Run code in the Python of this workspace, which keeps its variables; returns what :meth:`run` does."""
        return self._do("python", {"do": "python", "code": code}, timeout_s)

    def read(self, path: str) -> str:
        """Return the text of a file; raises WorldError if there is none, it is none, or too long."""
        self._expect_there()
        try:
            return files.read(self.folder, path, READ_BYTES).decode()
        except UnicodeDecodeError:
            raise WorldError(f"{path}: holds no text") from None

    def content(self, path: str) -> bytes | None:
        """Return what a file holds, None if there is none; raises WorldError for what is no file, as a link."""
        self._expect_there()
        if not os.path.lexists(self.folder / "/".join(files.parts_of(path))):
            return None
        return files.read(self.folder, path, self.limits.most_bytes)

    def write(self, path: str, text: str | bytes) -> dict[str, Any]:
        """Have a file hold a text, or bytes, whole or not at all; returns ``changed``."""
        if not isinstance(text, str | bytes):
            raise SchemaError(f"{path}: it holds a text or bytes; {type(text).__name__} is neither")
        before = self._look()
        data = text.encode("utf-8", "replace") if isinstance(text, str) else text
        most = self.limits.most_bytes
        beside = sum(max(each.size, LEAST_BYTES) for name, each in before.items() if name != path)
        if beside + len(data) > most:
            raise WorldError(f"{path}: {len(data):,} bytes beside {beside:,}; this workspace holds at most {most:,}")
        files.write(self.folder, path, data)
        return {"changed": self._changes(before)}

    def remove(self, path: str) -> dict[str, Any]:
        """Remove a file; returns ``changed``. Raises WorldError if there is none."""
        before = self._look()
        files.remove(self.folder, path)
        return {"changed": self._changes(before)}

    def paths(self) -> list[str]:
        """Return the paths of all files, sorted."""
        self._expect_there()
        return sorted(path for path, _ in files.walk(self.folder))

    # ---- forks

    def fork(self, folder: str | Path | None = None) -> Workspace:
        """Return a workspace with the same files, that goes on by itself. Its Python begins without variables.

        Args:
            folder: where, which is not there yet; a temporary one unless given.

        Raises:
            WorldError: the folder is there already.
        """
        self._expect_there()
        if folder is not None and Path(folder).exists():
            raise WorldError(f"fork of workspace {self.folder}: {folder} is there already")
        other = Workspace(folder, limits=self.limits, require=self._require, source=self.folder)
        other._births = (*self._births, *other._births)
        return other

    def take(self, other: Workspace) -> list[str]:
        """Take over what another one changed since it was forked from this one, or both from a third; returns paths.

        Raises:
            WorldError: both changed the same file, and not alike; nothing was taken.
        """
        taken = self._to_take(other)
        for path in taken:
            if path not in other._look():
                files.remove(self.folder, path)
            else:
                files.write(self.folder, path, files.read(other.folder, path, self.limits.most_bytes))
        return taken

    def merged(self, other: Workspace) -> Workspace:
        """Return a fork of this one with what the other one changed; raises WorldError as :meth:`take` does."""
        self._to_take(other)
        both = self.fork()
        both.take(other)
        return both

    def close(self) -> None:
        """End all that runs here; a temporary folder goes, another one stays. Closing twice is closing once."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()
        if self._own is not None:
            self._gone = True
            with suppress(OSError):
                files.clear(self._own)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Workspace {self.folder}>"

    # ---- within

    def _do(self, which: str, request: dict[str, Any], timeout_s: float | None) -> dict[str, Any]:
        most = self.limits.timeout_s
        timeout = most if timeout_s is None else min(most, max(0.01, timeout_s))
        process = self._process(which)
        if LEVELS.index(process.level.name) < LEVELS.index(self._require):
            raise WorldError(
                f"workspace {self.folder}: what runs there would be only {process.level}. Say"
                f" require={process.level.name!r} if that is enough"
            )
        before = self._look()
        done = process.ask(request, timeout)
        return {**done, "output": clean(done["output"]), "changed": self._changes(before)}

    def _expect_there(self) -> None:
        if self._gone:
            raise WorldError(f"workspace {self.folder}: it was closed, and its temporary folder is gone")

    def _process(self, which: str) -> KeptProcess:
        self._expect_there()
        if which not in self._processes:
            remove = () if self._own is None else (self._own,)
            self._processes[which] = KeptProcess(self.folder, self.limits, remove)
        return self._processes[which]

    def _to_take(self, other: Workspace) -> list[str]:
        """Return the paths that another one changed since both were one; raises WorldError where they disagree."""
        common = 0
        for (one, _), (another, _) in zip(self._births, other._births, strict=False):
            common += one is another
        if not common:
            raise WorldError(f"{other!r} and {self!r} were never one: fork one from the other")
        own, others = self._births[common:], other._births[common:]
        if not own and not others:
            return []
        here, there = self._look(), other._look()
        theirs = file_changes.changed((others or own)[0][1], there)
        ours = set(file_changes.changed((own or others)[0][1], here))
        taken = [path for path in theirs if _digest(here, path) != _digest(there, path)]
        if conflicts := [path for path in taken if path in ours]:
            raise WorldError(f"both workspaces changed {', '.join(conflicts[:5])}: make them alike first, or take one")
        if links := [path for path in taken if (other.folder / path).is_symlink()]:
            raise WorldError(f"{links[0]}: is a symbolic link, which is not taken over")
        return taken

    def _look(self) -> Files:
        self._expect_there()
        self._seen = file_changes.look(self.folder, self._seen)
        return self._seen

    def _changes(self, before: Files) -> list[dict[str, Any]]:
        return file_changes.changes_data(before, self._look())


def _digest(states: Files, path: str) -> str | None:
    with suppress(KeyError):
        return states[path].digest
    return None
