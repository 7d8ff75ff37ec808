"""The sessions of a run as a graph: which came of which, what each holds; drawn, and as lines of JSON."""

import json

import pytest

from cave_sim import Agent, Entity, JournalError, Simulation, World, field, open_run
from cave_sim.cli.main import main
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.session.graph import drawn, named, nodes_of, own_rows, sessions_of
from cave_sim.session.row import Row
from cave_sim.session.session import Session


class Lamp(Entity):
    """A lamp."""

    watts: float = field(0.0, ge=0, le=100)


class Switch(Agent):
    """Turns itself up, without a model."""

    def act(self, observation):
        return "me.watts += 60"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run in which ann's session was forked, and both branches merged."""
    folder = tmp_path_factory.mktemp("sessions") / "run"
    world = World(seed=3)
    world.add("ann", Lamp())
    world.add("bob", Lamp())
    model = ScriptedModel(lambda request: "Fine.")
    with Simulation(world, {"ann": LLMAgent, "bob": Switch}, llm=model, out=folder) as simulation:
        simulation.run(1)
        ann = simulation.by_name["ann"]
        trunk, branch = ann.session, ann.session.fork()
        ann.forward(branch)
        simulation.run(2)
        ann.session = trunk.merge(ann.session)
        simulation.run(3)
    return folder


def test_the_graph_says_what_came_of_what(run):
    with open_run(run) as journal:
        sessions = sessions_of(journal)
    nodes = nodes_of(sessions.values())
    assert [node.origin for node in nodes if node.agent == "ann"] == ["new", "fork", "merge"]
    lines = drawn(nodes)
    assert lines[0].startswith("ann-")
    assert lines[1].startswith("├─ fork  ann-")
    assert lines[2].startswith("└─ merge  ann-")
    assert f"with {nodes[1].id}" in lines[2]
    rows = [row["id"] for each in sessions.values() for row in own_rows(each)]
    assert len(rows) >= len(set(rows)) >= nodes[0].rows
    with pytest.raises(JournalError, match="Did you mean 'ann'"):
        named(sessions, "anne")


def test_the_command_draws_the_graph_and_writes_rows_as_lines(run, capsys):
    assert main(["sessions", str(run)]) == 0
    assert "├─ fork" in capsys.readouterr().out
    assert main(["sessions", str(run), "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["agent"], first["origin"], first["parents"], len(first["hash"])) == ("ann", "new", [], 64)
    assert main(["sessions", str(run), "ann", "--rows", "--json", "--at", "1"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["kind"] for row in rows] == ["user", "assistant"]
    assert main(["sessions", str(run), "zoe"]) == 1
    assert "no session 'zoe'" in capsys.readouterr().err


def test_a_deep_family_is_drawn(run):
    session = Session("ann")
    family = []
    for step in range(3_000):
        session.append("user", "go on", step=step, time_s=0.0)
        family.append(session)
        session = session.fork()
    nodes = nodes_of(family)
    lines = drawn(nodes)
    assert len(lines) == 3_000
    assert max(map(len, lines)) < 200  # a line is as long as what it says, however deep
    assert f"fork of {nodes[998].id}  {nodes[999].id}  1,000 rows" in lines[999]


def test_a_row_is_read_once_however_many_sessions_have_it(run, monkeypatch):
    trunk = Session("ann")
    for step in range(50):
        trunk.append("user", f"line {step}", step=step, time_s=0.0)
    family = [trunk, trunk.fork(), trunk.fork().fork()]
    trunk.append("user", "the last", step=50, time_s=0.0)
    family[1].append("assistant", "yes", step=50, time_s=0.0)
    alone = [nodes_of([each])[0] for each in family]
    reads = []
    read = Row.to_data
    monkeypatch.setattr(Row, "to_data", lambda row: reads.append(row) or read(row))
    assert nodes_of(family) == alone
    assert len(reads) == 50 + 1 + 1 + 50  # the middle one of the last three is not among them


def test_a_session_flows_through_agents_of_any_kind(tmp_path):
    world = World(seed=3)
    world.add("bob", Lamp())
    with Simulation(world, {"bob": Switch}, out=tmp_path / "run") as simulation:
        bob = simulation.by_name["bob"]
        session = bob.forward(bob.forward(Session("bob", placement="world")))
        assert [row.kind for row in session] == ["user", "cell", "output", "user", "cell", "error"]
        assert world["bob"].watts == 60
        assert "less than or equal to 100" in session.text
        simulation.run(1)
    with open_run(tmp_path / "run") as journal:
        assert [len(each) for each in sessions_of(journal).values()] == [6]


def test_a_session_is_placed_elsewhere_as_a_fork():
    session = Session("ann")
    session.append("user", "Hello")
    moved = session.to("world")
    assert (moved.placement, session.placement, moved.parents, moved.text) == (
        "world",
        "none",
        (session.id,),
        "user: Hello",
    )
    assert session.to("none") is session
