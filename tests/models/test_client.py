"""Requests, replies, usage: plain values."""

import asyncio
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from cave_sim.models import Asker, Hedged, Message, Model, ModelError, Reply, Request, ToolCall, Usage, ask
from cave_sim.models.wrapped import Wrapped
from tests.models.asking import Stub, down, question


def test_a_hash_is_the_same_in_every_process():
    code = "from tests.models.asking import question; print(question('hé').hash)"
    asking = [sys.executable, "-c", code]
    found = subprocess.run(asking, env={"PYTHONHASHSEED": "1"}, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == question("hé").hash


def test_a_hash_is_of_what_is_asked_and_not_of_who_asks():
    assert question(agent="ann").hash == question(agent="bob", step=9, attempt=2).hash
    assert question().again().hash == question().hash


@pytest.mark.parametrize(
    "other",
    [
        {"max_tokens": 5},
        {"temperature": 0.5},
        {"stop": ("END",)},
        {"tools": ({"type": "function"},)},
        {"messages": (Message("user", "what now?"),)},
    ],
    ids=lambda options: next(iter(options)),
)
def test_a_hash_sees_every_part(other):
    assert replace(question(), **other).hash != question().hash


def test_a_hash_does_not_mind_whole_numbers():
    assert question(temperature=0).hash == question(temperature=0.0).hash


def test_usages_add_up_and_an_estimate_stays_one():
    assert Usage(10, 2, 4) + Usage(1, 1, 1, is_estimate=True) == Usage(11, 3, 5, is_estimate=True)
    assert Usage(10, 2, 4).tokens == 12


def test_a_reply_survives_as_plain_data():
    reply = Reply("hi", Usage(3, 1, 2), None, 0.5, "tool_calls", (ToolCall("1", "walk", "{}"),), "stub/one")
    assert Reply.from_data(reply.to_data()) == reply


def test_a_model_error_is_of_a_known_kind():
    with pytest.raises(ValueError, match="rate_limited, timeout, unavailable"):
        ModelError("tired", "no")


def test_whoever_replies_is_a_model():
    assert isinstance(Stub("hi"), Model)
    assert not isinstance(object(), Model)


def test_a_wrapped_model_has_the_name_window_and_price_of_what_it_wraps():
    wrapped = Wrapped(Wrapped(Stub("hi")))
    assert (wrapped.name, wrapped.window_tokens, wrapped.price) == (Stub.name, Stub.window_tokens, Stub.price)
    assert repr(wrapped).startswith("Wrapped(Wrapped(")


def test_asking_in_a_block_returns_the_reply_or_raises():
    assert ask(Stub("hi"), question()).text == "hi"
    with pytest.raises(ModelError, match="500"):
        ask(Stub(down()), question())


def test_everyone_is_asked_at_once_and_answered_in_order():
    with Asker() as asker:
        first, second, third = asker.ask_all(
            [(Stub("a"), question()), (Stub(down()), question()), (Stub("c"), question())]
        )
    assert (first.text, second.kind, third.text) == ("a", "unavailable", "c")


def test_a_bug_in_a_model_is_raised_when_all_have_been_answered():
    last = Stub("c")
    with Asker() as asker, pytest.raises(ZeroDivisionError):
        asker.ask_all([(Stub(ZeroDivisionError()), question()), (last, question())])
    assert len(last.asked) == 1


def test_where_an_event_loop_runs_already_it_asks_from_a_thread_beside_it():
    async def cell():
        with Asker() as asker:
            kept = [asker.ask(Stub("a"), question()).text, asker.ask_all([(Stub("b"), question())])[0].text]
        return kept, threading.active_count()

    assert asyncio.run(cell()) == (["a", "b"], threading.active_count())


def test_the_loop_stays_the_same_whether_another_one_runs_or_not():
    loops = []

    class Looking(Stub):
        async def reply(self, request):
            loops.append(asyncio.get_running_loop())
            return await super().reply(request)

    with Asker() as asker:
        asker.ask(Looking("hi"), question())

        async def cell():
            return asker.ask(Looking("hi"), question())

        asyncio.run(cell())
    assert loops[0] is loops[1]


def test_ctrl_c_ends_what_is_asked_from_beside_a_running_loop():
    begun, heard, ended = threading.Event(), threading.Event(), []

    class Endless(Stub):
        async def reply(self, request):
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(True)
                heard.set()

    async def cell():
        with Asker() as asker:
            asker.ask(Endless("hi"), question())

    def press():
        """Press until it is heard: Python loses what is raised while it collects garbage."""
        begun.wait()
        while not ended:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            heard.wait(5.0)

    before, pressing = signal.signal(signal.SIGINT, signal.default_int_handler), threading.Thread(target=press)
    pressing.start()
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(cell())
    finally:
        signal.signal(signal.SIGINT, before)
        pressing.join()
        loop.close()
    assert ended == [True]


def test_an_asker_closes_what_it_asked():
    class Closing(Stub):
        is_closed = False

        async def close(self):
            self.is_closed = True

    model = Closing("hi")
    ask(Through(model), question())
    assert model.is_closed


class Through(Wrapped):
    async def reply(self, request: Request) -> Reply:
        return await self.model.reply(request)


class Ending(Stub):
    """A model that ends the program, as Ctrl-C does where it is raised while a reply is read."""

    async def reply(self, request):
        await asyncio.sleep(0)
        raise self.answers[0]


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(3)], ids=["ctrl-c", "exit"])
def test_what_ends_the_program_is_raised_at_once_and_leaves_no_task_to_complain(end, caplog):
    class Endless(Stub):
        async def reply(self, request):
            await asyncio.Event().wait()

    with Asker() as asker:
        for asked in ([Ending(end), Ending(end), Endless("hi")], [Hedged(Ending(end), 5.0), Endless("hi")]):
            with pytest.raises(type(end)):
                asker.ask_all([(model, question()) for model in asked])
        with pytest.raises(type(end)):
            asker.ask(Ending(end), question())
        assert asker.ask(Stub("hi"), question()).text == "hi"
    gc.collect()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


def test_where_no_event_loop_can_be_made_it_is_told_once(monkeypatch):
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: complaints.append(told.exc_value))
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, hard))  # room for one more; a loop opens three
    try:
        with pytest.raises(OSError, match="Too many open files"):
            Asker()
        gc.collect()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert complaints == []
