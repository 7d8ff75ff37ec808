"""What the errors of providers and their clients mean here, and what of them may be shown."""

from __future__ import annotations

import os
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any

from cave_sim.models.base import Kind, ModelError

SHOWN_CHARS = 300
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|rk|key|gsk|xai|hf)[-_][\w*.-]{6,}|Bearer\s+\S+")
SHORTEST_SECRET = 8

WAYS_OUT: dict[Kind, str] = {
    "rate_limited": "Ask less often: give its provider a Rate, or retry later",
    "timeout": "Ask for fewer tokens, or give it more time",
    "unavailable": "Retry later, look after the server, or give it a Fallback",
    "too_long": "Send less, or choose a model with a larger window",
    "refused": "Asking again would not help: look at the model's name, its key in the environment, and the request",
}


def model_error(error: Exception, model: str) -> ModelError:
    """Return what a client's error means.

    Args:
        error: what litellm raised; recognised by its class name and HTTP status.
        model: who was asked, for the message.
    """
    kind = kind_of(error)
    said = without_secrets(" ".join(str(error).split()))[:SHOWN_CHARS]
    return ModelError(kind, f"{model}: {said or type(error).__name__}. {WAYS_OUT[kind]}", retry_after_s(error))


def kind_of(error: Exception) -> Kind:
    """Return which kind of failure an error is; what nobody knows is taken for an outage."""
    name, status = type(error).__name__, getattr(error, "status_code", None)
    if "ContextWindow" in name:
        return "too_long"
    if "Timeout" in name or status in (408, 504):
        return "timeout"
    if status == 429:
        return "refused" if "insufficient_quota" in str(error) else "rate_limited"  # an empty account stays empty
    if isinstance(status, int) and 400 <= status < 500:
        return "refused"
    return "unavailable"


def retry_after_s(error: Exception) -> float | None:
    """Return how many seconds the provider asks to wait, from its headers; None if it does not say."""
    response: Any = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
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


def _seconds(text: str) -> float:
    """Read seconds, or the date that HTTP allows in their place."""
    try:
        return float(text)
    except ValueError:
        return parsedate_to_datetime(text).timestamp() - time.time()
