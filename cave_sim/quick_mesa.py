"""Import this before Mesa: it spares a tenth of a second of what Mesa's import takes.

Mesa asks :mod:`inspect` for all frames that lead to its import. Most are Python's own import system, whose module
``inspect`` looks for among all that are loaded, in vain and for each frame anew, unless its cache names it.
"""

from __future__ import annotations

import inspect

IMPORT_SYSTEM = ("importlib._bootstrap", "importlib._bootstrap_external")
inspect.modulesbyfile.update({f"<frozen {name}>": name for name in IMPORT_SYSTEM})
