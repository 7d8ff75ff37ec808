"""A warm interpreter: a fresh one that has loaded what cells use, and is forked once for each host of this process.

Loading takes some 1.5 seconds of processor time, a fork some milliseconds: a study, a notebook or a test session that
makes many hosts pays for it once. Who knows early that a host will come says so by :func:`begin`, and it loads beside
what this process loads. It is started with a scrubbed environment and inherits no key and no open file; it builds no
world and sees no cell, so that what is forked from it is as clean as a fresh interpreter.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from cave_sim.diagnostics.system_limits import why_no_process
from cave_sim.hosts.process.channel import Channel
from cave_sim.policy.libraries.late import DRAWING
from cave_sim.version import KERNELS

PASSED_ON = {"LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TZ", *KERNELS}
"""What its environment keeps of ours, so that it computes what we compute; keys are never among it. A module whose
worlds are built by a library that finds its data by a variable adds that one."""
FIXED = {
    "PYTHONHASHSEED": "0",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # what forks should have no second thread
}
"""What its environment has beside."""
DRAWS = "CAVE_SIM_DRAWS"
"""Tells it that figures are drawn here, so that it loads once what draws them, and not each fork of it."""
FORK_SERVER = "cave_sim.hosts.process.fork_server"
"""What it is for the hosts of cells: a module that is loaded there, and need not be here."""
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


OPTIONS = ("-s", "-P", *(["-B"] if sys.dont_write_bytecode else []))
"""Of Python: its scrubbed environment does not tell it to write no compiled files, where we write none."""


class WarmInterpreter:
    """A process to fork others from, which ends with this one.

    Args:
        module: has ``main()``, which loads the libraries while nobody looks for garbage, has it looked for again, and
            then calls :func:`serve_forks`.
        path: where it finds modules; what is forked from it is told its own.
        environment: of it.
    """

    def __init__(self, module: str, path: list[str], environment: dict[str, str]) -> None:
        ours, theirs = socket.socketpair()
        path_and_main = f"sys.path[:] = json.loads(sys.argv[2]); from {module} import main; main()"
        start = f"import gc, sys, json; gc.disable(); {path_and_main}"
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *OPTIONS, "-c", start, str(theirs.fileno()), json.dumps(path)],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._requests = ours

    def fork(self) -> socket.socket:
        """Return a connection to a new fork of it; raises OSError if it ended."""
        if self._process.poll() is not None:
            raise ConnectionError("the warm interpreter ended")
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._requests, [b"f"], [theirs.fileno()])
        except OSError:
            ours.close()
            raise
        return ours

    def close(self) -> None:
        """End it; what was forked from it lives on."""
        self.forget()
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """Let go of it without ending it: it belongs to the process that this one was forked from."""
        self._requests.close()


def module_path() -> list[str]:
    """Return where this process finds modules; entries that are no texts, which Python passes over, are left out."""
    return [entry for entry in sys.path if isinstance(entry, str)]


_lock = threading.Lock()
_current: tuple[tuple[object, ...], WarmInterpreter] | None = None


def begin(module: str = FORK_SERVER) -> None:
    """Start this process's warm interpreter, and do not wait for it; where that fails, who needs it will say so."""
    with suppress(OSError), _lock:
        _begun(module)


def fork(module: str = FORK_SERVER) -> socket.socket:
    """Return a connection to a fresh fork of this process's warm interpreter, which is started if need be.

    Args:
        module: what the warm interpreter is; see :class:`WarmInterpreter`.

    Raises:
        OSError: none can be started.
    """
    with _lock:
        with suppress(OSError):  # it was killed: the next one serves as well
            return _begun(module).fork()
        _drop()
        return _begun(module).fork()


def _begun(module: str) -> WarmInterpreter:
    """Return this process's warm interpreter for an environment like the one now; another is ended."""
    global _current
    environment = {name: os.environ[name] for name in sorted(PASSED_ON) if name in os.environ}
    environment |= dict.fromkeys(ONE_THREAD, "1") | FIXED | ({DRAWS: "1"} if DRAWING in sys.modules else {})
    key = os.getpid(), module, tuple(environment.items())
    if _current is None or _current[0] != key:
        _drop()
        _current = key, WarmInterpreter(module, module_path(), environment)
    return _current[1]


@atexit.register
def _drop() -> None:
    """End the warm interpreter of this process, if it has one."""
    global _current
    if _current is not None:
        (pid, *_), interpreter = _current
        _current = None
        if pid == os.getpid():
            interpreter.close()
        else:
            interpreter.forget()


def serve_forks(be: Callable[[socket.socket], None]) -> None:
    """Fork for every connection that comes in over the socket named on the command line, until it hangs up.

    Args:
        be: what a fork does with its connection.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the supervisor's affair
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks: the system buries them
    requests = socket.socket(fileno=int(sys.argv[1]))
    while True:
        request, fds, _, _ = socket.recv_fds(requests, 1, 1)
        if not request:
            return
        try:
            pid = os.fork()
        except OSError as error:
            with socket.socket(fileno=fds[0]) as refused, suppress(OSError):
                Channel(refused).send({"no_process": why_no_process(error)})
            continue
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            requests.close()
            try:
                be(socket.socket(fileno=fds[0]))
            finally:
                os._exit(0)
        os.close(fds[0])
