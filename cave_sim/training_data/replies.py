"""What came of each reply of a session: what it did, and whether that was right.

A reply is judged by the rows behind it, up to the next one. Where the run says what is right, its calls must be among
those, and end as they are to; where it does not, they must have landed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.training_data.ground_truth import Checklist, GroundTruth

LANDED = "committed"


@dataclass(slots=True)
class _Reply:
    text: str
    step: int
    selects: str = ""
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    cells: list[str] = field(default_factory=list)
    is_broken: bool = False


class JudgedReplies:
    """Reads the rows of one session in order, and says of each reply what it is worth.

    Args:
        truth: what is right; None if nobody says.

    Attributes:
        keeps_a_log: whether it has a context state.
        trouble: why the dialogue failed as far as this session says; "" if it does not.
        last_words: of its agent.
        held_back: why a policy let a query not out, and the query.
    """

    def __init__(self, truth: GroundTruth | None) -> None:
        self._truth = truth
        self._tools = {each.tool for each in truth.required} if truth else set()
        self._checklist = Checklist(truth.required if truth else ())
        self._reply: _Reply | None = None
        self._selects: _Reply | None = None
        self._turn_is_right: bool | None = None
        self.keeps_a_log: bool = False
        self.trouble: str = ""
        self.last_words: str = ""
        self.held_back: list[str] = []

    def take(self, row: Mapping[str, Any]) -> list[tuple[str, int, str]]:
        """Take the next row; returns text, step and kind of the replies that are right, as far as that is known now."""
        data, kind, reply = row.get("data") or {}, row["kind"], self._reply
        right: list[tuple[str, int, str]] = []
        if kind in ("user", "assistant", "context_state"):
            right = self._close()
        if kind == "user":
            self._turn_is_right, self._selects = None, None
        elif kind == "assistant":
            self._reply, self.last_words = _Reply(row["text"], row.get("step", 0)), row["text"]
            self._reply.is_broken = "outcome" in data  # empty, cut off or withheld: it was asked for anew
        elif kind == "context_state":
            self.keeps_a_log = True
        elif kind == "model_error" and data.get("reason") != "too_long":  # that was asked again
            self.trouble = self.trouble or "a model gave no answer"
        elif reply is not None:
            self._note(reply, kind, row["text"], data)
        return right

    def _note(self, reply: _Reply, kind: str, text: str, data: Mapping[str, Any]) -> None:
        if kind == "route":
            reply.selects = str(data.get("select", reply.selects))
            if data.get("held_back"):
                self.held_back.append(str(data["held_back"]))
                self.held_back += [query for _, arguments in reply.calls.values() if (query := _query(arguments))]
        elif kind == "tool_call":
            reply.calls[str(data["id"])] = (str(data["name"]), str(data["arguments"]))
        elif kind == "tool_result" and "call" in data:
            reply.answered.add(str(data["call"]))
            if text.startswith("Error"):
                reply.failed.add(str(data["call"]))
        elif kind == "cell":
            reply.cells.append(str(data.get("status")))
        elif kind == "error":
            reply.is_broken = True

    def end(self) -> list[tuple[str, int, str]]:
        """Return what is still to be said of the last reply, once all rows were taken."""
        right = self._close()
        if self._truth is not None and not self._checklist.is_done:
            self.trouble = self.trouble or "not all required calls were made, in their order and with their arguments"
        return right

    def _close(self) -> list[tuple[str, int, str]]:
        reply, self._reply = self._reply, None
        if reply is None:
            return []
        if reply.calls:
            return self._called(reply)
        if reply.selects:
            self._selects = reply
            return []
        if reply.cells:
            is_right = not reply.is_broken and set(reply.cells) == {LANDED} and self._truth is None
            return [(reply.text, reply.step, "cell")] if is_right else []
        says = self._turn_is_right is not False if self._truth else bool(self._turn_is_right)
        return [(reply.text, reply.step, "answer")] if says and not reply.is_broken else []

    def _called(self, reply: _Reply) -> list[tuple[str, int, str]]:
        """Judge calls, and with them the selection that led to them."""
        wrong = [call for call in reply.calls if not self._is_right(call, reply)]  # each of them ticks off its own
        self._turn_is_right = not wrong
        selects, self._selects = self._selects, None
        if wrong:
            return []
        right = [(reply.text, reply.step, "call")]
        if selects is not None and selects.selects in {name for name, _ in reply.calls.values()}:
            right.insert(0, (selects.text, selects.step, "select"))
        return right

    def _is_right(self, call: str, reply: _Reply) -> bool:
        name, arguments = reply.calls[call]
        has_failed = call in reply.failed or call not in reply.answered
        if self._truth is None:
            return not has_failed and set(reply.cells) <= {LANDED}
        required = self._checklist.tick(name, arguments)
        if required is not None and required.fails != has_failed:
            self.trouble = self.trouble or f"the right call of {name} {'failed' if has_failed else 'did not fail'}"
        return required is not None and required.fails == has_failed


def _query(arguments: str) -> str:
    try:
        return str(from_json(arguments)["query"])
    except (ValueError, KeyError, TypeError):
        return ""
