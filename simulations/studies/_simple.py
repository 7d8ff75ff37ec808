"""Simple types: numbers, texts, truth, lists and dictionaries that change from query to query."""

from __future__ import annotations

from typing import Any

from cave_sim.experiment.task import Query, Task, Variable

Turn = tuple[str, str, Any] | tuple[str, str, Any, str]


def _task(name: str, variable: str, start: Any, about: str, *turns: Turn) -> Task:
    """Return a task about one variable.

    Each turn is what is asked, the right cell, the value after it, and a wrong cell where a slip would do no harm.
    """
    queries = tuple(
        Query(text, {variable: value}, cave=code, wrong="".join(wrong)) for text, code, value, *wrong in turns
    )
    return Task(name, "simple", queries, variables=lambda: {variable: Variable(_fresh(start), about)})


def _fresh(value: Any) -> Any:
    """Return a list or dictionary of its own for each trial; texts and numbers cannot be changed anyway."""
    return type(value)(value) if isinstance(value, list | dict | set) else value


TASKS = [
    _task(
        "counter", "counter", 12, "a whole number",
        ("Raise counter by 30.", "counter += 30", 42),
        ("Now make it four times as large.", "counter *= 4", 168),
        ("Keep only the remainder when it is divided by 9.", "counter %= 9", 6),
    ),
    _task(
        "depth", "depth", -48, "metres, negative below the sea",
        ("Turn depth into a positive number.", "depth = abs(depth)", 48),
        ("Divide it by 5 as a whole number, without a remainder.", "depth //= 5", 9),
        ("Square it.", "depth **= 2", 81),
    ),
    _task(
        "celsius", "warmth", 21.5, "degrees Celsius at first",
        ("Convert warmth to Fahrenheit: times 9, by 5, plus 32.", "warmth = warmth * 9 / 5 + 32", 70.7),
        ("Lower it by 6.2.", "warmth -= 6.2", 64.5),
        ("Back to Celsius, rounded to 2 digits.", "warmth = round((warmth - 32) * 5 / 9, 2)", 18.06),
    ),
    _task(
        "ratio", "ratio", 0.75, "a share",
        ("Add one eighth to ratio.", "ratio += 1 / 8", 0.875),
        ("Replace it by its complement to 1.", "ratio = 1 - ratio", 0.125),
        ("Express it in percent.", "ratio *= 100", 12.5),
    ),
    _task(
        "motto", "motto", "slow and steady", "some words",
        ("Capitalise every word of motto.", "motto = motto.title()", "Slow And Steady"),
        ("Replace 'And' by '&'.", "motto = motto.replace('And', '&')", "Slow & Steady"),
        ("Put ' wins' behind it and an exclamation mark at the end.", "motto += ' wins!'", "Slow & Steady wins!"),
    ),
    _task(
        "codes", "codes", "ax;bo;cy", "three codes",
        ("Separate the codes by ' / ' instead of ';'.", "codes = codes.replace(';', ' / ')", "ax / bo / cy"),
        ("Write them in capitals.", "codes = codes.upper()", "AX / BO / CY"),
        ("Keep only the last code.", "codes = codes.split(' / ')[-1]", "CY"),
    ),
    _task(
        "switch", "switch", False, "on or off",
        ("Flip switch.", "switch = not switch", True),
        ("Set it to whether 17 and 21 are both larger than 20.", "switch = 17 > 20 and 21 > 20", False,
         "switch = 21 > 20"),
        ("Make it true if either 9 is larger than 8 or 8 is larger than 9.", "switch = 9 > 8 or 8 > 9", True,
         "switch = 9 > 8 and 8 > 9"),
    ),
    _task(
        "queue", "queue", ["ann", "bo"], "people who wait, the first in front",
        ("Cem joins queue at the end: 'cem'.", "queue.append('cem')", ["ann", "bo", "cem"]),
        ("'dora' pushes in at the very front.", "queue.insert(0, 'dora')", ["dora", "ann", "bo", "cem"]),
        ("The first two are served and leave.", "del queue[:2]", ["bo", "cem"]),
    ),
    _task(
        "readings", "readings", [7, 3, 9, 3, 8], "numbers",
        ("Take every 3 out of readings.", "readings = [each for each in readings if each != 3]", [7, 9, 8]),
        ("Sort them, the largest first.", "readings = sorted(readings, reverse=True)", [9, 8, 7]),
        ("Append their sum.", "readings.append(sum(readings))", [9, 8, 7, 24]),
    ),
    _task(
        "stock", "stock", {"tea": 4, "jam": 1}, "how many of each",
        ("Five more of tea come in.", "stock['tea'] += 5", {"tea": 9, "jam": 1}),
        ("A new good: 12 of 'rice'.", "stock['rice'] = 12", {"tea": 9, "jam": 1, "rice": 12}),
        ("Take out what there is fewer than 5 of.", "stock = {k: v for k, v in stock.items() if v >= 5}",
         {"tea": 9, "rice": 12}, "stock = {k: v for k, v in stock.items() if v < 5}"),
    ),
    _task(
        "grades", "grades", {"math": 2, "art": 1, "music": 3}, "subject to grade",
        ("Raise each grade in grades by 1.", "grades = {name: grade + 1 for name, grade in grades.items()}",
         {"math": 3, "art": 2, "music": 4}),
        ("Rename 'art' to 'painting', with the same grade.", "grades['painting'] = grades.pop('art')",
         {"math": 3, "music": 4, "painting": 2}),
        ("Add 'mean': their mean.", "grades['mean'] = sum(grades.values()) / 3",
         {"math": 3, "music": 4, "painting": 2, "mean": 3.0}),
    ),
    _task(
        "tags", "tags", {"old", "blue"}, "a set of labels",
        ("Add the label 'wide' to tags.", "tags.add('wide')", {"old", "blue", "wide"}),
        ("Take 'old' out.", "tags.discard('old')", {"blue", "wide"}),
        ("Join it with the set of 'wide', 'tall' and 'thin'.", "tags = tags | {'wide', 'tall', 'thin'}",
         {"blue", "wide", "tall", "thin"}),
    ),
]  # fmt: skip
