"""Lines of a scenario that work for one simulation, found by looking at its world and a few of its steps."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Literal, get_origin

from cave_sim.changes.turn import OPERATOR
from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import fields_of, types_of
from cave_sim.errors import WorldError
from cave_sim.history.condition import Condition
from cave_sim.history.measures_by_name import as_named
from cave_sim.scenario.vocabulary import as_expression, visible_classes
from cave_sim.simulation.simulation import Simulation

MOST_STEPS, MOST_S = 6, 2.0
"""How many steps are taken to see what changes, and for how many seconds of a processor at most."""
EXAMPLE = "example"
"""What the measure is called."""
FEW_STATES = 6
"""So many different texts in a field are words for states; more are names."""


@dataclass(frozen=True)
class ExampleLines:
    """One working line of each kind; empty where a simulation has nothing to make it of.

    Attributes:
        measure: an expression.
        outcome: of a measure over all steps.
        when: what an intervention may wait for, or a run stop at: it does not hold at the start.
        set: what an intervention may set.
    """

    measure: str
    outcome: str
    when: str
    set: str

    def to_data(self) -> dict[str, str]:
        """Return them as plain data."""
        return asdict(self)


def example_lines(simulation: Simulation, package: str) -> ExampleLines:
    """Return lines that work for a simulation, of what changes in it first of all; a few steps of it are taken.

    Args:
        simulation: made, with no step taken; what reads its beginning has read it.
        package: the module that made it.
    """
    kinds = visible_classes(simulation, package)
    figures = {text: [_value(text, simulation)] for text in _figures(kinds)}
    settable = dict(_settable(kinds))
    measured = {name: [value] for name, value in simulation.latest_measures.items()}
    begun = time.process_time()
    for _ in range(MOST_STEPS):
        try:
            simulation.step()
        except Exception:  # somebody's own code may raise anything; what was seen until then will do
            break
        for text, values in figures.items():
            values.append(_value(text, simulation))
        for name, value in simulation.latest_measures.items():
            measured.setdefault(name, []).append(value)
        if simulation.over or time.process_time() - begun > MOST_S:
            break
    moving = [text for text, values in figures.items() if _moves(values)]
    named = [name for name, values in measured.items() if _moves(values)]
    measure = next(chain(moving, figures), "")
    outcome = next(chain(named, measured), EXAMPLE if measure else "")
    still = (text for text, value in settable.items() if _value(text, simulation) == value)
    return ExampleLines(
        measure,
        f"max({as_named(outcome)})" if outcome else "",
        next((_turns_true(as_named(name), measured[name]) for name in chain(named, measured)), "world.step >= 3"),
        next((line for text in still if (line := _set(text, settable[text], simulation))), ""),
    )


def _figures(kinds: Mapping[type[Entity], Mapping[str, Entity]]) -> Iterator[str]:
    """Yield expressions that are numbers: words for states first, then numbers that are bounded, then any others; of
    classes with several entities before those with one.
    """
    ranked = [each for kind, entities in kinds.items() for each in _figures_of(kind, [*entities.items()])]
    yield from (text for _, text in sorted(ranked, key=lambda each: each[0]))


def _figures_of(kind: type[Entity], entities: Sequence[tuple[str, Entity]]) -> Iterator[tuple[tuple[bool, int], str]]:
    everybody, first, is_single = f"world.all({kind.__name__})", as_expression(entities[0][0]), len(entities) == 1
    for name, declared in fields_of(kind).items():
        values = [entity.__dict__.get(name) for _, entity in entities]
        rank = (is_single, 1 if declared.le is not None else 2)
        if is_single and _is_number(values[0]):
            yield rank, f"{first}.{name}"
        elif is_single and isinstance(values[0], Sized) and not isinstance(values[0], str):
            yield rank, f"len({first}.{name})"
        elif is_single:
            continue
        elif all(map(_is_number, values)):
            yield rank, f"sum(p.{name} for p in {everybody}) / len({everybody})"
            yield rank, f"max(p.{name} for p in {everybody})"
        elif word := _rarest_word(kind, name, values):
            state = f"p.{name}" if word in ("True", "False") else f"p.{name} == {word}"
            yield (False, 0), f"sum({state} for p in {everybody}) / len({everybody})"


def _rarest_word(kind: type[Entity], name: str, values: Sequence[Any]) -> str:
    """Return the state that fewest are in, as code, where a field holds words for states; empty where it does not."""
    states = Counter(values) if all(isinstance(value, str | bool) for value in values) else Counter()
    is_state = get_origin(types_of(kind)[name].annotation) is Literal or 1 < len(states) <= FEW_STATES
    return repr(min(states, key=lambda state: (states[state], str(state)))) if states and is_state else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value(text: str, simulation: Simulation) -> Any:
    """Return what an expression comes to; None where there is nothing of that class by now."""
    try:
        return Condition(text).value(simulation.world)
    except WorldError:
        return None


def _moves(values: Sequence[Any]) -> bool:
    return None not in values and len(set(values)) > 1


def _turns_true(name: str, values: Sequence[float]) -> str:
    """Return a comparison that does not hold at first, and does where a figure is farthest from its beginning."""
    first = values[0]
    farthest = max(values, key=lambda value: abs(value - first))
    middle = (first + farthest) / 2
    sign, towards = (">=", math.ceil) if farthest >= first else ("<=", math.floor)
    whole = all(float(value).is_integer() for value in values)
    limit: float = towards(middle) if whole else float(f"{middle:.2g}")
    if farthest == first:
        limit = math.floor(first) + 1
    elif not (first < limit <= farthest or farthest <= limit < first):
        limit = farthest
    return f"{name} {sign} {limit:g}"


def _settable(kinds: Mapping[type[Entity], Mapping[str, Entity]]) -> Iterator[tuple[str, Any]]:
    """Yield the numbers of the first entity of each class, and what is yes or no, with their values: first what agents
    may write, too.
    """
    found = []
    for kind, entities in kinds.items():
        name, entity = next(iter(entities.items()))
        for field, declared in fields_of(kind).items() if name.isidentifier() else ():
            value = entity.__dict__.get(field)
            if isinstance(value, bool) or (_is_number(value) and value):
                rank = (isinstance(value, bool), declared.guarded, len(entities) > 1)
                found.append((rank, f"{name}.{field}", value))
    yield from (each[1:] for each in sorted(found, key=lambda each: each[0]))


def _set(text: str, value: float, simulation: Simulation) -> str:
    """Return what sets a number to half of it, or yes to no; empty if the world does not take that."""
    if isinstance(value, bool):
        other: float = not value
    else:
        other = value // 2 or 1 if isinstance(value, int) else float(f"{value / 2:g}")
    turn = simulation.world.fork().execute(f"{text} = {other!r}", OPERATOR)
    return f"{{{text}: {json.dumps(other)}}}" if turn.committed else ""
