"""What does not go into training data: what may not leave the device, keys, and the marks of chat templates.

These are patterns, and no proof that nothing private is left.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from cave_sim.models.disclosure import Policy

CREDENTIALS = re.compile(
    r"""\b(?:sk|pk|rk)[-_](?:\w+[-_])?[A-Za-z0-9_-]{16,}            # keys of model providers and of payments
      | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_\w{20,} | \bglpat-[\w-]{16,} | \bhf_[A-Za-z0-9]{16,}
      | \bAKIA[0-9A-Z]{16}\b | \bAIza[\w-]{30,} | \bxox[abprs]-[\w-]{10,}
      | \beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}                 # a JSON web token
      | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----
      | \bBearer\ +[\w.~+/-]{16,}=*
      | ://[^\s/:@]+:[^\s/@]+@                                      # a URL with a password
      | (?i:\b(?:api[_-]?key|secret|token|passwd)["']?\s*[:=]\s*["']?[A-Za-z0-9_/+.-]{16,})""",
    re.VERBOSE,
)
CONTROL_TOKENS = re.compile(
    r"<\|[^|<>\s]{1,40}\|>|<｜[^<>]{1,40}｜>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?tool_(?:call|response)>"
)
"""The marks between messages in chat templates: in a message, a tokenizer would take them for such."""
KEY_VARIABLE = re.compile(r"(?:_API_KEY|_TOKEN|_SECRET|_PASSWORD)$")
LEAST_KEY_CHARS = 8


def _own_keys() -> tuple[str, ...]:
    values = (value for name, value in os.environ.items() if KEY_VARIABLE.search(name))
    return tuple(value for value in values if len(value) >= LEAST_KEY_CHARS)


@dataclass(frozen=True)
class Privacy:
    """Looks through texts for what must not be in training data.

    Attributes:
        policy: what may not leave the device.
        keys: values of this process's environment that are keys.
    """

    policy: Policy = field(default_factory=Policy)
    keys: tuple[str, ...] = field(default_factory=_own_keys, repr=False)

    def objection(self, texts: Iterable[str], held_back: Collection[str] = ()) -> str:
        """Return which rule some texts break, in words that do not repeat what was found; "" for none.

        Args:
            texts: of an example.
            held_back: calls of its run that a policy did not let out.
        """
        for text in texts:
            if rule := _rule_broken(self, text):
                return rule
            if any(call in text for call in held_back):
                return "what a policy held back"
        return ""


@lru_cache(2_000)
def _rule_broken(privacy: Privacy, text: str) -> str:
    """Look through one text, once: most of an example is in the ones of the same talk, too."""
    if CONTROL_TOKENS.search(text):
        return "a mark of a chat template"
    if CREDENTIALS.search(text) or any(key in text for key in privacy.keys):
        return "a key or password"
    return "something that may not leave the device" if privacy.policy.first_private(text) else ""
