"""Who may read what, what those get who may, what is told of it, and what is written down."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

SEEN = ("policy/test_visibility.py",)
READERS = ("history/test_readers.py",)
ENTITY, POLICY, WORLD = "cave_sim/entity", "cave_sim/policy", "cave_sim/world"

MUTANTS = [
    Mutant("reads of what is kept as it is ask nobody", ENTITY, "gets_it = guard.read(entity, name)\n        value = entity.__dict__[name]", "gets_it = True\n        value = entity.__dict__[name]", SEEN),
    Mutant("reads of what is made when it is read ask nobody", ENTITY, "gets_it = guard.read(entity, name)\n        value = read(entity)", "gets_it = True\n        value = read(entity)", ("policy/test_privacy.py",)),
    Mutant("who is let in gets the live value", POLICY, "return bool(self._named) and self.may_write(entity, field)", "return True", SEEN),
    Mutant("reads are not noted", POLICY, "undo_log.reads.add((label_of(entity), field))", "pass", SEEN),
    Mutant("a rule that fails lets in", POLICY, 'return f"the rule that says whom it is for failed with a {type(error).__name__}"', 'return ""', SEEN),
    Mutant("a grant of reading is one of writing", POLICY, "self.targets: Sequence[str] = [target for target in targets if not target.startswith(READING)]", "self.targets: Sequence[str] = [target.removeprefix(READING) for target in targets]", SEEN),
    Mutant("one perceives what one may not read", WORLD, "with undo_log.as_agent(self.rights_of(agent)):", "with undo_log.as_world():", SEEN),
    Mutant("what a script did is laid to who looks", WORLD, "if undo_log.checkouts:\n            undo_log.write_through()  # what was done", "if False:\n            undo_log.write_through()  # what was done", SEEN),
    Mutant("an error tells what its reader may not read", ENTITY, 'return f"what stands there is not for {undo_log.actor} to know"', "return str(text)", SEEN),
    Mutant("a turn shows changes that its reader may not see", WORLD, "return entity is not None and all(rights.may_read(entity, str(field)) for field in fields)", "return True", ("policy/test_privacy.py",)),
    Mutant("a merge tells what others left", WORLD, "if self._world.rights_of(turn.agent).may_read(entity, field):\n                raise", "if True:\n                raise", SEEN),
    Mutant("looking at another's state is not noted", WORLD, "self._note_reads()\n        return", "return", SEEN),
    Mutant("the reference tells of private fields", WORLD, "return frozenset() if \"\" in granted else frozenset(private - granted)", "return frozenset()", SEEN),
    Mutant("reads are not compared", "cave_sim/replay", "return None if now == recorded else Mismatch(turn.id, step, \"reads\"", "return None if True else Mismatch(turn.id, step, \"reads\"", READERS),
    Mutant("reads are not journaled", "cave_sim/journal", "if turn.reads:", "if False:", READERS),
    Mutant("a process may say that it read anything", "cave_sim/hosts/process", "if not is_noted or name == agent:", "if False:", ("hosts/process/test_commit.py",)),
]  # fmt: skip
