"""Texts of scenarios, YAML or TOML, as plain data, with the line that each part of it stands on.

YAML is read by its safe loader: nothing of a file is executed. Words are what they look like: a date is a text, and of
yes, no, on and off none is a truth value.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from yaml.reader import ReaderError

from cave_sim.errors import WorldError
from cave_sim.files.given_files import expect_toml, expected_text
from cave_sim.scenario.slips import toml_slip, yaml_slip

Place = tuple[str | int, ...]
"""Keys and positions that lead to a part of a text: ("conditions", "closed", "interventions", 0)."""
MOST_BYTES = 1_000_000
MOST_PARTS = 20_000
MOST_SHOWN = 60
MOST_KEY_CHARS = 1_000
MERGE = "tag:yaml.org,2002:merge"
SUFFIXES = (".yaml", ".yml", ".toml")


@dataclass(frozen=True)
class MarkedText:
    """What a text says, and where.

    Attributes:
        file: its name, for messages.
        data: what it says.
        lines: the line of each place, from 1.
    """

    file: str
    data: Mapping[str, Any]
    lines: Mapping[Place, int]

    def value(self, place: Place) -> Any:
        """Return what it says at a place."""
        value: Any = self.data
        for part in place:
            value = value[part]
        return value

    def where(self, place: Place) -> str:
        """Return file and line of a place, or of the nearest part around it that has one."""
        while place and place not in self.lines:
            place = place[:-1]
        line = self.lines.get(place)
        return self.file if line is None else f"{self.file}, line {line}"

    def error(self, place: Place, message: str) -> WorldError:
        """Return the error that says, in one line, what is wrong where."""
        path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".")
        text = " ".join(f"{path}: {message}".split()) if path else " ".join(message.split())
        return WorldError(f"{self.where(place)}: {text}")


def read_marked(path: Path) -> MarkedText:
    """Return what a file says; raises WorldError, with the line, if it cannot be read."""
    if path.suffix.lower() not in SUFFIXES:
        raise WorldError(f"{path}: a scenario is a file that ends in {', '.join(SUFFIXES)}")
    return marked(expected_text(path, MOST_BYTES), str(path), toml=path.suffix.lower() == ".toml")


def marked(text: str, file: str, *, toml: bool = False) -> MarkedText:
    """Return what a text says; raises WorldError, with the line, if it is neither.

    Args:
        text: YAML, or TOML.
        file: its name, for messages.
        toml: whether it is TOML.
    """
    data, lines = _of_toml(text, file) if toml else _of_yaml(text, file)
    if not isinstance(data, dict):
        what = "nothing" if data is None else f"a {type(data).__name__}"
        raise WorldError(f"{file}: a scenario is a table of keys, such as name and simulation; this is {what}")
    return MarkedText(file, data, lines)


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """The safe loader, with YAML 1.2's idea of what is no text."""

    _composed = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Make no more nodes than a scenario has parts, however many a text writes out."""
        self._composed += 1
        if self._composed > 2 * MOST_PARTS:  # a key counts as well
            raise yaml.YAMLError(f"a scenario has at most {MOST_PARTS:,} parts")
        return super().compose_node(parent, index)


_PLAIN = frozenset(f"tag:yaml.org,2002:{_name}" for _name in ("null", "bool", "int", "float", "str", "map", "seq"))
_DIGITS = "-+.0123456789"
_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _firsts in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", [*"tTfF"]),
    ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+", [*_DIGITS]),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+", [*_DIGITS]),
    ("merge", r"<<", ["<"]),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _firsts)


def _of_yaml(text: str, file: str) -> tuple[Any, dict[Place, int]]:
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
        return (None, {}) if root is None else _Reading(loader, file).read(root)
    except yaml.MarkedYAMLError as error:
        number, problem = yaml_slip(error, text)
        raise WorldError(f"{file}{'' if number is None else f', line {number}'}: this is no YAML: {problem}") from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise WorldError(
            f"{file}, line {line}: this is no YAML: nobody sees the sign U+{error.character:04X}"
        ) from None
    except yaml.YAMLError as error:
        raise WorldError(f"{file}: this is no YAML: {' '.join(str(error).split())[:200]}") from None
    except RecursionError:
        raise WorldError(f"{file}: this is no YAML: it is nested too deeply, or within itself") from None


class _Reading:
    """One walk over the nodes of a document."""

    def __init__(self, loader: _Loader, file: str) -> None:
        self._loader, self._file = loader, file
        self._lines: dict[Place, int] = {}
        self._left = MOST_PARTS

    def read(self, root: yaml.Node) -> tuple[Any, dict[Place, int]]:
        return self._value(root, ()), self._lines

    def _value(self, node: yaml.Node, place: Place) -> Any:
        self._left -= 1
        if self._left < 0:
            raise WorldError(f"{self._file}: a scenario has at most {MOST_PARTS:,} parts")
        line = node.start_mark.line + 1
        self._lines.setdefault(place, line)
        if node.tag not in _PLAIN:
            raise WorldError(f"{self._file}, line {line}: this is no YAML: {node.tag} stands for no plain data")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, (*place, number)) for number, item in enumerate(node.value)]
        try:
            value = self._loader.construct_object(node)
            str(value).encode()
        except (yaml.YAMLError, ValueError):
            given, kind = node.value, node.tag.rpartition(":")[2]
            problem = f"{given!r} is no {kind}" if len(given) <= MOST_SHOWN else f"so long a text is no {kind}"
            raise WorldError(f"{self._file}, line {line}: {problem}") from None
        return value

    def _mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise WorldError(f"{self._file}, line {line}: a key is a word, and no list or table")
            if key_node.tag == MERGE:
                merged = {**self._merged(value_node, place, line), **merged}
                continue
            key = key_node.value
            if len(key) > MOST_KEY_CHARS or not key.isprintable():
                raise WorldError(f"{self._file}, line {line}: {key[:MOST_SHOWN]!r} is no key")
            if key in data:
                raise WorldError(f"{self._file}, line {line}: {key!r} is here twice; leave one of them away")
            self._lines[*place, key] = line
            data[key] = self._value(value_node, (*place, key))
        return {**merged, **data}

    def _merged(self, node: yaml.Node, place: Place, line: int) -> dict[str, Any]:
        """Return what ``<<`` takes over: of several tables the first that has a key. Each of its parts counts."""
        tables = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not all(isinstance(table, yaml.MappingNode) for table in tables):
            raise WorldError(f"{self._file}, line {line}: << takes over a table, or a list of tables")
        entries: dict[str, Any] = {}
        for table in tables:
            entries = {**self._value(table, place), **entries}
        return entries


_TABLE = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"[\w-]+|\"[^\"]*\"|'[^']*'")


def _of_toml(text: str, file: str) -> tuple[Any, dict[Place, int]]:
    try:
        expect_toml(text)
    except ValueError as error:
        raise WorldError(f"{file}: this is no TOML: {error}") from None
    try:
        return _without_times(tomllib.loads(text)), _toml_lines(text)
    except tomllib.TOMLDecodeError as error:
        at_line = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = f", line {at_line[1]}" if at_line else f", line {text.count(chr(10)) + 1}"
        raise WorldError(f"{file}{line}: this is no TOML: {toml_slip(str(error).partition(' (at ')[0])}") from None
    except ValueError:  # Python's own, of a number with thousands of digits
        raise WorldError(f"{file}: this is no TOML: a number has too many digits") from None
    except RecursionError:
        raise WorldError(f"{file}: this is no TOML: it is nested too deeply") from None


def _toml_lines(text: str) -> dict[Place, int]:
    """Return where the keys stand; what is inside of an inline table stands where its key does."""
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    within = ""  # the marks of a text that runs over lines
    for number, line in enumerate(text.splitlines(), start=1):
        marks = re.findall(r'"""|\'\'\'', line)
        if within:
            within = "" if within in marks else within
            continue
        if head := _TABLE.match(line):
            table = _numbered(tuple(part.strip("\"'") for part in _PART.findall(head[2])), counts, head[1] == "[[")
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            place = (*table, *(part.strip("\"'") for part in _PART.findall(key[1])))
            for depth in range(len(table) + 1, len(place) + 1):
                lines.setdefault(place[:depth], number)
            within = marks[0] if len(marks) % 2 else ""
    return lines


def _numbered(path: tuple[str, ...], counts: dict[Place, int], is_item: bool) -> Place:
    """Return the place of a table, with the positions of the lists of tables that it is in."""
    place: Place = ()
    for part in path:
        place = (*place, part)
        if place in counts and place[: len(place)] != path:
            place = (*place, counts[place])
    if is_item:
        bare = place if not isinstance(place[-1], int) else place[:-1]
        counts[bare] = counts.get(bare, -1) + 1
        return (*bare, counts[bare])
    return place


def _without_times(data: Any) -> Any:
    """Return data in which dates and times are texts, as in YAML."""
    if isinstance(data, dict):
        return {key: _without_times(value) for key, value in data.items()}
    if isinstance(data, list):
        return list(map(_without_times, data))
    return data.isoformat() if hasattr(data, "isoformat") else data
