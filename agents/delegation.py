"""Delegation: a small model asks a larger one for what is beyond it, and what leaves the device is known and bounded.

The paper's Cloud Delegation (§3.1): a tool whose description begins with ESCALATION. What was sent is a row of kind
``route`` in the session, hence in the journal; a policy may forbid it, and then nothing leaves.
"""

from collections.abc import Generator, Mapping
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.llm_agent.tool_texts import DELEGATE
from cave_sim.models.base import Key, Message, Model, Reply, Request
from cave_sim.models.disclosure import Policy
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Question

FORM: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": DELEGATE,
        "description": "ESCALATION: ask a larger model, for reasoning, creative writing, code, outside knowledge.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string"}, "reason": {"type": "string"}},
            "required": ["query", "reason"],
        },
    },
}
KNOWN = ("user", "tool_result")
"""Kinds of rows that tell what the device holds: what its owner said, and what tools gave."""
LARGER = "You answer questions that a small model on a device hands on. Answer in full."


def delegate(session: Session, arguments: str, model: Model, policy: Policy, key: Key) -> Generator[Question, Any, str]:
    """Ask a larger model, if the policy lets it; returns its answer, or an error, as the result of the call.

    Args:
        session: of who delegates; a row tells what left, or was held back, and why it was to.
        arguments: of the call, as JSON.
        model: the larger one.
        policy: what may leave.
        key: of the request.
    """
    try:
        asked = from_json(arguments)
    except ValueError:
        asked = None
    words = {"query", "reason"}
    is_form = isinstance(asked, dict) and asked.keys() == words
    if not is_form or not all(isinstance(each, str) for each in asked.values()):
        return 'Error: delegate takes {"query": "...", "reason": "..."}, two texts, and nothing else'
    query, reason = asked["query"], asked["reason"]
    before = [left for row in session if row.kind == "route" and (left := row.data.get("sent"))]
    known = (row.text for row in session if row.kind in KNOWN)
    objection = policy.objection(query, before, known)
    sent = {"to": model.name, "sent": "" if objection else query, "reason": reason, "held_back": objection}
    session.append("route", f"{'held back' if objection else 'sent'} to {model.name}: {reason}", data=sent)
    if objection:
        return f"Error: {objection}"
    reply = yield Question(model, Request((Message("system", LARGER), Message("user", query)), key=key))
    return reply.text if isinstance(reply, Reply) and not reply.is_withheld else f"Error: {reply}"
