"""The hash and the seal of a step: each covers the one before it and all of the step, and the hash no times."""

import hashlib

from cave_sim.journal.hash_chain import DIGEST_BYTES, GENESIS, chain, manifest_seal, seal, snapshot_digest

TURN = (1, 0, "ann", None, "cell", "c0ffee", "committed", "hello", None, 0.25, '{"tokens":3}')
CHANGE = (1, 0, "ann", '["mood"]', "set", "0.5", "0.75")
ROWS = {"kept": [(1, "ann", "agent", "{}")], "events": [(1, 1, "noted", "{}")]}


def hashed(previous=GENESIS, step=1, state_hash="ab", turns=(TURN,), changes=(CHANGE,)):
    return chain(previous, step, state_hash, turns, changes)


def sealed(previous=GENESIS, step=("ab", 600.0, 1, 0), durations_s=(0.25,), rows=ROWS, snapshot=b"state"):
    return seal(previous, step, durations_s, rows, snapshot)


def with_column(row, column, value):
    """Return a row with another value in a column."""
    return (*row[:column], value, *row[column + 1 :])


def test_a_hash_covers_the_one_before_the_number_and_the_state():
    variants = [hashed(), hashed(previous="1" * 64), hashed(step=2), hashed(state_hash="cd")]
    assert len(set(variants)) == len(variants)


def test_a_hash_covers_every_column_of_turns_and_changes_but_wall_clock_time():
    turns = [hashed(turns=[with_column(TURN, column, "another")]) for column in range(len(TURN)) if column != 9]
    changes = [hashed(changes=[with_column(CHANGE, column, 9)]) for column in range(len(CHANGE))]
    variants = [hashed(), hashed(turns=()), hashed(changes=()), *turns, *changes]
    assert len(set(variants)) == len(variants)
    assert hashed(turns=[with_column(TURN, 9, 99.0)]) == hashed()


def test_a_hash_does_not_depend_on_the_order_in_which_changes_come():
    second = with_column(CHANGE, 1, 1)
    assert hashed(changes=(CHANGE, second)) == hashed(changes=(second, CHANGE))


def test_a_seal_covers_the_one_before_and_everything_beside_the_hash():
    variants = [
        sealed(),
        sealed(previous="1" * 64),
        *(sealed(step=with_column(("ab", 600.0, 1, 0), column, 7)) for column in range(4)),
        sealed(durations_s=(0.5,)),
        sealed(snapshot=None),
        sealed(snapshot=b"another"),
        *(sealed(rows={table: [(1, 1, "x", "y")]}) for table in ("events", "measures", "calls", "sessions", "kept")),
    ]
    assert len(set(variants)) == len(variants)


def test_a_snapshot_that_was_dropped_is_covered_by_what_it_left():
    left = hashlib.sha256(b"state").digest()
    assert len(left) == DIGEST_BYTES
    assert snapshot_digest(left) == snapshot_digest(b"state") == left
    assert sealed(snapshot=left) == sealed(snapshot=b"state")


def test_the_seal_of_a_manifest_covers_every_entry_in_whatever_order_they_come_and_not_itself():
    rows = [("seed", "7"), ("format", "2")]
    assert manifest_seal(rows) == manifest_seal(rows[::-1]) == manifest_seal([*rows, ("seal", '"x"')])
    assert manifest_seal(rows) != manifest_seal([("seed", "8"), ("format", "2")])
