"""The seccomp program of a workspace: commands may do what commands do, but not reach the network or leave the jail."""

from __future__ import annotations

import errno
import tempfile
from functools import cache

NETWORK = ("socket",)
WAYS_OUT = """
    ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal bpf perf_event_open userfaultfd
    unshare setns mount umount2 mount_setattr open_tree open_tree_attr move_mount
    fsopen fsmount fsconfig fspick pivot_root chroot
    init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl
    keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register open_by_handle_at name_to_handle_at
    mknod mknodat setxattr lsetxattr fsetxattr iopl ioperm settimeofday clock_settime adjtimex sethostname setdomainname
    personality fanotify_init shmget msgget semget mq_open
""".split()
NEW_NAMESPACES = 0x7E020080
"""Flags of clone that make a namespace."""


@cache
def command_filter() -> bytes:
    """Return the program, b"" where the system has no seccomp. What is not there is said by the level of isolation."""
    try:
        import pyseccomp as sc  # type: ignore[import-untyped]
    except (ImportError, OSError, RuntimeError):
        return b""
    rules = sc.SyscallFilter(sc.ALLOW)
    rules.set_attr(sc.Attr.ACT_BADARCH, sc.KILL_PROCESS)
    for names, action in ((NETWORK, sc.ERRNO(errno.EACCES)), (WAYS_OUT, sc.ERRNO(errno.EPERM))):
        for name in names:
            _rule(rules, action, name)
    _rule(rules, sc.ERRNO(errno.ENOSYS), "clone3")  # its flags cannot be looked at; libraries take clone instead
    for bit in (1 << place for place in range(32) if NEW_NAMESPACES >> place & 1):
        rules.add_rule(sc.ERRNO(errno.EPERM), "clone", sc.Arg(0, sc.MASKED_EQ, bit, bit))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _rule(rules: object, action: int, name: str) -> None:
    """Add a rule for a system call, unless this machine's kind has none of that name."""
    import pyseccomp as sc

    try:
        number = sc.resolve_syscall(sc.system_arch(), name)
    except OSError:
        return
    if number >= 0:
        rules.add_rule(action, number)  # type: ignore[attr-defined]
