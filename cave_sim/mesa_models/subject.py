"""A Mesa model that is stepped as Mesa steps it, with generators of its own and a digest of where they stand."""

from __future__ import annotations

import hashlib
import random
from array import array
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import numpy as np
from numpy.random import mtrand

from cave_sim.loading.quick_mesa import mesa
from cave_sim.mesa_models.construction import Construction


class GlobalGenerators:
    """The generators of the modules ``random`` and ``numpy.random``, as one model finds and leaves them.

    A model that draws from them, or calls a library that does, follows from its seed as well: they begin as
    ``random.seed(seed)`` and ``numpy.random.seed(seed)`` would set them, and nobody else's draws shift them. They
    are in place within this context, which may nest.
    """

    def __init__(self, seed: int) -> None:
        self._depth = 0
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin anew."""
        self._python = random.Random(seed).getstate()
        self._numpy = np.random.MT19937()
        as_seeded: Any = np.random.RandomState(seed % 2**32).get_state(legacy=False)
        self._numpy.state = as_seeded
        if self._depth:
            self._put_in_place()

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._others = random.getstate(), mtrand.get_bit_generator()
            self._put_in_place()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._depth -= 1
        if not self._depth:
            self._python = random.getstate()
            random.setstate(self._others[0])
            mtrand.set_bit_generator(self._others[1])

    def _put_in_place(self) -> None:
        random.setstate(self._python)
        mtrand.set_bit_generator(self._numpy)

    def data(self) -> Any:
        """Return where that of ``random`` stands; asking numpy's would take longer than the step of many a model."""
        return random.getstate() if self._depth else self._python


class Subject:
    """One Mesa model, made by its class, arguments and seed.

    Attributes:
        model: the model.
        steps: how many steps it was taken.
        generators: those of modules, as it finds and leaves them.
    """

    def __init__(self, construction: Construction, arguments: Mapping[str, Any], seed: int) -> None:
        self.generators: GlobalGenerators = GlobalGenerators(seed)
        with self.generators:
            model, self._simulator = construction.make(arguments, seed)
        self.model: mesa.Model = model
        self.steps: int = 0

    def step(self) -> None:
        """Take one step, as Mesa does."""
        with self.generators:
            if self._simulator is None:
                self.model.step()
            else:
                self._simulator.run_for(1)
        self.steps += 1

    def seed(self, seed: int) -> None:
        """Let all its generators draw from a new seed on; whoever holds one of them goes on holding it."""
        self.model.random.seed(seed)
        generator = self.model.rng.bit_generator
        generator.state = type(generator)(seed).state
        self.generators.seed(seed)

    def digest(self) -> str:
        """Return a digest of where its generators, its clock and the layers of its spaces stand."""
        model = self.model
        clock = getattr(self._simulator, "time", getattr(model, "time", None))
        text = hashlib.sha256(repr(clock).encode())
        for state in (model.random.getstate(), model.rng.bit_generator.state, self.generators.data()):
            _add(text, state)
        for name, layer in _layers(model):
            text.update(name.encode())
            text.update(np.ascontiguousarray(layer).tobytes())
        return text.hexdigest()


def reported(model: mesa.Model) -> dict[str, Any]:
    """Return what a model's data collector has collected last, by the names of its reporters; None before that."""
    collector = getattr(model, "datacollector", None)
    if not isinstance(collector, mesa.DataCollector):
        return {}
    return {name: values[-1] if values else None for name, values in collector.model_vars.items()}


_WITHOUT_LAYERS = frozenset({int, float, bool, str, list, dict, tuple, type(None)})
"""What most attributes of models are; asking each of them in vain takes as long as some models' steps."""


def _layers(model: mesa.Model) -> list[tuple[str, Any]]:
    arrays = []
    for name, value in vars(model).items():
        if type(value) in _WITHOUT_LAYERS:
            continue
        layers = getattr(value, "_mesa_property_layers", None) or getattr(value, "properties", None)
        if isinstance(layers, dict):
            for key, layer in layers.items():
                data = getattr(layer, "data", None)
                if isinstance(data, np.ndarray) and data.dtype != object:
                    arrays.append((f"{name}.{key}", data))
    return arrays


def _add(text: Any, state: Any) -> None:
    """Add a generator's state to a digest."""
    if isinstance(state, dict):
        for key, part in state.items():
            text.update(key.encode())
            _add(text, part)
    elif isinstance(state, np.ndarray):
        text.update(state.tobytes())
    elif isinstance(state, tuple) and len(state) == 3 and isinstance(state[1], tuple):  # of a random.Random
        text.update(array("L", state[1]).tobytes())
        text.update(repr(state[2]).encode())
    else:
        text.update(repr(state).encode())
