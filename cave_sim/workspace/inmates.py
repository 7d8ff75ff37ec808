"""What runs inside of a workspace: commands one by one, and one Python that keeps its variables.

The first process in a workspace's namespaces runs :func:`serve`. It is not jailed itself, and runs nothing that anybody
wrote; what it starts enters the jail between fork and exec. Loaded by path, without the package (`keeper.py`).
"""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cave_sim.workspace.command_jail import CommandJail

LOOK_S = 0.2
"""How often it is looked how much a folder holds while something runs."""
WITH_REMOVED = "the folder, with files that were removed while a program still had them, held more than {:,} bytes"
PYTHON = r"""
import ast, os, sys, traceback
codes, done = open(int(sys.argv[1]), "rb"), int(sys.argv[2])
names = {"__name__": "__main__"}
sys.path.insert(0, "")
for line in codes:
    failed = b"0"
    call, code = ast.literal_eval(line.decode())
    try:
        tree = ast.parse(code, "<cell>")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            sys.displayhook(eval(compile(ast.Expression(last.value), "<cell>", "eval"), names))
    except SystemExit:
        pass
    except BaseException:
        failed = b"1"
        traceback.print_exc(limit=-5)
    sys.stdout.flush(), sys.stderr.flush()
    os.write(done, call + failed)
"""


class Inmates:
    """Runs commands, and the one Python, in the jail.

    Args:
        spec: as :class:`CommandJail` takes it; ``environment`` beside, and ``python``, the program.
        jail: what they enter.
        keeper: ``end_all`` ends every process that descends from this one, ``signal_all`` sends each a signal,
            ``trees`` is the module of that name, and ``ProcessUsage`` the class.
    """

    def __init__(self, spec: dict[str, Any], jail: CommandJail, keeper: Any) -> None:
        self._spec, self._jail, self._keeper = spec, jail, keeper
        self._python: tuple[subprocess.Popen[bytes], int, int] | None = None
        self._is_unknown = False

    def command(self, argv: list[str], stdin: str, timeout_s: float) -> dict[str, Any]:
        """Run a program; whatever it started ends with it."""
        given = os.memfd_create("stdin") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDONLY)
        with suppress(OSError):
            os.write(given, stdin.encode("utf-8", "replace"))
            os.lseek(given, 0, os.SEEK_SET)
        try:
            begun = self._held()
            process = self._start(argv, given, int(timeout_s) + 2, (), is_full=self._is_full(begun))
        except (OSError, subprocess.SubprocessError) as error:
            return {"exit": 127, "output": f"{argv[0]}: {getattr(error, 'strerror', None) or error}", "ended": None}
        finally:
            os.close(given)
        output, ended = self._wait(process, timeout_s, begun)
        code = process.poll()
        self._end_all()
        return {"exit": code if ended is None else None, "output": output, "ended": ended}

    def python(self, code: str, timeout_s: float) -> dict[str, Any]:
        """Run code in the Python that keeps its variables; it is begun anew where it is gone.

        Between two calls nothing runs there: all that it started is stopped with it.
        """
        begun, most = self._held(), self._spec["most_bytes"]
        if self._is_full(begun):
            full = f"the folder holds more than {most:,} bytes: remove files by a command first"
            return {"exit": None, "output": "", "ended": full}
        if begun is not None and self._python is not None:
            begun += self._usage().removed_bytes
            if self._is_full(begun):
                self._end_python()
                return {"exit": None, "output": "", "ended": f"{WITH_REMOVED.format(most)}; its variables are gone"}
        if self._python is None or self._python[0].poll() is not None:
            codes, codes_in = os.pipe()
            done_out, done = os.pipe()
            argv = [self._spec["python"], "-s", "-P", "-u", "-c", PYTHON, str(codes), str(done)]
            nothing = os.open(os.devnull, os.O_RDONLY)
            process = self._start(argv, nothing, None, (codes, done))
            for descriptor in (codes, done, nothing):
                os.close(descriptor)
            self._python = process, codes_in, done_out
            os.set_blocking(codes_in, False)
            os.set_blocking(done_out, False)
        process, codes_in, done_out = self._python
        call = secrets.token_hex(8).encode()  # so that no code can answer for a later call, however late it is heard
        self._keeper.signal_all(signal.SIGCONT)
        answer = _PythonCall(done_out, call, codes_in, repr((call, code)).encode() + b"\n")
        output, ended = self._wait(process, timeout_s, begun, answer)
        failed = answer.failed if ended is None and process.poll() is None else b""
        if failed:
            self._keeper.signal_all(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)  # for its last thread, too
        if failed not in (b"0", b"1"):
            ended = ended or "it ended itself"
            self._end_python()
            return {"exit": None, "output": output, "ended": f"{ended}; its variables are gone"}
        return {"exit": int(failed), "output": output, "ended": None}

    def probe(self, act: Callable[[], Any]) -> bool:
        """Say whether something can be done in the jail."""
        pid = os.fork()
        if pid == 0:
            try:
                self._jail.enter(None)
                act()
                os._exit(7)
            finally:
                os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7

    def _start(
        self, argv: list[str], given: int, cpu_s: int | None, open_fds: tuple[int, ...], *, is_full: bool = False
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            argv,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=open_fds,
            cwd=self._spec["files"],
            env=self._spec["environment"],
            start_new_session=True,
            preexec_fn=lambda: self._jail.enter(cpu_s, is_full),
        )

    def _wait(
        self,
        process: subprocess.Popen[bytes],
        timeout_s: float,
        begun: int | None,
        answer: _PythonCall | None = None,
    ) -> tuple[str, str | None]:
        """Tell a process what to do, and gather what is printed until it is over.

        Returns:
            What was printed, and what ended it if that was not itself.
        """
        assert process.stdout is not None
        source, most = process.stdout.fileno(), self._spec["output_bytes"]
        os.set_blocking(source, False)
        deadline, head, tail, count, ended = time.monotonic() + timeout_s, b"", b"", 0, None
        looked = time.monotonic()
        while True:
            heard, asked = ([], []) if answer is None else answer.waited_for
            ready = select.select([source, *heard], asked, [], LOOK_S)
            is_over = process.poll() is not None or (answer is not None and answer.is_there(ready))
            while piece := _read(source):
                head, piece = head + piece[: most // 2 - len(head)], piece[max(0, most // 2 - len(head)) :]
                tail, count = (tail + piece)[-most // 2 :], count + len(piece)
                if time.monotonic() > deadline:
                    break
            if not is_over and time.monotonic() > deadline:
                ended = f"it took longer than {timeout_s:g} s"
            elif is_over or time.monotonic() - looked > LOOK_S:
                ended, looked = self._overfull(begun), time.monotonic()
            if is_over and ended is None:
                break
            if ended is not None:
                process.send_signal(signal.SIGKILL)
                process.wait()
                break
        left_out = count - len(tail)
        between = f"\n[{left_out:,} bytes left out]\n".encode() if left_out else b""
        return (head + between + tail).decode("utf-8", "replace"), ended

    def _end_python(self) -> None:
        """End it, with its variables; the next call begins another."""
        self._end_all()
        if self._python is not None:
            for descriptor in self._python[1:]:
                os.close(descriptor)
        self._python = None

    def _end_all(self) -> None:
        """End what was started, and leave no folder that nobody can look into."""
        self._keeper.end_all()
        if self._is_unknown:
            self._is_unknown = False
            for folder in self._spec["writable"]:
                self._keeper.trees.tidy(folder)

    def _held(self) -> int | None:
        """Return what the folders hold; None where that cannot be found out."""
        try:
            return int(self._keeper.trees.size(self._spec["writable"]))
        except (OSError, self._keeper.trees.TooDeep):
            return None

    def _is_full(self, used_bytes: int | None) -> bool:
        return used_bytes is not None and used_bytes > self._spec["most_bytes"]

    def _usage(self) -> Any:
        spec, keeper = self._spec, self._keeper
        return keeper.ProcessUsage(spec["writable"], spec["most_bytes"], spec["memory_bytes"], keeper.trees)

    def _overfull(self, begun: int | None) -> str | None:
        """Return what is too much about the folders, or about what runs, if anything; what was held before is not."""
        try:
            used = self._usage()
        except PermissionError:
            return "a program hid what it holds"
        for count, most, what in (
            (used.processes, self._spec["most_processes"], "more than {:,} processes ran"),
            (used.memory_bytes, self._spec["memory_bytes"], "what ran held more than {:,} bytes of memory together"),
        ):
            if count > most:
                return what.format(most)
        if begun is None:
            return None
        room = max(begun, self._spec["most_bytes"])
        try:
            size = self._keeper.trees.size(self._spec["writable"])
        except self._keeper.trees.TooDeep as error:
            self._is_unknown = True
            return f"the folder held {error}"
        except OSError:
            return None
        if size > room:
            return f"the folder holds more than {room:,} bytes"
        return WITH_REMOVED.format(room) if size + used.removed_bytes > room else None


class _PythonCall:
    """What one call of the Python is told, and what it answers: the name of the call, and whether it failed."""

    def __init__(self, source: int, call: bytes, target: int, request: bytes) -> None:
        self._source, self._call, self._target, self._left = source, call, target, request
        self._output = b""
        self.failed = b""

    @property
    def waited_for(self) -> tuple[list[int], list[int]]:
        """Which descriptors are to be read, and which to be written."""
        return [self._source], [self._target] if self._left else []

    def is_there(self, ready: tuple[Sequence[int], Sequence[int], Sequence[int]]) -> bool:
        """Write and read what is ready, and say whether the answer has come."""
        if self._target in ready[1]:
            self._left = _written(self._target, self._left)
        if self._source in ready[0] and not self.failed:
            self._output += _read(self._source)
            parts = self._output.rpartition(self._call)
            self.failed = parts[2][:1] if parts[1] else b""
            self._output = self._output[-len(self._call) :]
        return self.failed != b""


def serve(
    sock: socket.socket, spec: dict[str, Any], jail: CommandJail, layers: list[str], missing: list[str], keeper: Any
) -> None:
    """Say how well the jail holds, then do what is asked until the other end is closed."""
    inmates = Inmates(spec, jail, keeper)
    works = inmates.probe(lambda: None)
    possible = [what for what, act in _attempts(spec).items() if works and inmates.probe(act)]
    with sock, sock.makefile("rwb") as channel:
        hello = {"works": works, "layers": [*layers, *jail.layers], "missing": [*missing, *jail.missing]}
        _say(channel, {**hello, "possible": possible})
        for line in channel:
            request = json.loads(line)
            act = inmates.command if request.pop("do") == "command" else inmates.python
            _say(channel, act(**request))


def _attempts(spec: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """Return what nothing in the jail may do."""
    outside = Path(spec["outside"])
    return {
        "read files of this user": outside.read_bytes,
        "write files of this user": lambda: outside.write_bytes(b"written"),
        "change the mode of files of this user": lambda: outside.chmod(0o600),
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "signal processes outside": lambda: os.kill(spec["keeper"], 0),
    }


def _say(channel: Any, data: dict[str, Any]) -> None:
    channel.write(json.dumps(data).encode() + b"\n")
    channel.flush()


def _read(source: int) -> bytes:
    try:
        return os.read(source, 65_536)
    except BlockingIOError:
        return b""


def _written(target: int, data: bytes) -> bytes:
    """Write what there is room for; returns what is left to be written, nothing where nobody reads."""
    try:
        return data[os.write(target, data[:65_536]) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:
        return b""
