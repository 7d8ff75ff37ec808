"""An oracle that logs writes without the journal: it reads every field after every turn, and spies on every write."""

import json
import sys
from collections import defaultdict

from cave_sim import Entity
from cave_sim.entity.asking import CELL_FILE
from cave_sim.entity.entity import encode_fields
from cave_sim.entity.graphs import GraphDict
from cave_sim.entity.home import Homed, home_of
from cave_sim.entity.identity import name_of
from cave_sim.entity.tracked_parts import graph_of
from cave_sim.simulation.observers import Observer

ABSENT = "absent"


class Oracle(Observer):
    """Watches a simulation.

    Attributes:
        values: (entity, field) -> [(turn, agent, value as JSON)], each time that the value is another one.
        lines: (turn, entity, field) -> the lines of the cell that were running when the field was written.
    """

    def __init__(self):
        self.values = defaultdict(list)
        self.lines = {}
        self._spied = defaultdict(set)
        self._last = {}

    def attach(self, simulation):
        """Take the present state as the first, and begin to watch."""
        ledger = simulation.world.undo_log
        ledger.undo = Spy(self._spied, ledger.undo)
        self._look(simulation.world, simulation.world.turns.last_id, "operator")
        simulation.observers.append(self)

    def on_turn(self, simulation, turn):
        for (entity, field), lines in self._spied.items():
            self.lines[turn.id, entity, field] = set(lines)
        self._spied.clear()
        self._look(simulation.world, turn.id, turn.agent)

    def _look(self, world, turn, agent):
        found = {
            (name, field): json.dumps(value, sort_keys=True)
            for name, entity in world.undo_log.entities.items()
            for field, value in encode_fields(entity).items()
        }
        for place in found.keys() | self._last.keys():
            value = found.get(place, ABSENT)
            if value != self._last.get(place, ABSENT):
                self.values[place].append((turn, agent, value))
        self._last = found


class Spy(list):
    """The undo log, which tells where in a cell each write comes from."""

    def __init__(self, spied, entries):
        super().__init__(entries)
        self._spied = spied

    def append(self, entry):
        super().append(entry)
        owner, field = written(entry)
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != CELL_FILE:
            frame = frame.f_back
        if owner is not None and frame is not None:
            self._spied[owner, field].add(frame.f_lineno)


def written(entry):
    """Return the names of the entity and the field that an entry of the undo log is about."""
    target, slot, _ = entry
    if isinstance(target, Entity):
        return name_of(target), slot
    value = graph_of(target) if isinstance(target, GraphDict) else target
    if not isinstance(value, Homed) or (home := home_of(value)).owner is None:
        return None, None
    return name_of(home.owner), home.field
