"""What a page can start: the simulations that are installed with what each takes, a run of one, and a study of one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cave_sim import WorldError
from cave_sim.dashboards.live.processes import Processes
from cave_sim.experiment.runner import ABOUT
from cave_sim.journal.tables import DATABASE
from cave_sim.loading.entry_points import SIMULATIONS, installed
from cave_sim.replay.settings import Setting, parameters, with_residents
from cave_sim.replay.simulation_names import find

MOST_SEEDS, MOST_VALUES = 1_000, 12
MINDS, LIMITS = ("model", "api_base", "gguf"), ("max_calls", "max_usd")
"""Who thinks and what may be spent, as `cave-sim run` has options for it."""
FOLDER = re.compile(r"[A-Za-z0-9_][\w.-]{0,60}")


def simulations() -> list[dict[str, str]]:
    """Return the simulations that can be started, each with what it is about; none is imported."""
    return [{"name": name, "about": each.purpose()} for name, each in installed(SIMULATIONS).items()]


def options_of(name: str) -> dict[str, Any]:
    """Return what a simulation takes: `steps` unless others are asked, `options`, each as a page shows it, and whether
    its agents may think with a language model.

    Raises:
        WorldError: none of that name is installed.
    """
    module = find(_installed(name))
    options = [_shown(each) for each in with_residents(module).values()]
    return {"name": name, "steps": module.STEPS, "options": options, "thinks": "llm" in parameters(module)}


def start_run(processes: Processes, wish: Mapping[str, Any]) -> dict[str, Any]:
    """Start a run in a process of its own, which pages steer; returns how it goes, and what it is called.

    Args:
        processes: what starts it.
        wish: `simulation`, by name; `seed`; `steps`; `options`, name -> value; `folder`, how the run is to be called;
            `speed`, steps a second at most; :data:`MINDS` as on the command line; what is left out is as by default.

    Raises:
        WorldError: the wish does not fit; the message says what would.
    """
    name, seed = _installed(wish.get("simulation")), _whole(wish, "seed", 7, least=0)
    options = _options(name, wish.get("options") or {})
    folder = _folder(processes, wish, f"{name}-{seed}")
    words = ["run", name, "--seed", str(seed), "--quiet", "--out", str(folder), *_set(options)]
    if wish.get("steps") is not None:
        words += ["--steps", str(_whole(wish, "steps", 1, least=1))]
    return processes.start(folder, [*words, *steering(wish)], steered=True)


def start_study(processes: Processes, wish: Mapping[str, Any]) -> dict[str, Any]:
    """Start a study of a simulation over seeds in a process of its own: a scenario, which is kept beside its folder.

    Args:
        processes: what starts it.
        wish: as of a run; besides `seeds`, how many; `vary`, an option, and `values`, one for each condition, the first
            of which is the reference.

    Raises:
        WorldError: the wish does not fit; the message says what would.
    """
    name, seeds = _installed(wish.get("simulation")), _whole(wish, "seeds", 5, least=1, most=MOST_SEEDS)
    options = _options(name, wish.get("options") or {})
    varied, values = wish.get("vary"), wish.get("values") or []
    scenario: dict[str, Any] = {"simulation": name, "seed": _whole(wish, "seed", 7, least=0), "seeds": seeds}
    if wish.get("steps") is not None:
        scenario["steps"] = _whole(wish, "steps", 1, least=1)
    if varied:
        if not isinstance(values, list) or not 2 <= len(values) <= MOST_VALUES:
            raise WorldError(f"values of {varied}: give 2 to {MOST_VALUES}, with commas between them")
        options.pop(str(varied), None)
        conditions = [_options(name, {str(varied): value}) for value in values]
        named = {
            re.sub(r"[^\w-]", "_", f"{varied}_{_text(value)}"): _as_scenario(each)
            for value, each in zip(values, conditions, strict=True)
        }
        if len(named) < len(values):
            raise WorldError(f"values of {varied}: two of them are alike")
        scenario["conditions"] = named
        scenario["question"] = f"What does {str(varied).replace('_', ' ')} do?"
    folder = _folder(processes, wish, f"study-{name}")
    scenario |= {"name": re.sub(r"\W", "_", f"study_{name}"), **_as_scenario(options)}
    file = folder.with_name(f"{folder.name}.yaml")
    file.write_text(json.dumps(scenario, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")  # JSON is YAML
    return processes.start(folder, ["study", str(file), "--quiet", "--out", str(folder)])


def _as_scenario(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as a scenario has them: residents stand beside the others."""
    own = {name: value for name, value in options.items() if name != "residents"}
    return {"options": own} | {name: value for name, value in options.items() if name == "residents"}


def _installed(name: object) -> str:
    if not isinstance(name, str) or name not in installed(SIMULATIONS):
        raise WorldError(f"simulation={name!r}: one of {', '.join(installed(SIMULATIONS))}")
    return name


def _options(name: str, sent: object) -> dict[str, Any]:
    """Return options in their types; those of which nothing is said are left out."""
    known = with_residents(find(name))
    if not isinstance(sent, Mapping):
        raise WorldError("options: an object, name by name")
    for unknown in (each for each in sent if each not in known):
        raise WorldError(f"{name} has no option {unknown!r}; it takes {', '.join(known) or 'nothing'}")
    filled = {option: value for option, value in sent.items() if value not in ("", None)}
    return {option: known[option].plain(_text(value)) for option, value in filled.items()}


def steering(wish: Mapping[str, Any]) -> list[str]:
    """Return how pages steer a run, at what pace, and who thinks in it, as words of the command line.

    Args:
        wish: `speed`, steps a second at most; :data:`MINDS` and :data:`LIMITS`.

    Raises:
        WorldError: one of them does not fit.
    """
    return ["--watch=lines", f"--speed={_amount(wish, 'speed') or 0:g}", *_minds(wish)]


def _minds(wish: Mapping[str, Any]) -> list[str]:
    if not wish.get("model"):
        return []
    named = {name: wish.get(name) for name in MINDS}
    if strays := [name for name, value in named.items() if not isinstance(value, str | None)]:
        raise WorldError(f"{strays[0]}={named[strays[0]]!r}: a text")
    words = [f"--{name.replace('_', '-')}={value}" for name, value in named.items() if value]
    return words + [
        f"--{name.replace('_', '-')}={most:g}" for name in LIMITS if (most := _amount(wish, name)) is not None
    ]


def _amount(wish: Mapping[str, Any], key: str) -> float | None:
    value = wish.get(key)
    if value is not None and (not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9):
        raise WorldError(f"{key}={value!r}: a number, 0 or more")
    return value


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _set(options: Mapping[str, Any]) -> list[str]:
    """Return options as words of the command line."""
    return [
        word
        for name, value in options.items()
        for word in (["--residents", str(value)] if name == "residents" else [f"--set={name}={_text(value)}"])
    ]


def _folder(processes: Processes, wish: Mapping[str, Any], usual: str) -> Path:
    """Return the free folder of what is started: beside the runs that this dashboard shows."""
    name = wish.get("folder") or usual
    if not isinstance(name, str) or not FOLDER.fullmatch(name):
        raise WorldError(f"folder={name!r}: a name of letters, digits, - and _, which is no path")
    place = processes.index.places[0]
    is_one = (place / DATABASE).is_file() or (place / ABOUT).is_file()
    return processes.free((place.parent if is_one else place) / name)


def _whole(wish: Mapping[str, Any], key: str, usual: int, *, least: int, most: int = 2**63 - 1) -> int:
    value = wish.get(key, usual)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise WorldError(f"{key}={value!r}: a whole number, {least} or more")
    return value


def _shown(setting: Setting) -> dict[str, Any]:
    usual = setting.default if isinstance(setting.default, bool | int | float | str) else None
    about = {"name": setting.name, "label": setting.label, "unit": setting.unit, "about": setting.about}
    return about | {"takes": setting.takes, "usual": usual} | {"needed": setting.usual == "needed", **setting.shape}
