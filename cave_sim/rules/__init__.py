"""Rules that emerged: what held in runs although nothing demanded it, mined from their journals."""

from cave_sim.rules.mining import Found, Mined, mined
from cave_sim.rules.rule import Breach, Rule
from cave_sim.rules.table import Table, read_table

__all__ = ["Breach", "Found", "Mined", "Rule", "Table", "mined", "read_table"]
