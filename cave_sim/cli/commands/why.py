"""``cave-sim why``: causes. What would have been without a turn, an agent or an intervention of a run?"""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts, json_output
from cave_sim.cli.options.numbers import at_least

EPILOG = """Example: cave-sim why runs/town_day-7 'weather.kind == "storm"' --among interventions"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run; it is only read")
    parser.add_argument(
        "question",
        metavar="MEASURE|CONDITION",
        help="what to explain: a measure of the run, or an expression such as town.treasury_cents or ann.mood < 0",
    )
    parser.add_argument(
        "--among",
        choices=("turns", "agents", "announcements", "interventions", "prompt-parts"),
        default="turns",
        help="what is taken out, one at a time: an agent's turns of one step (default), all of an agent's, a"
        " statement that says something, a cell that no agent chose, a part of what minds are asked with",
    )
    parser.add_argument("--at", type=at_least(1), metavar="STEP", help="ask at this step (default: the last one)")
    parser.add_argument(
        "--ever", action="store_true", help="ask whether a condition held after any step, and not only at the end"
    )
    parser.add_argument(
        "--shortest",
        action="store_true",
        help="find few turns without which a condition never holds, and few that bring it about alone (as --ever asks)",
    )
    parser.add_argument("--max-forks", type=at_least(0), default=100, metavar="N", help="run at most so many forks")
    parser.add_argument(
        "--max-calls",
        type=at_least(0),
        metavar="N",
        help="pay for at most so many calls to models in all forks together",
    )
    parser.add_argument(
        "--shapley",
        type=at_least(2),
        metavar="N",
        help="put the N most important together in random orders: what each adds, and which act only together",
    )
    parser.add_argument(
        "--most", type=at_least(0), default=10, metavar="N", help="print at most so many causes; 0: all"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="draw what was found as a page")
    parser.add_argument(
        "--seeds", type=at_least(1), default=1, metavar="K", help="try each in K futures, for an interval"
    )
    parser.add_argument("--keep", action="store_true", help="keep the forks that made a difference beside the run")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep results here (default: RUN-why beside the run)")
    parser.add_argument("--ask", action="store_true", help="ask the model, and pay, where the run has no reply")
    parser.add_argument("--api-base", metavar="URL", help="the server of the model, where it is asked")
    consent.add_arguments(parser)
    json_output.add_argument(parser)
    parser.add_argument(
        "--lines", action="store_true", help="print lines of JSON: each effect once it is known, at last all of it"
    )
    hosts.add_arguments(parser, ray=False)
