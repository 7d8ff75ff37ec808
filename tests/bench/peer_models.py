"""Mesa's own examples, run by Mesa alone and as worlds whose every step is journaled, hashed and can be taken back."""

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import mesa

from tests.bench.mesa_models import compare
from tests.bench.table import Row

MODELS = ("boltzmann_wealth", "schelling", "wolf_sheep")
AT_LEAST = 1 / 3


def rows(_python: str | None) -> Iterator[Row]:
    """Yield how many times ours a step of plain Mesa takes, with and without what became of each agent."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            base_ms, ratios, agents = compare(name, Path(folder))
            for kind, told in {"agents": "agents and measures journaled", "measures": "measures journaled"}.items():
                ours, theirs = f"{base_ms * ratios[kind]:.2f} ms", f"Mesa {mesa.__version__} {base_ms:.2f} ms"
                what = f"step of {name}, {agents:,} agents, {told}"
                yield Row(what, ours, theirs, 1 / ratios[kind], AT_LEAST, at_least=True)
