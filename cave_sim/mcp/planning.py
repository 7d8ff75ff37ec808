"""Planning and rendering by the Model Context Protocol: seven tools for any client that writes long documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cave_sim.capacity.output_capacity import OutputLimits
from cave_sim.capacity.planning_tools import PlanningTools
from cave_sim.mcp.toolbox import Toolbox

ABOUT = (
    "Before you write a long document: estimate what it takes, look at your budget, and ask for a plan. If a turn comes"
    " out empty or cut off, replan. Tables and formats are rendered, not written: list_templates, then render."
)


def planning_toolbox(folder: Path, limits: OutputLimits | None = None) -> Toolbox:
    """Return the tools of a client.

    Args:
        folder: where its documents are written.
        limits: what is known of its model.
    """
    tools = PlanningTools(folder, limits)
    functions: list[Callable[..., Any]] = [
        tools.estimate,
        tools.budget,
        tools.plan,
        tools.replan,
        tools.register_template,
        tools.render,
        tools.list_templates,
    ]
    return Toolbox("cave-sim-capacity", ABOUT, functions)
