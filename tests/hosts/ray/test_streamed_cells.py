"""Many cells with one future: they run in order, and none is lost or done twice where their world goes away."""

from contextlib import closing

import pytest

from cave_sim import CaveSimError
from cave_sim.hosts.ray.messages import pack_turns, unpack_acts
from cave_sim.hosts.ray.pipeline import MessagePace, Pipeline
from tests.bench.subjects import town


class Far:
    """A world at the other end of a stream: it goes away once, having done what it was sent, and then knows that."""

    def __init__(self, gone_at=None):
        self.world = town()
        self.gone_at = gone_at
        self.done = {}
        self.returned = 0

    def receive(self, packed):
        acts = unpack_acts(packed)
        for act in acts:
            if act.sequence not in self.done:
                self.done[act.sequence] = self.world.execute(act.code, act.agent)
        if self.gone_at in [act.sequence for act in acts]:
            self.gone_at = None
            raise ConnectionError("the world went away")
        return pack_turns([self.done[act.sequence] for act in acts])

    def recover(self):
        self.returned += 1


def stream_to(far, cells=3):
    pace = MessagePace(cells=cells, wait_s=0.0)
    return closing(Pipeline(lambda packed, _: packed, far.receive, far.recover, pace))


COUNTING = [("ann", "mine = []\n0"), *[("ann", "mine.append(1)\nlen(mine)")] * 10]


@pytest.mark.parametrize("gone_at", [None, 4])
def test_many_cells_in_several_messages_have_one_future_with_their_turns_in_order(gone_at):
    far = Far(gone_at)
    with stream_to(far) as stream:
        before = stream.submit("10", "ann")
        turns = stream.submit_many(COUNTING).result()
        assert before.result().id < turns[0].id
    assert [turn.output for turn in turns] == [str(number) for number in range(11)]
    assert [turn.code for turn in turns] == [code for _, code in COUNTING]
    assert far.returned == (gone_at is not None)


def test_no_cells_have_no_turns():
    with stream_to(Far()) as stream:
        assert stream.submit_many([]).result() == []


def test_what_goes_wrong_with_one_message_of_many_is_told():
    far = Far()
    far.receive = lambda packed: b"no turns"
    with stream_to(far) as stream, pytest.raises(Exception, match="header check"):
        stream.submit_many(COUNTING).result()


def test_a_closed_stream_takes_no_more():
    with stream_to(Far()) as stream:
        pass
    with pytest.raises(CaveSimError, match="is closed"):
        stream.submit_many(COUNTING)
