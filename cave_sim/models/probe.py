"""Looking whether a model can be asked at all, before a run begins: its key, its server, its name. Costs nothing."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.models.failures import without_secrets
from cave_sim.models.from_cli import LOCAL, RECORDED, ModelChoice
from cave_sim.models.listed_models import Access, access_to

PATIENCE_S = 4.0
OPENAI, OLLAMA = "https://api.openai.com/v1", "http://localhost:11434"
MOST_BYTES = 4_000_000
REFUSED = (401, 403)


def probe(choice: ModelChoice) -> str:
    """See that a model can be asked: nothing is generated, so nothing is paid for.

    Returns:
        What is worth a line though the run may begin: a server that takes its time. Empty if there is nothing.

    Raises:
        WorldError: its key is missing or refused, nobody answers at its address, or its provider has no such model.
    """
    if choice.is_scripted or choice.replay is not None or choice.name in (LOCAL, RECORDED):
        return ""
    access = access_to(choice.name, choice.api_base)
    if access.missing_keys:
        keys = " or ".join(access.missing_keys)
        raise WorldError(f"--model {choice.name} needs a key: set {keys} in the environment. Nothing was asked yet")
    address = _address(access)
    if address is None:  # a provider whose list of models is not where OpenAI's is
        return ""
    try:
        known = _models(f"{address.rstrip('/')}/models", access.key)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code not in REFUSED:
            return ""  # somebody is there, and has no list
        raise WorldError(
            f"--model {choice.name}: {address} refuses the key in {access.key_name} (HTTP {error.code})"
        ) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return f"{address} has not answered within {PATIENCE_S:g} s; going on, for a busy server may answer later"
        message = without_secrets(" ".join(str(reason).split()))
        raise WorldError(
            f"--model {choice.name}: nobody answers at {address} ({message}). Start the server, or name another with"
            " --api-base"
        ) from None
    if not choice.api_base:  # servers of one's own often answer to any name
        _expect_known(choice.name, access.model, address, known)
    return ""


def _address(access: Access) -> str | None:
    """Return where OpenAI's protocol is spoken; None where it is not known to be."""
    if access.provider.startswith("ollama"):
        return f"{(access.api_base or os.environ.get('OLLAMA_API_BASE') or OLLAMA).removesuffix('/v1')}/v1"
    if access.provider == "openai":
        return access.api_base or os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") or OPENAI
    return access.api_base


def _models(url: str, key: str | None) -> list[str]:
    """Return the names of the models behind a URL."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError("it is no http address")
    headers = {"User-Agent": "cave-sim", **({"Authorization": f"Bearer {key}"} if key else {})}
    opener = urllib.request.build_opener(_Here)
    with opener.open(urllib.request.Request(url, headers=headers), timeout=PATIENCE_S) as answer:
        text = answer.read(MOST_BYTES)
    try:
        listed = from_json(text)["data"]
        return [str(model["id"]) for model in listed]
    except (ValueError, TypeError, LookupError):
        return []


class _Here(urllib.request.HTTPRedirectHandler):
    """Follows nobody elsewhere: the key is for this server alone."""

    def redirect_request(self, *_redirection: Any) -> None:
        return None


def _expect_known(name: str, model: str, address: str, known: list[str]) -> None:
    short = {each.removesuffix(":latest").removeprefix("models/") for each in known} | {*known}
    if not known or model in short:
        return
    hint = did_you_mean(model, sorted(short)) or f" It has: {', '.join(sorted(known)[:8])}"
    raise WorldError(f"--model {name}: {address} has no model {model!r}.{hint}")
