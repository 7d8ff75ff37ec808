"""Whatever variables share, over as many turns as one likes, they share as in Python: which object is which is told."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.policy import square
from tests.runtime.plain_python import shown

NAMES = "abcdefgh"
BEFORE = """
from collections import deque
from enum import Enum
class Box:
    def __init__(self, held):
        self.held = held
class Planet(Enum):
    VENUS, EARTH, MARS = 1, 2, 3
def holding(value):
    return lambda: value
def told(roots):
    seen = []
    def number(value):
        if isinstance(value, (int, str, float, type(None))):
            return repr(value)
        for at, each in enumerate(seen):
            if each is value:
                return at
        seen.append(value)
        return len(seen) - 1
    lines, at = [[number(each) for each in roots]], 0
    while at < len(seen):
        value = seen[at]
        at += 1
        if isinstance(value, dict):
            parts = [part for pair in value.items() for part in pair]
        elif isinstance(value, (list, tuple, deque)):
            parts = list(value)
        elif isinstance(value, Box):
            parts = [Box, value.held]
        elif isinstance(value, Planet):
            parts = [Planet, value.name]
        elif isinstance(value, np.ndarray):
            parts = value.tolist()
        elif isinstance(value, type):
            parts = [value.__name__]
        else:
            parts = [value()]
        lines.append([number(each) for each in parts])
    return lines
def add(to, value):
    if isinstance(to, (list, deque)):
        to.append(value)
    elif isinstance(to, dict):
        to[len(to)] = value
    elif isinstance(to, Box):
        to.held = value
    elif isinstance(to, np.ndarray):
        to += 1
def take(of):
    if isinstance(of, (list, deque)) and len(of) > 1:
        return of.pop()
    if isinstance(of, dict) and of:
        return of.pop(min(of))
    return of.held if isinstance(of, Box) else of
"""
FIRST = "a, b, c, d, e, f, g, h = [], {}, Box(None), Planet.EARTH, np.arange(4), deque([0, 1]), [2], Box(3)"
NAME = st.sampled_from(NAMES)
LINES = st.one_of(
    st.builds("{} = {}".format, NAME, NAME),
    st.builds("{} = [{}, {}]".format, NAME, NAME, NAME),
    st.builds("{} = ({}, {})".format, NAME, NAME, NAME),
    st.builds("{} = {{0: {}, 1: {}}}".format, NAME, NAME, NAME),
    st.builds("{} = deque([{}, {}])".format, NAME, NAME, NAME),
    st.builds("{} = Box({})".format, NAME, NAME),
    st.builds("{} = holding({})".format, NAME, NAME),
    st.builds("{} = Planet.{}".format, NAME, st.sampled_from(["VENUS", "EARTH", "MARS"])),
    st.builds("{} = [{}, {}, {}]".format, NAME, NAME, NAME, NAME),
    st.builds("{0} = {1}[1:] if isinstance({1}, np.ndarray) else {1}".format, NAME, NAME),
    st.builds("{} = np.zeros(3)".format, NAME),
    st.builds("{} = take({})".format, NAME, NAME),
    st.builds("add({}, {})".format, NAME, NAME),
    st.builds("add({}, {})".format, NAME, NAME),
)
CELLS = st.lists(st.lists(LINES, min_size=1, max_size=3), min_size=1, max_size=8)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(cells=CELLS)
def test_which_object_is_which_is_told_as_in_python(cells):
    world, names = square.build(deadline_s=30.0), {}
    exec("import numpy as np", names)
    told = f"told([{', '.join(NAMES)}])"  # asked once: a cell that names a variable has it looked at
    for code in (f"{BEFORE}\n{FIRST}", *("\n".join(lines) for lines in cells), told):
        turn = world.execute(code, agent="ann")
        assert turn.committed, turn.error
        assert turn.output == shown(code, names), code
