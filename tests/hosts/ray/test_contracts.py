"""Worlds, minds and their pasts are the same in an actor as in this process: the contract of hosts."""

import pytest

from tests.hosts.contracts import contracts

pytestmark = [pytest.mark.usefixtures("cluster"), pytest.mark.long]
globals().update(contracts("ray", ("Storm",)))  # a story of minds that ask a model: an actor takes seconds to start
