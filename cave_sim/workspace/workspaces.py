"""The workspaces of a run's agents, and the tools with effects by which their cells work there.

A cell asks; it is done once the step stands; what came of it, exit status and diffs of files, is in the journal. The
folders lie in the run's own, under ``workspaces/``, and are there when it is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from cave_sim.errors import WorldError
from cave_sim.policy.text_cleaning import clean
from cave_sim.simulation.observers import Observer, Watched
from cave_sim.workspace import files
from cave_sim.workspace.kept_process import CommandLimits
from cave_sim.workspace.workspace import Workspace
from cave_sim.world.effects import MAX_BYTES, EffectTool, effect, effects_of
from cave_sim.world.world import World

FOLDER = "workspaces"
SPARE_BYTES = 2_000


class Workspaces(Observer):
    """The workspaces of a world's agents, by name. The simulation takes it as an observer: it learns where the run is.

    Args:
        world: whose cells work there.
        files: what each begins with, text by path.
        limits: of what runs there.
        require: the least level of isolation.
    """

    def __init__(
        self,
        world: World,
        files: Mapping[str, str],
        *,
        limits: CommandLimits | None = None,
        require: str = "isolated",
    ) -> None:
        self._world, self._files = world, dict(files)
        self._limits, self._require = limits, require
        self._folder: Path | None = None
        self._apart = True
        self._open: dict[str, Workspace] = {}

    def on_start(self, simulation: Watched, until: int) -> None:
        """Learn where the run is kept."""
        if simulation.journal is not None:
            self._folder = Path(simulation.journal.folder) / FOLDER

    def on_end(self, simulation: Watched) -> None:
        """End what runs there; the files stay."""
        self.close()

    def close(self) -> None:
        """End what runs in any of them; the files stay."""
        for workspace in self._open.values():
            workspace.close()
        self._open.clear()

    def of(self, agent: str) -> Workspace:
        """Return an agent's workspace; it begins with the files that all do.

        Raises:
            WorldError: no run is kept, or its folder is not there any more, as in a branch of a run.
        """
        if agent not in self._open:
            folder = self._of_run() / agent
            is_new = not folder.exists()
            if is_new and self._has_worked(agent):
                raise WorldError(
                    f"{agent} has worked in a folder that is not here: a branch, and a run that was moved without its"
                    f" folder {FOLDER}, cannot go on with files"
                )
            if is_new:
                self._begin(folder)
            self._open[agent] = Workspace(folder, limits=self._limits, require=self._require)
        return self._open[agent]

    def offer(self, agent: str, *, copies: bool = False, takes: bool = False) -> None:
        """Give an agent the tools of its workspace: run_command, run_python, read_file and write_file.

        Args:
            agent: whose cells are to have them.
            copies: whether it may replace its files by a copy of another agent's (``copy_workspace``).
            takes: whether it may take over the changes of another agent's files (``take_changes``).
        """
        self._apart = self._apart and not (copies or takes)
        tools = [*_tools(self, agent), *([_copy(self, agent)] * copies), *([_take(self, agent)] * takes)]
        for tool in tools:
            self._world.inject(tool.function.__name__, tool, tool.signature.about, agent=agent)

    def lane(self, agent: str) -> str:
        """Return what requests share that run one after another: a workspace; all, if agents look into each other's."""
        return agent if self._apart else FOLDER

    def replace(self, agent: str, by: str) -> Workspace:
        """Have an agent work on in a fork of another one's workspace; its own files go."""
        if agent == by:
            raise WorldError(f"{agent}: copy the workspace of another agent")
        source = self.of(by)
        if agent in self._open:
            self._open.pop(agent).close()
        files.clear(self._of_run() / agent)
        self._open[agent] = source.fork(self._of_run() / agent)
        return self._open[agent]

    def take(self, agent: str, of: str) -> list[str]:
        """Have an agent's files become as another one's where those differ from what all began with; returns paths."""
        own, other = self.of(agent), self.of(of)
        taken = []
        for path in sorted({*own.paths(), *other.paths()}):
            mine, theirs = own.content(path), other.content(path)
            if mine == theirs:
                continue
            if mine != (self._files[path].encode() if path in self._files else None):
                raise WorldError(f"both {agent} and {of} changed {path}: make them alike first")
            if theirs is None:
                own.remove(path)
            else:
                own.write(path, theirs)
            taken.append(path)
        return taken

    def _begin(self, folder: Path) -> None:
        """Make the folder of an agent, with all of its files or not at all."""
        new = folder.with_name(f".{folder.name}.new")
        files.clear(new)
        new.mkdir(parents=True)
        for path, text in self._files.items():
            files.write(new, path, text.encode())
        new.rename(folder)

    def _has_worked(self, agent: str) -> bool:
        return any(each["agent"] == agent for each in effects_of(self._world).outcomes.values())

    def _of_run(self) -> Path:
        if self._folder is None:
            raise WorldError("there is no run whose folder could hold workspaces: give the simulation out=")
        return self._folder


def _tools(workspaces: Workspaces, agent: str) -> list[EffectTool]:
    def lane(_arguments: Mapping[str, Any]) -> str:
        return workspaces.lane(agent)

    @effect(parallel_safe=True, resource=lane)
    def run_command(command: str, stdin: str = "") -> dict[str, Any]:
        """Run a program in your workspace: its exit status, what it printed, and which files it changed."""
        return _bounded(workspaces.of(agent).run(command, stdin=stdin))

    @effect(parallel_safe=True, resource=lane)
    def run_python(code: str) -> dict[str, Any]:
        """Run Python in your workspace; it keeps its variables, but not when the run is stopped and resumed."""
        return _bounded(workspaces.of(agent).python(code))

    @effect(parallel_safe=True, resource=lane, repeatable=True)
    def read_file(path: str) -> str:
        """Read a file of your workspace."""
        return workspaces.of(agent).read(path)

    @effect(parallel_safe=True, resource=lane, repeatable=True)
    def write_file(path: str, text: str) -> dict[str, Any]:
        """Write a file of your workspace."""
        return _bounded(workspaces.of(agent).write(path, text))

    return [run_command, run_python, read_file, write_file]


def _copy(workspaces: Workspaces, agent: str) -> EffectTool:
    @effect(parallel_safe=True, resource=lambda _: workspaces.lane(agent), repeatable=True)
    def copy_workspace(of: str) -> list[str]:
        """Replace your files by a copy of another agent's; returns their paths."""
        return [clean(path) for path in workspaces.replace(agent, of).paths()]

    return copy_workspace


def _take(workspaces: Workspaces, agent: str) -> EffectTool:
    @effect(parallel_safe=True, resource=lambda _: workspaces.lane(agent), repeatable=True)
    def take_changes(of: str) -> list[str]:
        """Take over what another agent changed in its files; returns paths."""
        return [clean(path) for path in workspaces.take(agent, of)]

    return take_changes


def _bounded(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result that fits into the journal's bound for effects: diffs give way first, then what was printed."""
    most, changed = MAX_BYTES - SPARE_BYTES, result["changed"]
    if len(msgspec.json.encode(result)) > most:
        changed = [{name: value for name, value in each.items() if name != "diff"} for each in changed]
        result = {**result, "changed": changed}
    if len(msgspec.json.encode(result)) > most:
        result = {**result, "output": f"{result.get('output', '')[:2_000]}\n[cut]", "changed": []}
        room = most - len(msgspec.json.encode(result))
        for each in changed[:50]:  # whose paths may be long
            room -= len(msgspec.json.encode(each)) + 1
            if room >= 0:
                result["changed"].append(each)
    return result
