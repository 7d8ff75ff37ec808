import random
from array import array

from cave_sim.determinism.generator_places import place_of, set_place


class Counting(random.Random):
    """A generator of somebody's own class, whose memory nobody looks into."""


def drawn(generator, count=700):
    return [generator.random() for _ in range(count)], generator.gauss(0, 1), generator.getstate()


def test_a_generator_draws_the_same_from_the_place_where_it_stood():
    for kind in (random.Random, Counting):
        generator, other = kind(3), kind(4)
        generator.gauss(0, 1)  # the second number of the pair is part of where it stands
        place = place_of(generator)
        set_place(other, place)
        assert place_of(other) == place
        assert drawn(other) == drawn(generator)


def test_a_place_is_what_getstate_tells_in_the_words_of_the_machine():
    generator, same = random.Random(3), Counting(3)
    assert generator.random() == same.random()
    *words, index = generator.getstate()[1]
    assert place_of(generator) == place_of(same) == (array("I", [index, *words]).tobytes(), None)
