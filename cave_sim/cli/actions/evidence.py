"""``cave-sim evidence``: building packets, and saying which of their claims hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cave_sim.cli.options import json_output, output_file
from cave_sim.errors import WorldError
from cave_sim.evidence.build import build, still_holds
from cave_sim.evidence.claims_page import page
from cave_sim.evidence.packet import Packet, packets_in
from cave_sim.files.whole_files import write_whole

CLAIMS = Path("docs/claims")
"""Where packets are looked for when none is named."""


def call(options: argparse.Namespace) -> int:
    """Build packets; exit code 0 if all that they claim holds, 1 if not."""
    if not options.packets and not CLAIMS.is_dir():
        raise WorldError(f"name a packet, or a folder of them: there is no {CLAIMS} here")
    output_file.expect_place("--table", options.table)
    packets = packets_in(options.packets or [CLAIMS])
    if options.list:
        _list(packets, as_json=options.json)
        return 0
    shown = {path: packet for path, packet in packets.items() if packet.is_shown}
    earlier = {} if options.again else {path: still_holds(path, options.out) for path in shown}
    results = {path.stem: earlier.get(path) or build(path, packet, options.out, _say) for path, packet in shown.items()}
    if options.table:
        write_whole(options.table, page(packets, options.out))
    if options.json:
        json_output.show(results)
    else:
        _print(results, options.out)
        _print_not_shown(packets)
    return 0 if all(result["holds"] for result in results.values()) else 1


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _list(packets: Mapping[Path, Packet], *, as_json: bool) -> None:
    if as_json:
        json_output.show({path.stem: packet.model_dump() for path, packet in packets.items()})
        return
    for path, packet in packets.items():
        print(f"{path.stem}: {packet.title}")
        for claim in packet.claims:
            shown = claim.test or ("the commands below" if packet.commands else "nothing yet")
            print(f"  {claim.says}\n    shown by {shown}")
        for step in packet.commands:
            killed = f"  (killed at step {step.kill_at})" if step.kill_at is not None else ""
            print(f"  $ cave-sim {step.run}{killed}")


def _print(results: Mapping[str, Mapping[str, Any]], out: Path) -> None:
    for name, result in results.items():
        holding = sum(claim["holds"] for claim in result["claims"])
        print(f"{name}: {holding} of {len(result['claims'])} claims hold, in {out / name}")
        for problem in result["problems"]:
            print(f"  {problem}")


def _print_not_shown(packets: Mapping[Path, Packet]) -> None:
    for packet in packets.values():
        for claim in () if packet.is_shown else packet.claims:
            print(f"nothing shows yet: {claim.says}")
