"""What is named on the command line is found in a run, or what comes nearest is said."""

import pytest

from cave_sim import JournalError
from cave_sim.history.field_target import FieldTarget, find_target


def test_an_entity_a_field_and_a_key_are_told_apart(town):
    assert find_target(town, "weather") == FieldTarget("weather", "")
    assert find_target(town, "weather.kind") == FieldTarget("weather", "kind")
    assert find_target(town, 'world["weather"].kind["x"]') == FieldTarget("weather", "kind", ("x",))


@pytest.mark.parametrize(("text", "hint"), [("wether.kind", "'weather'"), ("weather.kin", "'kind'")])
def test_a_slip_is_answered_with_what_comes_nearest(town, text, hint):
    with pytest.raises(JournalError, match=f"Did you mean .*{hint}"):
        find_target(town, text)
