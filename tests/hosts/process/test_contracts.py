"""Worlds, minds and their pasts are the same in this process and in sandboxed ones: the contract of hosts, on both."""

import pytest

from tests.hosts.contracts import contracts

for title, tests in {**contracts("local"), **contracts("process")}.items():  # the town of minds asks a model as well
    globals()[title] = pytest.mark.long(tests) if "Storm" in title else tests
del tests
