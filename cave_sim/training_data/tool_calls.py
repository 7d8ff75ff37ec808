"""Whether the calls of an example fit the tools that it shows: names, arguments, and that each was shown before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.llm_agent.tool_listing import ToolListing, listing_of, offered, parameters_of
from cave_sim.llm_agent.tool_texts import selection
from cave_sim.models.written_calls import written_calls
from cave_sim.training_data.example import ChatMessage, TrainingExample

TOOL = "Tool: "
"""How a message begins that gives what a tool said, or the schema of a tool that was selected."""
PYTHON_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict,
}  # fmt: skip


def tools_of(example: TrainingExample) -> ToolListing | None:
    """Return the tools that an example shows; None if it shows none. Raises ValueError for ones that cannot be read."""
    if example.tools is not None:
        try:
            return offered(from_json(example.tools))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"its tools are not in OpenAI's form: {error}") from None
    return listing_of(example.prompt[0].content)


def faults_of_calls(example: TrainingExample, listing: ToolListing) -> Iterator[tuple[str, str]]:
    """Yield place and rule of each call that does not fit."""
    shown: dict[str, Mapping[str, Any]] = {}
    places = [(f"prompt[{at}]", message) for at, message in enumerate(example.prompt)]
    for place, message in [*places, ("completion[0]", example.completion[0])]:
        if message.role == "user" and message.content.startswith(TOOL + "{"):
            shown |= _schema_in(message.content.removeprefix(TOOL))
        if message.role != "assistant":
            continue
        learned = place == "completion[0]"
        for name, arguments in _calls(message, listing):
            if name not in listing.names:
                if learned:
                    yield place, f"calls {name}, which is none of the {len(listing.entries)} tools that are shown"
                continue
            parameters = shown.get(name) if listing.schemas == "menu" else _parameters(listing, name)
            if learned and parameters is None:
                yield place, f"calls {name} before its schema was shown"
            elif learned and parameters is not None:
                yield from ((place, why) for why in _misfits(name, arguments, parameters))
    yield from (("completion[0]", why) for why in _wrong_kind(example, listing))


def _wrong_kind(example: TrainingExample, listing: ToolListing) -> Iterator[str]:
    """Yield why a reply is not what its kind says."""
    answer = example.completion[0]
    selected = selection(answer.content) if listing.schemas == "menu" else None
    calls = _calls(answer, listing)
    does = "select" if selected else "call" if calls else "answer"
    if example.kind != does:
        yield f"is of kind {example.kind}, and does {'nothing but answer' if does == 'answer' else does}"
    if selected and selected[0] not in listing.names:
        yield f"selects {selected[0]}, which is none of the {len(listing.entries)} tools that are shown"
    if does == "answer" and answer.content.lstrip().startswith("{"):
        yield "begins a call that cannot be parsed"


def _calls(message: ChatMessage, listing: ToolListing) -> list[tuple[str, str]]:
    """Return the calls of a message, name and arguments as JSON, also those of tools that are not shown."""
    if message.tool_calls:
        return [(call.function.name, call.function.arguments) for call in message.tool_calls]
    calls = [(call.name, call.arguments) for call in written_calls(message.content, listing.names)]
    return calls or _of_others(message.content)


def _of_others(text: str) -> list[tuple[str, str]]:
    try:
        call = from_json(text)
    except ValueError:
        return []
    return [(str(call["name"]), "{}")] if isinstance(call, dict) and "name" in call and "arguments" in call else []


def _schema_in(text: str) -> dict[str, Mapping[str, Any]]:
    try:
        return {str(from_json(text)["name"]): parameters_of(text)}
    except (ValueError, KeyError, TypeError):
        return {}


def _parameters(listing: ToolListing, name: str) -> Mapping[str, Any] | None:
    try:
        return listing.parameters(name)
    except ValueError:
        return None


def _misfits(name: str, arguments: str, parameters: Mapping[str, Any]) -> Iterator[str]:
    try:
        given = from_json(arguments)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        yield f"calls {name} with arguments that are no JSON object"
        return
    for missing in [each for each in parameters["required"] if each not in given]:
        yield f"calls {name} without {missing}"
    for argument, value in given.items():
        schema = parameters["properties"].get(argument)
        if schema is None:
            yield f"calls {name} with {argument}, which it does not take"
            continue
        wanted = PYTHON_TYPES.get(str(schema.get("type")))
        is_bool = isinstance(value, bool) and wanted is not bool
        if wanted is not None and (is_bool or not isinstance(value, wanted)):
            yield f"calls {name} with {argument}={value!r}, which is no {schema['type']}"
