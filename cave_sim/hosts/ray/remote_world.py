"""A driver's end: a world that lives in an actor, with the calls of a world."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cave_sim.changes.turn import OPERATOR, Turn
from cave_sim.errors import CaveSimError, WorldError
from cave_sim.hosts.ray.actor import WorldActor
from cave_sim.hosts.ray.cluster import NAMESPACE, library, start
from cave_sim.hosts.ray.pipeline import MessagePace, Pipeline
from cave_sim.replay.recipe import Recipe

BACK_WITHIN_S = 180.0
"""How long a driver waits for a world that is being restarted."""

PAUSE_S = 0.05


class RemoteWorld:
    """A world in an actor. Use it like a :class:`~cave_sim.World`; close it to leave, which the world does not mind.

    Args:
        name: of the actor.
        handle: Ray's handle of it.
        pace: how cells are gathered into messages.

    Attributes:
        name: of the actor.
        driver: the name under which this end numbers its cells; a new one each time.
    """

    def __init__(self, name: str, handle: Any, pace: MessagePace | None = None) -> None:
        self.name = name
        self.driver: str = uuid.uuid4().hex[:12]
        self._handle = handle
        self._ray = library()
        self._stream = Pipeline(self._send, self._receive, self._recover, pace)

    # ---- acting

    def submit(self, code: str, agent: str = OPERATOR) -> Future[Turn]:
        """Queue a cell and return at once; cells run in the order in which they were submitted."""
        return self._stream.submit(code, agent)

    def submit_many(self, cells: Sequence[tuple[str, str]]) -> Future[list[Turn]]:
        """Queue many cells, each an agent and its code, and return at once; one future holds all turns, in order.

        They run one after another, as submitted one by one, which costs a driver several times as much.
        """
        return self._stream.submit_many(list(cells))

    def execute(self, code: str, agent: str = OPERATOR) -> Turn:
        """Run one cell as an agent, and wait for its turn."""
        future = self._stream.submit(code, agent)
        self._stream.flush()
        return future.result()

    def execute_batch(self, cells: Mapping[str, str], order: str = "simultaneous") -> dict[str, Turn]:
        """Run one cell for each agent; see :meth:`World.execute_batch`."""
        if order not in ("simultaneous", "sequential"):
            raise WorldError(f"order={order!r}: takes 'simultaneous' or 'sequential'")
        if order == "simultaneous":
            futures = self._stream.submit_batch(list(cells.items()))
        else:
            futures = [self._stream.submit(code, agent) for agent, code in cells.items()]
        self._stream.flush()
        return {agent: future.result() for agent, future in zip(cells, futures, strict=True)}

    def step(self, steps: int = 1) -> str:
        """Take steps; returns the state hash after them. A step that is cut off by a crash is taken anew."""
        return self.run(until=self.step_number() + steps)

    def run(self, until: int) -> str:
        """Step until the clock shows ``until``; returns the state hash."""
        _, state_hash = self._patiently("step_to", until)
        return str(state_hash)

    # ---- looking

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent perceives now."""
        return dict(self._ask("observe", agent))

    def describe(self, agent: str = OPERATOR) -> str:
        """Return the API reference that a mind reads."""
        return str(self._ask("describe", agent))

    def state_hash(self) -> str:
        """Return a digest of the whole state."""
        return str(self._ask("state_hash"))

    def snapshot(self) -> bytes:
        """Return the state as bytes."""
        return bytes(self._ask("snapshot"))

    def retrieve(self, name: str, agent: str | None = None) -> Any:
        """Return a copy of the object of that name."""
        return self._ask("retrieve", name, agent)

    def step_number(self) -> int:
        """Return the step that the world's clock shows."""
        return int(self._ask("step"))

    def names(self) -> list[str]:
        """Return the names of all entities."""
        return list(self._ask("names"))

    def about(self) -> dict[str, Any]:
        """Return where the run is and what is in it: folder, agents, turns so far, and the process of the actor."""
        return dict(self._patiently("about"))

    # ---- leaving

    def close(self) -> None:
        """Leave; the world stays."""
        self._stream.close()

    def end(self) -> str:
        """Finish the journal and end the actor; returns the state hash."""
        self._stream.close()
        state_hash = str(self._patiently("close"))
        self._ray.kill(self._handle, no_restart=True)
        return state_hash

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<RemoteWorld {self.name}>"

    # ---- within

    def _ask(self, question: str, *args: Any) -> Any:
        return self._patiently("ask", question, *args)

    def _patiently(self, method: str, *args: Any) -> Any:
        """Call a method that may be called twice; waits while the world is being restarted."""
        while True:
            try:
                return self._get(getattr(self._handle, method).remote(*args))
            except ConnectionError:
                self._recover()

    def _send(self, packed: bytes, at_once: bool) -> Any:
        return self._handle.act.remote(self.driver, packed, at_once=at_once)

    def _receive(self, answer: Any) -> bytes:
        return bytes(self._get(answer))

    def _get(self, answer: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(answer)
        except errors.RayTaskError as error:
            cause = getattr(error, "cause", None)
            raise (cause if isinstance(cause, Exception) else CaveSimError(str(error))) from None
        except (errors.ActorDiedError, errors.ActorUnavailableError, errors.NodeDiedError) as error:
            if getattr(error, "actor_init_failed", False):  # which no waiting mends
                raise CaveSimError(f"world {self.name!r} cannot start: {_reason(error)}") from None
            raise ConnectionError(f"world {self.name!r} went away: {type(error).__name__}") from None

    def _recover(self) -> None:
        """Wait until the world answers again."""
        until_s = time.monotonic() + BACK_WITHIN_S
        while time.monotonic() < until_s and self._ray.is_initialized():  # or Ray would start anew, without our world
            try:
                self._handle = self._ray.get_actor(self.name, namespace=NAMESPACE)
                self._get(self._handle.about.remote())
            except (ConnectionError, ValueError):
                time.sleep(PAUSE_S)
            else:
                return
        raise CaveSimError(
            f"world {self.name!r} did not come back within {BACK_WITHIN_S:g} s; its run is safe in its folder:"
            " launch it again with the same --out"
        )


def launch(
    recipe: Recipe,
    out: str | Path,
    *,
    name: str | None = None,
    address: str | None = None,
    require: str | None = None,
    node: str | None = None,
    pace: MessagePace | None = None,
) -> RemoteWorld:
    """Start a world as a named, detached actor, and connect to it. It is restarted whenever it dies.

    Args:
        recipe: how to make its simulation.
        out: folder of its run, on a disk that its node and those that may replace it can reach; resumed if it is there.
        name: by which others find it; the folder's name unless given.
        address: of a Ray cluster; None for one on this machine.
        require: the least level of isolation, in sandboxed processes of the actor's (see the ``process`` host);
            None runs them in the actor.
        node: Ray's id of the node that it is to live on, for as long as there is one of that id.
        pace: how cells are gathered into messages.

    Raises:
        CaveSimError: a world of that name is there already, no cluster, or it cannot be made, with the reason.
    """
    start(address)
    ray = library()
    name = name or Path(out).name
    place = None if node is None else ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=True)
    actor_class = ray.remote(WorldActor).options(
        name=name,
        namespace=NAMESPACE,
        lifetime="detached",
        max_restarts=-1,
        max_task_retries=0,
        num_cpus=0,
        scheduling_strategy=place,
    )
    try:
        handle = actor_class.remote(recipe.to_manifest(), str(Path(out).absolute()), require)
    except ValueError:
        way_out = f"connect({name!r}), or give yours another name"
        raise CaveSimError(f"a world called {name!r} runs in this cluster already: {way_out}") from None
    remote = RemoteWorld(name, handle, pace)
    remote.about()
    return remote


def connect(name: str, *, address: str | None = "auto", pace: MessagePace | None = None) -> RemoteWorld:
    """Connect to a world that runs in a Ray cluster, from wherever this is.

    Raises:
        CaveSimError: there is no cluster at that address, or no world of that name in it.
    """
    start(address)
    ray = library()
    try:
        handle = ray.get_actor(name, namespace=NAMESPACE)
    except ValueError:
        actors = ray.util.list_named_actors(all_namespaces=True)
        names = sorted(actor["name"] for actor in actors if actor["namespace"] == NAMESPACE)
        there = f"there are: {', '.join(names)}" if names else "there is none"
        raise CaveSimError(f"no world called {name!r} runs in this cluster; {there}") from None
    return RemoteWorld(name, handle, pace)


def _reason(error: Exception) -> str:
    """Return what an actor that could not start raised: the last line of what Ray tells, without its module."""
    return re.sub(r"^[\w.]+\.(?=\w+: )", "", str(error).strip().rpartition("\n")[2])
