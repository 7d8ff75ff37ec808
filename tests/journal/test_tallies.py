"""What is counted over a run agrees with the rows that are counted."""

from collections import Counter

from cave_sim.journal import tallies
from cave_sim.journal.queries import last_turns


def cells(run):
    return [turn for turn in run.turns() if turn.kind == "cell"]


def test_cells_are_counted_in_all_and_between_two_turns(town):
    middle = last_turns(town)[30]
    assert tallies.cell_count(town) == len(cells(town))
    assert tallies.cell_count(town, last_turn=middle) + tallies.cell_count(town, middle) == len(cells(town))


def test_cells_are_counted_by_how_they_ended(town):
    assert tallies.cells_by_status(town) == Counter(turn.status for turn in cells(town))


def test_changes_are_counted_turn_by_turn(town):
    assert sum(tallies.change_counts(town).values()) == tallies.change_count(town) > 0


def test_what_changed_most_is_counted_and_who_came_is_not(town):
    written = [change for change in town.changes() if change.op != "create"]
    by_entity, by_field = tallies.most_changed(town, 3)
    assert list(by_entity.values()) == [count for _, count in Counter(each.entity for each in written).most_common(3)]
    assert next(iter(by_field.items())) == Counter(each.path[0] for each in written).most_common(1)[0]


def test_a_run_that_asked_no_model_counts_no_call(town):
    assert tallies.call_counts(town) == (0, 0)
    assert tallies.most_frequent_failure(town) is None
    assert (tallies.reused_call_count(town), tallies.paid_calls_by_agent(town)) == (0, {})
    assert {name for name, cost in tallies.costs(town).items() if cost} == {"turns", "work_s"}
