"""What a turn wrote, as evidence of what its cell did: which branches it took, and which texts it put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.history.cell_branches import excludes
from cave_sim.history.sentences import LONGEST, UNTOLD, Segment, Sentence, Sign
from cave_sim.journal.reader import Run

LEAST = 8
"""So many letters of a text must be known for what was written to be known by them."""


class Written:
    """The writes of one turn; they are read when something is asked of them.

    Args:
        run: where the turn is.
        turn: its number.
    """

    def __init__(self, run: Run, turn: int) -> None:
        self._run, self._turn = run, turn

    @cached_property
    def _rows(self) -> list[tuple[str, list[Any], Any, Any]]:
        rows = self._run.query("SELECT entity, path, old, new FROM changes WHERE turn = ?", self._turn)
        written = [(str(entity), *(self._run.data(each) for each in given)) for entity, *given in rows]
        return [row for row in written if isinstance(row[1], list)]  # of a file from elsewhere anything may come

    @cached_property
    def _all(self) -> str:
        """Everything that was written, and where, in one text."""
        texts = [entity for entity, *_ in self._rows]
        texts += [text for _, path, old, new in self._rows for value in (path, old, new) for text in texts_in(value)]
        return "\n".join(" ".join(text.split()) for text in texts)

    def chosen(self, sentences: list[Sentence], agent: str, *, hidden: bool) -> list[Sentence]:
        """Return those sentences of a cell that were done, with the texts that the turn wrote.

        Of what stands in a branch, only what the writes show is known to have been done.

        Args:
            sentences: of all its branches.
            agent: whose cell it is.
            hidden: whether it does something that no sentence tells.
        """
        if any(sentence.branch for sentence in sentences):
            sentences = self._done(sentences, agent, hidden)
        several = [(self._of_several(each), each.if_written) for each in sentences]
        return [Sentence(map(self._filled, words), if_written=others) for words, others in several]

    def _of_several(self, sentence: Sentence) -> Iterable[Segment]:
        """Return a sentence as what was written has it, where its method does one of several things."""
        return next((other for text, other in sentence.if_written.items() if self._shows(text)), sentence)

    def _done(self, sentences: list[Sentence], agent: str, hidden: bool) -> list[Sentence]:
        shown = [each for each in sentences if each.branch and each.signs and all(map(self._shows, each.signs))]
        shown = [each for each in shown if not any(_outdoes(other, each) for other in shown)]
        done = [*map(id, shown), *(id(each) for each in sentences if not each.branch)]
        without_bare = [each for each in sentences if id(each) in done]
        bare = [each for each in sentences if each.branch and not each.signs]
        alone = len({each.branch for each in bare}) == 1 and all(isinstance(each[0], dict) for each in without_bare)
        if alone and not hidden and any(entity == agent for entity, *_ in self._rows):
            done += map(id, bare)  # the others are questions: nothing else can have written what was written
        return [each for each in sentences if id(each) in done]

    def _shows(self, sign: Sign) -> bool:
        if isinstance(sign, str):
            text = re.escape(" ".join(sign.split()))
            return re.search(rf"(?<!\w){text}(?!\w)", self._all) is not None
        entity, field, value = sign
        rows = [row for row in self._rows if row[0] == entity and row[1][:1] == [field]]
        return any(value in (UNTOLD, new) for *_, new in rows)

    def _filled(self, segment: Segment) -> Segment:
        if not isinstance(segment, str) or UNTOLD not in segment or len(segment) < LEAST:
            return segment
        opened, text, closed = re.fullmatch(r"(.*“)?(.*?)(”.*)?", segment, re.DOTALL).groups("")  # type: ignore[union-attr]
        pattern = re.compile(".+?".join(map(re.escape, text.split(UNTOLD))), re.DOTALL)
        texts = (" ".join(text.split()) for *_, new in self._rows for text in texts_in(new))
        matching = {each for each in texts if pattern.fullmatch(each)}
        if len(matching) != 1:
            return segment
        whole = matching.pop()
        return f"{opened}{shortened(whole, LONGEST)}{closed}"


def _outdoes(one: Sentence, other: Sentence) -> bool:
    """Say whether a sentence has as much to show for it as one that cannot be true beside it."""
    return excludes(one.branch, other.branch) and _weight(one) >= _weight(other)


def _weight(sentence: Sentence) -> int:
    return sum(len(sign) if isinstance(sign, str) else 1 for sign in sentence.signs)


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in plain data."""
    if isinstance(value, str):
        yield value
    for part in (*value, *value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_in(part)
