"""The examples of one run: an executor's from its recorded calls, a tracker's from the turns that it wrote of."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cave_sim.determinism.random_streams import RandomStream
from cave_sim.llm_agent import tracker
from cave_sim.llm_agent.tool_listing import ToolListing, listing_of, offered
from cave_sim.models.base import Message, Request
from cave_sim.models.tokens import TokenCounter
from cave_sim.session.context_state import START
from cave_sim.training_data.example import (
    ChatMessage,
    ExampleTokens,
    Origin,
    TrainingExample,
    chat_calls,
    chat_messages,
    content_id,
    tokens_of,
)  # fmt: skip
from cave_sim.training_data.example_rules import ExampleRules, kind_of_lines
from cave_sim.training_data.manifest import Settings
from cave_sim.training_data.privacy import Privacy
from cave_sim.training_data.source import Source, TrackedTurn
from cave_sim.training_data.tools_in_context import DistractorPool, shown


@dataclass(frozen=True)
class LeftOut:
    """Something that became no example, and why."""

    why: str


@dataclass(frozen=True)
class ExampleMaker:
    """Makes examples, alike for all runs.

    Attributes:
        pool: tools of all runs.
        settings: what the data set is to be.
        privacy: what must not be in.
        rules: of an example; one that breaks any is left out.
        count: counts tokens.
    """

    pool: DistractorPool
    settings: Settings
    privacy: Privacy
    rules: ExampleRules
    count: TokenCounter

    def examples(self, source: Source) -> Iterator[TrainingExample | LeftOut]:
        """Yield what a run gives, in the order of its calls, then of its logs."""
        tracked: dict[tuple[str, int], deque[dict[str, Any]]] = defaultdict(deque)
        for call in source.run.calls():
            if call["reply"] is None or not (parts := call.get("parts")):
                continue
            if tracker.RULES_PART in parts:
                del call["request"]
                tracked[call["agent"], call["step"]].append(call)
            elif kind := source.is_right(call["agent"], call["step"], call["reply"]["text"]):
                yield self._executor(source, call, kind)
        for turn in source.tracked():
            calls = tracked[turn.agent, turn.step] if turn.by == "model" else None
            yield self._tracker(source, turn, calls.popleft() if calls else None)

    def _executor(self, source: Source, call: dict[str, Any], kind: str) -> TrainingExample | LeftOut:
        request, reply = call["request"], call["reply"]
        if reply["finish_reason"] == "length" or reply.get("refusal"):
            return LeftOut("its reply is not whole")
        messages = chat_messages(request["messages"])
        answer = ChatMessage(
            role="assistant", content=reply["text"], tool_calls=chat_calls(reply["tool_calls"]) or None
        )
        if not answer.content.strip() and not answer.tool_calls:
            return LeftOut("its reply is empty")
        tools = None
        listing = offered(request["tools"]) if request["tools"] else listing_of(messages[0].content)
        if listing is None and call["agent"] in source.listings:
            return LeftOut("its tools are told in a form that is not known")
        if listing is not None:
            chosen = self._shown(listing, [*messages, answer], f"{source.seal}/{call['agent']}/{call['step']}")
            if chosen is None:
                return LeftOut(f"there are not {self.settings.tools[0]} to {self.settings.tools[1]} tools to show")
            if request["tools"]:
                tools = chosen.text
            else:
                messages[0] = messages[0].model_copy(update={"content": chosen.text})
        origin = self._origin(source, call["agent"], call["step"], call["attempt"], call["hash"], call["model"]["name"])
        return self._example("executor", source, kind, messages, answer, tools, origin)

    def _shown(self, listing: ToolListing, messages: list[ChatMessage], turn: str) -> ToolListing | None:
        """Return the tools of an example; those of one turn show the same, as long as they take no others."""
        spoken = [each for each in messages if each.role in ("assistant", "user")]
        calls = [call.function.name for each in spoken for call in each.tool_calls or ()]
        texts = [each.content for each in spoken] + [f'"{name}"' for name in calls]
        return shown(listing, texts, self.pool, self.settings.tools, RandomStream(self.settings.seed, "tools", turn))

    def _tracker(self, source: Source, turn: TrackedTurn, call: dict[str, Any] | None) -> TrainingExample | LeftOut:
        sent = tracker.messages(turn.rows, "\n".join([START, *turn.lines]))
        messages = [_chat(message) for message in sent]
        answer = ChatMessage(role="assistant", content=turn.written)
        by = "rules" if turn.by == "rules" else call["model"]["name"] if call else "model"
        request = call["hash"] if call else Request(sent, max_tokens=tracker.REPLY_TOKENS).hash
        origin = self._origin(source, turn.agent, turn.step, call["attempt"] if call else None, request, by)
        return self._example("tracker", source, kind_of_lines(turn.written), messages, answer, None, origin)

    def _example(
        self, role: Any, source: Source, kind: Any, prompt: list[ChatMessage], answer: ChatMessage,
        tools: str | None, origin: Origin,
    ) -> TrainingExample | LeftOut:  # fmt: skip
        tokens = ExampleTokens(
            prompt=tokens_of(prompt, tools, self.count), completion=tokens_of([answer], None, self.count)
        )
        if tokens.prompt + tokens.completion > self.settings.most_tokens:
            return LeftOut(f"it has more than {self.settings.most_tokens:,} tokens")
        example = TrainingExample(
            id=content_id(prompt, [answer], tools), role=role, category=source.category, kind=kind,
            prompt=prompt, completion=[answer], tools=tools, tokens=tokens, origin=origin,
        )  # fmt: skip
        objection = self.privacy.objection(example.texts, source.held_back)
        if objection:
            return LeftOut(f"it holds {objection}")
        fault = next(self.rules.faults(example), None)
        return example if fault is None else LeftOut(f"its {fault[0]} breaks a rule of the examples")

    def _origin(self, source: Source, agent: str, step: int, attempt: int | None, request: str, by: str) -> Origin:
        return Origin(
            run=source.name, seal=source.seal, simulation=source.simulation, seed=source.seed,
            scenario=source.scenario, agent=agent, step=step, attempt=attempt, request=request, written_by=by,
        )  # fmt: skip


def _chat(message: Message) -> ChatMessage:
    return ChatMessage.model_validate({"role": message.role, "content": message.text})
