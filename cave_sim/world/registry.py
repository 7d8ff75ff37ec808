"""Who and what there is: the entities of a world by name and by class. Comings and goings are noted like any write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from cave_sim.entity.builtin_entities import entity_class, is_builtin
from cave_sim.entity.class_lookup import is_origin, origin
from cave_sim.entity.entity import Entity, decode_entity
from cave_sim.entity.identity import name_of
from cave_sim.entity.preparation import checks_of, fields_of
from cave_sim.entity.references import name_references
from cave_sim.entity.undo_log import MISSING, UndoLog
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.world.sorted_members import SortedMembers

E = TypeVar("E", bound=Entity)
ClassSource = Callable[[str, Collection[str], str | None], type[Entity] | None]
"""(bare name, fields, recorded origin) -> the class, or None if it is another's."""
HIDDEN = "$"
"""Names of entities that a world keeps for itself start with it; no cell can spell them."""
NAMED = 6
"""How many names of entities an error lists."""


class EntityRegistry:
    """The entities of one world.

    Args:
        undo_log: holds them by name, for references, and notes who comes and goes.
        arrived: told of every entity that is there from now on.
        left: told of every entity that is there no longer.

    Attributes:
        by_type: the entities by class and name.
        class_source: makes classes that no module declares from what data says of them; None if there are none.
    """

    def __init__(
        self, undo_log: UndoLog, arrived: Callable[[str, Entity], None], left: Callable[[str, Entity], None]
    ) -> None:
        self._undo_log, self._arrived, self._left = undo_log, arrived, left
        self.by_type: dict[type[Entity], dict[str, Entity]] = {}
        self._classes: dict[str, type[Entity]] = {}  # every class that was ever here, by bare name
        self.class_source: ClassSource | None = None
        self._listed: dict[type[Entity], SortedMembers] = {}

    def check_new(self, name: Any, entity: Any) -> None:
        """Raise WorldError, saying why, if the entity cannot be added under this name."""
        if isinstance(name, Entity) or (isinstance(name, type) and issubclass(name, Entity)):
            raise WorldError(f"add({name!r}): first the name, then the entity: world.add('tom', {_made(name)})")
        if isinstance(entity, type) and issubclass(entity, Entity):
            raise WorldError(f"add {name!r}: {entity.__name__} is the class; add one of it: {_made(entity)}")
        if not isinstance(entity, Entity):
            raise WorldError(f"add {name!r}: {type(entity).__name__} is no Entity; use inject for other objects")
        if type(name) is not str or not name or name[0] in "$_":
            raise WorldError(f"add {name!r}: a name is a text that starts with neither '_' nor '$'")
        if not name.isprintable() or name != name.strip():
            raise WorldError(f"add {name!r}: a name has no line breaks, no invisible signs and no spaces around it")
        if name in self._undo_log.entities:
            taken = type(self._undo_log.entities[name]).__name__
            raise WorldError(f"add {name!r}: that name is taken by a {taken}; choose another, or remove that one first")
        if (present := name_of(entity)) is not None:
            raise WorldError(f"add {name!r}: this entity is in a world already, as {present!r}")
        cls = type(entity)
        known = self._classes.get(cls.__name__, cls)
        if known is not cls:
            raise WorldError(
                f"add {name!r}: its class is {origin(cls)}, and this world has another of that name, {origin(known)}; "
                "state and files tell classes by their bare names: rename one"
            )

    def enter(self, name: str, entity: Entity) -> None:
        """Add an entity, noting it."""
        for field, value in entity.__dict__.items():
            if field not in checks_of(entity) and value is not None:
                entity.__dict__[field] = name_references(value)
        self._note(name, MISSING)
        self.place(name, entity)

    def leave(self, name: str) -> None:
        """Remove an entity, noting it."""
        self._note(name, self._undo_log.entities[name])
        self.displace(name)

    def passing(self, mark: int) -> tuple[frozenset[str], dict[int, str]]:
        """Return the names of entities that came since a mark of the undo log, and of those that left, by identity.

        To undo the stretch from there on is to be without the former, and to have the latter again.
        """
        noted = [(name, old) for target, name, old in self._undo_log.undo[mark:] if target is self]
        left = {id(old): name for name, old in reversed(noted) if old is not MISSING}
        first = dict(reversed(noted))
        return frozenset(name for name, old in first.items() if old is MISSING), left

    def class_for(self, name: str, fields: Collection[str], recorded: str | None = None) -> type[Entity]:
        """Return the class of data, as :meth:`class_named` does; raises WorldError if it has other fields by now."""
        cls = self.class_named(name, fields, recorded)
        if set(fields_of(cls)) != set(fields):
            raise WorldError(_other_fields(cls, fields))
        return cls

    def class_named(self, name: str, fields: Collection[str], recorded: str | None = None) -> type[Entity]:
        """Return the class that data was written of: the one this world knows by the name, or else a loaded one.

        Args:
            name: the bare name in the data.
            fields: of the data; the class may have others by now.
            recorded: the ``module:qualname`` that was written down with the data; None if there was none.

        Raises:
            WorldError: no such class is loaded, or it was another one that the data was written of.
        """
        cls = self._classes.get(name)
        if cls is None and self.class_source is not None:
            cls = self.class_source(name, fields, recorded)
        if cls is None:
            cls = entity_class(name, fields, recorded)
        elif recorded is not None and not is_origin(recorded, cls):
            raise WorldError(f"the data of {name!r} was written with {recorded}; in this world it is {origin(cls)}")
        return cls

    def build(self, data: Mapping[str, Any], recorded: str | None = None) -> Entity:
        """Return the entity, in no world yet, that ``{"type": name, "fields": {...}}`` describes."""
        return decode_entity(self.class_for(data["type"], data["fields"], recorded), data["fields"])

    def origins(self) -> dict[str, str]:
        """Return ``module:qualname`` of each class that lives here, by bare name; ours go without saying."""
        living = [cls for cls, members in self.by_type.items() if members and not is_builtin(cls)]
        return {cls.__name__: origin(cls) for cls in living}

    def place(self, name: str, entity: Entity) -> None:
        """Add an entity without a note: for restoring and undoing."""
        object.__setattr__(entity, "_undo_log", self._undo_log)
        object.__setattr__(entity, "_name", name)
        cls = type(entity)
        self._undo_log.entities[name] = entity
        self.by_type.setdefault(cls, {})[name] = entity
        self._classes.setdefault(cls.__name__, cls)
        self._note_for_lists(name, entity, comes=True)
        self._arrived(name, entity)

    def displace(self, name: str) -> None:
        """Remove an entity without a note. Its writes are noted still: whoever left may be called back by an undo."""
        entity = self._undo_log.entities.pop(name)
        self._note_for_lists(name, entity, comes=False)
        object.__setattr__(entity, "_name", None)
        del self.by_type[type(entity)][name]
        self._left(name, entity)

    def all(self, kind: type[E]) -> tuple[E, ...]:
        """Return the entities of a class and its subclasses, sorted by name."""
        listed = self._listed.get(kind)
        if listed is None:
            members = [
                (name, entity)
                for cls, group in self.by_type.items()
                if issubclass(cls, kind)
                for name, entity in group.items()
                if name[0] != HIDDEN
            ]
            members.sort(key=_named)
            listed = self._listed[kind] = SortedMembers(members)
        return listed.entities()  # type: ignore[return-value]

    def _note_for_lists(self, name: str, entity: Entity, *, comes: bool) -> None:
        """Let the lists that were asked for know that an entity comes or goes."""
        if name[0] != HIDDEN:
            for kind in [kind for kind in self._listed if issubclass(type(entity), kind)]:
                if not self._listed[kind].note(name, entity, comes=comes):
                    del self._listed[kind]

    def hint(self, name: object) -> str:
        """Return a hint at the entity that was probably meant, or at some that are there."""
        names = list(self.names())
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        return did_you_mean(str(name), names) or f" It has: {', '.join(names[:NAMED]) or 'nobody'}{more}."

    def names(self) -> Iterator[str]:
        """Yield the names that are not hidden, sorted."""
        return iter(sorted(name for name in self._undo_log.entities if name[0] != HIDDEN))

    def count(self) -> int:
        """Return how many names are not hidden."""
        return sum(name[0] != HIDDEN for name in self._undo_log.entities)

    def _note(self, name: str, old: Any) -> None:
        self._undo_log.deep = True
        self._undo_log.undo.append((self, name, old))

    def _revert(self, name: str, old: Any) -> None:
        if name in self._undo_log.entities:
            self.displace(name)
        if old is not MISSING:
            self.place(name, old)


def _made(entity: Entity | type[Entity]) -> str:
    return f"{(entity if isinstance(entity, type) else type(entity)).__name__}(...)"


def _named(member: tuple[str, Entity]) -> str:
    return member[0]


def _other_fields(cls: type[Entity], recorded: Collection[str]) -> str:
    """Say which fields a class had when something was written down, and has not now, or the other way round."""
    present = fields_of(cls)
    gone = [name for name in recorded if name not in present]
    new = [name for name in present if name not in recorded]
    differences = [f"has no field {', '.join(map(repr, gone))} any more"] if gone else []
    differences += [f"has {', '.join(map(repr, new))} besides"] if new else []
    return (
        f"{origin(cls)} {' and '.join(differences)}; what was written of it has other fields. Go on with the code that"
        " wrote it, or run it anew; reading, export and diff need no class"
    )
