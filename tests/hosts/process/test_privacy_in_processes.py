"""In processes, too, nobody learns what is not for them, and what was read of others is journaled alike."""

import pytest

from cave_sim.hosts.process.host import ProcessHost
from tests.policy import hostile_hearsay, hostile_privacy, parlour
from tests.policy.hostile import scripts
from tests.policy.judge import turns_of
from tests.policy.spying import told

PAGES = hostile_privacy.PAGES | hostile_hearsay.PAGES

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a coroutine that a cell forgot


@pytest.fixture(scope="module")
def house_host():
    with ProcessHost("tests.policy.parlour:build") as host:
        yield host


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("category", PAGES)
def test_a_cell_is_told_in_a_process_what_it_is_told_where_the_secrets_are_others(category, house_host):
    there, here = parlour.build(secret=1), parlour.build(secret=0)
    house_host.attach(there)
    for script in scripts(PAGES[category]):
        assert told(there, script) == told(here, script), script


@pytest.mark.long
@pytest.mark.parametrize("category", PAGES)
def test_what_a_cell_read_of_others_is_the_same_in_a_process(category, house_host):
    there, here = parlour.build(told=True), parlour.build(told=True)
    house_host.attach(there)
    for script in scripts(PAGES[category]):
        for agent, code in turns_of(script):
            assert there.execute(code, agent).reads == here.execute(code, agent).reads, script
