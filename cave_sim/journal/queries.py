"""Questions to the tables of a run: its steps, turns, changes, cells and calls. Everything else asks through these.

:class:`~cave_sim.journal.reader.Run` yields whole turns, changes and calls; :mod:`cave_sim.journal.tallies` counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.diagnostics.number_checks import is_count
from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import DIGEST_BYTES
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import ANSWER_COLUMNS, Row, change_of_columns

# ---- steps


def last_turns(run: Run) -> dict[int, int]:
    """Return the last turn of each step, by step in order."""
    return dict(run.query("SELECT step, last_turn FROM steps ORDER BY step"))


def state_hashes(run: Run) -> dict[int, str]:
    """Return the digest of the state after each step, by step in order."""
    return dict(run.query("SELECT step, state_hash FROM steps ORDER BY step"))


def step_hashes(run: Run) -> dict[int, str]:
    """Return the hash that chains each step to the one before, by step in order."""
    return dict(run.query("SELECT step, hash FROM steps ORDER BY step"))


def first_step(run: Run) -> int | None:
    """Return the first step; None before any was committed."""
    step: int | None = run.query("SELECT min(step) FROM steps")[0][0]
    return step


def last_turn_of(run: Run, step: int) -> int:
    """Return the last turn of a step; raises JournalError if the run has no such step."""
    rows = run.query("SELECT last_turn FROM steps WHERE step = ?", step) if is_count(step) else ()
    if rows:  # a text would be found too, and understood otherwise by what asks next
        return int(rows[0][0])
    first, last = run.query("SELECT min(step), max(step) FROM steps")[0]
    steps = "no step at all" if first is None else f"the steps from {first} to {last}"
    kind = "" if isinstance(step, int) else "; a step is an int"
    raise JournalError(f"{run.folder} has no step {step!r}; it has {steps}{kind}")


def newest_turn(run: Run) -> int:
    """Return the last turn that was committed; 0 if there is none."""
    return int(run.query("SELECT coalesce(max(turn), 0) FROM turns")[0][0])


def turns_of_step(run: Run, step: int) -> tuple[int, int]:
    """Return the last turn before a step, 0 if there is none, and the step's own last turn."""
    rows = run.query("SELECT coalesce(max(last_turn), 0) FROM steps WHERE step < ?", step)
    return int(rows[0][0]), last_turn_of(run, step)


def step_of_turn(run: Run, turn: int) -> int:
    """Return the step with which a turn was committed, which may be later than the step its clock showed."""
    return int(run.query("SELECT min(step) FROM steps WHERE last_turn >= ?", turn)[0][0])


def step_before_new_fields(run: Run) -> int | None:
    """Return the last step before the classes of a run got fields; None if they never did.

    Cells up to that step ran on entities that lacked a field. Such classes are no more, so only the file tells of them.
    """
    sql = "SELECT max(step) FROM steps WHERE step < (SELECT max(step) FROM events WHERE kind = 'new_fields')"
    step: int | None = run.query(sql)[0][0]
    return step


# ---- turns and cells


def recorded_turns(run: Run, after_turn: int, last_turn: int) -> list[Row]:
    """Return the rows of ``turns`` behind one turn and up to another, as they are kept."""
    return run.query("SELECT * FROM turns WHERE turn > ? AND turn <= ? ORDER BY turn", after_turn, last_turn)


def committed_turns(run: Run, after_turn: int, last_turn: int) -> list[int]:
    """Return the committed turns behind one and up to another, without those that another turn ran."""
    sql = (
        "SELECT turn FROM turns WHERE turn > ? AND turn <= ? AND parent IS NULL AND status = 'committed' ORDER BY turn"
    )
    return [turn for (turn,) in run.query(sql, after_turn, last_turn)]


def child_turns(run: Run) -> dict[int, list[int]]:
    """Return the turns that other turns ran, in order, by the turn that ran them."""
    children: dict[int, list[int]] = {}
    for turn, parent in run.query("SELECT turn, parent FROM turns WHERE parent IS NOT NULL ORDER BY turn"):
        children.setdefault(parent, []).append(turn)
    return children


def status_of(run: Run, turn: int) -> str:
    """Return how a turn ended; empty if there is no such turn."""
    rows = run.query("SELECT status FROM turns WHERE turn = ?", turn)
    return str(rows[0][0]) if rows else ""


def acting_agents(run: Run) -> list[str]:
    """Return the names of those who ran cells, in alphabetical order."""
    return [agent for (agent,) in run.query("SELECT DISTINCT agent FROM turns WHERE kind = 'cell' ORDER BY agent")]


def code_of(run: Run, cell: str) -> str:
    """Return the code of a cell by its hash; empty if the file has none."""
    rows = run.query("SELECT code FROM cells WHERE hash = ?", cell)
    return str(rows[0][0]) if rows else ""


def turn_of_driver(run: Run, driver: str, sequence: int) -> tuple[int, int]:
    """Return turn and step of what a driver of a world on Ray did under a number of its own.

    Raises:
        JournalError: it did nothing under that number.
    """
    sql = (
        "SELECT turn, step FROM turns WHERE usage IS NOT NULL AND json_extract(usage, '$.driver') = ?"
        " AND json_extract(usage, '$.sequence') = ? ORDER BY turn DESC LIMIT 1"
    )
    rows = run.query(sql, driver, sequence)
    if not rows:
        raise JournalError(f"{run.folder} has no turn {sequence} of {driver}")
    return rows[0][0], rows[0][1]


def simultaneous_turns(run: Run, step: int) -> list[dict[str, int]]:
    """Return the first and last turn of every batch of a step whose cells saw one state."""
    rows = run.query("SELECT data FROM events WHERE step = ? AND kind = 'together' ORDER BY entry", step)
    with run.reading():
        return [from_json(data) for (data,) in rows]


def gifts(run: Run, step: int) -> list[dict[str, Any]]:
    """Return what the program did to agents' variables during a step, in order, as plain data."""
    rows = run.query("SELECT data FROM events WHERE step = ? AND kind = 'gift' ORDER BY entry", step)
    with run.reading():
        return [from_json(data) for (data,) in rows]


def given_answers(run: Run) -> dict[int, dict[str, Any]]:
    """Return what cells were given by other minds: turn -> its ``agent``, and what was ``given`` in order."""
    rows = run.query("SELECT data FROM events WHERE kind = 'answers' ORDER BY entry")
    with run.reading():
        return {data["turn"]: data for data in (from_json(text) for (text,) in rows)}


def variables_hashes(run: Run) -> dict[int, str]:
    """Return the digest of all agents' variables by each step after which it was another one."""
    rows = run.query("SELECT step, data FROM kept WHERE agent = '' AND kind = 'variables_hash' ORDER BY step")
    with run.reading():
        return {step: from_json(data) for step, data in rows}


# ---- what was read of others


def reads_of_step(run: Run, step: int) -> dict[int, dict[str, list[str]]]:
    """Return what the turns of a step read of others and not everybody may, by turn: entity -> fields."""
    rows = run.query("SELECT data FROM events WHERE step = ? AND kind = 'reads' ORDER BY entry", step)
    with run.reading():
        return {each["turn"]: each["read"] for each in (from_json(data) for (data,) in rows)}


def readings(run: Run, entity: str, until_turn: int) -> Iterator[Row]:
    """Yield turn, step, agent, status, entity and field, as often as somebody read a field of somebody else, in order.

    Args:
        run: the run.
        entity: whose field; empty for everybody's.
        until_turn: the last turn that counts.
    """
    yield from run.rows(
        "SELECT turn, turns.step, agent, status, holder.key, field.value "
        "FROM events, json_each(data, '$.read') AS holder, json_each(holder.value) AS field "
        "JOIN turns ON turn = json_extract(data, '$.turn') "
        "WHERE events.kind = 'reads' AND ? IN ('', holder.key) AND turn <= ? ORDER BY turn, holder.key, field.value",
        entity, until_turn,
    )  # fmt: skip


def all_readings(run: Run) -> Iterator[Row]:
    """Yield turn, step, agent and entity, as often as a turn read what not everybody may of somebody else, in order."""
    yield from run.rows(
        "SELECT turn, turns.step, agent, holder.key FROM events, json_each(data, '$.read') AS holder "
        "JOIN turns ON turn = json_extract(data, '$.turn') WHERE events.kind = 'reads' ORDER BY turn, holder.key"
    )


# ---- changes


def changes_of_turn(run: Run, turn: int) -> list[Change]:
    """Return the changes that a turn left behind, in order."""
    rows = run.query("SELECT entity, path, op, old, new FROM changes WHERE turn = ? ORDER BY position", turn)
    with run.reading():
        return [change_of_columns(*columns) for columns in rows]


def placed_changes(run: Run) -> Iterator[Row]:
    """Yield turn, position, step, agent, kind, entity, path, op, old and new of every change that built the state."""
    yield from run.rows(
        "SELECT turn, position, step, agent, kind, entity, path, op, old, new FROM changes JOIN turns USING (turn) "
        "WHERE parent IS NULL ORDER BY turn, position"
    )


def changes_between(run: Run, after_turn: int, last_turn: int) -> Iterator[Row]:
    """Yield entity, path, op, old and new of the changes that built the state behind one turn and up to another.

    Path and values are the JSON of the columns, so that who folds many of them decodes what it needs.
    """
    yield from run.rows(
        "SELECT entity, path, op, old, new FROM changes JOIN turns USING (turn) "
        "WHERE turn > ? AND turn <= ? AND parent IS NULL ORDER BY turn, position",
        after_turn, last_turn,
    )  # fmt: skip


def changes_to(
    run: Run, after_turn: int, last_turn: int, entities: Collection[str], fields: Collection[str]
) -> Iterator[Row]:
    """Yield, of what :func:`changes_between` does, what these entities are, all comings and goings, and these fields.

    Args:
        run: the run.
        after_turn: the last turn that does not count.
        last_turn: the last one that does.
        entities: names.
        fields: names of fields, whosever.
    """
    written = "".join(" OR path = ? OR instr(path, ?) = 1" for _ in fields)
    paths = [text for field in fields for text in (to_json([field]).decode(), to_json([field]).decode()[:-1] + ",")]
    yield from run.rows(
        "SELECT entity, path, op, old, new FROM changes JOIN turns USING (turn) "
        "WHERE turn > ? AND turn <= ? AND parent IS NULL AND "
        f"(path = '[]' OR entity IN (SELECT value FROM json_each(?)){written}) ORDER BY turn, position",
        after_turn, last_turn, to_json(sorted(entities)).decode(), *paths,
    )  # fmt: skip


def entities_given(run: Run, after_turn: int, last_turn: int, text: str) -> set[str]:
    """Return the entities of which a change behind one turn and up to another has a text in its new value."""
    sql = "SELECT DISTINCT entity FROM changes WHERE turn > ? AND turn <= ? AND instr(new, ?)"
    return {name for (name,) in run.query(sql, after_turn, last_turn, text)}


def recorded_changes(run: Run, after_turn: int, last_turn: int) -> dict[int, list[Row]]:
    """Return the rows of ``changes`` behind one turn and up to another by turn, as they are kept."""
    changes: dict[int, list[Row]] = {}
    sql = "SELECT * FROM changes WHERE turn > ? AND turn <= ? ORDER BY turn, position"
    for row in run.rows(sql, after_turn, last_turn):
        changes.setdefault(row[0], []).append(row)
    return changes


def changed_by_others(run: Run, step: int) -> set[str]:
    """Return the entities that somebody else changed in a step."""
    sql = "SELECT DISTINCT entity FROM changes JOIN turns USING (turn) WHERE turn > ? AND turn <= ? AND entity <> agent"
    return {name for (name,) in run.query(sql, *turns_of_step(run, step))}


def writes(run: Run, entity: str, field_json: str, until_turn: int) -> Iterator[Row]:
    """Yield what was written to an entity, latest first: turn, step, agent, kind, cell, path, op, old, new as kept.

    Args:
        run: the run.
        entity: its name.
        field_json: the field as JSON; empty for all of them.
        until_turn: the last turn that counts.
    """
    paths, parameters = "1", [until_turn, entity]
    if field_json:
        paths = "(path = '[]' OR path = ? || ']' OR instr(path, ? || ',') = 1)"
        parameters += 2 * [f"[{field_json}"]
    yield from run.rows(
        "SELECT turn, step, agent, kind, cell, path, op, old, new FROM changes JOIN turns USING (turn) "
        f"WHERE parent IS NULL AND turn <= ? AND entity = ? AND {paths} ORDER BY turn DESC, position DESC",
        *parameters,
    )


def write_of_turn(run: Run, turn: int, entity: str, path: str, new: str | None) -> Row | None:
    """Return turn, step, agent, kind and cell of a turn if it left this very value at a path, both as JSON; or None."""
    rows = run.query(
        "SELECT turn, step, agent, kind, cell FROM turns JOIN changes USING (turn) "
        "WHERE turn = ? AND entity = ? AND path = ? AND new IS ?",
        turn, entity, path, new,
    )  # fmt: skip
    return rows[0] if rows else None


def has_entity(run: Run, name: str) -> bool:
    """Say whether the run has or had an entity of this name."""
    return bool(run.query("SELECT 1 FROM changes WHERE entity = ? LIMIT 1", name))


def created_entities(run: Run) -> list[str]:
    """Return the names of all entities that were ever made."""
    return [name for (name,) in run.query("SELECT DISTINCT entity FROM changes WHERE op = 'create'")]


def first_description(run: Run, entity: str) -> str | None:
    """Return the type and fields that an entity was made with, as JSON; None if the run did not make it."""
    rows = run.query("SELECT new FROM changes WHERE entity = ? AND op = 'create' LIMIT 1", entity)
    return rows[0][0] if rows else None


def written_paths(run: Run, entity: str) -> list[str]:
    """Return the paths that were ever written below an entity, as JSON."""
    rows = run.query("SELECT DISTINCT path FROM changes WHERE entity = ? AND path <> '[]'", entity)
    return [path for (path,) in rows]


# ---- snapshots, and what is kept beside the world


def nearest_snapshot(run: Run, step: int) -> tuple[int, int] | None:
    """Return step and last turn of the latest whole snapshot up to a step; None if there is none."""
    rows = run.query(
        "SELECT step, last_turn FROM steps JOIN snapshots USING (step) "
        f"WHERE step <= ? AND length(state) <> {DIGEST_BYTES} ORDER BY step DESC LIMIT 1",
        step,
    )
    return (rows[0][0], rows[0][1]) if rows else None


def snapshot_sizes(run: Run) -> dict[int, int]:
    """Return the bytes of each snapshot by step in order; one that was dropped has the size of a digest."""
    return dict(run.query("SELECT step, length(state) FROM snapshots ORDER BY step"))


def packed_snapshot(run: Run, step: int) -> bytes:
    """Return the compressed snapshot of a step; raises LookupError if there is none."""
    state: bytes = run.query("SELECT state FROM snapshots WHERE step = ?", step)[0][0]
    return state


def variables_at(run: Run, step: int) -> dict[str, dict[str, Any]]:
    """Return the variables that agents' cells had after a step, as plain data by agent."""
    sql = "SELECT agent, data, max(step) FROM kept WHERE kind = 'variables' AND step <= ? GROUP BY agent"
    with run.reading():
        return {agent: from_json(data) for agent, data, _ in run.query(sql, step)}


def steps_with_replies(run: Run) -> set[int]:
    """Return the steps in which a model answered."""
    return {step for (step,) in run.query("SELECT DISTINCT step FROM calls WHERE reply IS NOT NULL")}


def names_of_measures(run: Run) -> frozenset[str]:
    """Return what all measures of a run are called."""
    return frozenset(name for (name,) in run.query("SELECT DISTINCT name FROM measures"))


def measures_of(run: Run, step: int) -> dict[str, float]:
    """Return the measures of a step by name."""
    return dict(run.query("SELECT name, value FROM measures WHERE step = ? ORDER BY name", step))


def answers(run: Run) -> list[dict[str, Any]]:
    """Return the answers to questionnaires by column, in the order of asking."""
    if not run.query("SELECT 1 FROM sqlite_master WHERE name = 'answers'"):
        return []  # the run is older than the table
    rows = run.query(f"SELECT {', '.join(ANSWER_COLUMNS)} FROM answers ORDER BY step, survey, agent, place")
    answers = [dict(zip(ANSWER_COLUMNS, row, strict=True)) for row in rows]
    return [{**answer, "value": run.data(answer["value"])} for answer in answers]
