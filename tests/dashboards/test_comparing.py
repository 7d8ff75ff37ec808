from cave_sim.dashboards.lookups.comparing import first_divergence


def test_runs_part_at_the_first_differing_step_that_all_of_them_have():
    run, branch = {0: "a", 1: "b", 2: "c"}, {1: "b", 2: "d"}
    assert first_divergence([run, branch]) == 2
    assert first_divergence([run, {1: "b"}]) is None
