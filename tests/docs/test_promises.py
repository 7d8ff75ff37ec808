"""What the pages promise, and the test that holds each promise: none is made without one, and none is forgotten."""

import ast
import re
from functools import cache

import pytest

from tests.docs.pages import ROOT

BREAK_INS = "tests/hosts/process/test_break_ins.py"
TURNS = "tests/world/test_turn_execution.py"

LOCAL_AND_PROCESS = {
    "a cell reaches no file, network, process, environment or clock": (
        "tests/policy/test_hostile_cells.py::test_hostile_cells_are_contained_and_do_the_same_again"
    ),
    "no cell acts as another agent": f"{TURNS}::test_nobody_can_be_somebody_else",
    "no write lands without permission, or outside types, bounds and invariants": (
        f"{TURNS}::test_what_goes_wrong_comes_back_as_data_and_leaves_the_world_as_it_was"
    ),
    "a turn that does not commit leaves the state exactly as it was": (
        f"{TURNS}::test_no_program_with_a_fault_at_any_statement_leaves_half_a_turn"
    ),
    "no cell learns what a field keeps from its agent, by whatever way it reads, and what it did read of others is "
    "journaled": "tests/hosts/process/test_privacy_in_processes.py::"
    "test_a_cell_is_told_in_a_process_what_it_is_told_where_the_secrets_are_others",
    "no cell sees or sets another agent's variables": (
        "tests/runtime/test_deadline.py::test_two_agents_never_see_each_others_variables"
    ),
    "no agent slips code into another's hands": (
        "tests/runtime/test_transfer.py::test_what_is_code_or_holds_some_is_not_handed_over"
    ),
    "a skill's Python gets no rights of its own": (
        "tests/agents/test_skills.py::test_the_functions_of_a_skill_run_as_a_child_turn_with_the_rights_of_the_agent"
    ),
    "Python code that does not end is stopped": (
        "tests/policy/test_refusals.py::test_whatever_goes_on_for_ever_runs_out_of_ticks"
    ),
    "what a cell did, and what it was refused, is in the journal, and the journal is intact": (
        "tests/journal/test_hash_chain.py::test_a_hash_covers_every_column_of_turns_and_changes_but_wall_clock_time"
    ),
    "opening somebody else's journal or snapshot runs no code, and writes or deletes nothing": (
        "tests/journal/test_opening.py::test_no_command_deletes_what_a_journal_names"
    ),
    "it reaches no file, network, process, environment or key": f"{BREAK_INS}::test_nothing_outside_is_reached",
    "it changes nothing but what its agent may, within types, bounds and invariants": (
        "tests/hosts/process/test_commit.py::test_only_what_the_agent_may_do_lands"
    ),
    "it acts as nobody else": f"{BREAK_INS}::test_no_lie_is_kept_and_each_counts",
    "it uses no tool that only another agent was given": (
        f"{BREAK_INS}::test_the_tool_of_an_agent_is_there_for_itself"
    ),
    "it stops the run for no longer than its deadline, whatever it does in C or says it did": (
        f"{BREAK_INS}::test_what_takes_too_long_to_do_again_ends_at_the_deadline_and_counts"
    ),
    "it takes no more memory than it was given": (
        "tests/hosts/process/test_sandbox.py::test_a_cell_has_the_memory_that_its_limits_allow_and_no_more"
    ),
    "it leaves nothing behind: no process, no class, no generator, no variable of another agent": (
        f"{BREAK_INS}::test_no_process_stays_behind"
    ),
    "its world process and yours never part, whatever it says": (
        "tests/hosts/process/test_commit.py::test_what_is_no_proposal_is_refused"
    ),
    "the loss of a process changes nothing, the loss of two in one turn costs that turn": (
        "tests/hosts/process/test_losses.py::test_a_cell_that_was_killed_twice_fails_and_says_why_without_blame"
    ),
}
README = {
    "A turn is a transaction.": f"{TURNS}::test_no_program_with_a_fault_at_any_statement_leaves_half_a_turn",
    "Fields have types, units and bounds": (
        "tests/entity/test_entity.py::test_a_value_that_does_not_fit_is_refused_with_field_rule_and_value"
    ),
    "Who may know what is declared": (
        "tests/policy/test_privacy.py::test_a_cell_learns_nothing_that_is_not_for_its_agent"
    ),
    "Every change is kept": f"{TURNS}::test_changes_fold_into_the_state_that_running_the_cells_gave",
    "The same seed gives the same run": "tests/world/test_world.py::test_the_state_hash_is_the_same_in_any_process",
    "It costs what a turn touches": (
        "tests/runtime/test_namespace.py::test_a_cell_that_names_no_variable_touches_none"
    ),
}
HOSTS = {
    "Variables": "tests/runtime/test_idioms.py::test_every_idiom_is_the_same",
    "Objects of your own classes": (
        "tests/hosts/process/test_core_in_process.py::test_what_a_cell_does_to_an_injected_object_ends_with_its_turn"
    ),
    "Injected functions": (
        "tests/hosts/process/test_sandbox.py::"
        "test_trusted_code_that_the_world_process_calls_again_reads_nothing_outside_either"
    ),
    "Tools and invariants": (
        "tests/hosts/process/test_core_in_process.py::test_rules_that_the_other_process_does_not_know_are_refused"
    ),
}


def promised(page, heading, pattern):
    """Return what a pattern finds below a heading of a page, up to the next of its kind."""
    level = heading.split(" ")[0]
    below = (ROOT / page).read_text().split(f"\n{heading}\n", 1)[1]
    return set(re.findall(pattern, below.split(f"\n{level} ", 1)[0], re.MULTILINE))


def rows(page, heading):
    """Return the first column of the table below a heading."""
    return promised(page, heading, r"^\| ([^|]+?) \|") - {"promise", "---"}


@cache
def names_in(path):
    """Return the names of the tests of a file."""
    return {node.name for node in ast.walk(ast.parse((ROOT / path).read_text())) if isinstance(node, ast.FunctionDef)}


def test_every_promise_about_safety_is_held_by_a_test():
    found = rows("docs/security.md", "## What the local host promises")
    found |= {
        row
        for row in rows("docs/security.md", "## What the process host promises")
        if row not in ("level", "process") and not row.startswith("`")
    }
    assert found == set(LOCAL_AND_PROCESS)


def test_every_promise_of_the_first_page_is_held_by_a_test():
    assert promised("README.md", "## Why", r"^- \*\*(.+?)\*\*") == set(README)


def test_every_difference_between_hosts_is_held_by_a_test():
    assert promised("docs/how_to/choose_a_host.md", "## What is different in a process", r"^- \*\*(.+?)\*\*") == set(
        HOSTS
    )


@pytest.mark.parametrize("held_by", sorted({*LOCAL_AND_PROCESS.values(), *README.values(), *HOSTS.values()}))
def test_the_test_that_holds_a_promise_is_there(held_by):
    path, name = held_by.split("::")
    assert name in names_in(path)
