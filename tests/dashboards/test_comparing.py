from cave_sim import open_run
from cave_sim.dashboards.lookups.comparing import first_divergence, parted
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.history.diff import diff


def test_runs_part_at_the_first_differing_step_that_all_of_them_have():
    run, branch = {0: "a", 1: "b", 2: "c"}, {1: "b", 2: "d"}
    assert first_divergence([run, branch]) == 2
    assert first_divergence([run, {1: "b"}]) is None


def test_the_step_in_which_runs_part_is_the_one_that_diff_names(town_folder, other_folder):
    with open_run(town_folder) as town, open_run(other_folder) as other:
        reader = JournalReader.over(town)
        assert parted(reader, [town_folder, other_folder]) == diff(town, other).parted.step
        assert parted(reader, [town_folder]) is None
