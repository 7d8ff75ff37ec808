"""An assistant that acts by tools it reads of in its prompt: all schemas, or a menu and one schema just in time.

"Efficient on-device agents" (§3.3): in the selection stage the prompt lists names and one line each, and the model says
which tool it takes, and why; in the execution stage the schema of that tool is the observation, and the model calls it.
Models can get stuck in selecting (§5.2.2), so that is bounded.
"""

import re
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from cave_sim import Simulation
from cave_sim.agents.delegation import FORM as DELEGATE_FORM
from cave_sim.agents.delegation import delegate
from cave_sim.determinism.canonical_json import from_json
from cave_sim.llm_agent import tool_texts
from cave_sim.llm_agent.function_tools import FunctionTool, tools_of
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import Conversation
from cave_sim.llm_agent.tool_caller import ToolCaller
from cave_sim.llm_agent.tool_texts import DELEGATE, Schemas
from cave_sim.models.base import Message, Model, Reply, ToolCall
from cave_sim.models.disclosure import Policy
from cave_sim.models.written_calls import endless, written_calls
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.session.summaries import without_middle
from cave_sim.session.transcript import message_of
from cave_sim.simulation.deliberation import Cell, Deliberation, costs_of

MOST_SELECTS = 3
LARGER = "larger"
"""The name under which the larger model is asked, so that ``--models FILE`` can say which one that is."""


@dataclass(frozen=True)
class Kit:
    """What an assistant is given.

    Attributes:
        entity: whose methods are its tools.
        schemas: how it is told of them; a ``menu`` makes it select before it calls.
        larger: the model that it may delegate to; None for no such tool.
        policy: what may leave to that one.
        only: the names of the tools that it has; all of the entity's if empty.
    """

    entity: str
    schemas: Schemas = "menu"
    larger: Model | None = None
    policy: Policy = field(default_factory=Policy)
    only: tuple[str, ...] = ()


class ToolUser(ToolCaller):
    """Assists by tools. It speaks when it is spoken to.

    Args:
        simulation: the model it belongs to, in Mesa's sense of the word.
        name: under which it acts.
        kit: its tools.
        llm: the language model it asks; that of the simulation unless given.
        habits: how it goes about its loop; ``max_cells`` bounds the calls for one message.
    """

    def __init__(
        self, simulation: Simulation, name: str, kit: Kit, *, llm: Model | None = None, habits: Habits | None = None
    ) -> None:
        super().__init__(simulation, name, llm=llm, habits=habits)
        self.kit = kit
        tools = tools_of(simulation.world, kit.entity)
        self._tools: dict[str, FunctionTool] = {n: tools[n] for n in tools if not kit.only or n in kit.only}
        forms = [tool.form for tool in self._tools.values()] + ([DELEGATE_FORM] if kit.larger else [])
        self._forms = {str(form["function"]["name"]): form for form in forms}
        self._tools_text = tool_texts.tools_text(self._forms.values(), kit.schemas)

    @property
    def selects(self) -> bool:
        """Whether it is shown a menu, and each schema when it asks for it."""
        return self.kit.schemas == "menu"

    @property
    def tool_names(self) -> list[str]:
        """The names of its tools, that of the larger model among them."""
        return list(self._forms)

    def front(self) -> Mapping[str, str]:
        identity = "You assist the owner of this device. Ask back when something is missing; never invent results."
        return {"identity": self.wording("assistant", identity), "tools": self._tools_text}

    def remind(self) -> Mapping[str, str]:
        return {}

    def moment(self) -> str:
        """Return "": what a tool gave must be the last word."""
        return ""

    def there(self) -> Mapping[str, list[str]]:
        return {}

    def deliberate(self, observation: dict[str, Any]) -> Deliberation:
        """Do nothing in a step: it acts when it is spoken to."""
        yield from ()

    def message_of(self, row: Row) -> Message | None:
        if row.kind == "assistant":
            return message_of(row)
        if row.kind == "tool_result":
            return Message("user", f"Tool: {row.text}")
        return Message("user", row.text) if row.kind in ("user", "compress") else None

    def _loop(self, session: Session, begun: int) -> Conversation:
        """Ask, select, call, feed back; until an answer in words, or a limit."""
        selects = 0
        for _ in range(self.habits.max_cells + MOST_SELECTS + 1):
            reply = yield from self._answer(session, begun)
            if reply is None:
                return session
            if reply.is_withheld:
                session.append("model_error", f"withheld: {reply.refusal or reply.finish_reason}")
                return session
            selected = tool_texts.selection(reply.text) if self.selects else None
            if selected is not None:
                selects += 1
                self._show(session, *selected, selects)
                continue
            calls = self._calls(reply)
            if not calls:
                return session
            for call in calls:
                yield from self._call(session, call, reply)
        return session

    def acts(self, reply: Reply) -> bool:
        is_selection = self.selects and tool_texts.selection(reply.text) is not None
        return is_selection or bool(self._calls(reply))

    def _calls(self, reply: Reply) -> tuple[ToolCall, ...]:
        return () if reply.is_withheld else written_calls(reply.text, self._forms) or _unknown(reply.text)

    def _show(self, session: Session, name: str, reason: str, selects: int) -> None:
        session.append("route", f"selects {name}: {reason}", data={"select": name, "reason": reason})
        if selects > MOST_SELECTS:
            text = f"Error: you have selected {selects} times; call a tool, or answer the user"
        elif name in self._forms:
            text = tool_texts.minified([self._forms[name]])
        else:
            text = f"Error: there is no tool {name!r}"
        session.append("tool_result", text, data={"schema": name})

    def _call(self, session: Session, call: ToolCall, reply: Reply) -> Generator[Any, Any, None]:
        if problem := endless(call):
            session.append("tool_result", f"Error: {problem}", data={"call": call.id, "tool": call.name})
            return
        session.append("tool_call", f"{call.name}({call.arguments})", data=asdict(call))
        if call.name == DELEGATE and self.kit.larger is not None:
            result = yield from delegate(
                session, call.arguments, self.kit.larger, self.kit.policy, replace(self._key(), agent=LARGER)
            )
        elif call.name in self._tools:
            code = self._tools[call.name].cell(from_json(call.arguments))
            turn = yield Cell(code, costs_of(reply.model, reply.usage, reply.cost_usd or 0.0))
            session.append("cell", code, data={"turn": turn.id, "status": turn.status})
            result = turn.output if turn.committed else f"Error: {(turn.error or '').splitlines()[-1]}"
        else:
            result = f"Error: there is no tool {call.name!r}"
        shown = without_middle(result or "done", self.habits.output_chars)
        session.append("tool_result", shown, data={"call": call.id, "tool": call.name})


def _unknown(text: str) -> tuple[ToolCall, ...]:
    """Return a call of a tool that there is not, so that the model is told so."""
    match = re.search(r'\{\s*"name":\s*"(\w+)",\s*"arguments":', text)
    return (ToolCall("unknown", match[1], "{}"),) if match else ()
