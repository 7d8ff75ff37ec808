"""``multi_variable``: 5 to 25 variables at once, 3 turns, each of which changes many of them (§4.2.2, D.2).

The conversations are drawn from a seed, so that there are as many as one wants; each clause of a turn names what to do
with one variable, and is worked out here by the function beside it, not by the cell that a model would write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from cave_sim.experiment.study import Study
from cave_sim.experiment.task import Query, Task, Variable

TIERS = (5, 10, 15, 20, 25)
CONVERSATIONS = 5
TURNS = 3

NAMES: Mapping[type, tuple[str, ...]] = {
    int: ("staff", "customers", "tables", "orders", "branches"),
    float: ("rent", "margin", "distance", "rating", "weight"),
    str: ("brand", "slogan", "city", "manager", "status"),
    list: ("queue", "scores", "rooms", "prices", "shifts"),
    dict: ("stock", "hours", "targets", "votes", "levels"),
}
WORDS = ("amber", "basil", "cobalt", "delta", "ember", "fjord", "garnet", "hazel")


@dataclass(frozen=True)
class Clause:
    """Something to do with one variable: in words, as code, and done."""

    text: str
    code: str
    after: Callable[[Any], Any]


def _of_int(name: str, rng: Random) -> list[Clause]:
    n, m = rng.randint(2, 9), rng.randint(11, 60)
    return [
        Clause(f"raise {name} by {m}", f"{name} += {m}", lambda v: v + m),
        Clause(f"lower {name} by {n}", f"{name} -= {n}", lambda v: v - n),
        Clause(f"multiply {name} by {n}", f"{name} *= {n}", lambda v: v * n),
        Clause(f"divide {name} by {n} and drop the remainder", f"{name} //= {n}", lambda v: v // n),
    ]


def _of_float(name: str, rng: Random) -> list[Clause]:
    share, n = rng.choice((5, 10, 20, 25)), rng.randint(2, 8)
    return [
        Clause(f"raise {name} by {share} percent", f"{name} *= 1 + {share} / 100", lambda v: v * (1 + share / 100)),
        Clause(f"add {n}.5 to {name}", f"{name} += {n}.5", lambda v: v + n + 0.5),
        Clause(f"divide {name} by {n}", f"{name} /= {n}", lambda v: v / n),
    ]


def _of_str(name: str, rng: Random) -> list[Clause]:
    word = rng.choice(WORDS)
    return [
        Clause(f"set {name} to '{word} house'", f"{name} = '{word} house'", lambda v: f"{word} house"),
        Clause(f"put '{word} ' in front of {name}", f"{name} = '{word} ' + {name}", lambda v: f"{word} {v}"),
        Clause(f"put '-{word}' behind {name}", f"{name} += '-{word}'", lambda v: f"{v}-{word}"),
    ]


def _of_list(name: str, rng: Random) -> list[Clause]:
    n, m = rng.randint(2, 9), rng.randint(10, 40)
    return [
        Clause(f"append {m} to {name}", f"{name}.append({m})", lambda v: [*v, m]),
        Clause(f"multiply each element of {name} by {n}", f"{name} = [each * {n} for each in {name}]",
               lambda v: [each * n for each in v]),
        Clause(f"put {n} at the front of {name}", f"{name}.insert(0, {n})", lambda v: [n, *v]),
    ]  # fmt: skip


def _of_dict(name: str, rng: Random) -> list[Clause]:
    word, n = rng.choice(WORDS), rng.randint(2, 30)
    return [
        Clause(f"set '{word}' in {name} to {n}", f"{name}['{word}'] = {n}", lambda v: {**v, word: n}),
        Clause(f"add {n} to every value of {name}", f"{name} = {{k: v + {n} for k, v in {name}.items()}}",
               lambda v: {key: value + n for key, value in v.items()}),
    ]  # fmt: skip


CLAUSES: Mapping[type, Callable[[str, Random], list[Clause]]] = {
    int: _of_int,
    float: _of_float,
    str: _of_str,
    list: _of_list,
    dict: _of_dict,
}


def _start(kind: type, rng: Random) -> Any:
    """Return a first value of a type."""
    if kind is int:
        return rng.randint(20, 400)
    if kind is float:
        return rng.randint(10, 800) / 4
    if kind is str:
        return rng.choice(WORDS)
    if kind is list:
        return [rng.randint(1, 20) for _ in range(3)]
    return {word: rng.randint(1, 20) for word in rng.sample(WORDS, 2)}


def conversation(count: int, number: int, seed: int) -> Task:
    """Return a conversation about so many variables."""
    rng = Random(f"{seed} {count} {number}")
    kinds = [kind for _, kind in zip(range(count), list(NAMES) * count, strict=False)]
    names = {name: kind for kind in NAMES for name in NAMES[kind][: kinds.count(kind)]}
    start = {name: _start(kind, rng) for name, kind in names.items()}
    queries, now = [], dict(start)
    for _ in range(TURNS):
        changed = sorted(rng.sample(sorted(names), max(3, count // 2)))
        clauses = {name: rng.choice(CLAUSES[names[name]](name, rng)) for name in changed}
        now |= {name: clause.after(now[name]) for name, clause in clauses.items()}
        text = "Please " + "; ".join(clause.text for clause in clauses.values()) + "."
        code = "\n".join(clause.code for clause in clauses.values())
        queries.append(Query(text, {name: now[name] for name in changed}, cave=code))
    name, group = f"{count}_variables_{number}", f"{count} variables"
    return Task(name, group, tuple(queries), variables=partial(_variables, start))


def _variables(start: Mapping[str, Any]) -> dict[str, Variable]:
    return {
        name: Variable(type(value)(value) if isinstance(value, list | dict) else value) for name, value in start.items()
    }


def tasks(seed: int) -> list[Task]:
    """Return five conversations for each number of variables."""
    return [conversation(count, number, seed) for count in TIERS for number in range(1, CONVERSATIONS + 1)]


STUDY = Study("multi_variable", "Many variables at once, three turns", "After CaveAgent §4.2.2 and D.2.", tasks)
