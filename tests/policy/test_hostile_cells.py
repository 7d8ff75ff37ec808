"""No hostile cell gets further than its own rights: judged by its effects, in its own turn and in the ones after it."""

import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.libraries.places import load_places
from tests.long_cases import cases
from tests.policy import square
from tests.policy.hostile import ENDLESS, HOSTILE, LENGTHY
from tests.policy.judge import escapes, failure_to_go_on, run, traces

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # a coroutine that a cell forgot
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:A value is being set on a copy"),
]


@pytest.fixture(scope="module")
def empty_folder(tmp_path_factory):
    pd.Series([1.0, 2.0]).rolling(2, win_type="hann").sum()  # loads SciPy, which takes most of what a turn has
    with one_thread(np.zeros(2_000)):
        pass  # reads which libraries there are, as the first large product in a process does
    load_places()
    folder = tmp_path_factory.mktemp("empty")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


def limits_of(category):
    return {"deadline_s": 0.2} if category in ENDLESS else {}


SIXTHS = {f"{category}, {sixth}": (category, sixth) for category in HOSTILE for sixth in range(6)}
"""Every sixth script of a category stands for the others, which are of its kind: `make long` runs all sixths."""


@pytest.mark.parametrize("sixth", cases(SIXTHS, lambda sixth: SIXTHS[sixth][0] in LENGTHY or SIXTHS[sixth][1] > 0))
def test_hostile_cells_are_contained(sixth, empty_folder):
    category, first = SIXTHS[sixth]
    world = square.build(**limits_of(category))
    for script in HOSTILE[category][first::6]:
        outcome = run(script, world)
        assert not traces(outcome), script
        assert not list(empty_folder.iterdir()), script
        if outcome.met_its_deadline or not outcome.left_nothing:  # else it is as good as new
            assert not failure_to_go_on(world), script
            world = square.build(**limits_of(category))
    assert not failure_to_go_on(world)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("category", HOSTILE)
def test_hostile_cells_do_the_same_again(category, empty_folder):
    for script in HOSTILE[category]:
        once, again = (run(script, square.build(**limits_of(category))) for _ in range(2))
        assert once.met_its_deadline or again.met_its_deadline or once.told() == again.told(), script


def told_under(hash_seed: str, scripts: list[str]) -> list[str]:
    """Return what scripts do in a fresh process with its own salt for hashes."""
    found = subprocess.run(
        [sys.executable, "-m", "tests.policy.judge"],
        input=json.dumps(scripts),
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(found.stdout.splitlines()[-1])


@pytest.mark.long
def test_no_result_depends_on_how_a_process_salts_its_hashes():
    scripts = HOSTILE["non-determinism"] + HOSTILE["choices of the machine"] + HOSTILE["errors that list sets"]
    for script, once, again in zip(scripts, told_under("1", scripts), told_under("2", scripts), strict=True):
        assert once == again, script


def test_the_corpus_is_as_large_as_it_claims():
    assert sum(map(len, HOSTILE.values())) >= 400


def test_a_removed_entity_comes_back_as_it_was():
    assert not escapes(run("#> mayor\nleft = world.remove('shop')\nleft.price_cents = 1\n1 / 0"))


def test_no_choice_can_follow_an_address_in_memory():
    script = "things = [object() for _ in range(9)]\nprint(sorted(range(9), key=lambda n: str(things[n])))"
    assert run(script).told() == run(script).told()
