"""What a simulation is called, and the module that a name means: installed, of Mesa, or of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

from cave_sim.errors import MissingExtra, WorldError, did_you_mean
from cave_sim.loading.entry_points import SIMULATIONS, STUDIES, installed, load, resolve
from cave_sim.mesa_models.catalog import PREFIX, examples
from cave_sim.mesa_models.modules import module_of
from cave_sim.replay import own_code
from cave_sim.replay.own_code import OwnCode


def available() -> list[str]:
    """Return the names of the simulations that are installed."""
    return list(installed(SIMULATIONS))


def is_installed(name: str) -> bool:
    """Say whether a simulation, by its name or by its module's, is one that is installed as such."""
    if name.startswith(PREFIX):
        return name.removeprefix(PREFIX) in examples()
    simulations = installed(SIMULATIONS)
    return name in simulations or resolve(name) in {entry.target for entry in simulations.values()}


def find(name: str, found_in: str | None = None) -> ModuleType:
    """Return a simulation's module, imported: one that is installed, by name; or any with ``create`` and ``STEPS``.

    Args:
        name: of an installed one, the name of a module, the path of a file, or a Mesa model (``mesa:schelling``).
        found_in: the folder from which a module of one's own is found.

    Raises:
        WorldError: there is none, its code fails, or it is no simulation.
    """
    own = own_code_named(name) if found_in is None else OwnCode(_module_named(name), Path(found_in))
    if name.startswith(PREFIX):
        if own is not None:
            own.load()
        module = module_of(name if own is None else kept_name(name, own))
        own_code.blame_too(sys.modules[module.MODEL.__module__])
        return module
    module = _installed(name) if own is None else own.load()
    own_code.blame_too(module)
    if missing := [part for part in ("create", "STEPS") if not hasattr(module, part)]:
        raise WorldError(
            f"{name if own is None else own.file} is no simulation: it has no {' and no '.join(missing)}; it needs"
            f" create(*, seed, ..., **run: Unpack[RunOptions]) and STEPS{_if_mesa(own, module)}"
        )
    return module


def _if_mesa(own: OwnCode | None, module: ModuleType) -> str:
    """Return how a module is run that is no simulation of ours, but has a model of Mesa's."""
    base = getattr(sys.modules.get("mesa"), "Model", None)
    models = [
        each
        for each in vars(module).values()
        if base and isinstance(each, type) and issubclass(each, base) and each.__module__ == module.__name__
    ]
    return f"; its Mesa model is run as {PREFIX}{own.file}" if own is not None and models else ""


def own_code_named(name: str) -> OwnCode | None:
    """Return the code of one's own that a name means here; None for what Python finds by itself."""
    if name.startswith(PREFIX):
        module = _module_named(name)
        known = own_code.of_path if own_code.is_path(module) else own_code.of_name
        return None if is_installed(name) else known(module)
    if (
        own_code.is_path(name)
        or Path(name).suffix in own_code.SCENARIOS
        or (Path(name).suffix and Path(name).is_file())
    ):
        return own_code.of_path(name)
    return own_code.of_name(name) if not is_installed(name) else None


def _module_named(name: str) -> str:
    """Return the module, or the file, that a name means: of ``mesa:mine.model:Schelling`` what the model lies in."""
    return name.removeprefix(PREFIX).partition(":")[0] if name.startswith(PREFIX) else name


def kept_name(name: str, own: OwnCode) -> str:
    """Return the name of one's own code that is kept with a run."""
    if not name.startswith(PREFIX):
        return own.module
    _, colon, model = name.removeprefix(PREFIX).partition(":")
    return f"{PREFIX}{own.module}{colon}{model}"


def name_here(simulation: str, found_in: object) -> str:
    """Return how a command or a scenario names a simulation: code of one's own by its file, from wherever one stands.

    Args:
        simulation: as in a :class:`Recipe`, or in the manifest of a run, which anybody may have edited.
        found_in: likewise; the folder in which its code lies.
    """
    file = own_file(simulation, found_in)
    if file is None:
        return simulation
    name, here = _module_named(simulation), Path.cwd()
    return simulation.replace(name, str(file.relative_to(here) if file.is_relative_to(here) else file), 1)


def own_file(simulation: object, found_in: object) -> Path | None:
    """Return the file of a simulation of one's own, named as in :func:`name_here`; None if it is none, or not there."""
    if not isinstance(simulation, str) or not isinstance(found_in, str):
        return None
    name = _module_named(simulation)
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    file = OwnCode(name, Path(found_in)).file
    return file if file.is_file() else None


def _installed(name: str) -> ModuleType:
    """Return the module of an installed simulation, or whatever module Python finds by that name."""
    simulations = installed(SIMULATIONS)
    is_dotted = "." in name and all(part.isidentifier() for part in name.split("."))
    if name not in simulations and not is_dotted:
        raise WorldError(_unknown(name))
    target = simulations[name].target if name in simulations else name
    try:
        module: ModuleType = load(target)
    except MissingExtra:
        raise
    except ModuleNotFoundError as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}{_where_to_look(target, error)}") from None
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}") from None
    return module


def _unknown(name: str) -> str:
    """Say that there is no simulation of a name, and what comes nearest: one of ours, or a study."""
    if name in installed(STUDIES):
        return f"{name} is a study: cave-sim study {name}"
    known = available()
    return (
        f"there is no simulation {name!r}.{did_you_mean(name, known)} There are: {', '.join(known)}. One of your"
        " own is named by its file, such as tea_time.py, or its module, such as studies.tea_time"
    )


def _where_to_look(target: str, error: ModuleNotFoundError) -> str:
    """Return how a module of one's own is found, if it is the one that is missing and not what it imports."""
    top = target.partition(":")[0].partition(".")[0]
    if error.name is None or error.name.partition(".")[0] != top:
        return ""
    return f". Modules of your own are found from the folder that holds {top}: go there, or name the file by its path"
