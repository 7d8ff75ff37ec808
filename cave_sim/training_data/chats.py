"""Examples as whole chats, with what is learned of them: for libraries that take ``messages``, or tokens and labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from cave_sim.errors import WorldError, reason
from cave_sim.files.whole_files import write_whole
from cave_sim.training_data.example import ROLES, SPLITS, TrainingExample
from cave_sim.training_data.manifest import place

NOT_LEARNED = -100
"""The label of a token that adds nothing to the loss, as PyTorch's cross entropy has it."""


class ChatTokenizer(Protocol):
    """What turns a chat into tokens; the tokenizers of Hugging Face's transformers do."""

    def apply_chat_template(
        self, conversation: Sequence[Mapping[str, Any]], *, tools: Any = None, add_generation_prompt: bool = False
    ) -> Sequence[int]:
        """Return the tokens of a chat; with what begins an answer behind them, if that is wanted."""


def chat(example: TrainingExample) -> dict[str, Any]:
    """Return an example as one chat in OpenAI's form for fine-tuning.

    Of its assistant's messages the last has weight 1. The others have weight 0: they are read, and not learned again.
    """
    messages = [each.model_dump(exclude_none=True) for each in (*example.prompt, *example.completion)]
    for message in messages:
        if message["role"] == "assistant":
            message["weight"] = int(message is messages[-1])
    return {"messages": messages, **({} if example.tools is None else {"tools": json.loads(example.tools)})}


def tokens_and_labels(example: TrainingExample, tokenizer: ChatTokenizer) -> tuple[list[int], list[int]]:
    """Return the tokens of an example, and as many labels: the token itself where it is learned, else NOT_LEARNED.

    Raises:
        WorldError: the template of the tokenizer writes another beginning as soon as there is an answer, so that
            nobody can say where what is learned begins.
    """
    messages = [each.model_dump(exclude_none=True) for each in example.prompt]
    answer = [each.model_dump(exclude_none=True) for each in example.completion]
    tools = None if example.tools is None else json.loads(example.tools)
    prompt = list(tokenizer.apply_chat_template(messages, tools=tools, add_generation_prompt=True))
    tokens = list(tokenizer.apply_chat_template([*messages, *answer], tools=tools))
    if tokens[: len(prompt)] != prompt or len(tokens) == len(prompt):
        raise WorldError(f"example {example.id[:12]}: this chat template writes a prompt otherwise once it is answered")
    return tokens, [NOT_LEARNED] * len(prompt) + tokens[len(prompt) :]


def write_chats(folder: Path, out: Path) -> dict[str, int]:
    """Write the examples of a folder of training data as chats, a line of JSON each; returns file -> how many.

    Raises:
        WorldError: a file cannot be read or holds no example, or the other folder cannot be written or has something
            in it.
    """
    written: dict[str, int] = {}
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise WorldError(f"{out}: there is something already; name a folder that is not there")
        for name in (place(role, split) for role in ROLES for split in SPLITS):
            with (folder / name).open("rb") as file:
                lines = [_line(folder / name, number, line) for number, line in enumerate(file, 1)]
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(out / name, "".join(lines))
            written[name] = len(lines)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise WorldError(f"{folder} cannot be written as chats: {where}{reason(error)}") from None
    return written


def _line(file: Path, number: int, line: bytes) -> str:
    try:
        return json.dumps(chat(TrainingExample.model_validate_json(line)), ensure_ascii=False) + "\n"
    except (ValidationError, ValueError):
        raise WorldError(f"{file}:{number} is no example; cave-sim training-data --check {file.parents[1]}") from None
