"""Tools with effects where cells run in processes of their own: the script's process does what was asked, alone."""

from cave_sim.hosts.process.host import ProcessHost
from tests.simulation.payers import BANK, make, paid


def test_effects_are_done_once_and_by_the_script(tmp_path, monkeypatch):
    monkeypatch.setitem(BANK, "file", str(tmp_path / "bank.txt"))
    with make(out=tmp_path / "run") as here:
        here.run(2)
    with ProcessHost("tests.simulation.payers:make_world") as host:
        monkeypatch.setitem(BANK, "file", str(tmp_path / "other.txt"))
        with make(out=tmp_path / "other") as simulation:
            host.attach(simulation.world)
            simulation.run(2)
            forged = simulation.world.execute("pay('bob', 'ten')", agent="ann")
            assert "valid integer" in forged.error
            assert simulation.world.execute("pay.outcome('ann-1')['result']", agent="ann").output == "'ann got 0'"
            assert host.canonical_hash() == simulation.world.state_hash()
        assert simulation.state_hash == here.state_hash
    assert paid(tmp_path / "other.txt") == paid(tmp_path / "bank.txt")
