"""Where a model's replies come from: a language model writes them now, or they were written before."""

from __future__ import annotations

from cave_sim.models.base import Model
from cave_sim.models.cassette import RecordedModel
from cave_sim.models.per_agent import PerAgent
from cave_sim.models.wrapped import Wrapped


def is_language_model(model: Model) -> bool:
    """Say whether what a model says is nobody's own text: neither a script's, nor read from a recording.

    A class that is not known here is taken for a language model, unless it says ``is_scripted = True``.
    """
    if isinstance(model, PerAgent):
        return any(map(is_language_model, (model.model, *model.models.values())))
    if isinstance(model, Wrapped):
        return is_language_model(model.model)
    return not isinstance(model, RecordedModel) and not getattr(model, "is_scripted", False)
