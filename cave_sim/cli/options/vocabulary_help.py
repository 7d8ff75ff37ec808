"""What a scenario of a simulation can name, in words: for ``cave-sim list NAME``, and the file of a new scenario."""

from __future__ import annotations

import textwrap
from typing import Any

from cave_sim.cli.options.settings_help import COLUMNS
from cave_sim.diagnostics.raised import said_of
from cave_sim.errors import CaveSimError, WorldError, did_you_mean

MOST_LETTERS, MOST_INDENT = 24, 44
KEPT_TOGETHER = "\N{NO-BREAK SPACE}"
SEED = 7
"""Of the world that is looked at, as ``cave-sim run`` has it."""
Described = dict[str, Any]


def described(simulation: str) -> Described:
    """Return what a scenario of a simulation can name, from its world as it is made by default, as plain data.

    Returns:
        ``measures``, ``classes`` and ``examples``; of one that lies in shards the first alone; of one whose world
        cannot be made without options, ``not_looked_at``: why.
    """
    from cave_sim.replay.recipe import Recipe
    from cave_sim.scenario.example_lines import example_lines
    from cave_sim.scenario.vocabulary import vocabulary_of
    from cave_sim.simulation.simulation import Simulation  # what is listed by name alone waits for no library

    recipe = Recipe.named(simulation, create={"seed": SEED})
    package = recipe.module().__name__
    try:
        made = recipe.make()
    except (CaveSimError, ValueError) as error:
        return {"not_looked_at": str(error)}
    except Exception as error:  # somebody's own code may raise anything
        return {"not_looked_at": said_of(error)}
    try:
        if not isinstance(made, Simulation):
            taken = made.latest_measures
            return {"measures": [{"name": name, "about": "", "at_start": taken.get(name)} for name in made.measures]}
        vocabulary = vocabulary_of(made, package).to_data()
        return {**vocabulary, "examples": example_lines(made, package).to_data()}
    finally:
        made.close()


def lines_of(words: Described, name: str) -> list[str]:
    """Return all that can be named as lines for people, each class in short."""
    if "not_looked_at" in words:
        return ["", f"What a scenario can name is not known: {words['not_looked_at']}"]
    lines = measure_lines(words)
    if "classes" not in words:
        return [*lines, "", "It lies in shards: scenarios, which are for one world, cannot be about it."]
    lines += ["", "entities, which expressions name; world.all(CLASS) are those of that class alone:"]
    for each in words["classes"]:
        lines += _in_short(each)
    if words["classes"]:
        lines.append(f"  cave-sim list {name} {words['classes'][0]['name']} says what each of these means")
    return [*lines, "", *example_text(words["examples"])]


def measure_lines(words: Described) -> list[str]:
    """Return the measures as lines: how an expression names each, what it is, and what it comes to at the start."""
    if not words["measures"]:
        return ["", "It measures nothing of itself: name what you measure below measures: in a scenario."]
    written = [each.get("written", each["name"]) for each in words["measures"]]
    width = max(map(len, written))
    lines = ["", "measures, which measures, outcomes, when and stop of a scenario name so:"]
    for name, each in zip(written, words["measures"], strict=True):
        start = "nothing" if each["at_start"] is None else f"{each['at_start']:g}"
        about = f"{each['about']}; {start} at the start" if each["about"] else f"{start} at the start"
        lines += _hanging(f"  {name:{width}}  ", about)
    return lines


def example_text(examples: dict[str, str]) -> list[str]:
    """Return one line of each kind that works, and what else expressions may say."""
    from cave_sim.history.evaluation import FUNCTIONS, METHODS

    measure, outcome, when = map(_quoted, (examples["measure"], examples["outcome"], examples["when"]))
    texts = {
        "measures": measure and f"example: {measure}",
        "outcomes": outcome and f"most: {outcome}",
        "when": when,
        "set": examples["set"],
    }
    lines = ["for example, below these keys of a scenario:"]
    lines += [f"  {key + ':':10} {text}" for key, text in texts.items() if text]  # unbroken, to be copied
    more = "expressions also have world.step; and, or, not, A if B else C; lists, p.x for p in world.all(CLASS) if ...;"
    return [*lines, *textwrap.wrap(f"{more} {', '.join(FUNCTIONS)}; .{', .'.join(sorted(METHODS))}", COLUMNS)]


def commented_lines(words: Described) -> str:
    """Return what a new scenario may begin with beside its conditions, each line behind a ``#``."""
    if "examples" not in words:
        return ""
    examples, own = words["examples"], [each["written"] for each in words["measures"]]
    measure, outcome, when = map(_quoted, (examples["measure"], examples["outcome"], examples["when"]))
    lines = [f"{'Its own measures' if own else 'Nothing is measured'} unless others are named{': ' if own else ''}"]
    lines[0] += ", ".join(own)
    lines += ["measures:", f"  example: {measure}"] if measure else []
    lines += ["outcomes:", f"  most: {outcome}"] if outcome else []
    deed = f"set: {examples['set']}" if examples["set"] else "cell: pass"
    lines += ["interventions:", f"  - when: {when}", f"    {deed}"]
    return "".join(f"# {line}\n" for line in lines)


def class_lines(words: Described, name: str) -> list[str]:
    """Return one class in full: a line for each field and act, with what it means.

    Raises:
        WorldError: there is none by that name; says which there are.
    """
    if "classes" not in words:
        raise WorldError(words.get("not_looked_at", "it lies in shards: scenarios, which are for one world, name none"))
    known = {each["name"]: each for each in words["classes"]}
    if name not in known:
        raise WorldError(f"there is no class {name!r}.{did_you_mean(name, known)} There are: {', '.join(known)}")
    shown = known[name]
    lines = [_title(shown), *textwrap.wrap(shown["about"], COLUMNS - 2, initial_indent="  ", subsequent_indent="  ")]
    for each in shown["fields"]:
        notes = [", ".join(filter(None, [each["type"], each["bounds"]])), each["about"]]
        notes += [f"{shown['example']} has {each['example']}"] if each["example"] else []
        lines += _hanging(f"  {each['name']}: ", "; ".join(filter(None, notes)))
    for each in shown["acts"]:
        lines += _hanging(f"  {each['call']}: ", each["about"])
    return lines


def _quoted(text: str) -> str:
    """Return an expression as YAML takes it."""
    return "'" + text.replace("'", "''") + "'" if ": " in text or " #" in text else text


def _in_short(each: Described) -> list[str]:
    fields = ", ".join(f"{field['name']}{KEPT_TOGETHER}{_kind(field)}" for field in each["fields"])
    acts = ", ".join(act["call"] for act in each["acts"])
    lines = textwrap.wrap(_title(each), COLUMNS, initial_indent="  ", subsequent_indent="    ")
    for text in (fields, acts and f"acts: {acts}"):
        lines += textwrap.wrap(text, COLUMNS, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
    return [line.replace(KEPT_TOGETHER, " ") for line in lines]


def _title(each: Described) -> str:
    of = f" (what {each['base']} has, and more)" if each["base"] else ""
    some = each["example"] if each["count"] == 1 else f"{each['count']:,} of them, such as {each['example']}"
    return f"{each['name']}{of}: {some}"


def _kind(field: Described) -> str:
    kind = str(field["type"])
    if "[" in kind and len(kind) > MOST_LETTERS:  # what is in it is told with the class
        return kind.partition("[")[0]
    return f"({kind})" if " | " in kind else kind


def _hanging(head: str, text: str) -> list[str]:
    """Return a text behind a head, in lines that are no wider than a page; further ones are indented."""
    indent = " " * min(len(head), MOST_INDENT)
    return textwrap.wrap(
        head + (text or "-"), COLUMNS, subsequent_indent=indent, break_long_words=False, drop_whitespace=True
    ) or [head]
