"""What a codec of one's own has to keep to, and what is said where it does not."""

from pathlib import Path

import pytest

from cave_sim import Entity, SchemaError, World, field, register_codec


class Putty:
    def __init__(self, parts):
        self.parts = parts


@pytest.mark.parametrize(
    ("kind", "functions", "words"),
    [
        (list, (list, list), "takes a class of yours"),
        (object(), (str, str), "takes a class of yours"),
        (Path, (str, "Path"), r"register_codec\(Path, restore='Path'\): takes a function"),
    ],
)
def test_what_is_no_codec_is_refused(kind, functions, words):
    with pytest.raises(SchemaError, match=words):
        register_codec(kind, *functions)


def _raises(_value):
    raise KeyError("no kiln")


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({"snapshot": lambda putty: putty}, "snapshot gives no plain JSON data"),
        ({"snapshot": lambda putty: {*putty.parts}}, "snapshot gives no plain JSON data"),
        ({"snapshot": lambda putty: [float("nan")]}, "snapshot gives no plain JSON data"),
        ({"snapshot": _raises}, r"snapshot raised KeyError: 'no kiln' \(test_own_codec.py, line \d+\)"),
        ({"restore": _raises}, r"restore raised KeyError: 'no kiln' \(test_own_codec.py, line \d+\)"),
        ({"restore": lambda data: None}, "restore gives a NoneType, and has to give a Putty"),
        ({"restore": lambda data: Putty([])}, r"snapshot gave \[1, 2\], and \[\] of what restore made of that"),
    ],
)
def test_a_codec_that_does_not_keep_its_word_is_told_when_the_first_object_comes(functions, words):
    register_codec(Putty, **{"snapshot": lambda putty: putty.parts, "restore": Putty} | functions)

    def work() -> None:
        class Bench(Entity):
            putty: Putty = field(Putty([1, 2]))

        World(seed=7).add("bench", Bench())

    with pytest.raises(SchemaError, match=f"the codec of Putty: {words}"):
        work()


def test_a_codec_that_breaks_later_says_so_in_the_turn_that_meets_it():
    broken = []
    register_codec(Putty, snapshot=lambda putty: putty.parts, restore=lambda data: Putty(data, *broken))

    class Shelf(Entity):
        putty: Putty = field(Putty([1]))

    world = World(seed=7)
    world.add("shelf", Shelf())
    broken.append("hard")
    turn = world.execute("print(shelf.putty)", agent="ann")
    assert turn.status == "failed"
    assert "the codec of Putty: restore raised TypeError: " in turn.error
