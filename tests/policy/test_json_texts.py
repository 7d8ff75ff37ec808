"""What cells write as JSON is what Python writes, or the error that Python raises."""

import json
import math

import pytest

from tests.policy import square

WRITTEN = {
    "infinity": "float('inf')",
    "not a number": "[1, float('nan'), -float('inf')]",
    "numbers as keys": "{float('inf'): 1, 2.5: [None], True: 0, None: 1, 7: 'x'}",
    "a nest": "{'a': [{'b': (1, 2)}], 'c': ''}",
}
REFUSED = {
    "a set": "{1, 2}",
    "a frozenset": "frozenset([1])",
    "bytes": "b'a'",
    "a complex number": "1j",
    "a range": "[range(3)]",
    "a function": "{'a': len}",
    "an ellipsis": "...",
    "a tuple as a key": "{(1, 2): 3}",
    "bytes as a key": "{b'a': 3}",
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_what_python_writes_is_written(kind):
    turn = square.build().execute(f"import json\nprint(json.dumps({WRITTEN[kind]}))", agent="ann")
    assert turn.output == json.dumps(eval(WRITTEN[kind])) + "\n", turn.error


@pytest.mark.parametrize("kind", REFUSED)
def test_what_python_does_not_write_is_the_same_error(kind):
    with pytest.raises(TypeError) as expected:
        json.dumps(eval(REFUSED[kind]))
    cell = f"import json\ntry:\n    json.dumps({REFUSED[kind]})\nexcept TypeError as error:\n    print(error)"
    turn = square.build().execute(cell, agent="ann")
    assert turn.output == f"{expected.value}\n", turn.error


def test_what_a_text_told_of_infinity_is_read_again_and_yet_no_field_holds_it():
    world = square.build()
    turn = world.execute("import json\nx = json.loads(json.dumps([float('-inf')]))[0]\nprint(x)", agent="ann")
    assert turn.output == f"{-math.inf}\n"
    turn = world.execute("me.memory = x", agent="ann")
    assert turn.status == "failed"
    assert "-inf is not a finite number" in turn.error


def test_default_makes_plain_data_of_the_rest():
    turn = square.build().execute("import json\nprint(json.dumps([{1, 2}, float('inf')], default=sorted))", agent="ann")
    assert turn.output == "[[1, 2], Infinity]\n", turn.error
