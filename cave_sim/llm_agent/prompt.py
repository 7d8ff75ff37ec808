"""Prompts that are paid for once: what stays the same comes first, byte for byte; the task is the last word.

Providers and local models keep what they have read of a prompt, up to the first byte that differs from the request
before. So the front (who you are, what there is, how to act) must not change in a run; what is only appended to, such
as the context state, follows it, and then what was said before. How things stand now comes right before the last thing
that was said, so that a model reads what it is to do last: small models do what they read last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cave_sim.models.base import Message

FRONT = ("identity", "api", "instructions")
"""The parts that a front begins with, in this order, if it has them."""

BETWEEN = "\n\n"
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Prompt:
    """The named parts of one request.

    Attributes:
        front: parts that stay the same for the whole run, such as ``identity``, ``api`` (``world.describe``) and
            ``instructions``.
        changing: parts that may differ from request to request, the steadiest first.
        clock: the time, and whatever else differs every time.
        log: what is only ever appended to, such as the context state; it follows the front.

    Raises:
        ValueError: two parts have the same name.
    """

    front: Mapping[str, str]
    changing: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    clock: str = ""
    log: str = ""

    def __post_init__(self) -> None:
        own = {"clock", "log"}
        twice = sorted(self.front.keys() & self.changing.keys() | own & {*self.front, *self.changing})
        if twice:
            raise ValueError(f"two parts of the prompt are called {twice[0]!r}; give each part a name of its own")

    @property
    def parts(self) -> dict[str, str]:
        """All parts by name, in the order in which they are sent; empty ones are left out."""
        first = {name: self.front[name] for name in FRONT if name in self.front}
        front, last = {**first, **self.front}, {"clock": self.clock}
        return {name: text for name, text in {**front, "log": self.log, **self.changing, **last}.items() if text}

    def without(self, names: Collection[str]) -> Prompt:
        """Return it without some of its parts."""
        if not names:
            return self
        front, changing = (
            {name: text for name, text in parts.items() if name not in names} for parts in (self.front, self.changing)
        )
        return Prompt(front, changing, *("" if name in names else getattr(self, name) for name in ("clock", "log")))

    def messages(self, transcript: Iterable[Message] = ()) -> tuple[Message, ...]:
        """Return the request: the front as system message, then the log, then the transcript.

        What changes, and the clock, stand before the last words of the transcript; they, and the log, are in one
        message with the words that they stand before if those are the user's, so that roles take turns.
        """
        parts = self.parts
        front = BETWEEN.join(text for name, text in parts.items() if name in self.front)
        rest = BETWEEN.join(text for name, text in parts.items() if name not in self.front and name != "log")
        messages = list(transcript)
        last = messages.pop().text if messages and messages[-1].role == "user" else ""
        messages.append(Message("user", BETWEEN.join(filter(None, [rest, last]))))
        if self.log and messages[0].role == "user":
            messages[0] = Message("user", BETWEEN.join(filter(None, [self.log, messages[0].text])))
        elif self.log:
            messages.insert(0, Message("user", self.log))
        return tuple(each for each in (Message("system", front), *messages) if each.text or each.tool_calls)

    def tokens(self, count: Callable[[str], int]) -> dict[str, int]:
        """Return how many tokens each part has."""
        return {name: count(text) for name, text in self.parts.items()}


@dataclass(frozen=True, slots=True)
class Stability:
    """How much of a request a prefix cache can have kept from the one before.

    Attributes:
        total_bytes: of the request's texts, in UTF-8.
        stable_bytes: how many of them, from the front, are the same as before.
        changed: the first message that differs, counted from 0; None if none does.
    """

    total_bytes: int
    stable_bytes: int
    changed: int | None

    @property
    def share(self) -> float:
        """The stable part, 0 to 1."""
        return self.stable_bytes / self.total_bytes if self.total_bytes else 1.0


class StabilityMeter:
    """Compares each request with the one before it; one meter for each agent.

    Attributes:
        total_bytes: sent in all requests so far.
        stable_bytes: how many of them repeated the front of the request before.
    """

    def __init__(self) -> None:
        self.total_bytes: int = 0
        self.stable_bytes: int = 0
        self._before: tuple[Message, ...] = ()
        self._sizes: list[int] = []

    def measure(self, messages: tuple[Message, ...]) -> Stability:
        """Return how much of a request stayed the same, and add it to the sums."""
        before, self._before = self._before, messages
        same = _same_messages(before, messages)
        self._sizes = self._sizes[:same] + [_bytes_of(message) for message in messages[same:]]
        stable = sum(self._sizes[:same])
        if same < min(len(before), len(messages)) and before[same].role == messages[same].role:
            stable += _same_bytes(before[same].text, messages[same].text)
        stability = Stability(sum(self._sizes), stable, same if same < len(messages) else None)
        self.total_bytes += stability.total_bytes
        self.stable_bytes += stability.stable_bytes
        return stability


def _same_messages(one: tuple[Message, ...], other: tuple[Message, ...]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _same_bytes(one: str, other: str) -> int:
    """Return how many leading bytes two texts share; found by halving, so that C does the comparing."""
    left, right = one.encode("utf-8", "replace"), other.encode("utf-8", "replace")
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _bytes_of(message: Message) -> int:
    text = message.text
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
