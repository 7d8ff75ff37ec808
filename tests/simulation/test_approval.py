"""Requests that wait for people: as long as it takes, across stops, and nothing is done twice."""

import json
from types import SimpleNamespace

import pytest

from cave_sim import JournalError, Simulation, World, WorldError, effect, open_run
from cave_sim.cli.main import main
from cave_sim.cli.options.run_summary import summary
from cave_sim.replay.reexecute import reexecute
from cave_sim.replay.resume import resume
from cave_sim.simulation.control import Control, Decided
from tests.simulation.payers import Payer

DONE: list[tuple[str, int]] = []


@effect(approval=True)
def order(what: str, cents: int) -> str:
    """Order something."""
    DONE.append((what, cents))
    return f"ordered {what}"


@pytest.fixture(autouse=True)
def nothing_done():
    DONE.clear()


def make(**options):
    world = World(seed=1)
    world.add("ann", Payer())
    world.inject("order", order)
    return Simulation(world, **options)


@pytest.fixture
def run(tmp_path):
    """Return a run in which four orders wait."""
    with make(out=tmp_path / "run") as simulation:
        simulation.world.execute("for what in ('tea', 'jam', 'oil', 'egg'): order(what, 5)", agent="ann")
        simulation.run(3)
    return tmp_path / "run"


def outcomes(simulation):
    found = simulation.world.execute("[order.outcome(f'ann-{n}') for n in range(1, 5)]", agent="ann").output
    return [None if each is None else (each["status"], each.get("result") or each.get("error")) for each in eval(found)]


def test_what_people_decide_by_command_is_done_when_the_run_goes_on(run, capsys):
    assert not DONE
    assert main(["answer", str(run), "--json"]) == 0
    assert [json.loads(line)["ticket"] for line in capsys.readouterr().out.splitlines()] == [
        f"ann-{n}" for n in (1, 2, 3, 4)
    ]
    assert f"4 requests wait for people: cave-sim answer {run}" in summary(SimpleNamespace(), run, 0)
    assert main(["answer", str(run), "ann-1", "approve"]) == 0
    assert main(["answer", str(run), "ann-2", "edit", "--arguments", '{"what": "jam", "cents": 3}']) == 0
    assert main(["answer", str(run), "ann-3", "reject", "--text", "too dear"]) == 0
    assert main(["answer", str(run), "ann-4", "respond", "--text", "we have eggs"]) == 0
    said = capsys.readouterr().out
    for words in (
        ': approved, with {"what": "jam", "cents": 3}\n',
        ': rejected, "too dear"\n',
        ': done, "we have eggs"\n',
    ):
        assert words in said
    assert main(["answer", str(run), "ann-4", "approve"]) == 1
    with resume(run, simulation=make()) as simulation:
        simulation.run(steps=2)
        assert outcomes(simulation) == [
            ("done", "ordered tea"),
            ("done", "ordered jam"),
            ("rejected", "too dear"),
            ("done", "we have eggs"),
        ]
    with resume(run, simulation=make()) as simulation:
        simulation.run(steps=1)
    assert DONE == [("tea", 5), ("jam", 3)]
    with open_run(run) as journal:
        assert reexecute(journal, make()) is None
    assert len(DONE) == 2


def test_people_decide_about_a_live_simulation(tmp_path):
    with make(out=tmp_path / "run") as simulation:
        simulation.world.execute("for what in ('tea', 'jam'): order(what, 5)", agent="ann")
        simulation.run(2)
        assert not DONE
        simulation.effects.answer("ann-1", "approve")
        for arguments, why in (
            ({"what": "jam", "cents": "many"}, r"valid integer \(got 'many'\)"),
            ({"what": "jam"}, "missing a required argument: 'cents'"),
            ({"what": "jam", "cents": 5, "colour": "red"}, "unexpected keyword argument 'colour'"),
        ):
            with pytest.raises(JournalError, match=f"ann-2 waits on: edit: .*{why}"):
                simulation.effects.answer("ann-2", "edit", arguments=arguments)
        control = simulation.control = Control()
        control.decide(Decided("ann-2", "edit", {"what": "jam", "cents": "many"}))  # it knows no tools yet
        simulation.run(3)
        assert DONE == [("tea", 5)]
        with pytest.raises(JournalError, match=r"ann-2 waits on: edit: .*valid integer \(got 'many'\)"):
            control.decide(Decided("ann-2", "edit", {"what": "jam", "cents": "many"}))
        with pytest.raises(WorldError, match="no request 'ann-7' waits for people; waiting: ann-2"):
            control.decide(Decided("ann-7", "approve"))
        [(refused,)] = open_run(tmp_path / "run").query("SELECT data FROM events WHERE kind = 'decision_refused'")
        assert json.loads(refused)["ticket"] == "ann-2"
        with pytest.raises(WorldError, match="no request 'ann-1' waits"):
            simulation.effects.answer("ann-1", "approve")


def test_what_is_decided_through_the_control_is_done_as_the_next_step_begins(tmp_path):
    control = Control()
    with make(out=tmp_path / "run") as simulation:
        simulation.control = control
        simulation.world.execute("for what in ('tea', 'jam'): order(what, 5)", agent="ann")
        simulation.run(2)
        control.decide(Decided("ann-1", "approve"))
        control.decide(Decided("ann-1", "reject"))  # by somebody who was later
        with pytest.raises(JournalError, match="there are approve, edit, reject, respond"):
            control.decide(Decided("ann-2", "burn"))
        with pytest.raises(JournalError, match="respond takes the text"):
            control.decide(Decided("ann-2", "respond"))
        assert not DONE
        simulation.run(3)
    assert DONE == [("tea", 5)]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["ann-9", "approve"], "waiting: ann-1"),
        (["ann-1"], "say approve"),
        (["ann-1", "edit"], "edit takes all arguments"),
        (["ann-1", "edit", "--arguments", "[1]"], "takes an object"),
        (["ann-1", "respond"], "respond takes the text"),
        (["ann-1", "approve", "--text", "but only tea"], "approve takes no text"),
        (["ann-1", "edit", "--arguments", '{"what": "jam"}'], "ann-1 waits on: edit: order(): missing a"),
        (["ann-1", "edit", "--arguments", '{"what": "a", "cents": "b"}'], "argument cents: takes integer (got 'b')"),
    ],
)
def test_a_decision_that_lacks_something_is_refused_in_one_line(run, words, why, capsys):
    assert main(["answer", str(run), *words]) == 1
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("decision", "said", "why"),
    [
        ("deny", {}, "'deny' is no decision; there are approve"),
        ("respond", {"text": 5}, "respond takes a text"),
        ("respond", {"text": "x" * 70_000}, "at most 65,536"),
        ("edit", {"arguments": ["tea"]}, "edit takes all arguments by their names"),
        ("edit", {"arguments": {"what": object(), "cents": 5}}, "edit: "),
    ],
)
def test_what_is_no_decision_decides_nothing(run, decision, said, why):
    from cave_sim.journal.effect_answers import answer

    with pytest.raises(JournalError, match=why):
        answer(run, "ann-1", decision, **said)
    assert answer(run, "ann-1", "reject")["status"] == "rejected"
    with pytest.raises(JournalError, match="no request 'ann-1' waits for people: it is rejected"):
        answer(run, "ann-1", "approve")


def test_a_run_that_is_being_written_is_not_answered_from_outside(tmp_path):
    from cave_sim.journal.effect_answers import answer

    with make(out=tmp_path / "run") as simulation:
        simulation.world.execute("order('tea', 5)", agent="ann")
        simulation.run(1)
        with pytest.raises(JournalError):
            answer(tmp_path / "run", "ann-1", "approve")
