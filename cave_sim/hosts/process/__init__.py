"""Cells in sandboxed processes of their own: :class:`ProcessHost` is what people use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cave_sim.hosts.process.host import ProcessHost

__all__ = ["ProcessHost"]


def __getattr__(name: str) -> Any:
    """Load the host when somebody asks for it: the processes that it starts import this package and never need it."""
    if name == "ProcessHost":
        from cave_sim.hosts.process.host import ProcessHost

        return ProcessHost
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
