"""Entities, their containers, and what a stretch of writes comes to."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

ENTITY, CHANGES = "cave_sim/entity", "cave_sim/changes"
FIELDS = ("entity/test_entity.py", "entity/test_containers.py")
NET = ("changes/test_change.py", "changes/test_journaled_as_written.py")
FOLDS = ("changes/test_change.py", "journal/test_rebuild.py")

MUTANTS = [
    Mutant("an integer that becomes a float in a dict is no change", CHANGES, "if stored is MISSING or not same_json(old, new):", "if stored is MISSING or old != new:", NET),
    Mutant("an integer that becomes a float in a list is no change", CHANGES, "if not same_json(encode(self.before(was[place])), encode(now[place])):", "if encode(self.before(was[place])) != encode(now[place]):", NET),
    Mutant(
        "an integer that becomes a float in a field is no change",
        CHANGES,
        "(new != old or not same_scalar(old, new))",
        "new != old",
        NET,
    ),
    Mutant("an integer that becomes a float in a plain value is no change", CHANGES, "if not same_json(was, now):\n            yield Change(name, (field,), \"set\", was, now)\n\n", "if was != now:\n            yield Change(name, (field,), \"set\", was, now)\n\n", NET),
    Mutant("a number of another kind in a node is no change", ENTITY, "if not same_json(old, new):", "if old != new:", NET),
    Mutant("a number of another kind is written alike", "cave_sim/determinism/canonical_json.py", "return to_json(one) == to_json(other)", "return True", NET),
    Mutant("another order of a dict is no change", CHANGES, "if not all(same_json(encode_key(old), encode_key(new)) for old, new in others):", "if False:", NET),
    Mutant("what left and came back in a graph keeps its place", ENTITY, "return left and any(slot is not WHOLE and old is MISSING for _, slot, old in self._entries)", "return False", NET),
    Mutant("the old value is the last one", CHANGES, "if key not in fields or fields[key][2] is TOUCHED:", "if True:", NET),
    Mutant("a newcomer's fields are told twice", CHANGES, "settled.add(id(new))", "pass", NET),
    Mutant("who leaves is not told", CHANGES, 'changes.append(Change(name, (), "remove", self._before_entity(old), None))', "pass", NET),
    Mutant("what an entity was before it left is what it is", CHANGES, "self._data_before(field_type, entity.__dict__[field] if old is TOUCHED else old)", "field_type.encode(entity.__dict__[field])", NET),
    Mutant("a list's growth is told from its start", CHANGES, "at = end = entries[0][2][0]", "at = end = 0", NET),
    Mutant("a digest forgets the class", CHANGES, "to_json((name, kind.__name__, data))", "to_json((name, data))", ("simulations/test_golden_hashes.py",)),
    Mutant("a digest of plain data forgets the class", CHANGES, "to_json([name, kind, _by_name(data)])", "to_json([name, _by_name(data)])", ("changes/test_change.py",)),
    Mutant("a digest does not count the order of keys", CHANGES, "to_json([name, kind, _by_name(data)])", "to_json([name, kind, _by_name(data)], sort=True)", ("changes/test_change.py",)),
    Mutant("who left stays in the digest", CHANGES, "self._root - before + sum(digests)", "self._root + sum(digests)", ("world/test_world.py",)),
    Mutant("a fold forgets what a splice removed", CHANGES, 'at : at + len(old["items"])', "at : at", FOLDS),
    Mutant("a fold keeps parts of one who left", CHANGES, "for place in [place for place in self._opened if place[0] == entity]:", "for place in ():", FOLDS),
    Mutant("a rollback leaves working copies in hand", ENTITY, "self.checkouts.clear()\n        self.revert(mark)", "self.revert(mark)", ("world/test_turn_execution.py", "entity/test_containers.py")),
    Mutant("a rollback leaves the first write", ENTITY, "while len(undo) > mark:", "while len(undo) > mark + 1:", ("world/test_turn_execution.py",)),
    Mutant("borders do not renew the epoch", ENTITY, "here on.\"\"\"\n        self.epoch += 1\n", "here on.\"\"\"\n", NET),
    Mutant("a list's second write is undone to the middle", ENTITY, "if not growth and self._before[1] is None:", "if not growth:", FIELDS),
    Mutant("a dict's removal is undone at the end", "cave_sim/entity/containers.py", "def __delitem__(self, key: Any) -> None:\n        self._note_removal()", "def __delitem__(self, key: Any) -> None:\n        pass", FIELDS),
    Mutant("a set notes what is no change", ENTITY, "if set.__contains__(self, item) is present:", "if False:", FIELDS),
    Mutant("writes through a container ask nobody", ENTITY, "undo_log.guard.write(owner, self.field)", "pass", ("policy/test_permissions.py",)),
    Mutant("writes to a field ask nobody", ENTITY, "                guard.write(self, name)", "                pass", ("policy/test_permissions.py",)),
    Mutant("a method that fails keeps half", ENTITY, "undo_log.revert(mark)  # a cell", "pass  # a cell", ("world/test_turn_execution.py",)),
    Mutant("methods keep the rights of a cell", ENTITY, "with undo_log.as_world():\n            try:", "if True:\n            try:", ("world/test_turn_execution.py",)),
    Mutant("who may not write an array gets the array", ENTITY, "if not may_write:", "if False:", ("policy/test_permissions.py",)),
    Mutant("one part more may be kept", ENTITY, "if self.nodes > self.most:", "if self.nodes > self.most + 1:", FIELDS),
    Mutant("one level deeper may be kept", ENTITY, "if len(self.parents) >= LIMITS.depth:", "if len(self.parents) > LIMITS.depth:", FIELDS),
    Mutant("a NaN in a table is another value", ENTITY, "np.flatnonzero(_bits(old) != _bits(new))", "np.flatnonzero(old != new)", FIELDS),
    Mutant("a table keeps what does not come back", ENTITY, "    taken.index = _index_restore(_index_snapshot(table.index)).rename(_cell(table.index.name))\n", "", ("entity/test_tables_come_back.py",)),
    Mutant("an array keeps its order in memory", ENTITY, 'copy=True, order="C", subok', "copy=True, subok", ("entity/test_tables_come_back.py",)),
    Mutant("an array of objects is read from a file", ENTITY, 'if dtype.kind not in PLAIN_DTYPES:\n        raise SchemaError(f"an array of dtype {dtype} may not', 'if False:\n        raise SchemaError(f"an array of dtype {dtype} may not', FIELDS),
]  # fmt: skip
