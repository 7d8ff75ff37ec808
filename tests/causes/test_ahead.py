"""What forks will take is said before they are run, where that is long."""

import pytest

from cave_sim.cli.main import main
from cave_sim.replay.recipe import Recipe


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ahead") / "town"
    Recipe("town_day", {"seed": 7, "residents": 2}).make(folder).run(until=12).close()
    return folder


def asked(town, tmp_path, capsys, *options):
    assert main(["why", str(town), "mayor.energy", "--out", str(tmp_path), "--max-forks", "1", *options]) == 0
    return capsys.readouterr().err


def test_what_is_ahead_is_said_where_it_is_long_and_nowhere_else(town, tmp_path, capsys, monkeypatch):
    assert "--max-forks" not in asked(town, tmp_path, capsys)
    monkeypatch.setattr("cave_sim.cli.actions.why.TOLD_FROM_S", 0.0)
    assert "for which at most 1 fork is run (--max-forks): about 0 s. Ctrl-C prints" in asked(town, tmp_path, capsys)
