"""The seccomp program of a workspace: commands may do what commands do, but not reach the network or leave the jail."""

from __future__ import annotations

import errno
from functools import cache

from cave_sim.hosts.process.syscall_filter import SyscallFilter

NETWORK = ("socket",)
WAYS_OUT = """
    ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal bpf perf_event_open userfaultfd
    unshare setns mount umount2 mount_setattr open_tree open_tree_attr move_mount
    fsopen fsmount fsconfig fspick pivot_root chroot
    init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl
    keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register open_by_handle_at name_to_handle_at
    mknod mknodat setxattr lsetxattr fsetxattr iopl ioperm settimeofday clock_settime adjtimex sethostname setdomainname
    personality fanotify_init shmget msgget semget mq_open memfd_create memfd_secret
""".split()
NEW_NAMESPACES = 0x7E020080
"""Flags of clone that make a namespace."""


@cache
def command_filter() -> bytes:
    """Return the program, b"" where the system has no seccomp. What is not there is said by the level of isolation."""
    try:
        rules = SyscallFilter()
    except (ImportError, OSError, RuntimeError):
        return b""
    rules.refuse(NETWORK, errno.EACCES)
    rules.refuse(WAYS_OUT, errno.EPERM)
    rules.refuse(("clone3",), errno.ENOSYS)  # its flags cannot be looked at; libraries take clone instead
    rules.refuse_with(("clone",), argument=0, bits=NEW_NAMESPACES, error=errno.EPERM)
    return rules.code()
