"""Delegation: a small model asks a larger one for what is beyond it, and what leaves the device is known and bounded.

The paper's Cloud Delegation (§3.1): a tool whose description begins with ESCALATION. What was sent is a row of kind
``route`` in the session, hence in the journal; a policy may forbid it, and then nothing leaves.
"""

import re
import unicodedata
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from cave_sim.canonical_json import from_json
from cave_sim.models.base import Key, Message, Model, Reply, Request
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Question

DELEGATE = "delegate"
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
TELEPHONES = (
    r"(?<!\d)\+\(?\d(?:[ ().\-/]{0,3}\d){6,}",
    r"(?<![\d.\-/])\(?0\d{1,4}\)?[ \-/]?\d{3,}(?:[ \-]?\d{2,})*(?!\d)",
)
"""With the code of a country, and within one: digits in groups, as they are written."""
LARGER = "You answer questions that a small model on a device hands on. Answer in full."


@dataclass(frozen=True)
class Policy:
    """What may leave the device.

    A query is searched as it reads: without letters that nobody sees, and with other spellings of letters, digits and
    spaces as their plain ones. Patterns find what is spelt as they say; they are no proof that nothing private leaves.

    Attributes:
        allowed: whether anything may.
        private: patterns of what may not; by default numbers of telephones, and what is called private or a password.
        most_chars: of one query.
    """

    allowed: bool = True
    private: tuple[str, ...] = (*TELEPHONES, r"(?i)\bprivate(?:ly)?\b", r"(?i)\bpass[ -]?(?:words?|codes?|phrases?)\b")
    most_chars: int = 2_000

    def objection(self, query: str) -> str:
        """Return why a query may not leave; "" if it may."""
        if not self.allowed:
            return "nothing may leave this device"
        if len(query) > self.most_chars:
            return f"the query has {len(query):,} characters; {self.most_chars:,} may leave at once"
        read = _as_read(query)
        found = next((match for pattern in self.private if (match := re.search(pattern, read))), None)
        return f"{found[0]!r} must not leave this device; ask without it" if found else ""


def _as_read(text: str) -> str:
    """Return a text in plain letters, digits, spaces and hyphens, without what nobody sees."""
    seen = "".join(each for each in unicodedata.normalize("NFKC", text) if unicodedata.category(each) != "Cf")
    plain = "".join(str(unicodedata.decimal(each, each)) for each in seen)
    return re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"\s+", " ", plain))


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
        query, reason = str(asked["query"]), str(asked["reason"])
    except (ValueError, KeyError, TypeError):
        return 'Error: delegate takes {"query": "...", "reason": "..."}'
    objection = policy.objection(query)
    sent = {"to": model.name, "sent": "" if objection else query, "reason": reason, "held_back": objection}
    session.append("route", f"{'held back' if objection else 'sent'} to {model.name}: {reason}", data=sent)
    if objection:
        return f"Error: {objection}"
    reply = yield Question(model, Request((Message("system", LARGER), Message("user", query)), key=key))
    return reply.text if isinstance(reply, Reply) and not reply.is_withheld else f"Error: {reply}"
