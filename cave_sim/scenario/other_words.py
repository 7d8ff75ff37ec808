"""Words of other tools that a scenario does not have, and what is written in their place."""

from __future__ import annotations

from cave_sim.history.other_notations import by_word

SEEDS = "seeds: how many runs each condition has, under one seed after another"
STEPS = "steps: how many a run takes"
PEOPLE = "residents where the simulation has them, else what options calls it"
TOP = "it at the top of the scenario: it is the same under every condition"
LINE = "on the command line of cave-sim study"


OTHER_WORDS: dict[str, dict[str, str]] = {
    "Scenario": by_word(
        {
            "replicates replications repetitions repeats runs trials n n_runs n_seeds": SEEDS,
            "iterations ticks until duration days horizon max_steps n_steps": STEPS,
            "agents population people n_agents num_agents": PEOPLE,
            "llm": "model: a language model by name, or scripted",
            "arms treatments variants groups": "conditions: what is different, by name",
            "metrics outputs reporters observables": "measures: what is taken after each step, by name",
            "events actions shocks schedule": "interventions: what is done, and when",
            "grid sweep params factors": "parameters: what is varied, by name",
            "stop_when stop_if": "stop: a condition under which a run ends",
            "settings config set arguments kwargs": "options: of the simulation, by name",
            "workers": f"--workers N {LINE}",
            "out output folder": f"--out DIR {LINE}",
            "budget max_usd max_calls max_tokens": f"--max-usd, --max-calls or --max-tokens {LINE}",
        }
    ),
    "ScenarioCondition": by_word(
        {
            "steps seed seeds measures surveys parameters sampling name simulation": TOP,
            "set settings config params": "options: of the simulation, by name",
            "description label title": "about: one line for readers",
            "agents population people": PEOPLE,
            "llm": "model: a language model by name, or scripted",
            "events actions": "interventions: what is done, and when",
        }
    ),
    "PlannedAct": by_word(
        {
            "step time tick on moment": "at: a step, or a world time",
            "if condition trigger once": "when: a condition",
            "code script do run python": "cell: what is done, as Python",
            "who by as actor": "agent: in whose name",
            "call method": "act: a method call, as {entity: ..., method: ...}",
            "every each always": "repeat: true, beside when",
        }
    ),
    "Parameter": by_word(
        {
            "min minimum from start lower": "low: the least value",
            "max maximum to end upper": "high: the greatest value",
            "choices levels options list grid": "values: each that is tried",
            "default base": "usual: what it has where others vary",
            "integer int": "whole: true, for whole numbers",
        }
    ),
    "Measure": by_word({"expression expr formula code function": "value: an expression, or module:function"}),
    "Survey": by_word({"agents who people": "whom: who is asked", "items": "questionnaire: typed items"}),
}
"""Class of a part -> key that others would expect -> what to write."""
