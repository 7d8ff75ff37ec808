"""Where the cells of a simulation run that nobody has put anywhere: jailed, as soon as a language model writes them.

Hosts are above simulations, so the one that jails is found by its entry point. Who put the world on a host already, or
told the simulation ``host="local"``, has decided; scripted and recorded models write what is known, and stay here.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, Literal, Protocol, get_args

from cave_sim.errors import WorldError
from cave_sim.loading.entry_points import HOSTS, named
from cave_sim.models.base import Model
from cave_sim.models.origin import is_language_model

HostName = Literal["local", "process"]


def expect_host(host: object) -> None:
    """Raise WorldError for what is no host of a simulation; None is for where it is safe."""
    if host is not None and host not in get_args(HostName):
        raise WorldError(f"host={host!r}: takes 'process', 'local', or None for where it is safe")


class _Closable(Protocol):
    level: Any

    def close(self) -> None: ...


class Jail:
    """Puts the cells of one simulation onto a host of their own when that is due.

    Args:
        simulation: whose cells.
        host: where they are to run; None for where it is safe.

    Attributes:
        host: the same; who decides later sets it, before a model is asked.

    Raises:
        WorldError: there is no host of that name.
    """

    def __init__(self, simulation: Any, host: HostName | None) -> None:
        self._simulation = simulation
        self._own: _Closable | None = None
        self.host: HostName | None = None
        self.choose(host)

    def choose(self, host: HostName | None) -> None:
        """Say where the cells are to run, before the first of them; raises WorldError if there is no such host."""
        expect_host(host)
        self.host = host

    def begin(self) -> None:
        """Jail the cells of a simulation that was told so, whoever writes them."""
        if self.host == "process":
            self._enter("as host='process' says")

    def expect(self, model: Model) -> None:
        """Be told of a model that is about to be asked for the first time."""
        if self.host is None and is_language_model(model):
            self._enter(f"{model.name} writes them; host='local' runs them in this process")

    def close(self) -> None:
        """End the processes of the cells, if they are this simulation's own."""
        if self._own is not None:
            self._own.close()
            self._own = None

    def _enter(self, why: str) -> None:
        simulation = self._simulation
        if simulation.world.host is not None or self._own is not None:
            return
        if not sys.platform.startswith("linux") and self.host is None:
            _say(f"cells run in this process and are only guarded: {sys.platform} has no jail for them")
            return
        own = self._own = named(HOSTS, "process")(simulation)
        simulation.note("host", {"host": "process", "level": own.level.to_data()})
        if simulation.journal is not None:
            simulation.journal.describe({"host": "process", "isolation": own.level.to_data()})
        _say(f"cells run in sandboxed processes ({own.level.name}): {why}")


class Jailable:
    """What has a jail for its cells."""

    jail: Jail

    def stay_local(self) -> None:
        """Have its cells run in this process, whoever writes them."""
        self.jail.host = "local"


@cache
def _say(line: str) -> None:
    """Say something once, however many simulations it is true of."""
    print(f"cave-sim: {line}", file=sys.stderr, flush=True)
