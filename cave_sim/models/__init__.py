"""Models: the other end of the conversation. One protocol, and wrappers that add one thing each.

    model = Budgeted(RecordingModel(Retrying(Throttled(LiteLLMModel("openai/gpt-4o-mini"))), sink), budgets)
    replay = Budgeted(RecordedModel(Cassette(calls)), budgets)

Retries are inside the recording, so a cassette holds what the agent got; budgets are outside it, so a replay
spends and stops as the recorded run did.
"""

from cave_sim.models.base import Key, Message, Model, ModelError, Reply, Request, Sampling, ToolCall, Usage
from cave_sim.models.budget import Budget, Budgeted, BudgetReached, Budgets, Spent
from cave_sim.models.cassette import Cassette, CassetteMiss, Recalled, RecordedModel, RecordingModel
from cave_sim.models.client import Answer, Asker, ask
from cave_sim.models.fault_injection import Chaotic, Faults
from cave_sim.models.litellm import LiteLLMModel
from cave_sim.models.openai_client import OpenAIModel
from cave_sim.models.per_agent import PerAgent
from cave_sim.models.prices import FREE, Price, price_of
from cave_sim.models.rate_limits import Rate, Throttle, Throttled, Throttles
from cave_sim.models.resilience import Fallback, Hedged, Retrying
from cave_sim.models.scripted import ScriptedModel, Untold
from cave_sim.models.tokens import ESTIMATE, TokenCounter, offline_counter
from cave_sim.models.wrapped import Tuned, Wrapped

__all__ = [
    "ESTIMATE",
    "FREE",
    "Answer",
    "Asker",
    "Budget",
    "BudgetReached",
    "Budgeted",
    "Budgets",
    "Cassette",
    "CassetteMiss",
    "Chaotic",
    "Fallback",
    "Faults",
    "Hedged",
    "Key",
    "LiteLLMModel",
    "Message",
    "Model",
    "ModelError",
    "OpenAIModel",
    "PerAgent",
    "Price",
    "Rate",
    "Recalled",
    "RecordedModel",
    "RecordingModel",
    "Reply",
    "Request",
    "Retrying",
    "Sampling",
    "ScriptedModel",
    "Spent",
    "Throttle",
    "Throttled",
    "Throttles",
    "TokenCounter",
    "ToolCall",
    "Tuned",
    "Untold",
    "Usage",
    "Wrapped",
    "ask",
    "offline_counter",
    "price_of",
]
