"""Scripted models that play a task: one with the skill to do it right, and one that slips in every query.

They answer from the key of a request alone and, in function calling, from the results that it shows: a study that was
interrupted goes on with the same replies.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Container, Sequence
from itertools import islice
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.experiment.task import PARTNER, Call, Task
from cave_sim.models.base import ModelError, Reply, Request, ToolCall, Usage
from cave_sim.models.prices import FREE, Price
from cave_sim.models.tokens import offline_counter

RIGHT, WRONG = "scripted", "scripted-wrong"


class Player:
    """Plays a task by its script. It is a :class:`~cave_sim.models.base.Model`.

    Args:
        task: what to play.
        paradigm: how it acts: ``cave`` or ``codeact`` by cells, ``json`` by function calls.
        slips: the queries that it gets wrong, by their number from 0. By code it slips in what it writes; by function
            calls it claims to be done without any.
    """

    is_scripted = True
    window_tokens = 128_000
    price: Price | None = FREE

    def __init__(self, task: Task, paradigm: str, *, slips: Container[int] = ()) -> None:
        self.name: str = WRONG if slips else RIGHT
        self._task = task
        self._paradigm = paradigm
        self._slips = slips
        self._counter = offline_counter()

    async def reply(self, request: Request) -> Reply:
        counter = self._counter
        prompt_tokens = counter.of_request(request)
        if prompt_tokens > self.window_tokens:
            raise ModelError("too_long", f"{prompt_tokens:,} tokens do not fit into a window of {self.window_tokens:,}")
        if self._task.queries[request.key.step].exchanges:
            text, calls = self._by_exchanges(request)
            usage = Usage(prompt_tokens, counter(text), is_estimate=counter.is_estimate)
            return Reply(text, usage, cost_usd=0.0, tool_calls=calls, model=self.name)
        text, calls = self._by_calls(request) if self._paradigm == "json" else (self._by_code(request), ())
        completion_tokens = counter(text) + sum(counter(tool_call.name + tool_call.arguments) for tool_call in calls)
        usage = Usage(prompt_tokens, completion_tokens, is_estimate=counter.is_estimate)
        reason = "tool_calls" if calls else "stop"
        return Reply(text, usage, cost_usd=0.0, finish_reason=reason, tool_calls=calls, model=self.name)

    def _by_code(self, request: Request) -> str:
        query = self._task.queries[request.key.step]
        cells = query.cells(self._paradigm)
        if not cells:
            raise _missing_script_error(self._task, self._paradigm)
        if request.key.step in self._slips:
            cells = (query.wrong,) if query.wrong else tuple(map(slip, cells))
        attempt = request.key.attempt
        return f"```python\n{cells[attempt]}\n```" if attempt < len(cells) else query.says

    def _by_exchanges(self, request: Request) -> tuple[str, tuple[ToolCall, ...]]:
        """Play one side of a conversation; who slips does nothing, and says that it is done."""
        query, at = self._task.queries[request.key.step], request.key.attempt
        sides: list[str | Call] = []
        for each in query.exchanges:
            if request.key.agent == PARTNER:
                sides += [*map(_block, each.partner_cells), each.heard]
            elif request.key.step in self._slips:
                sides.append("Done.")
            else:
                sides += [*(each.calls if self._paradigm == "json" else map(_block, each.cells)), each.says]
        if at >= len(sides):
            stop = query.partner.stop[0] if query.partner else "Done."
            return (stop if request.key.agent == PARTNER else "Done."), ()
        side = sides[at]
        return (side, ()) if isinstance(side, str) else ("", (_tool_call(request, at, side),))

    def _by_calls(self, request: Request) -> tuple[str, tuple[ToolCall, ...]]:
        """Play the calls up to where the request is, with the results that it shows."""
        play = self._task.queries[request.key.step].calls
        if play is None:
            raise _missing_script_error(self._task, self._paradigm)
        if request.key.step in self._slips:
            return "Done.", ()
        rounds, results, call_count = play(), iter(_results(request)), 0
        try:
            calls = next(rounds)
            for _ in range(request.key.attempt):
                call_count += len(calls)
                calls = rounds.send(list(islice(results, len(calls))))
        except StopIteration as end:
            return str(end.value), ()
        return "", tuple(_tool_call(request, call_count + at, function_call) for at, function_call in enumerate(calls))


def slip(code: str) -> str:
    """Return a cell with every number one too large and every yes a no; without any, its texts have a slip of the pen.

    What has nothing to slip in does nothing at all.
    """
    for kinds in ((int, float), (str,)):
        tree = _Slip(kinds)
        wrong_code = ast.unparse(tree.visit(ast.parse(code)))
        if tree.slips:
            return wrong_code
    return "pass"


def wrong_constant(value: Any) -> Any:
    """Return a constant with a slip."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}!" if isinstance(value, str) else value


class _Slip(ast.NodeTransformer):
    """Changes the constants of some kinds."""

    def __init__(self, kinds: tuple[type, ...]) -> None:
        self._kinds = kinds
        self.slips = 0

    def visit_Constant(self, node: ast.Constant) -> ast.AST:  # ast's name
        if not isinstance(node.value, self._kinds):
            return node
        self.slips += 1
        return ast.copy_location(ast.Constant(wrong_constant(node.value)), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:  # ast's name
        return node  # parts of an f-string are constants only to the parser


def _block(cell: str) -> str:
    return f"```python\n{cell}\n```"


def _results(request: Request) -> list[Any]:
    """Return the results of the calls made since the latest query, read as Python or JSON where they are that."""
    results: list[Any] = []
    for message in reversed(request.messages):
        if message.role == "tool":
            results.append(_parse_result(message.text))
        elif message.role == "user":
            break
    return results[::-1]


def _parse_result(text: str) -> Any:
    readers: Sequence[Callable[[str], Any]] = (ast.literal_eval, json.loads)
    for reader in readers:
        try:
            return reader(text)
        except (ValueError, SyntaxError):
            continue
    return text


def _tool_call(request: Request, number: int, function_call: Call) -> ToolCall:
    name, arguments = function_call
    return ToolCall(f"call_{request.key.step}_{number}", name, json.dumps(arguments))


def _missing_script_error(task: Task, paradigm: str) -> WorldError:
    return WorldError(f"task {task.name!r} has no script for {paradigm!r}: ask a real model with --model")
