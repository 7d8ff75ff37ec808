"""Journals, runs that are resumed, repeated and forked, who acts when, and what crosses a border."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

JOURNAL, REPLAY, SIMULATION, SHARDING = (
    "cave_sim/journal",
    "cave_sim/replay",
    "cave_sim/simulation",
    "cave_sim/sharding",
)
CHAIN, BYTES = ("journal/test_hash_chain.py",), ("journal/test_hash_chain.py", "journal/test_reader.py")
RESUME = ("replay/test_resume.py",)
PLAY = ("simulation/test_schedulers.py",)
BORDERS = ("sharding/test_migration.py",)

MUTANTS = [
    Mutant("the hash of a step forgets the one before", JOURNAL, 'f"{previous}\\n{step}\\n{state_hash}\\n".encode()', 'f"{step}\\n{state_hash}\\n".encode()', CHAIN),
    Mutant("the hash of a step forgets the state", JOURNAL, 'f"{previous}\\n{step}\\n{state_hash}\\n".encode()', 'f"{previous}\\n{step}\\n".encode()', CHAIN),
    Mutant("the hash of a step forgets its turns", JOURNAL, "digest.update(to_json([[*row[:9], row[10]] for row in turns]))", "pass", CHAIN),
    Mutant("the hash of a step forgets its changes", JOURNAL, "digest.update(to_json(sorted(changes, key=_PLACE)))", "pass", CHAIN),
    Mutant("the hash of a step has wall-clock times", JOURNAL, "[[*row[:9], row[10]] for row in turns]", "[list(row) for row in turns]", CHAIN),
    Mutant("the seal of a step forgets the one before", JOURNAL, "to_json([previous, list(step), list(durations_s), digest, rest])", "to_json([list(step), list(durations_s), digest, rest])", CHAIN),
    Mutant("the seal of a step forgets durations", JOURNAL, "to_json([previous, list(step), list(durations_s), digest, rest])", "to_json([previous, list(step), digest, rest])", CHAIN),
    Mutant("the seal of a step forgets what is kept", JOURNAL, '"sessions", "kept")\n', '"sessions")\n', BYTES),
    Mutant("the seal of a step forgets its snapshot", JOURNAL, "list(durations_s), digest, rest])", "list(durations_s), rest])", CHAIN),
    Mutant("the seal of a manifest depends on its order", JOURNAL, 'to_json(sorted(list(row) for row in rows if row[0] != "seal"))', 'to_json([list(row) for row in rows if row[0] != "seal"])', CHAIN),
    Mutant("a step need not follow the one before", JOURNAL, "if previous != self.hash:", "if False:", ("journal/test_integrity.py",)),
    Mutant("rows of no step are not seen", JOURNAL, "if left:\n        yield", "if False:\n        yield", BYTES),
    Mutant("a state that its changes do not explain is not seen", JOURNAL, "if recorded != folds:", "if False:", ("journal/test_rebuild.py", "journal/test_reader.py")),
    Mutant("two write one run", JOURNAL, "raise JournalError(f\"{self.folder} holds a run already", "print(f\"{self.folder} holds a run already", ("journal/test_writer.py",)),
    Mutant("what was kept is written again every step", JOURNAL, "if self._digests.get((agent, kind)) != digest:", "if True:", ("journal/test_writer.py", "replay/test_resume.py")),
    Mutant("a reopened run forgets its last link", JOURNAL, "return cls(*rows[0]) if rows", "return cls(*rows[0][:2], GENESIS, *rows[0][3:]) if rows", RESUME),
    Mutant("a reopened run forgets its last seal", JOURNAL, "return cls(*rows[0]) if rows", "return cls(*rows[0][:3], GENESIS, *rows[0][4:]) if rows", RESUME),
    Mutant("a step that was lost is passed over", JOURNAL, "if self._lost_a_step:", "if False:", ("replay/test_trouble.py",)),
    Mutant("a repaired run keeps turns of lost steps", JOURNAL, 'target.execute(f"DELETE FROM {table} WHERE turn > ?", (last_turn,))\n    for table in BY_STEP', 'pass\n    for table in BY_STEP', ("journal/test_integrity.py",)),
    Mutant("a resumed run forgets who was woken", SIMULATION, "self.roster.woken = set(state.woken)", "self.roster.woken = set()", RESUME),
    Mutant("calls of the unfinished step are paid again", REPLAY, "simulation.calls.unfinished = calls_from(run, run.last_step)", "simulation.calls.unfinished = None", RESUME),
    Mutant("calls of the unfinished step are those of the next", REPLAY, 'if call["step"] >= step', 'if call["step"] > step', RESUME),
    Mutant("a resumed run forgets what was spent", SIMULATION, "if state.spending is not None:", "if False:", RESUME),
    Mutant("a resumed run forgets how often agents were stopped", SIMULATION, 'private_data.get(("", VIOLATIONS), {})', "dict[str, int]()", RESUME),
    Mutant("a resumed run forgets what agents know", SIMULATION, "agent.restore(self.memory)", "pass", RESUME),
    Mutant("a resumed run counts its turns anew", SIMULATION, "self.turns_taken = self._turns_before = state.turns_taken", "pass", RESUME),
    Mutant("a state that does not add up is resumed", REPLAY, 'if adds_up_to != recorded:\n        raise', "if False:\n        raise", RESUME),
    Mutant("a repetition compares no outputs", REPLAY, '"status", "output", "error")', '"status", "error")', ("replay/test_verify.py",)),
    Mutant("a repetition compares no states", REPLAY, "if (now := self.world.state_hash()) != states[number]:", "if False:", ("replay/test_verify.py",)),
    Mutant("a fork asks its parent's questions anew", REPLAY, "branch.calls.inherited = calls_from(run, at)", "pass", ("replay/test_reuse.py",)),
    Mutant("an intervention is not rehearsed", REPLAY, "if not turn.committed:\n            error = \"; \"", "if False:\n            error = \"; \"", ("replay/test_trouble.py",)),
    Mutant("the speed limit is ignored", SIMULATION, "if pause_s := self.pause_before_next_s(took_s):", "if pause_s := 0.0:", ("simulation/test_control.py",)),
    Mutant("a step took no time", SIMULATION, "max(0.0, 1.0 / self._speed - took_s)", "1.0 / self._speed", ("simulation/test_control.py",)),
    Mutant("a stopped run goes on", SIMULATION, "return not self._stopped\n", "return True\n", ("simulation/test_control.py",)),
    Mutant("a paused run goes on", SIMULATION, "return self._stopped or self._single > 0 or not self._paused", "return True", ("simulation/test_control.py",)),
    Mutant("a condition that holds is told each step", SIMULATION, "return self._is_true and not was_true", "return self._is_true", ("simulation/test_control.py",)),
    Mutant("one's own doings wake oneself", "cave_sim/simulation/roster.py", "set(map(_ENTITY, turn.changes)) - {turn.agent}", "set(map(_ENTITY, turn.changes))", PLAY),
    Mutant("whoever is woken stays awake", SIMULATION, "self.roster.woken.clear()", "pass", PLAY),
    Mutant("only those who are due act", SIMULATION, "name in moment.woken or ", "", PLAY),
    Mutant("an agent is asked once more before quarantine", SIMULATION, "if times < QUARANTINE_AFTER:", "if times <= QUARANTINE_AFTER:", ("simulation/test_model_calls.py",)),
    Mutant("one success does not end a series of failures", SIMULATION, "self._failures.pop(agent, None)", "pass", ("simulation/test_model_calls.py",)),
    Mutant("a quarantine never ends", SIMULATION, "return step < self._until.get(agent, 0)", "return agent in self._until", ("simulation/test_model_calls.py",)),
    Mutant("an outage is an agent's own failure", SIMULATION, "if is_sure or not _lives(question, asker):", "if False:", ("simulation/test_outages.py",)),
    Mutant("one failure among replies is an outage", SIMULATION, "if is_sure or not _lives(question, asker):", "if True:", ("simulation/test_outages.py",)),
    Mutant("an observer that fails goes on failing", SIMULATION, "simulation.observers.remove(observer)", "pass", ("journal/test_writer.py",)),
    Mutant("stages act in the order of their names", SIMULATION, "for place in sorted(groups):", "for place in groups:", PLAY),
    Mutant("grants stay behind at a border", SIMULATION, "list(world.system.grants.get(name, ()))", "[]", BORDERS),
    Mutant("grants are not unpacked behind a border", SIMULATION, "if self.grants:", "if False:", BORDERS),
    Mutant("grants of one who left stay", SIMULATION, "world.system.grants.pop(name, None)", "pass", BORDERS),
    Mutant("how often one was stopped stays behind at a border", SIMULATION, "world.violations.get(name, 0)", "0", BORDERS),
    Mutant("variables of one who left stay", SIMULATION, "gifts.give(world, name, {}, gone=world.interpreter.namespaces[name].names())", "pass", BORDERS),
    Mutant("a conversation stays behind at a border", SIMULATION, "if self.session is not None:", "if False:", BORDERS),
    Mutant("migrants come in by worker", SHARDING, "key=lambda migrant: (migrant.to, migrant.origin, migrant.migration.name)", "key=lambda migrant: migrant.to", ("sharding/test_migration.py",)),
    Mutant("halving ends a step too far", "cave_sim/history", "while high - low > 1:", "while high - low > 2:", ("history/test_bisect.py",)),
    Mutant("blame sees children's writes twice", JOURNAL, "WHERE parent IS NULL AND turn <= ? AND entity = ? AND {paths}", "WHERE turn <= ? AND entity = ? AND {paths}", ("history/test_blame.py",)),
]  # fmt: skip
