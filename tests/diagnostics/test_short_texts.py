"""Texts are cut by the room that they take, and no letter towers over the line above it."""

import pytest

from cave_sim.diagnostics.short_texts import first_sentence, fitted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Aatos Ylönen", "Aatos Ylönen"),
        ("a long label that goes on and on", "a long label that goe…"),
        ("W" * 30, "W" * 13 + "…"),
        ("漢字" * 20, "漢字" * 5 + "…"),
        ("a" + "\u0301" * 300, "a" + "\u0301" * 4),
        ("e\u0301" * 30, "e\u0301" * 21 + "…"),
    ],
)
def test_a_label_takes_the_columns_that_there_are(text, shown):
    assert fitted(text, 22) == shown


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ('Of "A paper: an\n    approach," by E. http://x.org/y\n\n    More.', 'Of "A paper: an approach," by E.'),
        ("A model of 1.5 things. It has more.", "A model of 1.5 things."),
        ("No full stop", "No full stop"),
        ("", ""),
    ],
)
def test_of_a_docstring_the_first_sentence_is_told_whole(document, sentence):
    assert first_sentence(document) == sentence
