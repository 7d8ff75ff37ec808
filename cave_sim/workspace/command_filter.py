"""The seccomp program of a workspace: commands may do what commands do, but not reach the network or leave the jail."""

from __future__ import annotations

import errno
from functools import cache

from cave_sim.hosts.process.syscall_filter import SyscallFilter

NETWORK = ("socket",)
HIDDEN_ROOM = """
    sendmsg sendmmsg setsockopt io_setup
""".split()
"""Ways to hold files or memory unseen: files on their way through a pair of sockets, larger buffers, rings."""
NEWER = range(457, 1024)
"""Numbers of calls that came with Linux 6.8 and later, or will come: nobody has looked at what they let out."""
WAYS_OUT = """
    ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal bpf perf_event_open userfaultfd
    unshare setns mount umount2 mount_setattr open_tree move_mount
    fsopen fsmount fsconfig fspick pivot_root chroot
    init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl
    keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register open_by_handle_at name_to_handle_at
    mknod mknodat setxattr lsetxattr fsetxattr iopl ioperm settimeofday clock_settime adjtimex sethostname setdomainname
    personality fanotify_init shmget msgget semget mq_open memfd_create memfd_secret
""".split()
NEW_NAMESPACES = 0x7E020080
"""Flags of clone that make a namespace."""
CLONE_THREAD, CLONE_FILES, CLOSE_RANGE_UNSHARE = 0x10000, 0x400, 2


@cache
def command_filter() -> bytes:
    """Return the program, b"" where the system has no seccomp. What is not there is said by the level of isolation."""
    try:
        rules = SyscallFilter()
    except (ImportError, OSError, RuntimeError):
        return b""
    rules.refuse(NETWORK, errno.EACCES)
    rules.refuse(WAYS_OUT, errno.EPERM)
    rules.refuse(HIDDEN_ROOM, errno.EPERM)
    rules.refuse(("fallocate",), errno.EOPNOTSUPP)  # takes a disk at once, without writing; libraries write instead
    rules.refuse_numbers(NEWER, errno.ENOSYS)
    rules.refuse_with(("clone",), argument=0, bits=CLONE_THREAD, without=CLONE_FILES, error=errno.EPERM)
    rules.refuse_with(("close_range",), argument=2, bits=CLOSE_RANGE_UNSHARE, error=errno.EINVAL)
    rules.refuse(("clone3",), errno.ENOSYS)  # its flags cannot be looked at; libraries take clone instead
    rules.refuse_with(("clone",), argument=0, bits=NEW_NAMESPACES, error=errno.EPERM)
    return rules.code()
