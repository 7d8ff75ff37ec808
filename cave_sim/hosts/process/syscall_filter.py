"""Seccomp programs, written by the names of system calls (libseccomp by pyseccomp)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from typing import Any


class SyscallFilter:
    """Rules of what a process may ask of the kernel; calls of another kind of machine end it.

    Args:
        otherwise: the number of the error of every call that no rule names; None where it is allowed.

    Raises:
        ImportError, OSError, RuntimeError: this system has no libseccomp, or no pyseccomp.
    """

    def __init__(self, otherwise: int | None = None) -> None:
        import pyseccomp  # type: ignore[import-untyped]

        self._library: Any = pyseccomp
        self._rules: Any = pyseccomp.SyscallFilter(pyseccomp.ALLOW if otherwise is None else pyseccomp.ERRNO(otherwise))
        self._rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)

    def allow(self, names: Iterable[str]) -> None:
        """Let these calls through."""
        self._add(self._library.ALLOW, names)

    def allow_without(self, names: Iterable[str], argument: int, bits: int) -> None:
        """Let these calls through where an argument has none of these bits."""
        self._add(self._library.ALLOW, names, self._library.Arg(argument, self._library.MASKED_EQ, bits, 0))

    def refuse(self, names: Iterable[str], error: int) -> None:
        """Let these calls fail with the number of an error."""
        self._add(self._library.ERRNO(error), names)

    def refuse_with(self, names: Iterable[str], argument: int, bits: int, error: int, without: int = 0) -> None:
        """Let these calls fail with the number of an error where an argument has any of these bits, without others."""
        for bit in (1 << place for place in range(bits.bit_length()) if bits >> place & 1):
            where = self._library.Arg(argument, self._library.MASKED_EQ, bit | without, bit)
            self._add(self._library.ERRNO(error), names, where)

    def refuse_numbers(self, numbers: Iterable[int], error: int) -> None:
        """Let calls of these numbers fail, which the library need not know by name."""
        for number in numbers:
            self._rules.add_rule(self._library.ERRNO(error), number)

    def end(self, names: Iterable[str]) -> None:
        """Let these calls end the process."""
        self._add(self._library.KILL_PROCESS, names)

    def end_unless(self, names: Iterable[str], argument: int, value: int) -> None:
        """Let these calls end the process where an argument has another value."""
        self._add(self._library.KILL_PROCESS, names, self._library.Arg(argument, self._library.NE, value))

    def code(self) -> bytes:
        """Return the program: instructions of eight bytes each."""
        with tempfile.TemporaryFile() as file:
            self._rules.export_bpf(file)
            file.seek(0)
            return file.read()

    def _add(self, action: int, names: Iterable[str], *arguments: Any) -> None:
        for name in names:
            try:
                number = self._library.resolve_syscall(self._library.system_arch(), name)
            except OSError:  # this machine's kind has none of that name
                continue
            if number >= 0:
                self._rules.add_rule(action, number, *arguments)
