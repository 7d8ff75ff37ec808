"""The contracts of what a mind's memory is made of: embeddings, and rules of importance; as tests to inherit."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import numpy as np

from cave_sim.models.embeddings import Embedded, Embeddings, decoded, encoded
from cave_sim.models.wrapped import close
from cave_sim.session.importance import Event, Importance
from cave_sim.session.memory import MOST_IMPORTANT

TEXTS = ("The bakery opens at seven.", "Bob gave me a lamp.", "", "Ä quiet ëvening — 晚上好")


class EmbeddingsContract:
    """Each text gets a vector of its own direction, whatever else is asked with it.

    Attributes:
        alike: two texts whose vectors must be nearer to each other than either is to the third.
    """

    alike: tuple[str, str, str] = ("the bakery sells bread", "bread of the bakery", "a storm over the park")

    def make(self) -> Embeddings:
        """Return the embeddings."""
        raise NotImplementedError

    def test_every_text_gets_a_vector_of_one_length(self) -> None:
        vectors = self._embed(TEXTS).vectors
        assert len(vectors) == len(TEXTS)
        assert len({len(vector) for vector in vectors}) == 1

    def test_a_vector_does_not_depend_on_what_else_is_asked(self) -> None:
        together = [encoded(vector) for vector in self._embed(TEXTS).vectors]
        assert [encoded(self._embed([text]).vectors[0]) for text in TEXTS] == together

    def test_what_is_alike_is_near(self) -> None:
        one, other, third = (decoded(encoded(vector)) for vector in self._embed(self.alike).vectors)
        assert cosine(one, other) > max(cosine(one, third), cosine(other, third))

    def _embed(self, texts: Sequence[str]) -> Embedded:
        async def embed() -> Embedded:
            embeddings = self.make()
            try:
                return await embeddings.embed(texts)
            finally:
                await close(embeddings)  # type: ignore[arg-type]  # it asks for nothing but a ``close``

        return asyncio.run(embed())


class ImportanceContract:
    """A rule gives every event a number from 0 to 10, and the same one each time.

    Attributes:
        events: some of every kind that the rule is to know.
    """

    events: Sequence[Event] = ()

    def make(self) -> Importance:
        """Return the rule."""
        raise NotImplementedError

    def test_every_event_matters_from_0_to_10(self) -> None:
        assert self.events
        assert all(0 <= self.make()(event) <= MOST_IMPORTANT for event in self.events)

    def test_the_same_event_matters_the_same(self) -> None:
        assert [self.make()(event) for event in self.events] == [self.make()(event) for event in self.events]


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """Return how alike the directions of two vectors are, from -1 to 1."""
    return float(one @ other / math.sqrt((one @ one) * (other @ other)))
