"""Scenarios: a question in, an answer with an interval out. What is run, done to it, measured and compared."""

from cave_sim.scenario.folder import StudyFolder, open_study, run_study
from cave_sim.scenario.reading import load_scenario, parse_scenario
from cave_sim.scenario.schema import Scenario

__all__ = ["Scenario", "StudyFolder", "load_scenario", "open_study", "parse_scenario", "run_study"]
