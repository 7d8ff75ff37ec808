"""The jail that each process of a workspace enters between fork and exec: limits, no rights, Landlock, seccomp.

By the standard library and Landlock alone: the first process in a workspace loads it by path (`keeper.py`).
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from pathlib import Path
from typing import Any

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP, MOST_CAPABILITIES = 38, 22, 24, 64

libc: ctypes.CDLL = ctypes.CDLL(None, use_errno=True)


class CommandJail:
    """What each process does to itself before it becomes what it was started for.

    Args:
        spec: ``files`` and ``tmp``, the folders; ``readable``, paths; ``filter``, a seccomp program; and the limits
            ``memory_bytes``, ``most_bytes``, ``most_processes``.
    """

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self.layers: list[str] = ["limits"]
        self.missing: list[str] = []
        self._landlock: Any = None
        if spec["filter"]:
            self.layers.append("seccomp")
        else:
            self.missing.append("no seccomp: the network can be reached")
        try:
            import landlockpy

            if landlockpy.supported():
                self._landlock = landlockpy
                self.layers.append("Landlock")
        except ImportError:
            pass
        if self._landlock is None:
            self.missing.append("no Landlock: files can be read")

    def enter(self, cpu_s: int | None, is_full: bool = False) -> None:
        """Be in the jail from now on; where the folder is full, only to look and to remove."""
        spec = self._spec
        os.chdir(spec["files"])
        os.umask(0o077)
        for what, most in (
            (resource.RLIMIT_AS, spec["memory_bytes"]),
            (resource.RLIMIT_FSIZE, 0 if is_full else spec["most_bytes"]),
            (resource.RLIMIT_NPROC, spec["most_processes"]),
            (resource.RLIMIT_NOFILE, 256),
            (resource.RLIMIT_CORE, 0),
            *([] if cpu_s is None else [(resource.RLIMIT_CPU, cpu_s)]),
        ):
            hard = resource.getrlimit(what)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (most, most))
        if not sys.platform.startswith("linux"):
            return
        for capability in range(MOST_CAPABILITIES):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError("no_new_privs")
        self._restrict_files(is_full)
        if spec["filter"]:
            program = _CommandProgram(spec["filter"])
            if libc.prctl(PR_SET_SECCOMP, 2, ctypes.byref(program), 0, 0) != 0:
                raise OSError("seccomp")

    def _restrict_files(self, is_full: bool) -> None:
        landlock, spec = self._landlock, self._spec
        if landlock is None:
            return
        access = landlock.AccessFS
        look = access.READ_FILE | access.READ_DIR | access.EXECUTE
        work = look | access.WRITE_FILE | access.REMOVE_DIR | access.REMOVE_FILE | access.MAKE_DIR | access.MAKE_REG
        work |= access.MAKE_SYM | access.REFER | access.TRUNCATE
        if is_full:
            work = look | access.REMOVE_DIR | access.REMOVE_FILE
        with landlock.Ruleset(scoped=landlock.Scope.SIGNAL | landlock.Scope.ABSTRACT_UNIX_SOCKET) as rules:
            for path in spec["readable"]:
                if Path(path).exists():
                    rules.allow_path(path, look if Path(path).is_dir() else access.READ_FILE | access.EXECUTE)
            for path in ("/dev/null", "/dev/zero", "/dev/urandom"):
                rules.allow_path(path, access.READ_FILE | access.WRITE_FILE | access.TRUNCATE)
            for path in spec["writable"]:
                rules.allow_path(path, work)
            rules.restrict()


class _CommandProgram(ctypes.Structure):
    """A seccomp program as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    def __init__(self, code: bytes) -> None:
        self._memory = ctypes.create_string_buffer(code, len(code))
        super().__init__(len(code) // 8, ctypes.cast(self._memory, ctypes.c_void_p))
