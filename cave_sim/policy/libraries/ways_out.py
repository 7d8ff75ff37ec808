"""What cells do instead, where they reach for a module that is not for them."""

from __future__ import annotations

from typing import NoReturn

from cave_sim.errors import Blocked

_WAYS_OUT = {
    "a turn runs alone, and the world's time does not pass meanwhile; act again in a later turn": (
        "asyncio threading multiprocessing concurrent subprocess signal sched timeit cProfile profile tracemalloc"
    ),
    "nothing outside of the world is within reach; use entities, their methods and what was injected": (
        "os pathlib shutil tempfile glob socket http urllib requests httpx aiohttp ssl smtplib ftplib "
        "platform getpass locale ctypes argparse webbrowser selenium bs4 openai"
    ),
    "chance comes from rng (or random), the agent's own stream": "secrets",
    "print what you want to be read": "logging warnings traceback rich tqdm tabulate colorama",
    "check with assert": "unittest doctest pytest hypothesis",
    "variables stay from cell to cell by themselves; as a text, use json": "pickle shelve dill marshal joblib",
    "use a list, or np.array": "array",
    "use int.to_bytes, or base64": "struct codecs",
    "use a small class, a dataclass or a dict": "types attr attrs pydantic",
    "nothing draws in here; return the numbers": "matplotlib seaborn plotly tkinter turtle pygame PIL IPython",
    "use numpy (np.linalg, np.polyfit) or scipy.stats, or ask for a tool to be injected": (
        "scipy sklearn statsmodels sympy torch tensorflow keras numba"
    ),
    "use networkx: nx.topological_sort": "graphlib igraph",
    "world time has no zones; use clock and datetime": "zoneinfo pytz dateutil tzlocal",
    "cells cannot look at themselves or at Python": "inspect importlib gc weakref ast dis builtins code runpy atexit",
}
_BY_MODULE = {module: way for way, modules in _WAYS_OUT.items() for module in modules.split()}


_CLOCKS = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")
_OF_CLASSES = dict.fromkeys(_CLOCKS, "the world's time is clock.now")


def refuse_of_class(holder: type, name: str) -> NoReturn:
    """Refuse an attribute of a class: as not for cells where it is there, with what to do instead."""
    word = f"{holder.__name__}.{name}"
    if not hasattr(holder, name):
        raise AttributeError(f"type object {holder.__name__!r} has no attribute {name!r}")
    raise Blocked(f"{word} is not for cells" + (f"; {_OF_CLASSES[word]}" if word in _OF_CLASSES else ""))


def way_out(module: str) -> str:
    """Return what to do instead of importing a module; empty where there is no good answer."""
    return _BY_MODULE.get(module.partition(".")[0], "")
