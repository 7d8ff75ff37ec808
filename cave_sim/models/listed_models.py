"""What litellm lists of models: prices, windows, keys, and which options each takes. Nothing else imports litellm.

It is not imported before it is needed: that takes seconds.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import WorldError
from cave_sim.loading.extras import extra
from cave_sim.models.openai_format import NO_KEY, OWN_KEY
from cave_sim.models.prices import Price, provider_of


@cache
def library() -> Any:
    """Return litellm, kept from what it would do by itself."""
    # Importing it must neither fetch a list of prices nor read a .env file that nobody mentioned.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    with extra("llm", "a model by its litellm name"):
        import litellm
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # failures come as ModelError; its log would quote requests
    return litellm


def entry(name: str) -> dict[str, Any]:
    """Return what is listed for a model, by its full name or by the name that its provider gives it."""
    listed = library().model_cost
    short = listed.get(name.partition("/")[2], {})
    about = listed.get(name) or (short if short.get("litellm_provider") == provider_of(name) else {})
    return dict(about)


def listed_price(listed: Mapping[str, Any]) -> Price | None:
    """Return the price in an entry; None if it has none."""
    read, written, *cached = (None if (cost := listed.get(key)) is None else cost * 1e6 for key in COSTS)
    return None if read is None or written is None else Price(read, written, *cached)


COSTS = (
    "input_cost_per_token",
    "output_cost_per_token",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
)


def speaks_openai(name: str, api_base: str | None = None) -> bool:
    """Say whether a model is reached in OpenAI's own protocol."""
    provider = library().get_llm_provider(name, api_base=api_base)[1]
    return provider == "openai" or provider in library().openai_compatible_providers


def options_as_sent(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a request, named as in OpenAI's protocol, in the words that a model's provider takes."""
    sent = _mapped(name, to_json(options), None)
    return {key: value for key, value in sent.items() if key != "extra_body"}


def dropped_options(name: str, options: Mapping[str, Any], api_base: str | None = None) -> tuple[str, ...]:
    """Return which of the options a model's provider does not take, or takes as another value whatever is asked.

    Args:
        name: of the model.
        options: named as in OpenAI's protocol; ``tools`` may stand for any.
        api_base: the server that is asked in the provider's place.
    """
    tools = {"tools": [ANY_TOOL]} if "tools" in options else {}
    return _dropped(name, to_json({**options, **tools}), api_base)


ANY_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {"name": "any", "parameters": {"type": "object", "properties": {}}},
}
LEVELS = ("low", "high")
"""Two efforts of reasoning; where both come to the same, a provider knows no levels."""


@lru_cache(maxsize=1_024)
def _dropped(name: str, packed: bytes, api_base: str | None) -> tuple[str, ...]:
    options = json.loads(packed)
    whole = _mapped(name, packed, api_base)

    def makes_no_difference(each: str) -> bool:
        others = [{key: value for key, value in options.items() if key != each}]
        if each == "reasoning_effort" and whole.get(each) != options[each]:
            others += [{**options, each: level} for level in LEVELS if level != options[each]]
        return any(_mapped(name, to_json(other), api_base) == whole for other in others)

    return tuple(filter(makes_no_difference, options))


@lru_cache(maxsize=1_024)
def _mapped(name: str, packed: bytes, api_base: str | None) -> dict[str, Any]:
    model, provider, _, _ = library().get_llm_provider(name, api_base=api_base)
    mapped = library().utils.get_optional_params(
        model=model, custom_llm_provider=provider, drop_params=True, **json.loads(packed)
    )
    return {key: value for key, value in mapped.items() if key != "stream"}


def expect_provider(name: str, api_base: str | None) -> None:
    """Refuse a name that litellm knows no provider by; raises WorldError."""
    try:
        library().get_llm_provider(name, api_base=api_base)
    except library().exceptions.BadRequestError:
        raise WorldError(
            f"--model {name}: no provider goes by that name. Write PROVIDER/MODEL, such as ollama/qwen2.5-coder, or"
            " openai/NAME with --api-base for a server of your own"
        ) from None


@dataclass(frozen=True)
class Access:
    """How litellm would reach a model.

    Attributes:
        provider, model: the two parts of its name.
        api_base: where; None where litellm leaves that to the provider's client.
        key_name: the environment variable with the key; empty where none is needed.
        key: what is in it.
        missing_keys: the variables of which one is needed, where none is set.
    """

    provider: str
    model: str
    api_base: str | None
    key_name: str = ""
    key: str | None = field(default=None, repr=False)
    missing_keys: tuple[str, ...] = ()


ALSO_A_KEY = {"huggingface": ("HF_TOKEN",)}
"""Variables beside those that litellm lists."""


def access_to(name: str, api_base: str | None = None) -> Access:
    """Return how a model would be reached.

    Raises:
        MissingExtra: litellm is not installed.
        WorldError: litellm knows no provider by that name.
    """
    if api_base:  # litellm, which takes seconds to import, has nothing to say of it
        provider, _, model = name.rpartition("/")
        return Access(provider, model, api_base, OWN_KEY, os.environ.get(OWN_KEY) or NO_KEY)
    expect_provider(name, api_base)
    model, provider, _, listed = library().get_llm_provider(name)
    missing = library().validate_environment(name)["missing_keys"]
    keys = tuple(each for each in missing if each.endswith("_API_KEY"))
    if any(os.environ.get(each) for each in ALSO_A_KEY.get(provider, ())):
        keys = ()
    key_name = f"{provider.upper()}_API_KEY"
    return Access(provider, model, listed, key_name, os.environ.get(key_name), keys)
