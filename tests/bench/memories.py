"""What it takes until the first memory comes to mind after a resume, when nothing of a long life is indexed yet."""

from collections.abc import Iterator
from random import Random
from typing import Any

from cave_sim.session.memory import Memory
from cave_sim.session.session import Session
from cave_sim.session.words import words
from tests.bench.measure import medians_us, way
from tests.bench.table import Row, ratio

NOTES, WORDS = 100_000, 12


def long_life() -> Session:
    """Return a session with a hundred thousand memories of twelve words each, some words of them common, most rare."""
    session, memory, draw = Session("ann"), Memory(), Random(1)
    for number in range(NOTES):
        text = " ".join(f"word{int(5000 ** draw.random())}" for _ in range(WORDS))
        memory.commit(session, text, importance=draw.randint(0, 10), step=number, time_s=60.0 * number)
    return session


def memories(repeats: int) -> Iterator[Row]:
    """Yield the row for the first recall of a long life, against no more than cutting its memories into words."""
    session = long_life()
    texts = [row.text for row in session]
    asked = "who met word7 and word4000 at word1"

    def new_memory(_calls: int) -> dict[str, Any]:
        return {"memory": Memory()}

    costs = medians_us(
        {
            "first recall": way("memory.recall(session, asked, now_s=6e6)", new_memory, session=session, asked=asked),
            "words": way("for text in texts: words(text)", texts=texts, words=words),
        },
        calls=1,
        repeats=repeats,
    )
    yield ratio(f"first recall of {NOTES:,} memories, against their words", costs, "first recall", "words", 1.2)
