"""One training example, as a line of JSON: what a model was sent, and what it is to answer.

The form is that of conversational prompt and completion, which fine-tuning libraries read as it is: two lists of
messages, the second with the one reply that is learned. Beside them stands where it comes from, and ``tools`` where
they are offered beside the messages; assistants that read of their tools in the system message have none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from cave_sim.determinism.canonical_json import to_json
from cave_sim.llm_agent.tool_listing import without_listing
from cave_sim.models.tokens import MESSAGE_TOKENS, TokenCounter

Role = Literal["executor", "tracker"]
Split = Literal["train", "validation"]
ROLES: tuple[Role, ...] = ("executor", "tracker")
SPLITS: tuple[Split, ...] = ("train", "validation")
KINDS: Mapping[Role, tuple[str, ...]] = {
    "executor": ("select", "call", "answer", "cell"),
    "tracker": ("facts", "trouble", "no_update"),
}
"""What an executor's reply is, and what a tracker's is about; ``trouble`` is errors, limits and refusals."""
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Strict(BaseModel):
    """Data of which every part is named, and nothing else is in."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, frozen=True)


class CalledFunction(Strict):
    """The function of a call, with its arguments as the JSON text that was written."""

    name: str
    arguments: str


class ChatCall(Strict):
    """A call of a tool, in OpenAI's form."""

    id: str
    type: Literal["function"]
    function: CalledFunction


class ChatMessage(Strict):
    """A message of a chat, in OpenAI's form."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: list[ChatCall] | None = None
    tool_call_id: str | None = None


class ExampleTokens(Strict):
    """How long an example is, counted with the counter that the manifest names."""

    prompt: Annotated[int, Field(ge=1)]
    completion: Annotated[int, Field(ge=1)]


class Origin(Strict):
    """Where an example comes from.

    Attributes:
        run, seal: the name of the run's folder, and the hash of its last step, which covers all before.
        simulation, seed: what was run.
        scenario: what must not be on both sides of the split.
        agent, step, attempt: the call; a tracker's by rules has no attempt, for no model was asked.
        request: SHA-256 of what was sent, before tools were chosen from.
        written_by: the model that replied, or ``rules``.
    """

    run: str
    seal: Hex
    simulation: str
    seed: int | None = None
    scenario: str
    agent: str
    step: Annotated[int, Field(ge=0)]
    attempt: Annotated[int, Field(ge=0)] | None = None
    request: Hex
    written_by: str


class TrainingExample(Strict):
    """One line of a file.

    Attributes:
        id: SHA-256 over prompt, completion and tools.
        role, category, kind: whose reply it is, of which category of the mix, and what it does.
        prompt, completion: the messages that are sent, and the reply to learn.
        tools: those offered beside the messages, as JSON text.
        tokens: of both.
        origin: where it comes from.
    """

    id: Hex
    role: Role
    category: str
    kind: Literal["select", "call", "answer", "cell", "facts", "trouble", "no_update"]
    prompt: Annotated[list[ChatMessage], Field(min_length=1)]
    completion: Annotated[list[ChatMessage], Field(min_length=1, max_length=1)]
    tools: str | None = None
    tokens: ExampleTokens
    origin: Origin

    def to_line(self) -> str:
        """Return it as a line of JSON, with what it leaves out left out."""
        return self.model_dump_json(exclude_none=True) + "\n"

    @property
    def content_id(self) -> str:
        """The SHA-256 that ``id`` is to be."""
        return content_id(self.prompt, self.completion, self.tools)

    @property
    def said_id(self) -> str:
        """A SHA-256 that two examples share which differ in their tools alone."""
        return said_id(self.prompt, self.completion)

    @property
    def texts(self) -> Iterable[str]:
        """Every text that a model reads of it, or learns to write."""
        for message in (*self.prompt, *self.completion):
            yield message.content
            for call in message.tool_calls or ():
                yield f"{call.function.name} {call.function.arguments}"
        yield self.tools or ""


def content_id(prompt: Iterable[ChatMessage], completion: Iterable[ChatMessage], tools: str | None) -> str:
    """Return the SHA-256 of what an example says."""
    return _digest([_plain(prompt), _plain(completion), tools])


def said_id(prompt: Iterable[ChatMessage], completion: Iterable[ChatMessage]) -> str:
    """Return the SHA-256 of what an example says but for the tools on offer."""
    messages = [{**each, "content": without_listing(each["content"])} for each in _plain(prompt)]
    return _digest([messages, _plain(completion)])


def tokens_of(messages: Iterable[ChatMessage], tools: str | None, count: TokenCounter) -> int:
    """Return the tokens of messages with what frames them, and of the tools beside them."""
    tokens = sum(
        MESSAGE_TOKENS
        + count(each.content)
        + sum(count(call.function.name + call.function.arguments) for call in each.tool_calls or ())
        for each in messages
    )
    return tokens + (count(tools) if tools else 0)


def chat_messages(messages: Iterable[Mapping[str, Any]]) -> list[ChatMessage]:
    """Return the messages of a recorded request in OpenAI's form."""
    return [
        ChatMessage(
            role=each["role"],
            content=each["text"],
            tool_calls=chat_calls(each.get("tool_calls", ())) or None,
            tool_call_id=each.get("call") or None,
        )
        for each in messages
    ]


def chat_calls(calls: Iterable[Mapping[str, Any]]) -> list[ChatCall]:
    """Return recorded calls in OpenAI's form."""
    return [
        ChatCall(
            id=each["id"], type="function", function=CalledFunction(name=each["name"], arguments=each["arguments"])
        )
        for each in calls
    ]


def _plain(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    return [each.model_dump(exclude_none=True) for each in messages]


def _digest(data: Any) -> str:
    return hashlib.sha256(to_json(data, sort=True)).hexdigest()
