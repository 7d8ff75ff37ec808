"""Success and tokens by document and method, and the ablation, told from the journal of a run alone."""

from typing import Any

from cave_sim import Run
from cave_sim.capacity.degradation import PAPER_FITS
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.journal.rebuild import entities_at
from cave_sim.simulations.report_writing.documents import KINDS, task

ABLATION = {"none": "direct", "capacity only": "capacity", "capacity + rendering": "deferred", "full": "full"}
OF_EACH = 4
"""Writers of each method, one for each occupancy. Those that were left alone after silence did not do theirs."""
SHOWN = ("direct", "chunked", "deferred", "capacity", "full")


def summary(run: Run) -> str:
    """Return the tables.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    cells = results(run)
    lines = ["documents done, tokens written for one that came out, and against writing it outright:"]
    for kind in KINDS:
        size = task(kind, int(run.manifest["seed"])).sizes
        lines.append(f"{kind}: {size.formatted_tokens:,} tokens outright, {size.data_tokens:,} as data")
        for method in SHOWN:
            results_of = cells.get((method, kind), [])
            done = [each["written"] for each in results_of if each["done"]]
            mean = sum(done) / max(1, len(done))
            size_text = f", {mean:,.0f} tokens, {mean / size.formatted_tokens - 1:+.0%}" if done else ""
            lines.append(f"  {method:9} {len(done)} of {OF_EACH}{size_text}")
    lines.append("ablation: documents done, tokens read and written in vain")
    for name, method in ABLATION.items():
        results_of = [each for kind in KINDS for each in cells.get((method, kind), [])]
        done_count, wasted = sum(each["done"] for each in results_of), sum(each["wasted"] for each in results_of)
        lines.append(f"  {name:21} {done_count:2} of {OF_EACH * len(KINDS)}, {wasted:,} in vain")
    return "\n  ".join([*lines, _incident()])


def results(run: Run) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return what became of each document by method and kind, one for each occupancy."""
    by_kind: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in entities_at(run, run.last_step).values():
        if each["type"] == "ReportWriter":
            fields = each["fields"]
            for kind, result in fields["results"].items():
                by_kind.setdefault((fields["method"], kind), []).append({"occupancy": fields["occupancy"], **result})
    return by_kind


def _incident() -> str:
    incident = Occupancy(200_000, 90_000)
    alone = output_capacity(incident, OutputLimits(PAPER_FITS["claude"]))
    bounded = output_capacity(incident, OutputLimits(PAPER_FITS["claude"], 8_192))
    asked = "the incident, 90,000 of 200,000 tokens used and 10,000 wanted"
    return f"{asked}: by the paper's equation {alone:,} fit; with a longest output of 8,192, {bounded:,} do"
