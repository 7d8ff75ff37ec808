"""``cave-sim cohort``: the same people treated and untreated. Who gains by an intervention, and who loses?"""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import consent, hosts, json_output
from cave_sim.cli.options.numbers import at_least

EPILOG = "Example: cave-sim cohort runs/town_day-7 --at 8 --set {who}.energy=0.3 --outcome Resident.mood --seeds 5"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run that all lives share up to a step; it is only read")
    parser.add_argument("--at", type=at_least(0), required=True, metavar="STEP", help="the step behind which they part")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="ENTITY.FIELD=VALUE",
        dest="settings",
        help="an intervention: a value that is set there; {who} stands for each of the people in turn",
    )
    parser.add_argument(
        "--cell", action="append", default=[], metavar="CODE", help="an intervention: a cell that the operator runs"
    )
    parser.add_argument(
        "--outcome", required=True, metavar="CLASS.FIELD", help="of whom what is compared, such as Resident.mood"
    )
    parser.add_argument("--until", type=at_least(1), metavar="STEP", help="compare then (default: the run's last step)")
    parser.add_argument("--seeds", type=at_least(1), default=5, metavar="K", help="live each life in K futures")
    parser.add_argument("--max-lives", type=at_least(2), default=500, metavar="N", help="live no more")
    parser.add_argument("--html", type=Path, metavar="FILE", help="draw whom it helps, and whom it harms, as a page")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep lives here (default: RUN-cohort beside the run)")
    parser.add_argument("--ask", action="store_true", help="ask the model, and pay, where the run has no reply")
    parser.add_argument("--api-base", metavar="URL", help="the server of the model, where it is asked")
    consent.add_arguments(parser)
    json_output.add_argument(parser)
    hosts.add_arguments(parser, ray=False)
