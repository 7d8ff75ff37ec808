"""Optional parts: what is not installed is said in one line, with the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cave_sim.errors import MissingExtra

MODULES: dict[str, tuple[str, ...]] = {
    "dash": ("starlette", "uvicorn", "websockets"),
    "documents": ("docx", "matplotlib"),
    "export": ("pyarrow",),
    "film": ("PIL",),
    "gym": ("gymnasium", "pettingzoo"),
    "lab": ("plotly", "SALib", "statsmodels"),
    "learn": ("sklearn",),
    "llm": ("aiohttp", "litellm", "tiktoken"),
    "local": ("xllamacpp",),
    "maps": ("osmium",),
    "mcp": ("mcp", "mcp_types"),
    "mirror": ("fsspec",),
    "notebook": ("anywidget", "ipykernel", "nbclient", "nbformat"),
    "personas": ("ipfn",),
    "plots": ("plotly",),
    "ray": ("ray",),
    "viz": ("altair", "matplotlib", "solara"),
}
"""The extras of pyproject.toml that commands may need, and what of theirs is imported."""


@contextmanager
def extra(name: str, purpose: str) -> Iterator[None]:
    """Have imports in the block that fail for want of an extra say so.

    Args:
        name: of the extra.
        purpose: what it is needed for, in words that begin the message.

    Raises:
        MissingExtra: a module of the extra is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in MODULES[name]:
            raise
        raise MissingExtra(f"{purpose} needs an extra: pip install 'cave_sim[{name}]'") from None
