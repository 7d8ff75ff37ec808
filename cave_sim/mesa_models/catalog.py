"""Which Mesa model a name means: an example that ships with Mesa by a short name, or any model by its module."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cave_sim.diagnostics.short_texts import first_sentence
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.loading.entry_points import Plugin, load

if TYPE_CHECKING:
    import mesa

PREFIX = "mesa:"
"""What the names of simulations begin with that are Mesa's models."""


@dataclass(frozen=True)
class Example(Plugin):
    """An example that ships with Mesa, as one of the simulations that are offered."""

    def purpose(self) -> str:
        """Return what it says of its model, in a sentence. Its source is read, not run, and Mesa is not imported."""
        path = _folder().joinpath(*self.target.split(".")[1:]).with_suffix(".py")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        models = [node for node in tree.body if isinstance(node, ast.ClassDef) and "Model" in map(_base, node.bases)]
        docstrings = [*map(ast.get_docstring, models), ast.get_docstring(tree)]
        return next((sentence for text in docstrings if (sentence := first_sentence(text or ""))), "")


def examples() -> dict[str, Example]:
    """Return the examples that the installed Mesa brings, by short names: ``boltzmann_wealth``."""
    source = f"mesa {metadata.version('mesa')}"
    targets = {
        path.parent.name.removesuffix("_model"): f"mesa.examples.{path.parent.parent.name}.{path.parent.name}.model"
        for path in _folder().glob("examples/*/*/model.py")
    }
    return {name: Example(f"{PREFIX}{name}", target, source) for name, target in sorted(targets.items())}


def _folder() -> Path:
    spec = find_spec("mesa")
    return Path(next(iter((spec and spec.submodule_search_locations) or ())))


def find_model(target: str) -> type[mesa.Model]:
    """Return the class of ``boltzmann_wealth``, ``mypackage.model:Schelling`` or ``mypackage.model``, imported.

    Raises:
        WorldError: there is no such model, or a module has several and none is named.
    """
    known = examples()
    if not target:
        raise WorldError(f"{PREFIX} is followed by the name of a model. Mesa brings: {', '.join(known)}")
    if target not in known and target.isidentifier() and find_spec(target) is None:
        raise WorldError(
            f"Mesa has no example {target!r}.{did_you_mean(target, known)} There are: {', '.join(known)}. A model of "
            f"your own is named by its module: {PREFIX}mypackage.model:MyModel"
        )
    path = list(sys.path)
    try:
        loaded = load(known[target].target if target in known else target)
    except ModuleNotFoundError as error:
        module, dot, name = target.rpartition(".")
        way = f"; a class is named behind a colon: {PREFIX}{module}:{name}" if dot and name[:1].isupper() else ""
        raise WorldError(f"{PREFIX}{target} cannot be imported: {error}{way}") from None
    except AttributeError as error:
        module, _, name = target.partition(":")
        names = vars(sys.modules[module]) if module in sys.modules else {}
        there = [each for each, value in names.items() if _is_model(value)]
        raise WorldError(f"{PREFIX}{target}: {error}.{did_you_mean(name, there)}") from None
    finally:
        sys.path[:] = path  # one of Mesa's examples puts folders in front
    if _is_model(loaded):
        model: type[mesa.Model] = loaded
        return model
    if not isinstance(loaded, ModuleType):
        raise WorldError(f"{PREFIX}{target} is no mesa.Model")
    return _only_model(target, loaded)


def _only_model(target: str, module: Any) -> type[mesa.Model]:
    models: dict[str, type[mesa.Model]] = {
        name: value for name, value in vars(module).items() if _is_model(value) and value.__module__ == module.__name__
    }
    if len(models) != 1:
        there = f"it has {', '.join(sorted(models))}: name one, {PREFIX}{target}:NAME" if models else "it has none"
        raise WorldError(f"{PREFIX}{target} does not say which mesa.Model is meant; {there}")
    return next(iter(models.values()))


def _is_model(value: Any) -> bool:
    import mesa

    return isinstance(value, type) and issubclass(value, mesa.Model)


def _base(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]
