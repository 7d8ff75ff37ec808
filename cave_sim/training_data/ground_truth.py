"""What a scenario says is right: the calls that a dialogue takes, as its run's manifest has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from cave_sim.determinism.canonical_json import from_json
from cave_sim.llm_agent.tool_texts import DELEGATE


class RequiredCall(BaseModel):
    """One thing that somebody asks for, and the call that it takes.

    Attributes:
        tool: the right tool; "" where words are the answer.
        arguments: of the call, as pairs; of a delegation any are right.
        fails: whether the device refuses the call, however right it is.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore")
    tool: str = ""
    arguments: list[tuple[str, Any]] = []
    fails: bool = False

    def is_made_by(self, name: str, arguments: str) -> bool:
        """Say whether a call, with its arguments as JSON, is this one."""
        if name != self.tool:
            return False
        try:
            return name == DELEGATE or from_json(arguments) == dict(self.arguments)
        except (ValueError, TypeError):
            return False


class GroundTruth(BaseModel):
    """What is right in one dialogue: ``manifest["scenario"]`` of the runs of the handset, and of any that writes it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore")
    id: str
    category: str
    asks: list[RequiredCall]

    @property
    def required(self) -> list[RequiredCall]:
        """The calls that are to be made, in order."""
        return [ask for ask in self.asks if ask.tool]


def ground_truth(manifest: Mapping[str, Any]) -> GroundTruth | None:
    """Return what a run's manifest says is right; None if it does not say."""
    try:
        return GroundTruth.model_validate(manifest.get("scenario"))
    except ValidationError:
        return None


class Checklist:
    """Ticks off the required calls as they are made.

    Attributes:
        left: those that nobody has made yet, by their place.
        ticked: places of those that were made, in the order of the calls.
    """

    def __init__(self, required: Sequence[RequiredCall]) -> None:
        self.left: dict[int, RequiredCall] = dict(enumerate(required))
        self.ticked: list[int] = []

    def tick(self, name: str, arguments: str) -> RequiredCall | None:
        """Return the required call that a call is, which is done then; None if it is none that is left."""
        for place, required in self.left.items():
            if required.is_made_by(name, arguments):
                self.ticked.append(place)
                return self.left.pop(place)
        return None

    @property
    def is_done(self) -> bool:
        """Whether every required call was made, in their order."""
        return not self.left and self.ticked == sorted(self.ticked)
