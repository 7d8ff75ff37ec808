from itertools import islice
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cave_sim.worlds.town.names import full_names, key_of


def test_titles_become_names_that_code_can_use():
    assert [
        key_of(title)
        for title in ("Café Engel", "Ølhus København", "15/30 Research", "Ônam", "!", "Import", "NP", "Max")
    ] == ["cafe_engel", "olhus_kobenhavn", "the_15_30_research", "onam", "someone", "the_import", "the_np", "the_max"]


def test_a_second_one_of_the_same_name_gets_a_number():
    assert key_of("R-Kioski", {"r_kioski", "r_kioski_2"}) == "r_kioski_3"


@given(st.text(max_size=60))
def test_any_title_whatever_gives_an_identifier(title):
    assert key_of(title).isidentifier()


def test_five_thousand_people_have_different_names():
    names = list(islice(full_names(Random(1)), 5000))
    assert len(set(names)) == 5000
    assert names != list(islice(full_names(Random(2)), 5000))
