"""Function calling: an agent that is offered the world as JSON tools and acts by calling them one by one.

The usual way of language models (CaveAgent §2): each call is one cell that makes it, and its result comes back as
text. It has no variables; what it knows is what it has read.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import asdict, replace
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import from_json
from cave_sim.llm_agent.function_tools import FunctionTool, function_tools
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import Conversation
from cave_sim.llm_agent.tool_caller import ToolCaller
from cave_sim.models.base import Message, Reply, ToolCall
from cave_sim.models.written_calls import endless, written_calls
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.session.transcript import message_of
from cave_sim.simulation.deliberation import Cell, costs_of

INSTRUCTIONS = """\
How to act: call tools to look at the world or to change it; you are shown what came of each call. Calls that do not
depend on each other can be made together. When nothing is left to do, answer in plain words, without a call.
What you are asked to deliver under a name, write into that answer as one line of JSON: {"name": value}."""


class FunctionCaller(ToolCaller):
    """Thinks with a language model and acts by JSON function calls. Takes what a Mind takes.

    ``habits.max_cells`` limits the rounds, each of which may make several calls.
    """

    habits: Habits = replace(ToolCaller.habits, output_chars=1_000_000)

    def identity(self) -> str:
        return f"You are {self.name}. You act in a shared, live world by calling its functions."

    def instructions(self) -> str:
        return self.wording("calls", INSTRUCTIONS)

    def task(self, text: str) -> str:
        return text

    def front(self) -> Mapping[str, str]:
        return {"identity": self.identity(), "instructions": self.instructions()}

    def remind(self) -> Mapping[str, str]:
        return {}

    def moment(self) -> str:
        """Return "": what a tool returned must be the last word, or models answer to the time of day."""
        return ""

    def tools(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(tool.form for tool in self._tools_by_name().values())

    def message_of(self, row: Row) -> Message | None:
        return _message(row)

    def read(self, reply: Reply) -> Reply:
        wanted = reply.tool_calls or written_calls(reply.text, self._tools_by_name())
        return replace(reply, tool_calls=() if reply.is_withheld else wanted)

    def row_data(self, reply: Reply) -> Mapping[str, Any]:
        return {"calls": [asdict(_repeated(call)) for call in reply.tool_calls]}

    def _loop(self, session: Session, begun: int) -> Conversation:
        """Ask, make the calls of the reply, feed back their results; until a plain answer, or the limit of rounds."""
        for rounds in range(self.habits.max_cells + 1):
            reply = yield from self._answer(session, begun)
            if reply is None or not reply.tool_calls:
                return session
            if rounds == self.habits.max_cells:
                _decline(session, reply)
                return session
            yield from self._make(session, reply)
        return session

    def _make(self, session: Session, reply: Reply) -> Generator[Cell, Turn, None]:
        """Make the calls of a reply, each in a turn of its own; the first turn bears what the reply cost."""
        tools, costs = self._tools_by_name(), costs_of(reply.model, reply.usage, reply.cost_usd or 0.0)
        for call in reply.tool_calls:
            repeated = _repeated(call)
            session.append("tool_call", f"{repeated.name}({repeated.arguments})", data=asdict(repeated))
            code, problem = _cell(tools, call)
            if code:
                turn = yield Cell(code, costs)
                session.append("cell", code, data={"turn": turn.id, "status": turn.status})
                result = (turn.output or "done") if turn.committed else f"Error: {turn.error}"
                costs = {}
            else:
                result = f"Error: {problem}"
            session.append("tool_result", result[: self.habits.output_chars], data={"call": call.id})

    def _tools_by_name(self) -> dict[str, FunctionTool]:
        return function_tools(self.model.world, self.name)


def _decline(session: Session, reply: Reply) -> None:
    """Answer the calls of one round too many, because providers take no request in which a call has no answer."""
    for call in reply.tool_calls:
        session.append("tool_call", f"{call.name}({call.arguments})", data=asdict(call))
        session.append("tool_result", "Error: not made, because it is one round too many", data={"call": call.id})


def _cell(tools: Mapping[str, FunctionTool], call: ToolCall) -> tuple[str, str]:
    """Return the cell of a call, or "" and what is wrong with it."""
    if problem := endless(call):
        return "", problem
    tool = tools.get(call.name)
    if tool is None:
        return "", f"there is no tool {call.name!r}; there are: {', '.join(tools)}"
    try:
        arguments = from_json(call.arguments or "{}")
    except ValueError as error:
        return "", f"the arguments are not JSON: {error}"
    if not isinstance(arguments, dict):
        return "", "the arguments must be one JSON object"
    try:
        return tool.cell(arguments), ""
    except KeyError as error:
        return "", f"{call.name} needs the argument {error}"


def _repeated(call: ToolCall) -> ToolCall:
    """Return a call as the session keeps it: providers refuse arguments that are cut and so no JSON."""
    return replace(call, arguments="{}") if endless(call) else call


def _message(row: Row) -> Message | None:
    """Return a row as the function calling protocol words it; None for rows that are for people."""
    if row.kind == "assistant":
        message = message_of(row)
        calls = tuple(ToolCall(**call) for call in row.data.get("calls", ()))
        return None if message is None else Message(message.role, message.text, calls)
    if row.kind == "tool_result":
        return Message("tool", row.text, call=row.data["call"])
    return Message("user", row.text) if row.kind in ("user", "compress") else None
