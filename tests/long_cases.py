"""Cases of a test of which some take long."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def cases(of: Iterable[Any], is_long: Callable[[Any], bool]) -> list[Any]:
    """Return cases to parametrize with; those that take long are marked so."""
    return [pytest.param(case, marks=pytest.mark.long) if is_long(case) else case for case in of]
