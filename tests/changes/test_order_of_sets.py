"""What a set was before a write is journaled in sorted order, wherever in a value it lies."""

import pytest

from cave_sim.determinism.canonical_json import to_json
from tests.changes.test_journaled_as_written import chest


@pytest.mark.parametrize(
    ("before", "write"),
    [
        ("me_.anything = {'of': MANY}", "me_.anything['of'].add('new')"),
        ("me_.row = [MANY]", "me_.row[0].add('new')"),
        ("me_.pairs = {'of': MANY}", "me_.pairs['of'].discard('w3')"),
        ("me_.anything = [1, [MANY]]", "me_.anything[1] = 2"),
        ("me_.tags = MANY", "me_.tags = {1}"),
        ("me_.anything = {'of': frozenset(MANY)}", "me_.anything['of'] = 1"),
        ("me_.pairs = {'of': MANY}", "del me_.pairs['of']"),
    ],
)
def test_what_a_set_was_is_told_in_one_order(before, write):
    world = chest()
    many = "{f'w{n}' for n in range(40)}"
    for cell in (before, write):
        cell = cell.replace("MANY", many).replace("me_", "chest")
        turn = world.execute(cell, agent="ann")
        assert turn.status == "committed", turn.error
    told = to_json([change.old for change in turn.changes]).decode()
    assert ",".join(f'"w{n}"' for n in sorted(range(40), key=str)) in told
