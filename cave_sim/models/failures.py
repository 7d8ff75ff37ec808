"""What the errors of providers and their clients mean here, and what of them may be shown."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from cave_sim.models.base import Kind, ModelError

SHOWN_CHARS = 300
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|rk|key|gsk|xai|hf)[-_][\w*.-]{6,}|Bearer\s+\S+")
SHORTEST_SECRET = 8

WAYS_OUT: dict[Kind, str] = {
    "rate_limited": "Ask less often: give its provider a Rate (--rpm, --tpm), or retry later",
    "timeout": "Ask for fewer tokens, or give it more time (--reply-tokens, --timeout)",
    "unavailable": "Retry later, look after the server, or give it a Fallback",
    "denied": "It serves no such account or model: look at the key in the environment and at the model's name",
    "late": "It acts when its reply comes: give the step a longer deadline",
    "too_long": "Send less, or choose a model with a larger window",
    "refused": "Asking again would not help: look at the request, and at the options that it is sent with",
}


def model_error(error: Exception, model: str) -> ModelError:
    """Return what a client's error means.

    Args:
        error: what litellm raised; recognised by its class name and HTTP status.
        model: who was asked, for the message.
    """
    response: Any = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    return failure(kind_of(error), model, str(error) or type(error).__name__, retry_after_s(headers))


def failure(kind: Kind, model: str, message: str, retry_after_s: float | None = None) -> ModelError:
    """Return an error that names who was asked, what was said without any secret, and the way out."""
    shown = without_secrets(" ".join(message.split()))[:SHOWN_CHARS]
    return ModelError(kind, f"{model}: {shown}. {WAYS_OUT[kind]}", retry_after_s)


def kind_of(error: Exception) -> Kind:
    """Return which kind of failure an error is; what nobody knows is taken for an outage."""
    name, status = type(error).__name__, getattr(error, "status_code", None)
    if "ContextWindow" in name:
        return "too_long"
    return "timeout" if "Timeout" in name else kind_of_status(status, str(error))


def kind_of_status(status: Any, message: str) -> Kind:
    """Return which kind of failure an HTTP status is, with what was said; what nobody knows is an outage."""
    if status == 429:
        return "denied" if "insufficient_quota" in message else "rate_limited"  # an empty account stays empty
    if status in (408, 504):
        return "timeout"
    if status in (401, 402, 403, 404):
        return "denied"
    if isinstance(status, int) and 400 <= status < 500:
        return "too_long" if TOO_LONG.search(message) else "refused"
    return "unavailable"


TOO_LONG = re.compile(
    r"context.{0,3}(?:length|size|window)|maximum.{0,20}tokens|prompt is too long|too many tokens", re.IGNORECASE
)
"""How providers say that a request does not fit."""


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds the provider asks to wait, from its headers; None if it does not say."""
    millis, text = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if millis is not None:
            return max(0.0, float(millis) / 1_000)
        return None if text is None else max(0.0, _seconds(text))
    except ValueError:
        return None


def without_secrets(text: str) -> str:
    """Return a text without the values of secret environment variables and without what looks like a key."""
    for name, value in os.environ.items():
        if SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET:
            text = text.replace(value, "***")
    return LOOKS_LIKE_A_KEY.sub("***", text)


def has_credentials(url: str) -> bool:
    """Say whether a URL holds a name, a password or a query, in which keys are sent: what is stored must not."""
    parts = urlsplit(url)
    return "@" in parts.netloc or bool(parts.query or parts.fragment)


def _seconds(text: str) -> float:
    """Read seconds, or the date that HTTP allows in their place."""
    try:
        return float(text)
    except ValueError:
        return parsedate_to_datetime(text).timestamp() - time.time()
