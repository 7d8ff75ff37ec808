"""Mining: the rules of runs that are too surprising to hold by chance, the most surprising first.

A rule is reported if the chance that it would hold in runs in which nothing brings it about is at most ``ALPHA``, all
rules that were looked at taken into account, those that do not hold included: Bonferroni's adjustment by the size of
the search space (Webb, Discovering Significant Patterns, Machine Learning 68, 2007), a share of it for each kind
(Webb, Layered Critical Values, Machine Learning 71, 2008). Surprise is that adjusted chance in bits, ``-log2`` of it
(S-values: Greenland, Valid P-values Behave Exactly as They Should, The American Statistician 73, 2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.rules.families import FAMILIES
from cave_sim.rules.rule import Rule
from cave_sim.rules.table import RunTable

ALPHA = 0.05
"""How likely at least one rule that is reported would hold by chance."""
LEAST_BITS = -math.log2(ALPHA)


@dataclass(frozen=True)
class EmergedRule:
    """One rule that emerged.

    Attributes:
        rule: the rule.
        bits: surprise, in bits, beyond what looking at so many rules explains; at least ``LEAST_BITS``.
        support: what it rests on, in words.
    """

    rule: Rule
    bits: float
    support: str

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        rule = self.rule
        facts = {"kind": rule.family, "rule": rule.sentence, "bits": self.bits, "support": self.support}
        return {**facts, "condition": rule.condition()}


@dataclass(frozen=True)
class Mined:
    """What was found.

    Attributes:
        rules: the most surprising first.
        looked: how many rules were looked at, by kind.
    """

    rules: tuple[EmergedRule, ...]
    looked: dict[str, int]


def mined(table: RunTable) -> Mined:
    """Return the rules that emerged; raises WorldError for what is no table of runs."""
    if not isinstance(table, RunTable):
        raise WorldError(f"mined({table!r}): takes what read_table([run, ...]) returns")
    looked: dict[str, int] = {}
    candidates: list[EmergedRule] = []
    for name, family in FAMILIES.items():
        every = list(family(table))
        looked[name] = len(every)
        for each in every:
            bits = -each.chance - math.log2(len(every) * len(FAMILIES))
            if each.rule is not None and bits >= LEAST_BITS:
                candidates.append(EmergedRule(each.rule, bits, each.support))
    taken: set[tuple[Any, ...]] = set()
    rules = []
    for rule in sorted(candidates, key=lambda each: (-each.bits, each.rule.sentence)):
        if taken.isdisjoint(places := rule.rule.places()):
            taken.update(places)
            rules.append(rule)
    return Mined(tuple(rules), looked)
