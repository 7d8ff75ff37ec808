"""Turns, batches, events, snapshots and forks of a world."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

WORLD = "cave_sim/world"
BATCH, EVENTS = ("world/test_batch.py",), ("world/test_events.py",)
TURNS, FORKS = ("world/test_turn_execution.py",), ("world/test_snapshot.py", "world/test_world.py")

MUTANTS = [
    Mutant("a part and the whole of a field do not conflict", WORLD, "same = parts.values() if part == WHOLE else [parts[key] for key in (part, WHOLE) if key in parts]", "same = [parts[part]] if part in parts else []", BATCH),
    Mutant("what is merged by extend may remove", "cave_sim/entity/merge_rules.py", 'return op in ("add", "discard", "set") or (op == "splice" and not removes)', 'return op in ("add", "discard", "set", "splice")', BATCH),
    Mutant("what is merged by extend may be set", "cave_sim/entity/merge_rules.py", "and written[: len(start)] == start:", "and True:", ("entity/test_merge_rules.py",)),
    Mutant("removing what another writes is no conflict", WORLD, "rivals = [*fields.get(ENTITY, {}).values(), *same]", "rivals = list(same)", BATCH),
    Mutant("writing what another removes is no conflict", WORLD, "rivals = [turn for parts in fields.values() for turn in parts.values()]", "rivals = []", BATCH),
    Mutant("a turn that conflicts keeps what it wrote before", WORLD, "undo_log.rollback(mark)\n            turn.status", "turn.status", BATCH),
    Mutant("invariants are not asked after a merge", WORLD, "self._world.rules.check(self._world, landed)", "pass", BATCH),
    Mutant("the order of a merge is that of arrival", WORLD, 'agents = seeded_order(cells, world.seed, "merge", world.clock.step)', "agents = list(cells)", BATCH),
    Mutant("a batch's second cell sees the first", WORLD, "undo_log.rollback(mark)\n        undo_log.close()\n    *children", "undo_log.close()\n    *children", BATCH),
    Mutant("a cell of a batch sees variables of another", WORLD, "        variable_log.undo()\n        variable_log.close()", "        variable_log.close()", ("world/test_variables_of_batches.py",)),
    Mutant("a part that landed is taken for a whole value", WORLD, "change.new), entity, field, 1))", "change.new), entity, field))", ("world/test_parts_that_landed.py",)),
    Mutant("children of a lost turn land", WORLD, "self.sink(child if turn.committed else undone(child, turn))", "self.sink(child)", BATCH),
    Mutant("due events happen by number", WORLD, "for _, number in sorted(due):", "for _, number in due:", EVENTS),
    Mutant("an event happens a step late", WORLD, 'if event["due_s"] <= now_s]', 'if event["due_s"] < now_s]', EVENTS),
    Mutant("an event is scheduled in the past", WORLD, "if after_s < 0:", "if False:", EVENTS),
    Mutant("an event for one who left fails", WORLD, "if target is not None:  # it may have left since", "if True:", EVENTS),
    Mutant("a failed step leaves its turn open", WORLD, "world.turns.abandon()\n        raise", "raise", EVENTS),
    Mutant("a step that fails keeps half", WORLD, "undo_log.rollback(mark)\n        raise\n    finally:\n        undo_log.close()\n    return changes", "raise\n    finally:\n        undo_log.close()\n    return changes", EVENTS),
    Mutant("code of a cell runs when the cell has ended", WORLD, "        interpreter.end_cell()\n", "", ("policy/test_late_code.py",)),
    Mutant("code that was left behind runs in the next turn", WORLD, '            self._acting |= refusing\n', "            pass\n", ("policy/test_late_code.py",)),
    Mutant("a generator that was left behind goes on", "cave_sim/runtime/cell.py", "                tick_where_it_goes_on(tree)\n", "                pass\n", ("policy/test_late_code.py",)),
    Mutant("a list that is kept is handed over itself", "cave_sim/entity/handed_values.py", "items = handing.begin(value, [])\n    items += handing.items(value)", "made = handing.begin(value, value)\n    made[:] = handing.items(value)", ("world/test_handed_values.py",)),
    Mutant("a dict that is kept is handed over itself", "cave_sim/entity/handed_values.py", "entries = value.copy()  # with the default of a defaultdict", "made = value", ("world/test_handed_values.py",)),
    Mutant("what was lent may be written to", WORLD, "            copy.expect_untouched(self._agent)\n", "            pass\n", ("policy/test_lent_copies.py",)),
    Mutant("shared arrays are journaled by hashes", WORLD, "for name in sorted(shared.keys() & cell.names):", "for name in shared.keys() & cell.names:", ("world/test_injection.py",)),
    Mutant("a failed turn keeps its random draws", WORLD, "self._world.randomness.forget(self._id)", "pass", TURNS),
    Mutant("a restored world goes on with old draws", WORLD, "_fill(world, data)\n    world.randomness.begin_step()", "_fill(world, data)", FORKS),
    Mutant("one change more may land", WORLD, "if len(changes) > world.limits.changes:", "if len(changes) > world.limits.changes + 1:", TURNS),
    Mutant("a denial that was caught is forgiven", WORLD, "if self._rights.denied is not None:", "if False:", (*TURNS, "policy/test_permissions.py")),
    Mutant("an earlier denial dooms the next turn", WORLD, "rights.denied = None", "pass", TURNS),
    Mutant("ticks that ran out are forgiven at landing", WORLD, "if (error := interpreter.out_of_ticks()) is not None:", "if (error := None) is not None:", TURNS),
    Mutant("a failed cell keeps what it wrote", WORLD, "self._undo_log.rollback(self._mark)", "pass", TURNS),
    Mutant("invariants are not asked", WORLD, "if world.rules.invariants:", "if False:", FORKS),
    Mutant("an invariant is asked for other fields alone", WORLD, "change.path[0] in touching for change", "change.path[0] not in touching for change", FORKS),
    Mutant("a fork forgets how often agents were stopped", WORLD, "twin.violations = world.turns.last_id, dict(world.violations)", "twin.violations = world.turns.last_id, {}", FORKS),
    Mutant("a fork forgets the invariants", WORLD, "return WorldRules(dynamics, list(self.invariants))", "return WorldRules(dynamics)", FORKS),
    Mutant("a fork forgets the tools", WORLD, "for tool in world.tools.values():\n        injection", "for tool in ():\n        injection", FORKS),
    Mutant("a fork forgets variables", WORLD, "_replace_variables(twin, agent, namespace.data)", "_replace_variables(twin, agent, {})", FORKS),
    Mutant("a fork shares containers", WORLD, "copied = field_type.decode(field_type.encode(value))", "copied = value", FORKS),
    Mutant("a snapshot of another clock is taken", WORLD, "if clock != (world.step_s, world.start.isoformat()):", "if False:", FORKS),
    Mutant("a turn's stream is everybody's", WORLD, "(name or (\"turn\",)), agent, self._clock.step", "(name or (\"turn\",)), self._clock.step", TURNS),
    Mutant("every turn of a step draws the same", WORLD, "self.draws[agent] = self.draws.get(agent, 0) + 1", "self.draws[agent] = 1", TURNS),
    Mutant("a name of the world is taken by an entity", WORLD, "if name in self.interpreter.scope or name == \"me\":", "if False:", FORKS),
    Mutant("parts of entities are handed over alive", "cave_sim/runtime/graph/forms.py", "part = part_of(value, self._surroundings) if self._with_parts else None", "part = part_of(value, self._surroundings)", ("runtime/test_transfer.py", "world/test_injection.py")),
    Mutant("what joined variables share is cut off from them", "cave_sim/runtime/graph/node.py", "            self.parents[root] = self.parents[self.parents[root]]\n            root = self.parents[root]\n", "            root = self.parents[root] = self.parents[self.parents[root]]\n", ("runtime/test_shared_through_others.py",)),
    Mutant("the deadline rings while a turn lands", "cave_sim/runtime", "while frame is not None and frame.f_code not in _whole:", "while frame is not None:", ("runtime/test_deadline_timer.py",)),
    Mutant("the output is cut in silence", "cave_sim/runtime", "if self.total_chars > self.limit_chars:", "if False:", ("runtime/test_deadline.py",)),
    Mutant("control characters are shown", "cave_sim/policy/hidden_text.py", "if not _may_hide(text):\n        return text\n    parts", "if True:\n        return text\n    parts", ("runtime/test_deadline.py",)),
]  # fmt: skip
