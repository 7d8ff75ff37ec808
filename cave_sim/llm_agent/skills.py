"""Skills: know-how in folders, shown to agents piece by piece.

A skill is a folder with a ``SKILL.md``: a name and a line of description between ``---`` lines, and below them a text
that says how something is done. Beside it there may be a ``functions.py``. An agent's prompt lists names and
descriptions; ``skills["name"]`` in a cell shows the text, and gives the agent the functions.

Who installs a skill vouches for its text, which minds read as instruction. Its Python is trusted no more than any cell:
it never runs on the host, but as a turn of the agent that opens it, past the same gate and with that agent's rights.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.errors import Blocked, WorldError, did_you_mean
from cave_sim.files.given_files import expected_text
from cave_sim.policy.guards import facade_type
from cave_sim.policy.hidden_text import hidden_character
from cave_sim.policy.syntax import parse
from cave_sim.world.state import WorldState
from cave_sim.world.tools import WorldBound
from cave_sim.world.turn_execution import take_turn

PAGE, CODE = "SKILL.md", "functions.py"
MOST_BYTES = 2**20
"""How much each file of a skill may hold: it is read by minds, or compiled as a cell is."""
NAME_CHARS, DESCRIPTION_CHARS = 64, 1_024
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_OF_SCRIPTS = dict.fromkeys(range(0x200C, 0x2010))
"""Joiners and marks of direction, which Persian, Hindi or Hebrew are written with."""


@dataclass(frozen=True)
class Skill:
    """One skill.

    Attributes:
        name: lower-case letters, digits, hyphens and underscores; at most 64.
        description: what it is for, and when to open it; one line of at most 1,024 characters.
        body: how it is done, for the agent to read.
        code: Python that defines its functions; "" for none.
    """

    name: str
    description: str
    body: str
    code: str = ""

    @property
    def functions(self) -> list[str]:
        """Signature and first line of documentation of each public function and class that it brings."""
        return [_signature(node) for node in ast.parse(self.code).body if _is_public(node)]


def read_skills(folder: str | Path) -> list[Skill]:
    """Return the skills of a folder, one for each folder in it that holds a ``SKILL.md``, by name. Runs none of them.

    Raises:
        WorldError: there is no such folder, a skill breaks a rule of the format, or two have the same name.
    """
    if not Path(folder).is_dir():
        raise WorldError(f"{folder}: there is no such folder of skills")
    skills: dict[str, Skill] = {}
    for page in sorted(Path(folder).glob(f"*/{PAGE}")):
        skill = read_skill(page.parent)
        if skill.name in skills:
            raise WorldError(f"{page}: another skill here is called {skill.name!r}; rename one")
        skills[skill.name] = skill
    return [skills[name] for name in sorted(skills)]


def read_skill(folder: str | Path) -> Skill:
    """Return the skill of one folder; raises WorldError, saying where and what, if it breaks a rule of the format."""
    page, code = Path(folder) / PAGE, Path(folder) / CODE
    front, body = _front_matter_and_body(page)
    name, description = front.get("name", ""), front.get("description", "")
    if not _NAME.fullmatch(name) or len(name) > NAME_CHARS:
        raise WorldError(
            f"{page}: name: {name!r} must be 1 to {NAME_CHARS} lower-case letters, digits, hyphens and underscores"
        )
    if not 0 < len(description) <= DESCRIPTION_CHARS:
        raise WorldError(
            f"{page}: description: one line of 1 to {DESCRIPTION_CHARS:,} characters, not {len(description):,}"
        )
    source = _read(code) if os.path.lexists(code) else ""
    try:
        parse(source)
    except SyntaxError as error:
        raise WorldError(f"{code}: line {error.lineno}: {error.msg}") from None
    except Blocked as error:
        raise WorldError(f"{code}: {error}; what a skill brings must pass as a cell does") from None
    return Skill(name, description, body, source)


def install(world: WorldState, skills: Iterable[Skill], agent: str | None = None) -> None:
    """Let cells open skills as ``skills["name"]``: those of one agent, or everybody's.

    Raises:
        WorldError: the gate would refuse the Python of a skill in any cell.
    """
    skill_list = list(skills)
    for skill in skill_list:
        try:
            world.interpreter.cells.get(skill.code)
        except Blocked as error:
            raise WorldError(f"skill {skill.name!r}: {error}; what a skill brings must pass as a cell does") from None
    library = Skills(skill_list)
    world.inject("skills", library, repr(library), agent)  # type: ignore[attr-defined]


@facade_type
class OpenedSkill:
    """What an agent reads of a skill that it has opened."""

    __slots__ = ("_text",)

    def __init__(self, skill: Skill) -> None:
        functions = [f"You have these functions now:\n{chr(10).join(skill.functions)}"] if skill.functions else []
        self._text = "\n\n".join([skill.body, *functions])

    def __repr__(self) -> str:
        return self._text


@facade_type
class Skills(WorldBound):
    """``skills`` in a cell: know-how by name. Opening one shows it, and defines its functions for the agent."""

    __slots__ = ("_skills", "_world")

    def __init__(self, skills: Iterable[Skill], world: WorldState | None = None) -> None:
        self._skills = {skill.name: skill for skill in skills}
        self._world = world

    def _bound_to(self, world: Any) -> Skills:
        return Skills(self._skills.values(), world)

    def __getitem__(self, name: str) -> OpenedSkill:
        skill = self._skills.get(name)
        if skill is None:
            hint = did_you_mean(name, self._skills)
            raise WorldError(f"there is no skill {name!r}.{hint} There are: {', '.join(self._skills) or 'none'}")
        world = self._world
        if skill.code and world is not None and world.actor is not None:
            turn = take_turn(world, skill.code, world.actor)
            if not turn.committed:
                raise WorldError(f"the functions of skill {name!r} could not be defined: {turn.error}")
        return OpenedSkill(skill)

    def __contains__(self, name: object) -> bool:
        return name in self._skills

    def __iter__(self) -> Iterator[str]:
        return iter(self._skills)

    def __len__(self) -> int:
        return len(self._skills)

    def __repr__(self) -> str:
        lines = [f"#   {skill.name}: {skill.description}" for skill in self._skills.values()]
        return "\n".join(['skills["name"] shows one, and defines its functions for you:', *lines])


def _front_matter_and_body(page: Path) -> tuple[dict[str, str], str]:
    """Return the front matter and the body of a page."""
    if not os.path.lexists(page):
        raise WorldError(f"{page}: a skill needs this file")
    first_line, *lines = _read(page).split("\n")
    if first_line.strip() != "---" or "---" not in lines:
        raise WorldError(f"{page}: begins with a line '---', then 'name: ...' and 'description: ...', then '---' again")
    end = lines.index("---")
    pairs = (line.partition(":") for line in lines[:end] if line[:1].strip() not in ("", "#"))
    front = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
    return front, "\n".join(lines[end + 1 :]).strip()


def _read(path: Path) -> str:
    """Return the text of a file of a skill; raises WorldError for what is no text that a reader sees whole."""
    if path.is_symlink():
        raise WorldError(f"{path}: is a link, which may lead anywhere; a skill holds its own files")
    text = expected_text(path, MOST_BYTES)
    hidden = hidden_character(text.translate(_OF_SCRIPTS))
    if hidden:
        line = text[: text.index(hidden)].count("\n") + 1
        raise WorldError(f"{path}: line {line}: the invisible or control character U+{ord(hidden):04X}; leave it out")
    return text


def _is_public(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_")


def _signature(node: Any) -> str:
    about = (ast.get_docstring(node) or "").partition("\n")[0]
    comment = f"  # {about}" if about else ""
    if isinstance(node, ast.ClassDef):
        return f"class {node.name}{comment}"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"def {node.name}({ast.unparse(node.args)}){returns}{comment}"
