"""Rules that emerged: what held in runs although nothing demanded it, mined from their journals."""

from cave_sim.rules.mining import EmergedRule, Mined, mined
from cave_sim.rules.rule import Breach, Rule
from cave_sim.rules.table import RunTable, read_table

__all__ = ["Breach", "EmergedRule", "Mined", "Rule", "RunTable", "mined", "read_table"]
