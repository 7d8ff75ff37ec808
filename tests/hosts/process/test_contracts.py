"""Worlds, minds and their pasts are the same in this process and in sandboxed ones: the contract of hosts, on both."""

import pytest

from tests.hosts.contracts import contracts

USUAL = ("TestTownOnLocal", "TestTownOnProcess", "TestTownOfMindsOnProcess", "TestVillageOnLocal")
"""Each world and each host is among them; the town of minds asks a model as well."""

for title, tests in {**contracts("local"), **contracts("process")}.items():
    globals()[title] = tests if title in USUAL else pytest.mark.long(tests)
del tests
