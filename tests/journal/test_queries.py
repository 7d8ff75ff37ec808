"""Questions to the tables of a run are answered as its turns, changes and steps say."""

import pytest

from cave_sim import JournalError
from cave_sim.journal import queries


def test_steps_are_asked_for_by_number(town):
    steps = {step.step: step for step in town.steps()}
    assert queries.state_hashes(town) == {number: step.state_hash for number, step in steps.items()}
    assert queries.step_hashes(town) == {number: step.hash for number, step in steps.items()}
    assert queries.first_step(town) == 0


def test_a_turn_belongs_to_the_step_that_ended_behind_it(town):
    before, last = queries.turns_of_step(town, 10)
    assert before == queries.last_turn_of(town, 9)
    assert [queries.step_of_turn(town, turn) for turn in range(before + 1, last + 1)] == [10] * (last - before)


def test_a_step_that_is_not_there_is_one_clear_line(town):
    with pytest.raises(JournalError, match="has no step 999; it has the steps from 0 to 60"):
        queries.last_turn_of(town, 999)


def test_the_changes_of_a_turn_are_those_that_the_run_yields(town):
    first = next(change for change in town.changes() if change.turn > 1)
    change = queries.changes_of_turn(town, first.turn)[0]
    assert (change.entity, change.path, change.op, change.new) == (first.entity, first.path, first.op, first.new)


def test_changes_of_one_kind_are_those_among_all(town):
    created = list(town.changes(op="create"))
    assert created == [change for change in town.changes() if change.op == "create"]
    assert {change.entity for change in created} == {*queries.created_entities(town)}


def test_a_cell_is_found_by_its_hash(town):
    turn = next(turn for turn in town.turns() if turn.code)
    row = queries.recorded_turns(town, turn.turn - 1, turn.turn)[0]
    assert queries.code_of(town, row[5]) == turn.code
    assert queries.code_of(town, "nobody's") == ""
