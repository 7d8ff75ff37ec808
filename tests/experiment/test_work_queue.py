"""Work in pieces: so many at once, what fails is tried again and then told, and nobody spends more than there is."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from cave_sim.experiment import work_queue
from cave_sim.experiment.budget_shares import BudgetShares
from cave_sim.experiment.statistics import RESULTS, keep_part
from cave_sim.experiment.work_queue import Failure, Job, WorkQueue
from cave_sim.models.budget import Budget, Spent


@pytest.fixture
def threads(monkeypatch):
    monkeypatch.setattr(work_queue, "PAUSE_S", 0.0)
    with ThreadPoolExecutor(8) as threads:
        yield threads


def test_every_piece_is_done_once(threads):
    pieces = [Job(str(number), pow, (number, 2)) for number in range(50)]
    done = {piece.name: answer for piece, answer in WorkQueue(threads, 3).do(pieces)}
    assert done == {str(number): number**2 for number in range(50)}


def test_no_more_are_under_way_than_there_are_workers(threads):
    book, under_way, most = threading.Lock(), 0, 0
    release = threading.Event()

    def work():
        nonlocal under_way, most
        with book:
            under_way += 1
            most = max(most, under_way)
        if most == 3:
            release.set()
        release.wait(60)
        with book:
            under_way -= 1

    list(WorkQueue(threads, 3).do(Job(str(number), work) for number in range(12)))
    assert most == 3


def test_what_fails_is_tried_again_and_told_in_the_end(threads):
    tries = {"sometimes": 0, "never": 0}

    def work(name, good_at):
        tries[name] += 1
        if tries[name] != good_at:
            raise ValueError(f"not at {tries[name]}")
        return "done"

    pieces = [Job("sometimes", work, ("sometimes", 3)), Job("never", work, ("never", 9))]
    answers = {piece.name: answer for piece, answer in WorkQueue(threads, 2, tries=3).do(pieces)}
    lines = tuple(f"ValueError: not at {number}" for number in (1, 2, 3))
    assert answers == {"sometimes": "done", "never": Failure("never", lines)}


def test_the_first_of_several_errors_is_told_and_the_kinds_of_the_others(threads):
    errors = [OSError("no room"), FileExistsError("half a run"), FileExistsError("half a run"), KeyError("b")]
    job = Job("hard", lambda: (_ for _ in ()).throw(errors.pop(0)))
    [(_, failure)] = WorkQueue(threads, 1, tries=4).do([job])
    assert str(failure) == "hard failed 4 times, first with OSError: no room; then: FileExistsError (2), KeyError (1)"


def test_pieces_are_made_when_somebody_is_free_to_do_them(threads):
    ended = []
    made_after = []

    def pieces():
        for number in range(4):
            made_after.append(len(ended))
            yield Job(str(number), str, (number,))

    for piece, _ in WorkQueue(threads, 1).do(pieces()):
        ended.append(piece.name)
    assert made_after == [0, 1, 2, 3]


def test_shares_never_come_to_more_than_the_limits():
    purse = BudgetShares(Budget(calls=10, money_usd=1.0), hands=3)
    shares = [purse.take(name) for name in "abc"]
    assert sum(share.calls for share in shares) <= 10
    assert sum(share.money_usd for share in shares) == pytest.approx(1.0)
    assert purse.take("d") is None
    purse.settle("a", Spent(calls=1))
    assert purse.take("d").calls == shares[0].calls - 1


def test_who_never_told_what_he_spent_has_spent_his_share():
    purse = BudgetShares(Budget(calls=4), hands=1)
    purse.take("a")
    purse.settle("a", None)
    assert purse.spent.calls == 4
    assert purse.take("b") is None


def test_without_limits_there_is_always_a_share():
    assert BudgetShares(Budget(), hands=1).take("a") == Budget()


def test_parts_are_one_table(tmp_path):
    for name in ("b", "a", "a"):
        keep_part(tmp_path, name, pd.DataFrame({"trial": [name], "ok": [True]}))
    table = pd.read_parquet(tmp_path / RESULTS)
    assert sorted(table.trial) == ["a", "b"]
    assert table.ok.all()
