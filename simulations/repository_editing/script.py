"""The scripted model of the three: no model, but cells that a good one might write, by stage and by exit status."""

import re

from cave_sim.models import Request
from cave_sim.simulations.repository_editing.repository import EDGES, HASTY, RIGHT

RUN_TESTS = 'run_command("python -m unittest -q")'
CELLS: dict[tuple[str, str, int | None], str] = {
    ("planner", "plan", None): RUN_TESTS,
    ("planner", "plan", 1): 'board.plan("total_cents: give lines of 10 pieces or more 5 % off; run all tests")',
    ("planner", "merge", None): f'take_changes("engineer")\n{RUN_TESTS}',
    ("planner", "merge", 0): "board.finish()",
    ("engineer", "build", None): f'write_file("basket.py", {HASTY!r})\n{RUN_TESTS}',
    ("engineer", "build", 0): "board.submit()",
    ("engineer", "mend", None): f'write_file("basket.py", {RIGHT!r})\n{RUN_TESTS}',
    ("engineer", "mend", 0): "board.submit()",
    ("qa", "review", None): f'copy_workspace("engineer")\nwrite_file("test_edges.py", {EDGES!r})\n{RUN_TESTS}',
    ("qa", "review", 1): 'board.complain("test_edges.py fails: ten pieces, and half a cent")',
    ("qa", "review", 0): "board.approve()",
}
"""By agent, stage, and the exit status of the tests that ran since its last step; None where none did."""

SEEN = re.compile(r'"stage":"(?P<stage>\w+)"|"exit":(?P<exit>\d+)|(?P<acted>Your cell ran|<output>|<error>)')
"""What a request says that matters to the script, in order."""


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    text = "\n".join(message.text for message in request.messages[1:] if message.role != "assistant")
    stage, status, has_acted = "", None, False
    for seen in SEEN.finditer(text):
        has_acted = seen["acted"] is not None
        stage = seen["stage"] or stage
        status = int(seen["exit"]) if seen["exit"] is not None else status
    cell = CELLS.get((request.key.agent, stage, status))
    return "That is all for now." if has_acted or cell is None else f"```python\n{cell}\n```"
