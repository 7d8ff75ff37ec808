"""Names that a cell would have if it had imported them: the way out of a NameError."""

from __future__ import annotations

import sys

from cave_sim.policy.libraries.modules import WHOLE
from cave_sim.policy.scope import BOUND_MODULES, MODULES

_STANDARD = sys.stdlib_module_names
_BOUND_AS = {module: name for name, module in BOUND_MODULES.items()}


def import_of(name: str) -> str:
    """Return what a cell writes to have a name of the libraries; empty if none of them offers it.

    >>> import_of("Decimal"), import_of("defaultdict"), import_of("heapq"), import_of("zeros"), import_of("cafe")
    ('from decimal import Decimal', 'collections.defaultdict', 'import heapq', '', '')
    """
    if name in MODULES:
        return f"import {name}"
    fitting = (module for module, members in WHOLE.items() if name in members and _is_telling(name, module))
    module = next(fitting, None)
    if module is None:
        return ""
    return f"{_BOUND_AS[module]}.{name}" if module in _BOUND_AS else f"from {module} import {name}"


def _is_telling(name: str, module: str) -> bool:
    """Say whether whoever writes a name means a library by it: tables and statistics have plain words for theirs."""
    return module.partition(".")[0] in _STANDARD or name[0].isupper()
