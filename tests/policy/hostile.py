"""Hostile cells by category: each is one script, whose turns are parted by `#> agent` lines (the first is ann's)."""

from tests.policy import (
    hostile_analysis,
    hostile_answers,
    hostile_borrowed,
    hostile_classes,
    hostile_constructors,
    hostile_containers,
    hostile_contexts,
    hostile_data,
    hostile_dates,
    hostile_doors,
    hostile_draws,
    hostile_errors,
    hostile_exact,
    hostile_figures,
    hostile_functions,
    hostile_helpers,
    hostile_language,
    hostile_learning,
    hostile_left,
    hostile_libraries,
    hostile_limits,
    hostile_machine,
    hostile_modules,
    hostile_numbers,
    hostile_places,
    hostile_rights,
    hostile_searches,
    hostile_side_doors,
    hostile_solvers,
    hostile_tables,
    hostile_texts,
    hostile_values,
    hostile_views,
    hostile_world,
)


def scripts(text: str) -> list[str]:
    """Split a page of scripts at its blank lines."""
    return [script.strip("\n") for script in text.split("\n\n") if script.strip()]


HOSTILE: dict[str, list[str]] = {
    category: scripts(text)
    for module in (
        hostile_language,
        hostile_libraries,
        hostile_tables,
        hostile_values,
        hostile_world,
        hostile_limits,
        hostile_exact,
        hostile_doors,
        hostile_machine,
        hostile_modules,
        hostile_numbers,
        hostile_data,
        hostile_dates,
        hostile_helpers,
        hostile_answers,
        hostile_analysis,
        hostile_left,
        hostile_rights,
        hostile_views,
        hostile_functions,
        hostile_classes,
        hostile_contexts,
        hostile_containers,
        hostile_figures,
        hostile_learning,
        hostile_constructors,
        hostile_errors,
        hostile_borrowed,
        hostile_texts,
        hostile_side_doors,
        hostile_solvers,
        hostile_searches,
        hostile_places,
        hostile_draws,
    )
    for category, text in module.PAGES.items()
}
"""Category -> its scripts."""

ENDLESS = ("CPU loops", "drawing without end", "helpers without end", "timeout evasion")
"""Categories whose scripts end at the deadline: it is what they take, so it is set short."""

LENGTHY = {
    "bytes and tasks",
    "containers of one's own",
    "formats and templates",
    "groups of errors",
    "choices of the machine",
    "CPU loops",
    "databases",
    "exact numbers without end",
    "giants of data work",
    "giants of numpy and pandas",
    "late bombs",
    "modules past their bounds",
    "networks past the tracking",
    "new doors",
    "recursion, parser",
    "timeout evasion",
}
"""Categories that take two thirds of what all take."""
