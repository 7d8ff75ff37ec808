"""Four documents, five ways of writing them: what comes out, what it costs, and what is lost without a plan."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.simulations import report_writing
from cave_sim.simulations.report_writing.documents import KINDS, task
from cave_sim.simulations.report_writing.summary import results, summary

HASH = "5a279d5afaf059c22cbf9cb662488489a769b6ac2ea60d93e8460d00383d18a8"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "reports"
    simulation = report_writing.create(seed=7, out=folder)
    simulation.run(until=report_writing.STEPS).close()
    assert simulation.state_hash == HASH
    with open_run(folder) as found:
        yield found


@pytest.mark.long
def test_deferred_comes_out_everywhere_and_direct_does_not(run):
    cells = results(run)
    assert all(each["done"] for kind in KINDS for each in cells["deferred", kind])
    assert not any(each["done"] for each in cells["direct", "data"])
    assert not any(each["done"] for each in cells["direct", "evaluation"] if each["occupancy"] == 0.85)


@pytest.mark.long
def test_what_rendering_saves_follows_from_what_need_not_be_written(run):
    cells = results(run)

    def saved(kind):
        found = [each["written"] for each in cells["deferred", kind]]
        return 1 - sum(found) / len(found) / task(kind, 7).sizes.formatted_tokens

    assert saved("data") > 0.72
    assert saved("api") > 0.66
    assert saved("evaluation") > 0.3
    assert abs(saved("minutes")) < 0.1


@pytest.mark.long
def test_with_a_plan_nothing_is_written_in_vain(run):
    cells = results(run)
    wasted = {
        method: sum(each["wasted"] for kind in KINDS for each in cells[method, kind])
        for method in report_writing.METHODS
    }
    assert wasted["direct"] > 1_000_000
    assert wasted["capacity"] == wasted["deferred"] == wasted["full"] == 0
    assert {each["strategy"] for kind in KINDS for each in cells["full", kind]} == {"direct", "chunked"}


@pytest.mark.long
def test_the_documents_lie_in_the_folder_and_the_summary_tells_of_them(run):
    files = {path.stem.rpartition("_")[0] for path in (run.folder / "documents").iterdir()}
    assert files == {f"{kind}_deferred" for kind in KINDS}
    told = summary(run)
    assert "by the paper's equation 81,821 fit; with a longest output of 8,192, 8,192 do" in told
    assert "data: 12,821 tokens outright" in told


def test_a_curve_that_nobody_measured_is_refused():
    with pytest.raises(WorldError, match="claude"):
        report_writing.create(seed=1, curve="parrot")
