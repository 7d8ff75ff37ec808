"""Who read what of others: told from the journal, compared when a run is verified, and the same after a stop."""

import json
import sqlite3
from contextlib import closing

import pytest

from cave_sim import Agent, JournalError, Simulation, open_run
from cave_sim.cli.main import main
from cave_sim.history.readers import readers
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from tests.policy import parlour

READING = ("print(bob.wearing, dan.room)", "seen = bob.wearing\n1 / 0", "bob.diary", "me.title = 'ann'")


class Onlooker(Agent):
    """Looks at somebody in one way after another."""

    def act(self, observation):
        return READING[self.model.world.clock.step]


def make(out=None):
    return Simulation(parlour.build(), [(Onlooker, "ann")], out=out)


@pytest.fixture
def folder(tmp_path):
    make(tmp_path / "run").run(until=4).close()
    return tmp_path / "run"


def test_a_journal_tells_who_read_a_field_and_when(folder):
    with open_run(folder) as run:
        found = [(each.step, each.agent, each.status, each.field) for each in readers(run, "bob")]
        assert found == [(0, "ann", "committed", "wearing"), (1, "ann", "failed", "wearing")]
        assert [each.entity for each in readers(run, "dan.room")] == ["dan"]
        assert [each.step for each in readers(run, "bob.wearing", at=1)] == [0]
        assert list(readers(run, "bob.diary")) == []


def test_the_command_line_tells_it_too(folder, capsys):
    assert main(["blame", str(folder), "bob.wearing", "--readers"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("ann   read bob.wearing")
    assert second.endswith("ann   read bob.wearing   (the turn failed)")
    assert main(["blame", str(folder), "bob.wearing", "--readers", "--last", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["step"] == 1
    assert main(["blame", str(folder), "bob.diary", "--readers"]) == 0
    assert capsys.readouterr().out == "Nobody else read bob.diary.\n"


def test_verify_compares_what_was_read(folder):
    with open_run(folder) as run:
        assert verify(run, make).holds
    with closing(sqlite3.connect(folder / "run.sqlite")) as file:
        file.execute("UPDATE events SET data = replace(data, 'dan', 'eve') WHERE kind = 'reads'")
        file.commit()
    with open_run(folder) as run:
        verdict = verify(run, make)
        assert verdict.difference.what == "reads"
        assert verdict.difference.recorded == '{"bob": ["wearing"], "eve": ["room"]}'
        assert any("seal" in str(problem) for problem in verdict.problems)


def test_a_run_that_was_stopped_tells_the_same(folder, tmp_path):
    make(tmp_path / "stopped").run(until=2).close()
    resume(tmp_path / "stopped", simulation=make()).run(until=4).close()
    told = []
    for place in (folder, tmp_path / "stopped"):
        with open_run(place) as run:
            told.append(list(readers(run, "bob")))
    assert told[0] == told[1]


def test_a_run_from_before_reads_were_journaled_says_so(folder):
    with open_run(folder) as run:
        del run.manifest["reads"]
        with pytest.raises(JournalError, match="did not journal who read what"):
            list(readers(run, "bob"))


def test_what_was_read_is_no_part_of_the_hash_of_a_step(tmp_path, monkeypatch):
    def hashes(name):
        simulation = make(tmp_path / name)
        simulation.run(until=1).close()
        with open_run(tmp_path / name) as run:
            return [(step.state_hash, step.hash) for step in run.steps()]

    once = hashes("once")
    monkeypatch.setattr("cave_sim.journal.writer.data_of_reads", lambda turn: {"turn": turn.id, "read": {}})
    assert hashes("again") == once
