"""Studies: tasks after those of the papers, with outcomes that a program checks. Each module here is one ``STUDY``."""

from dataclasses import replace

from cave_sim.agents.codeact import CodeAct
from cave_sim.agents.function_calling import FunctionCaller
from cave_sim.experiment.trial import Paradigm
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent


class Cave(LLMAgent):
    """An agent whose variables are native objects (CaveAgent)."""

    habits: Habits = replace(LLMAgent.habits, max_cells=10, max_tokens=2_048, context="full")

    def moment(self) -> str:
        return ""


class Texts(CodeAct):
    """An agent whose code is heard as text (CodeAct)."""

    habits: Habits = replace(CodeAct.habits, max_cells=10, max_tokens=2_048, context="full")

    def moment(self) -> str:
        return ""


class Caller(FunctionCaller):
    """An agent that calls functions by JSON."""

    habits: Habits = replace(FunctionCaller.habits, max_cells=30, max_tokens=8_192, context="full")


PARADIGMS = {
    "cave": Paradigm("cave", Cave, takes_objects=True),
    "codeact": Paradigm("codeact", Texts),
    "json": Paradigm("json", Caller),
}
