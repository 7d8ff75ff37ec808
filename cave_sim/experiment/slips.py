"""What is wrong after a failed query, by kind: what was left undone, done wrong, or done without being asked.

The kinds are those of an analysis of failed trajectories (CaveAgent F.1.1, Figure 13) that a program can tell. Each
path of the state, or call of a foreign function, is of one kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cave_sim.experiment.call_log import LoggedCall
from cave_sim.experiment.comparison import same

SlipKind = Literal["missing", "wrong", "unasked", "unexplored", "carried", "done"]
Slips = dict[SlipKind, list[str]]
"""Kind -> the paths or functions that it is about; ``done`` is what had to change and did as it should."""
LOOKS = ("get_", "find_", "list_", "search_", "look", "read_", "check_", "display_", "view_")
"""How the names of functions begin that only look."""


def state_slips(
    expected: Mapping[str, Any],
    actual: Mapping[str, Any],
    before: Mapping[str, Any],
    expected_before: Mapping[str, Any],
) -> Slips:
    """Return what is wrong with a state; all four are data by path.

    Args:
        expected: as it should be after a query.
        actual: as it is.
        before: as it was before the query.
        expected_before: as it should have been then.
    """
    slips: Slips = {}
    for path in sorted(expected.keys() | actual.keys()):
        had_to_change = not same_at(path, expected, expected_before)
        if same_at(path, expected, actual):
            if had_to_change:
                slips.setdefault("done", []).append(path)
            continue
        is_untouched = same_at(path, before, actual)
        kind: SlipKind = "unasked"
        if had_to_change:
            kind = "missing" if is_untouched else "wrong"
        elif is_untouched:
            kind = "carried"
        slips.setdefault(kind, []).append(path)
    return {} if {*slips} == {"done"} else slips


def call_slips(reference: Sequence[tuple[str, Mapping[str, Any]]], calls: Sequence[LoggedCall]) -> Slips:
    """Return how calls differ from those of a reference, of a query whose judge found them wrong.

    A judge may allow other ways than its reference: what is listed is where to look, not what the verdict rests on.
    """
    slips: Slips = {}
    wanted, names = Counter(name for name, _ in reference), Counter(call.name for call in calls)
    for name in wanted:
        given = [call.arguments for call in calls if call.name == name]
        exact = sum(each == name and arguments in given for each, arguments in reference)
        if names[name] < wanted[name]:
            slips.setdefault("unexplored" if name.startswith(LOOKS) else "missing", []).append(name)
        elif exact < wanted[name] and not name.startswith(LOOKS):
            slips.setdefault("wrong", []).append(name)
    for name in names:
        if name not in wanted and not name.startswith(LOOKS):
            slips.setdefault("unasked", []).append(name)
    return slips


def same_at(path: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two states, as data by path, agree at a path: where neither has it, they do."""
    if path in one and path in other:
        return same(one[path], other[path])
    return path not in one and path not in other
