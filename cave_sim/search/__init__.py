"""Search: the least change of a scenario's parameters that flips a condition, with trials as evaluations."""

from cave_sim.search.change import Change, SearchSpace
from cave_sim.search.goal import Goal
from cave_sim.search.search import Search, Tried

__all__ = ["Change", "Goal", "Search", "SearchSpace", "Tried"]
