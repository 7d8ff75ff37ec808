"""How often the verdict on right and spoilt answers, given in cells, is that of the leaderboard on the same calls.

    python -m tests.simulations.bfcl_agreement [--every N] [--mutants M] [--splits A,B]

Each answer is played through cells. The leaderboard gets it as a model's text, which its own decoder reads and its own
checker judges, whole conversations as they are.
"""

import argparse
import functools
import importlib
import itertools
import keyword
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

from cave_sim import World
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.trial import Trial
from cave_sim.simulations.studies import bfcl
from cave_sim.simulations.studies._bfcl_judge import MODEL, as_code
from cave_sim.simulations.studies._bfcl_single import IRRELEVANCE, RELEVANCE
from tests.simulations.test_bfcl import CORRUPTIONS, changed

CHECKERS = "bfcl_eval.eval_checker"
NOT_NEEDED = (
    "tree_sitter",
    "tree_sitter_java",
    "tree_sitter_javascript",
    "tenacity",
    "filelock",
    "overrides",
    "dotenv",
)
"""What the leaderboard's decoder loads beside what it needs for Python."""
TABLE = "bfcl_eval.constants.model_config"
NUMBERS = itertools.count()
NOBODYS = ("no_such_function", {})
"""A call of what no task has."""


def at_call(change):
    """Return a corruption of a conversation that changes the first call of a turn."""
    return lambda turns, at: [*turns[:at], change(turns[at]), *turns[at + 1 :]]


def late(turns, at):
    """Return a conversation whose turn is made up for in the next; None in place of the last, which has none."""
    return [*turns[:at], [], [*turns[at], *turns[at + 1]], *turns[at + 2 :]] if at + 1 < len(turns) else [None]


TURNS = {
    "a call less": at_call(lambda calls: calls[:-1]),
    "a call twice": at_call(lambda calls: [*calls, calls[-1]]),
    "a turn empty": at_call(lambda calls: []),
    "a turn late": late,
    "the calls backwards": at_call(lambda calls: calls[::-1] if len(calls) > 1 else None),
    "a function misspelt": at_call(lambda calls: [(f"{calls[0][0]}_", calls[0][1]), *calls[1:]]),
    "an argument more": at_call(lambda calls: [(calls[0][0], {**calls[0][1], "why": "because"}), *calls[1:]]),
    "a text other": at_call(lambda calls: changed(calls, str, lambda text: f"{text}!")),
    "a number one more": at_call(lambda calls: changed(calls, int, lambda number: number + 1)),
    "a number as a text": at_call(lambda calls: changed(calls, int, str)),
}


@functools.cache
def its_own(module):
    """Return a module of the leaderboard, without what it loads for models and for other languages."""
    stand_ins = {name: MagicMock() for name in NOT_NEEDED if find_spec(name) is None}
    stand_ins[TABLE] = SimpleNamespace(MODEL_CONFIG_MAPPING={MODEL: SimpleNamespace(underscore_to_dot=False)})
    added = {name: each for name, each in stand_ins.items() if name not in sys.modules}
    sys.modules.update(added)
    try:
        return importlib.import_module(module)
    finally:
        for name in added:
            del sys.modules[name]


def is_spelled(calls):
    """Say whether text can say the calls: no argument has the name of a keyword, or none that a name can have."""
    return all(key.isidentifier() and not keyword.iskeyword(key) for _, arguments in calls for key in arguments)


def text_of(calls):
    said = (f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})" for name, given in calls)
    return f"[{', '.join(said)}]"


def leaderboard_on_one_turn(entry, truth, split, calls):
    decode = its_own("bfcl_eval.model_handler.utils").default_decode_ast_prompting
    decoded = decode(text_of(calls)) if is_spelled(calls) else [{name: arguments} for name, arguments in calls]
    if split in (*IRRELEVANCE, *RELEVANCE):
        return bool(decoded) == (split in RELEVANCE)
    python = its_own("bfcl_eval.constants.enums").Language.PYTHON
    check = its_own(f"{CHECKERS}.ast_eval.ast_checker").ast_checker
    return bool(check(entry["function"], decoded, truth, python, split, MODEL)["valid"])


def leaderboard_on_turns(entry, truth, split, turns):
    decode = its_own("bfcl_eval.model_handler.utils").default_decode_execute_prompting
    check = its_own(f"{CHECKERS}.multi_turn_eval.multi_turn_checker").multi_turn_checker
    kept = vars(its_own(f"{CHECKERS}.multi_turn_eval.multi_turn_utils"))
    name, before = f"reference{next(NUMBERS)}", {*kept}
    steps = [[step] if (step := decode(text_of(calls))) else [] for calls in turns]
    verdict = check(steps, truth, entry, split, name)
    for each in {*kept} - before:
        del kept[each]
    return bool(verdict["valid"])


def ours(task, cells_of_turns):
    queries = tuple(replace(query, cave=cells) for query, cells in zip(task.queries, cells_of_turns, strict=True))
    played = replace(task, queries=queries)
    return all(
        outcome.ok for outcome in Trial(played, find("bfcl")[1]["cave"], seed=7, llm=Player(played, "cave")).run()
    )


def cells_of(calls, known):
    """Return the calls of a turn as cells, what is not there in one of its own: it fails, and the others stand."""
    groups = itertools.groupby(calls, key=lambda call: call[0] in known)
    return tuple("\n".join(as_code(*call) for call in group) for _, group in groups) or ("pass",)


def chosen(corrupt, right, most, number):
    """Yield a right answer, and up to so many corruptions of it, other ones for other tasks."""
    yield "right", right
    names = [*corrupt]
    turned = names[number % len(names) :] + names[: number % len(names)]
    found = ((name, wrong) for name in turned if (wrong := corrupt[name](right)) is not None)
    yield from itertools.islice(found, most)


def entries_of(split):
    return {entry["id"]: entry for entry in bfcl._lines(Path(), split)}


def truths_of(split):
    return {entry["id"]: entry["ground_truth"] for entry in bfcl._lines(Path("possible_answer"), split)}


def told_as(plain, name):
    """Return what a cell calls a function by; what is none of the task's is none that a cell is told of, either."""
    return plain.get(name) or (f"{name}_" if name in plain.values() else name)


def single(split, every, most):
    """Yield for each answer: task, corruption, our verdict, the leaderboard's."""
    entries = entries_of(split)
    about_relevance = split in (*IRRELEVANCE, *RELEVANCE)
    truths = {} if about_relevance else truths_of(split)
    for number, task in enumerate(bfcl.tasks(7, split)[::every]):
        entry, truth = entries[task.name], truths.get(task.name, ())
        task.build(world := World())
        plain = dict(zip((each["name"] for each in entry["function"]), world.tools, strict=True))
        if about_relevance:
            answered = [("no call", []), ("a call", [(name, {}) for name in plain][:1]), ("none of its own", [NOBODYS])]
        else:
            answered = chosen(CORRUPTIONS, list(task.queries[0].reference), most, number)
        for name, answer in answered:
            cell = "\n".join(as_code(told_as(plain, called), given) for called, given in answer) or "pass"
            yield task.name, name, ours(task, [cell]), leaderboard_on_one_turn(entry, truth, split, answer)


def several(split, every, most):
    """Yield the same for each conversation."""
    entries, truths = entries_of(split), truths_of(split)
    for number, task in enumerate(bfcl.tasks(7, split)[::every]):
        entry, truth = entries[task.name], truths[task.name]
        right = [list(query.reference) for query in task.queries]
        filled = [at for at, calls in enumerate(right) if calls]
        at = filled[number % len(filled)]
        task.build(world := World())
        known = {*world.tools}
        corrupt = {name: corrupt_at(change, at) for name, change in TURNS.items()}
        for name, turns in chosen(corrupt, right, most, number):
            cells = [cells_of(calls, known) for calls in turns]
            yield task.name, name, ours(task, cells), leaderboard_on_turns(entry, truth, split, turns)


def corrupt_at(change, at):
    def corrupt(turns):
        wrong = change(turns, at)
        return None if any(calls is None for calls in wrong) else wrong

    return corrupt


def agreement(split, every=1, most=5):
    """Return how many answers of a split were judged as in the leaderboard, by its verdict, and the others."""
    counts, others = Counter(), []
    judged = single if split in bfcl.SINGLE_TURN else several
    for task, name, our, its in judged(split, every, most):
        counts[its] += our == its
        if our != its:
            others.append(f"{task}, {name}: {'right' if our else 'wrong'} here alone")
    return counts, others


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.simulations.bfcl_agreement", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="each so manieth task of a split")
    parser.add_argument("--mutants", type=int, default=5, help="so many corruptions of each right answer")
    parser.add_argument("--splits", default=",".join((*bfcl.SINGLE_TURN, *bfcl.MULTI_TURN)))
    options = parser.parse_args()
    differ = 0
    for split in options.splits.split(","):
        counts, others = agreement(split, options.every, options.mutants)
        judged = counts.total() + len(others)
        differ += len(others)
        print(
            f"{split}: {counts.total():,} of {judged:,} agree, {counts[True]:,} of them right",
            *others,
            sep="\n  ",
            flush=True,
        )
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
