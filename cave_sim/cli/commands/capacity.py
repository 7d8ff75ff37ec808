"""``cave-sim capacity``: how much a model can write in one turn, and which way a document is best written."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options.numbers import amount, at_least, port

EPILOG = """\
Examples:
  cave-sim capacity calibrate --model scripted
  cave-sim capacity plan --tokens 10000 --format html --window 200000 --used 90000"""

ACTIONS = ("calibrate", "plan", "serve")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("action", choices=ACTIONS, metavar="|".join(ACTIONS), help="what to do")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    model = parser.add_argument_group("calibrate")
    model.add_argument(
        "--model", default="scripted", metavar="NAME", help="scripted (a curve that is known), local, or a litellm name"
    )
    model.add_argument("--gguf", metavar="PATH", help="weights for --model local")
    model.add_argument(
        "--threads",
        type=at_least(1),
        metavar="N",
        help="that compute for --gguf (default: one for each processor; 1 is faster where others want them, too)",
    )
    model.add_argument("--api-base", metavar="URL", help="a server of your own")
    model.add_argument(
        "--occupancies", metavar="LIST", help="to measure at, such as 0.1,0.5,0.9 (default: nine of them)"
    )
    model.add_argument("--longest", type=at_least(1), metavar="N", help="the longest answer to want, in tokens")
    model.add_argument("--probes", type=at_least(1), default=12, metavar="N", help="at each occupancy, at the most")
    model.add_argument(
        "--within", type=amount(float), metavar="S", help="begin no probe after so many seconds, and fit what is known"
    )
    model.add_argument("--timeout", type=amount(float), metavar="S", help="give a reply up after so many seconds")
    model.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of what was found (default: runs/capacity-MODEL)"
    )
    plan = parser.add_argument_group("plan")
    plan.add_argument("--tokens", type=at_least(0), metavar="N", help="of the document's plain text")
    plan.add_argument(
        "--format", default="markdown", metavar="NAME", help="raw, markdown, json, html, latex or python_docx"
    )
    plan.add_argument("--used", type=at_least(0), default=0, metavar="N", help="tokens that are in the window now")
    plan.add_argument("--limits", type=Path, metavar="FILE", help="what a calibration wrote (default: no degradation)")
    plan.add_argument("--template-tokens", type=at_least(0), default=0, metavar="N", help="of a template to be written")
    plan.add_argument("--documents", type=at_least(1), default=1, metavar="N", help="that the template is for")
    plan.add_argument("--data-share", type=float, default=1.0, metavar="S", help="of the text that must be data")
    plan.add_argument("--margin", type=float, default=0.67, metavar="B", help="share of the capacity to use")
    serve = parser.add_argument_group("serve")
    serve.add_argument("--http", type=port, metavar="PORT", help="serve HTTP here, with a token (default: stdio)")
    parser.add_argument("--window", type=at_least(1), metavar="N", help="tokens that the model can read and write")
