"""What the tests of models ask with."""

from cave_sim.models import Key, Message, ModelError, Reply, Request, Usage
from cave_sim.models.prices import FREE


def question(text="what now?", agent="ann", step=1, attempt=0, **options):
    messages = (Message("system", "you live here"), Message("user", text))
    return Request(messages, key=Key("town-7", agent, step, attempt), **options)


class Stub:
    """Does what its list says, in the order of asking: a reply, a text, or an error to raise. The last one stays."""

    is_scripted = True

    name = "stub/one"
    window_tokens = 1_000
    price = FREE

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def reply(self, request):
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, Usage(10, 5), 0.25, 2.0) if isinstance(answer, str) else answer


class Time:
    """A clock that moves when someone sleeps, and notes how long."""

    def __init__(self):
        self.now_s = 0.0
        self.naps_s = []

    def clock(self):
        return self.now_s

    async def sleep(self, seconds):
        self.naps_s.append(seconds)
        self.now_s += seconds


def down():
    return ModelError("unavailable", "500")


def busy(retry_after_s=None):
    return ModelError("rate_limited", "429", retry_after_s)
