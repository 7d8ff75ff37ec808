"""The page's modules as one script: a browser loads no modules from disk.

Each module becomes a function that returns what it exports, called in the order of imports. Our modules keep to the
plain forms `import { a, b } from "./b.js"` and `export const|class|function`, which is all that is understood here,
and to comments on lines of their own, which stay behind: a saved page is sent around, and nobody reads them there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function) ([\w$]+))", re.MULTILINE)


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Return a module and all that it imports as one script.

    Args:
        entry: the module to begin with.
        read: returns a module's text by its name.
    """
    script = "\n".join(_function(name, read(name)) for name in in_order(entry, read))
    return f'"use strict";\nconst modules = {{}};\n{script}'


def in_order(entry: str, read: Callable[[str], str]) -> list[str]:
    """Return the modules that one needs, and itself, each behind those that it imports."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        for needed in imports(name, read(name)):
            if needed not in order:
                visit(needed)
        order[name] = None

    visit(entry)
    return list(order)


def imports(name: str, text: str) -> Iterator[str]:
    """Yield the modules that a module imports, by their names."""
    for match in IMPORT.finditer(text):
        yield _resolved(name, match[2])


def _resolved(importer: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))


def _function(name: str, text: str) -> str:
    exports = [match[1] for match in EXPORT.finditer(text)]
    body = EXPORT.sub("", IMPORT.sub(lambda match: _names(name, match), COMMENT.sub("", text)))
    return f'modules["{name}"] = (() => {{\n{body}return {{ {", ".join(exports)} }};\n}})();'


def _names(importer: str, match: re.Match[str]) -> str:
    return f'const {{{match[1].replace(" as ", ": ")}}} = modules["{_resolved(importer, match[2])}"];\n'
