"""A script's end of a keeper: starts it, asks it one thing at a time, and lets go of it."""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.hosts.process.isolation_level import IsolationLevel
from cave_sim.workspace.command_filter import command_filter

READABLE = (
    "/usr /bin /sbin /lib /lib32 /lib64 /etc/ld.so.cache /etc/alternatives /etc/localtime /System /Library".split()
)
"""What a command may read beside its folder, with Python and its libraries: programs of the system."""
SPARE_S = 10.0
"""How much longer than its limit a command may take to be ended."""


@dataclass(frozen=True)
class CommandLimits:
    """What one command or cell in a workspace may take.

    Attributes:
        timeout_s: seconds of wall time.
        memory_bytes: address space of each process, and what all hold together, looked at five times a second.
        most_bytes: of the folder with what was removed while a program has it, where each file and folder counts for
            4,096 at least; and of each file in it.
        most_processes: at once; looked at as often.
        output_bytes: of what is printed; of more, the beginning and the end are kept.
    """

    timeout_s: float = 60.0
    memory_bytes: int = 4 << 30
    most_bytes: int = 256 << 20
    most_processes: int = 256
    output_bytes: int = 16_384


class KeptProcess:
    """Commands, or one Python, in the jail of a folder; ended by :meth:`close`, or with this process, however it ends.

    Args:
        files: the folder.
        limits: of what runs there.
        remove: folders that go when this process is gone.

    Attributes:
        level: how well it holds.
    """

    def __init__(self, files: Path, limits: CommandLimits, remove: tuple[Path, ...] = ()) -> None:
        self._lock = threading.Lock()
        own = Path(tempfile.mkdtemp(prefix="cave-sim-jail-"))
        tmp, outside = own / "tmp", own / "outside"
        tmp.mkdir()
        outside.write_text("not for commands\n")
        self._sock, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", str(Path(__file__).with_name("keeper.py"))],
                env={"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")},
                stdin=subprocess.PIPE,
                stdout=theirs.fileno(),
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        spec = {
            "files": str(files),
            "writable": [str(files), str(tmp)],
            "readable": sorted({*READABLE, sys.prefix, sys.base_prefix}),
            "filter": base64.b64encode(command_filter()).decode(),
            "remove": [str(own), *map(str, remove)],
            "outside": str(outside),
            "keeper": self._process.pid,
            "python": sys.executable,
            "environment": _environment(tmp),
            "memory_bytes": limits.memory_bytes,
            "most_bytes": limits.most_bytes,
            "most_processes": limits.most_processes,
            "output_bytes": limits.output_bytes,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(spec).encode() + b"\n")
        self._process.stdin.flush()
        self._channel = self._sock.makefile("rwb")
        self.level: IsolationLevel = _level(self._heard(60.0))

    def ask(self, request: Mapping[str, Any], timeout_s: float) -> dict[str, Any]:
        """Have something done, one at a time; raises WorldError if the process is gone."""
        with self._lock:
            try:
                self._channel.write(json.dumps({**request, "timeout_s": timeout_s}).encode() + b"\n")
                self._channel.flush()
            except (OSError, ValueError):
                raise WorldError("the process that keeps this workspace ended; open the workspace again") from None
            return self._heard(timeout_s + SPARE_S)

    def close(self) -> None:
        """End everything that runs there, and wait for that."""
        with suppress(OSError, ValueError):
            self._channel.close()
        self._sock.close()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()

    def _heard(self, timeout_s: float) -> dict[str, Any]:
        self._sock.settimeout(timeout_s)
        try:
            line = self._channel.readline()
            answer: dict[str, Any] = json.loads(line)
            return answer
        except (OSError, ValueError):
            raise WorldError("the process that keeps this workspace gave no answer; open the workspace again") from None


def _level(hello: Mapping[str, Any]) -> IsolationLevel:
    if not hello["works"]:
        return IsolationLevel("guarded", tuple(hello["layers"]), ("nothing runs in this jail here",))
    reached = [f"a command could {what}" for what in hello["possible"]]
    lacks = (*hello["missing"], *reached)
    return IsolationLevel("contained" if reached else "isolated", tuple(hello["layers"]), lacks)


def _environment(tmp: Path) -> dict[str, str]:
    """Return what commands see of an environment: nothing of ours, so no keys."""
    path = [str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": os.pathsep.join(path),
        "HOME": str(tmp),
        "TMPDIR": str(tmp),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_NOSYSTEM": "1",  # which it may not read, and ends where it may not
    }
