"""The persistent vector: a list that forgets nothing when it grows."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.session.persistent_vector import BITS, Vector

SIZES = st.one_of(st.integers(0, 70), st.sampled_from([1023, 1024, 1025, 1056, 1057, 1100, 2080, 33_000]))


@pytest.fixture(scope="module")
def long():
    return Vector.of(range(33_000 + 64))


def height(vector):
    return vector.level // BITS


@given(SIZES)
def test_it_reads_like_the_list_it_was_made_of(long, size):
    vector = long.take(size)
    assert list(vector) == list(range(size))
    assert len(vector) == size
    assert vector[-1:] == tuple(range(size))[-1:]
    for place in {0, size // 2, size - 1} if size else set():
        assert vector[place] == place == vector[place - size]


@given(SIZES, st.integers(0, 40))
def test_appending_changes_no_earlier_vector(long, size, more):
    before = long.take(size)
    after = before.extend("x" * more)
    assert list(before) == list(range(size))
    assert list(after) == [*range(size), *"x" * more]
    assert before.shared(after) == size


@given(SIZES, SIZES, st.integers(0, 40), st.integers(0, 40))
def test_two_branches_share_exactly_what_they_had_in_common(long, size, other, more, most):
    one, two = long.take(size).extend("a" * more), long.take(other).extend("b" * most)
    expected = next(
        (place for place, (left, right) in enumerate(zip(one, two, strict=False)) if left != right),
        min(len(one), len(two)),
    )
    assert one.shared(two) == two.shared(one) == expected


@given(SIZES, st.integers(-2, 33_000))
def test_what_comes_after_a_position_is_the_rest(long, size, start):
    assert list(long.take(size).since(start)) == list(range(size))[max(start, 0) :]


@given(SIZES)
def test_a_cut_vector_is_no_taller_than_one_that_grew(long, size):
    cut = long.take(size)
    assert height(cut) == height(Vector.of(range(size)))
    assert cut == Vector.of(range(size))


def test_equal_items_are_shared_even_when_no_node_is():
    assert Vector.of(range(5_000)).shared(Vector.of(range(4_000))) == 4_000


def test_a_position_outside_is_an_index_error():
    with pytest.raises(IndexError, match="item 3 of a vector of 3"):
        Vector.of("abc")[3]


def test_growing_and_cutting_copy_next_to_nothing(long):
    one_copy_bytes = 8 * len(long)
    tracemalloc.start()
    kept = [long.append(1), long.take(20_001), long.take(31).append(1), long.take(1_025).append(1)]
    grown_bytes = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(kept) == 4
    assert grown_bytes < one_copy_bytes / 20
