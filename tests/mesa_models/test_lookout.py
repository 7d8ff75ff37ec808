"""What the objects of one class have now that they did not have the step before, asked for all of them at once."""

import weakref

import mesa
import pytest

from cave_sim.mesa_models.counterpart_classes import Attributes
from cave_sim.mesa_models.lookout import SIZE, Lookout


class Sheep(mesa.Agent):
    def __init__(self, model):
        super().__init__(model)
        self.wool = 1000.0


@pytest.fixture
def flock():
    model = mesa.Model()
    return [Sheep(model) for _ in range(4)]


@pytest.fixture
def news(flock):
    """Return what a lookout that has seen the flock tells of another one: by field, who has which value now."""
    lookout = Lookout(Sheep, Attributes.of(flock), None)
    assert [sum(column.is_new) for column in lookout.news(flock)] == [4, 4], "of the first time all is news"

    def told(agents):
        columns = {
            column.field: zip(agents, column.values, column.is_new, strict=True) for column in lookout.news(agents)
        }
        return {field: {who: value for who, value, is_new in column if is_new} for field, column in columns.items()}

    return told


def test_who_holds_the_very_same_is_no_news(flock, news):
    assert news(flock) == {}


def test_another_value_is_news_even_if_it_is_equal(flock, news):
    flock[1].wool, flock[2].wool = 1000, float("1000")
    assert news(flock) == {"wool": {flock[1]: 1000, flock[2]: 1000.0}}
    assert news(flock) == {}


def test_another_attribute_is_news(flock, news):
    size = len(vars(flock[3]))
    flock[3].name = "Dolly"
    assert news(flock) == {SIZE: {flock[3]: size + 1}}


def test_all_of_newcomers_is_news_and_nothing_of_who_stands_elsewhere_in_the_row(flock, news):
    newcomer = Sheep(flock[0].model)
    flock[3].wool = 7
    told = news([flock[3], newcomer, flock[0]])
    assert told == {"wool": {flock[3]: 7, newcomer: 1000.0}, SIZE: {newcomer: len(vars(newcomer))}}


def test_what_one_of_them_has_lost_is_none_and_the_others_are_looked_at_as_ever(flock, news):
    del flock[0].wool
    assert news(flock)["wool"] == {flock[0]: None}
    assert news(flock) == {}
    flock[0].wool = flock[1].wool = 5
    assert news(flock)["wool"] == {flock[0]: 5, flock[1]: 5}


@pytest.mark.parametrize("hold", [lambda held: held, lambda held: (held,), lambda held: {"it": held}])
def test_nothing_that_was_looked_at_is_kept_alive(hold):
    model = mesa.Model()
    flock = [Sheep(model) for _ in range(3)]
    flock[0].friend, flock[1].friend, flock[2].friend = None, None, None
    lookout = Lookout(Sheep, Attributes.of(flock), None)
    list(lookout.news(flock))
    flock[0].friend = hold(flock[2])
    assert "friend" in {column.field for column in lookout.news(flock)}
    flock[0].friend = None
    gone = weakref.ref(flock.pop())
    gone().remove()
    assert gone() is None


def test_another_friend_is_news_and_the_same_one_is_not():
    model = mesa.Model()
    flock = [Sheep(model) for _ in range(3)]
    for each in flock:
        each.friend = None
    lookout = Lookout(Sheep, Attributes.of(flock), None)
    list(lookout.news(flock))
    for friend in (flock[1], flock[2], None):
        flock[0].friend = friend
        (column,) = lookout.news(flock)
        assert (column.field, column.values[0], column.is_new) == ("friend", friend, [True, False, False])
        assert list(lookout.news(flock)) == []
