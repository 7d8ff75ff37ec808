"""Models whose course depends on who else holds their agents and their arguments: the same as under plain Mesa."""

from typing import ClassVar

import mesa
import pytest

from cave_sim.testing import MesaModelContract

pytestmark = pytest.mark.filterwarnings("ignore:The use of the `seed` keyword:FutureWarning")  # of a newer Mesa


class Hunter(mesa.Agent):
    """Takes others out of the model. Mesa lets these act once more within the step if somebody still holds them."""

    def __init__(self, model):
        super().__init__(model)
        self.prey = None

    def step(self):
        self.model.acts += 1
        if self.prey is None:
            self.prey = self.random.choice(list(self.model.agents))
        elif self.random.random() < 0.5:
            self.prey.remove()
            self.prey = None


class Hunt(mesa.Model):
    def __init__(self, n=60, seed=None):
        super().__init__(seed=seed)
        self.acts = 0
        Hunter.create_agents(self, n)

    def step(self):
        self.agents.shuffle_do("step")


class TestWhoWasTakenOut(MesaModelContract):
    model = Hunt
    steps = 12


class Trail:
    """Where somebody has been."""

    def __init__(self):
        self.marks = []


class Walk(mesa.Model):
    """Keeps its trail in a default argument, which Python makes once for all models."""

    def __init__(self, trail=Trail(), seed=None):  # noqa: B008
        super().__init__(seed=seed)
        self.trail, self.length, self.at = trail, 0, 0

    def step(self):
        self.at += self.random.choice([-1, 1, len(self.trail.marks)])
        self.trail.marks.append(self.at)
        self.length = len(self.trail.marks)


class TestADefaultThatModelsChange(MesaModelContract):
    model = Walk
    arguments: ClassVar = {}

    def test_each_model_finds_it_as_it_was_declared(self):
        for simulation in (self.make(), self.make()):
            simulation.run(steps=3)
            assert simulation.world["model"].length == 3


class Unset:
    """Stands for an argument that nobody gave."""


UNSET, NOTHING = object(), Unset()


class Asking(mesa.Model):
    """Asks by ``is`` whether it was given its arguments."""

    def __init__(self, start=UNSET, end=NOTHING, seed=None):
        super().__init__(seed=seed)
        self.start = 0 if start is UNSET else 1
        self.end = 0 if end is NOTHING else 1

    def step(self):
        self.start += 1


class TestADefaultThatIsAMark(MesaModelContract):
    model = Asking
    arguments: ClassVar = {}

    def test_it_is_the_one_that_the_model_asks_for(self):
        model = self.make().world["model"]
        assert (model.start, model.end) == (0, 0)
