"""A workspace on a server of OpenSandbox: files and commands in a container elsewhere. Only this imports its client.

The client is no dependency of this package: ``pip install opensandbox``. What the container holds off is the server's
affair, and nothing of it is tried here.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

from cave_sim.errors import MissingExtra, SchemaError, WorldError
from cave_sim.policy.text_cleaning import clean
from cave_sim.workspace.file_changes import Files, FileState, changes_data
from cave_sim.workspace.files import parts_of
from cave_sim.workspace.kept_process import CommandLimits

IMAGE = "python:3.12-slim"
FOLDER = PurePosixPath("/workspace")
LIFE = timedelta(hours=1)
"""The server ends a container after so long, should this process be gone before it could."""
_LOOK = (
    'find . -type f -exec sh -c \'for each; do printf "%s %s %s\\n" '
    '"$(sha256sum < "$each" | cut -c1-64)" "$(wc -c < "$each")" "$each"; done\' sh {} +'
)
"""Prints digest, size and path of each file, with what any Unix has."""


class OpenSandbox:
    """A folder in a container, and what runs there, with the calls of :class:`~cave_sim.workspace.workspace.Workspace`.

    Args:
        server: its address, such as ``127.0.0.1:8080`` or ``https://sandboxes.example``.
        key: for the server, "" for none.
        image: what the container is made of; it needs ``sh``, and ``python`` for what runs that.
        limits: of one command: its seconds and its output. The container's own are the server's.

    Raises:
        MissingExtra: its client is not installed.
        WorldError: no container came of it.
    """

    def __init__(self, server: str, *, key: str = "", image: str = IMAGE, limits: CommandLimits | None = None) -> None:
        try:
            from opensandbox.config.connection_sync import ConnectionConfigSync
            from opensandbox.sync import SandboxSync
        except ModuleNotFoundError:
            raise MissingExtra("a workspace on OpenSandbox needs its client: pip install opensandbox") from None
        self.limits: CommandLimits = limits or CommandLimits()
        self._server, self._key, self._image = server, key, image
        self._connection = ConnectionConfigSync(domain=server, api_key=key or None, disable_metrics=True)
        with self._asking("no container"):
            self._sandbox: Any = SandboxSync.create(image, timeout=LIFE, connection_config=self._connection)
            self._ask(["mkdir", "-p", str(FOLDER)], "/")

    def run(self, command: str | Sequence[str], *, timeout_s: float | None = None) -> dict[str, Any]:
        """Run a command, whose text no shell splits, and return ``exit``, ``output``, ``ended`` and ``changed``.

        Raises:
            SchemaError: the command is empty, or its quotes do not close.
            WorldError: the server did not run it.
        """
        try:
            argv = shlex.split(command) if isinstance(command, str) else [str(part) for part in command]
        except ValueError as error:
            raise SchemaError(f"command {command!r}: {error}") from None
        if not argv:
            raise SchemaError(f"command {command!r}: say a program and its arguments")
        before = self._look()
        execution = self._ask(argv, timeout_s=timeout_s)
        ended = None if execution.exit_code is not None else _why(execution)
        output = clean(_printed(execution)[: self.limits.output_bytes])
        return {
            "exit": execution.exit_code,
            "output": output,
            "ended": ended,
            "changed": changes_data(before, self._look()),
        }

    def read(self, path: str) -> str:
        """Return the text of a file; raises WorldError if there is none."""
        with self._asking(path):
            return str(self._sandbox.files.read_file(_inside(path)))

    def write(self, path: str, text: str | bytes) -> dict[str, Any]:
        """Have a file hold a text, or bytes; returns ``changed``."""
        before = self._look()
        if (folder := PurePosixPath(_inside(path)).parent) != FOLDER:
            self._ask(["mkdir", "-p", str(folder)])
        with self._asking(path):
            self._sandbox.files.write_file(_inside(path), text)
        return {"changed": changes_data(before, self._look())}

    def remove(self, path: str) -> dict[str, Any]:
        """Remove a file; returns ``changed``. Raises WorldError if there is none."""
        before = self._look()
        if "/".join(parts_of(path)) not in before:
            raise WorldError(f"{path}: there is no such file")
        with self._asking(path):
            self._sandbox.files.delete_files([_inside(path)])
        return {"changed": changes_data(before, self._look())}

    def paths(self) -> list[str]:
        """Return the paths of all files, sorted."""
        return sorted(self._look())

    def fork(self) -> OpenSandbox:
        """Return another container with the same files, each of them copied by way of here."""
        other = OpenSandbox(self._server, key=self._key, image=self._image, limits=self.limits)
        for path in self.paths():
            with self._asking(path):
                other.write(path, bytes(self._sandbox.files.read_bytes(_inside(path))))
        return other

    def merged(self, other: object) -> OpenSandbox:
        """Refuse: a container does not know what its files were when it was forked."""
        raise WorldError(f"{self!r} and {other!r}: workspaces on a server are not merged; take their files one by one")

    def close(self) -> None:
        """End the container, and all that runs and lies there."""
        with self._asking("its end"):
            self._sandbox.destroy()

    def __enter__(self) -> OpenSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<OpenSandbox {self._image} on {self._server}>"

    def _ask(self, argv: list[str], folder: str = str(FOLDER), timeout_s: float | None = None) -> Any:
        from opensandbox.models.execd import RunCommandOpts

        most = self.limits.timeout_s
        seconds = most if timeout_s is None else min(most, max(0.01, timeout_s))
        with self._asking(shlex.join(argv)[:100]):
            options = RunCommandOpts(working_directory=folder, timeout=timedelta(seconds=seconds))
            return self._sandbox.commands.run(argv, opts=options)

    def _look(self) -> Files:
        states: dict[str, FileState] = {}
        for line in _printed(self._ask(["sh", "-c", _LOOK])).splitlines():
            digest, size, path = line.split(maxsplit=2)
            states[path.removeprefix("./")] = FileState((), False, digest, int(size), None)
        return states

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        from opensandbox.exceptions import SandboxException

        try:
            yield
        except SandboxException as error:
            raise WorldError(f"OpenSandbox on {self._server}: {what}: {clean(str(error))[:300]}") from None


def _inside(path: str) -> str:
    return str(FOLDER.joinpath(*parts_of(path)))


def _printed(execution: Any) -> str:
    """Return what a command printed, stdout and stderr as they came."""
    messages = sorted([*execution.logs.stdout, *execution.logs.stderr], key=lambda message: message.timestamp)
    return "".join(each.text if each.text.endswith("\n") else f"{each.text}\n" for each in messages)


def _why(execution: Any) -> str:
    return "its end was not told" if execution.error is None else f"{execution.error.name}: {execution.error.value}"
