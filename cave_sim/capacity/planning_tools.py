"""The seven tools of generation planning: what it will take, what can be written, how, what then; and rendering.

They are those of Gen-Pilot (§6), with what its code lacks: the capacity itself, schemas that are enforced, a depth of
replanning that a new plan for the same task does not forget, and a folder that no document leaves.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Any

from cave_sim.capacity.costs import break_even_tokens, by_strategy, saved_share
from cave_sim.capacity.multipliers import document_of, usual_multipliers
from cave_sim.capacity.output_capacity import Occupancy, OutputLimits, output_capacity
from cave_sim.capacity.strategies import MARGIN, MOST_REPLANS, WritingPlan, expect_margin, replan
from cave_sim.capacity.strategies import plan as plan_for
from cave_sim.errors import WorldError
from cave_sim.models.tokens import TokenCounter, offline_counter
from cave_sim.rendering.documents import render as render_document
from cave_sim.rendering.documents import write_document
from cave_sim.rendering.registry import TemplateRegistry

MOST_PLANS = 50
MOST_TEXT_CHARS = 5_000_000


class PlanningTools:
    """What a client may ask; each method is a tool.

    Args:
        folder: where documents are written; made when the first one is.
        limits: what is known of the client's model.
        counter: counts tokens.
    """

    def __init__(self, folder: Path, limits: OutputLimits | None = None, counter: TokenCounter | None = None) -> None:
        self._folder = folder
        self._limits = limits or OutputLimits()
        self._count = counter or offline_counter()
        self._plans: OrderedDict[str, WritingPlan] = OrderedDict()
        self._registry = TemplateRegistry()

    def estimate(self, text: str = "", content_tokens: int = 0, format: str = "markdown") -> dict[str, Any]:  # noqa: A002
        """Return what a text, or content of so many tokens, takes in a format, written outright and as data."""
        if len(text) > MOST_TEXT_CHARS:
            raise WorldError(f"a text of {len(text):,} characters; at most {MOST_TEXT_CHARS:,}")
        document = document_of(self._count(text) if text else content_tokens, format)
        measured = usual_multipliers()
        return {
            "content_tokens": document.content_tokens,
            "tokens": document.formatted_tokens,
            "as_data": document.data_tokens,
            "multipliers": {name: round(each, 2) for name, each in measured.items()},
            "counted_by": self._count.name,
        }

    def budget(self, limit_tokens: int, used_tokens: int, margin: float = MARGIN) -> dict[str, Any]:
        """Return how much can be written in the next turn, in a window of so many tokens of which so many are used."""
        expect_margin(margin)
        occupancy = Occupancy(limit_tokens, used_tokens)
        capacity = output_capacity(occupancy, self._limits)
        return {
            "occupancy": round(occupancy.share, 4),
            "degradation": round(self._limits.degradation(occupancy.share), 4),
            "free_tokens": occupancy.free_tokens,
            "capacity_tokens": capacity,
            "safe_tokens": int(margin * capacity),
            "limits": self._limits.to_data(),
        }

    def plan(
        self,
        task: str,
        content_tokens: int,
        limit_tokens: int,
        used_tokens: int,
        format: str = "markdown",  # noqa: A002
        template_tokens: int = 0,
        documents: int = 1,
        data_share: float = 1.0,
        margin: float = MARGIN,
    ) -> dict[str, Any]:
        """Return how to write a document: direct, in chunks, or deferred, as data to be rendered; and what it takes."""
        document = document_of(
            content_tokens, format, template_tokens=template_tokens, documents=documents, data_share=data_share
        )
        before = self._plans.get(_plan_id(task))
        limits = before.limits if before is not None and before.replans else self._limits
        planned = plan_for(document, Occupancy(limit_tokens, used_tokens), limits, margin=margin)
        return self._kept(task, replace(planned, replans=before.replans if before is not None else 0))

    def replan(self, plan_id: str, failure: str, turns_done: int = 0) -> dict[str, Any]:
        """Return how to go on where a turn was empty, truncated, timeout or tool_error; three times at the most."""
        failed = self._plans.get(plan_id)
        if failed is None:
            raise WorldError(f"there is no plan {plan_id[:40]!r}; the latest {MOST_PLANS} are kept")
        if not failed.turns:
            raise WorldError(f"{failed.why or 'the plan is over'}")
        planned = replan(failed, failure, turns_done=turns_done)  # type: ignore[arg-type]  # it says what it takes
        self._plans[plan_id] = planned
        return self._told(plan_id, planned)

    def register_template(self, name: str, source: str, schema: dict[str, Any], about: str = "") -> dict[str, Any]:
        """Take in a Jinja2 template with the JSON schema of its data; table(data.rows) and the like fit any format."""
        return self._registry.register(name, source, schema, about).to_data()

    def render(self, template: str, data: dict[str, Any], name: str, format: str = "html") -> dict[str, Any]:  # noqa: A002
        """Render data by a template into a file of the server's folder; costs no tokens but those of the data."""
        document = render_document(template, data, format, self._registry)
        path = write_document(self._folder, name, format, document.data)
        return {"path": str(path), "bytes": len(document.data), "sha256": document.sha256, "title": document.title}

    def list_templates(self) -> list[dict[str, Any]]:
        """Return the templates with what each is for and the JSON schema of its data."""
        return self._registry.list()

    def _kept(self, task: str, planned: WritingPlan) -> dict[str, Any]:
        plan_id = _plan_id(task)
        self._plans[plan_id] = planned
        self._plans.move_to_end(plan_id)
        while len(self._plans) > MOST_PLANS:
            self._plans.popitem(last=False)
        return self._told(plan_id, planned)

    @staticmethod
    def _told(plan_id: str, planned: WritingPlan) -> dict[str, Any]:
        document = planned.document
        pays_from = break_even_tokens(
            document.format_multiplier,
            document.data_multiplier,
            document.template_tokens,
            document.documents,
            document.data_share,
        )
        return {
            "plan_id": plan_id,
            **planned.to_data(),
            "replans_left": MOST_REPLANS - planned.replans,
            "tokens": by_strategy(document, max(planned.chunks, 1) if planned.turns else 1),
            "rendering_saves": round(saved_share(document), 3),
            "rendering_pays_from": None if pays_from == float("inf") else round(pays_from),
        }


def _plan_id(task: str) -> str:
    return hashlib.sha256(task.encode()).hexdigest()[:16]
