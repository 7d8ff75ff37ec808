"""Worlds, minds and their pasts are the same in this process and in sandboxed ones: the contract of hosts, on both."""

from tests.hosts.contracts import contracts

globals().update(contracts("local"), **contracts("process"))
