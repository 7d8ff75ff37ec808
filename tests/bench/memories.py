"""What it takes until the first memory comes to mind after a resume, when nothing of a long life is indexed yet."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from cave_sim.session.memory import Memory
from cave_sim.session.session import Session
from cave_sim.session.words import words
from tests.bench.measure import medians_us, way
from tests.bench.table import Row, ratio

WORDS = 12


SCRIPTS: dict[str, tuple[Callable[[int], str], int]] = {
    "": (lambda number: f"word{number} ", 100_000),
    " in Chinese": (lambda number: chr(0x4E00 + number) + "市", 20_000),
    " in Hindi": (lambda number: f"शब्द{number} ", 20_000),
}
"""What a life is written in -> how a number is a word of it, and how many memories it has."""


def long_life(word: Callable[[int], str], notes: int) -> Session:
    """Return a session with so many memories of twelve words each, some words of them common, most rare."""
    session, memory, draw = Session("ann"), Memory(), Random(1)
    for number in range(notes):
        text = "".join(word(int(5000 ** draw.random())) for _ in range(WORDS))
        memory.commit(session, text, importance=draw.randint(0, 10), step=number, time_s=60.0 * number)
    return session


def memories(repeats: int) -> Iterator[Row]:
    """Yield rows for the first recall of a long life, against no more than cutting its memories into words."""
    for script in SCRIPTS:
        yield first_recall(script, repeats)


def first_recall(script: str, repeats: int) -> Row:
    """Return the row for lives in one script."""
    word, notes = SCRIPTS[script]
    session = long_life(word, notes)
    texts = [row.text for row in session]
    asked = word(7) + word(4000) + word(1)

    def new_memory(_calls: int) -> dict[str, Any]:
        return {"memory": Memory()}

    costs = medians_us(
        {
            "first recall": way("memory.recall(session, asked, now_s=6e6)", new_memory, session=session, asked=asked),
            "words": way("for text in texts: words(text)", texts=texts, words=words),
        },
        calls=1,
        repeats=min(repeats, 3),
    )
    what = f"first recall of {notes:,} memories{script}, against their words"
    return ratio(what, costs, "first recall", "words", 1.2)
