"""Words of a text in any script, and memories that are found by them."""

import unicodedata

import pytest

from cave_sim.session.memory import Memory
from cave_sim.session.session import Session
from cave_sim.session.words import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann's cups_2", ["ann", "s", "cups", "2"]),
        ("Café – “Мир” Ωμέγα", ["café", "мир", "ωμέγα"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("한국어 공부", ["한국어", "공부"]),
        ("東京都 tower", ["東京", "京都", "tower"]),
        ("日本語テスト123", ["日本", "本語", "語テ", "テス", "スト", "123"]),
        ("東", ["東"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("👍 …", []),
        ("", []),
    ],
)
def test_a_text_has_these_words(text, found):
    assert words(text) == found


@pytest.mark.parametrize("text", ["Crème brûlée", "हिन्दी", "ﬁne m²", "ｶﾀｶﾅ", "Tiếng Việt"])
def test_words_are_the_same_however_their_letters_are_written(text):
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))
    assert words(unicodedata.normalize("NFKC", text)) == words(text)


@pytest.mark.parametrize(
    ("query", "found"),
    [("咖啡馆在哪里", "老张的咖啡馆六点关门"), ("カフェはどこ", "駅前にカフェがある"), ("ร้านกาแฟ", "กาแฟอร่อย")],
)
def test_what_shares_no_space_with_a_query_comes_to_mind(query, found):
    session, memory = Session("ann"), Memory()
    for text in ("老张的咖啡馆六点关门", "昨天下了一整天雨", "駅前にカフェがある", "กาแฟอร่อย", "It rained."):
        memory.commit(session, text, importance=3, step=1, time_s=0.0)
    assert [row.text for row in memory.recall(session, query, now_s=0.0, count=1)] == [found]
