"""All claims as one page: where each is made, what shows it, and what came of that when it was built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cave_sim.evidence.build import built
from cave_sim.evidence.packet import Claim, Packet

HEAD = """# Claims

What is claimed on these pages, and what shows it: tests by their names, or commands. `cave-sim evidence` has run them,
as [its page](how_to/evidence.md) says, and wrote this one. What nothing shows yet is listed, too."""


def page(packets: Mapping[Path, Packet], out: Path) -> str:
    """Return the page, in Markdown, of packets and of what was built of them in a folder."""
    parts = [HEAD]
    for path, packet in packets.items():
        result = built(path, out)
        rows = [
            [_cell(claim.says), _link(claim.page), _shown_by(claim, packet), _verdict(claim, packet, result)]
            for claim in packet.claims
        ]
        table = [["claim", "said in", "shown by", ""], ["---"] * 4, *rows]
        limits = [f"It proves: {packet.proves}\n", f"It does not prove: {packet.does_not_prove}\n"]
        parts += [f"\n## {packet.title}\n", *(limits if packet.is_shown else [])]
        parts += [f"| {' | '.join(row)} |" for row in table]
        parts += [*_typed(packet), "", *_made(path, result)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _link(where: str) -> str:
    """Return a link to a page, as seen from ``docs/``."""
    if not where:
        return ""
    return f"[{where}]({where.removeprefix('docs/') if where.startswith('docs/') else f'../{where}'})"


def _shown_by(claim: Claim, packet: Packet) -> str:
    if claim.test:
        return f"`{claim.test.rpartition('::')[2]}`"
    return "the commands below" if packet.commands else "nothing yet"


def _typed(packet: Packet) -> list[str]:
    """Return a packet's commands as they are typed."""
    lines = [
        f"$ cave-sim {each.run}{f'  # killed at step {each.kill_at}' if each.kill_at is not None else ''}"
        for each in packet.commands
    ]
    return ["", "```console", *lines, "```"] if lines else []


def _verdict(claim: Claim, packet: Packet, result: Mapping[str, Any] | None) -> str:
    if not packet.is_shown:
        return "**not shown**"
    if result is None:
        return "not built"
    holds = {each["says"]: each["holds"] for each in result["claims"]}
    return "holds" if holds.get(claim.says) else "**does not hold**"


def _made(path: Path, result: Mapping[str, Any] | None) -> list[str]:
    if result is None:
        return []
    origin = result["made_by"]
    where = f"{origin['machine']['system']} with Python {origin['python']}"
    source = f"by code {origin['code']}, from source {result['source']}"
    return [f"Packet `{path.stem}`, built {result['built']} on {where}, {source}."]
