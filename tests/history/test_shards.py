"""The shards of a sharded run are found by their numbers; what else lies in a run's folder is none."""

from cave_sim.history.shards import shard_folders


def test_shards_come_in_the_order_of_their_numbers_and_other_folders_are_none(tmp_path):
    for name in ("district-10", "district-2", "district-old", "district-", "district--1", "elsewhere"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.sqlite").touch()
    (tmp_path / "district-3").mkdir()  # without a journal
    assert [path.name for path in shard_folders(tmp_path)] == ["district-2", "district-10"]
