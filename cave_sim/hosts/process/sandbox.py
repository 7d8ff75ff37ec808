"""The sandbox of one cell: a forked process that can compute, and write to one pipe, and nothing else.

Built once by :func:`build` in a process that will fork, entered by :meth:`Sandbox.enter` in the fork. Linux has all of
it (seccomp by libseccomp, Landlock by landlockpy); elsewhere there are limits on resources alone, and the level says
so. Every step that fails ends the process: a cell never runs in half a sandbox.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cave_sim.changes.turn import Limits
from cave_sim.hosts.process.syscall_filter import SyscallFilter

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 15, 22, 38
SECCOMP_MODE_FILTER = 2
PR_SET_VMA = 0x53564D41  # newer C libraries name their memory with it; harmless, so refusing it ends no process
PROT_EXEC = 4
CPU_SPARE_S = 5

COMPUTING = """
    read write close lseek fstat pread64 writev mremap munmap brk madvise futex sched_yield sched_getaffinity getrandom
    rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack setitimer getitimer restart_syscall clock_gettime clock_getres
    gettimeofday time clock_nanosleep nanosleep getpid gettid getuid geteuid getgid getegid getrusage times uname
    sysinfo getcpu membarrier rseq set_robust_list exit exit_group poll ppoll
""".split()
FILES = """
    open openat openat2 stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64
    getcwd chdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat chmod
    fchmodat chown truncate creat statfs
""".split()
FATAL_SYSCALLS = """
    execve execveat fork vfork clone clone3 socket socketpair connect bind listen accept accept4 sendto sendmsg recvfrom
    recvmsg kill tkill tgkill rt_sigqueueinfo pidfd_open pidfd_getfd pidfd_send_signal ptrace process_vm_readv
    process_vm_writev bpf seccomp setrlimit prlimit64 unshare setns mount umount2 pivot_root chroot init_module
    finit_module delete_module kexec_load keyctl add_key request_key perf_event_open io_uring_setup userfaultfd
    memfd_create shmget shmat msgget semget mq_open setuid setgid setresuid setresgid setgroups capset reboot swapon
    personality fsopen fsmount open_by_handle_at process_madvise memfd_secret
""".split()


@dataclass(frozen=True)
class Sandbox:
    """What a forked process does to itself before it runs a cell.

    Attributes:
        steps: done in this order, each with the limits of the turn and the bytes of memory in use.
        layers: names of what the platform gave, for the level that is printed.
        missing: what it did not give, in words.
    """

    steps: tuple[Callable[[Limits, int], None], ...]
    layers: tuple[str, ...]
    missing: tuple[str, ...]

    def enter(self, keep: int, limits: Limits, used_bytes: int) -> None:
        """Close everything but one file descriptor, and take every step; raises OSError if one fails.

        Args:
            keep: the pipe that the answer is written to.
            limits: of the turn.
            used_bytes: address space in use at the fork.
        """
        os.closerange(0, keep)
        os.closerange(keep + 1, 4_096)
        for step in self.steps:
            step(limits, used_bytes)


def build() -> Sandbox:
    """Prepare the sandbox that this machine offers."""
    steps: list[Callable[[Limits, int], None]] = [_limit_resources]
    if not sys.platform.startswith("linux"):
        return Sandbox(tuple(steps), ("limits",), (f"{sys.platform} has no seccomp: files and network stay reachable",))
    libc = ctypes.CDLL(None, use_errno=True)
    steps.insert(0, lambda _limits, _used: control(libc, PR_SET_PDEATHSIG, 9))
    steps.append(lambda _limits, _used: control(libc, PR_SET_NO_NEW_PRIVS, 1))
    steps.append(lambda _limits, _used: control(libc, PR_SET_DUMPABLE, 0))
    try:
        program = _program(_filter())
    except (ImportError, OSError, RuntimeError) as error:
        problem = f"seccomp cannot be used ({error}): install the system's libseccomp and the package pyseccomp"
        return Sandbox(tuple(steps), ("limits", "no new privileges"), (problem,))
    steps.append(lambda _limits, _used: control(libc, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)))
    return Sandbox(tuple(steps), ("limits", "no new privileges", "seccomp"), ())


def landlock_problem() -> str | None:
    """Return why :func:`apply_landlock_rules` can do nothing here, or None if it can."""
    if not sys.platform.startswith("linux"):
        return f"{sys.platform} has no Landlock"
    try:
        import landlockpy
    except ImportError:
        return "Landlock cannot be used: install the package landlockpy"
    return None if landlockpy.supported() else "this kernel has no Landlock"


def apply_landlock_rules(folders: list[str]) -> None:
    """Leave this process and those that it forks nothing but these folders to read, where the kernel can."""
    if landlock_problem() is not None:
        return
    import landlockpy

    with landlockpy.Ruleset(scoped=landlockpy.Scope.SIGNAL | landlockpy.Scope.ABSTRACT_UNIX_SOCKET) as rules:
        for folder in folders:
            rules.allow_path(folder, landlockpy.AccessFS.READ_FILE | landlockpy.AccessFS.READ_DIR)
        rules.restrict()


def make_non_dumpable() -> None:
    """Keep other processes of this user from reading this one's memory."""
    if sys.platform.startswith("linux"):
        control(ctypes.CDLL(None, use_errno=True), PR_SET_DUMPABLE, 0)


def die_with_parent() -> None:
    """Have the kernel end this process when the thread that forked it ends."""
    if sys.platform.startswith("linux"):
        control(ctypes.CDLL(None, use_errno=True), PR_SET_PDEATHSIG, 9)


def name_process(name: str) -> None:
    """Say what this process is for, in at most 15 letters, to who looks at the machine's processes."""
    if sys.platform.startswith("linux"):
        control(ctypes.CDLL(None, use_errno=True), PR_SET_NAME, name.encode())


def control(libc: Any, option: int, *values: Any) -> None:
    """Call ``prctl``; raises OSError."""
    padded = [*values, 0, 0, 0, 0][:4]
    if libc.prctl(option, *[value if not isinstance(value, int) else ctypes.c_ulong(value) for value in padded]) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")


def _limit_resources(limits: Limits, used_bytes: int) -> None:
    import resource

    def limit(what: int, most: int, spare: int = 0) -> None:
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        last = most + spare if hard == resource.RLIM_INFINITY else min(most + spare, hard)
        resource.setrlimit(what, (most, last))

    if sys.platform.startswith("linux"):  # elsewhere the system maps far more than it uses
        limit(resource.RLIMIT_AS, used_bytes + limits.memory_bytes)
    if limits.deadline_s > 0:
        limit(resource.RLIMIT_CPU, int(limits.deadline_s) + CPU_SPARE_S, 1)  # so that it tells why: SIGXCPU
    for what in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE):
        limit(what, 0)


def _filter() -> bytes:
    """Return the seccomp program: computing is allowed, reaching out ends the process, anything else is an error."""
    rules = SyscallFilter(otherwise=errno.EPERM)
    rules.allow(COMPUTING)
    rules.allow_without(("mmap", "mprotect"), argument=2, bits=PROT_EXEC)
    rules.refuse(FILES, errno.EACCES)
    rules.end(FATAL_SYSCALLS)
    rules.end_unless(("prctl",), argument=0, value=PR_SET_VMA)
    return rules.code()


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _program(code: bytes) -> _Program:
    memory = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(memory, ctypes.c_void_p))
    program.memory = memory  # or it would go
    return program
