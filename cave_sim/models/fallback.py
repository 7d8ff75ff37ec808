"""Another model where one fails."""

from __future__ import annotations

from cave_sim.models.base import Model, ModelError, Reply, Request, Wrapped, close


class Fallback(Wrapped):
    """Asks models in order until one replies; the reply says which one it was.

    It goes by the first one's name and price; its window is the smallest, so that what fits one fits all. Put
    retries around each model rather than around this, or a short outage changes who answers.

    Args:
        first: the model that should answer.
        others: who answers in its place, best first.
    """

    def __init__(self, first: Model, *others: Model) -> None:
        super().__init__(first)
        self.models = (first, *others)

    @property
    def window_tokens(self) -> int:
        return min(model.window_tokens for model in self.models)

    async def reply(self, request: Request) -> Reply:
        errors = []
        for model in self.models:
            try:
                return await model.reply(request)
            except ModelError as error:
                errors.append((model.name, error))
        kind = errors[-1][1].kind
        raise ModelError(kind, "no model replied: " + "; ".join(f"{name}: {error}" for name, error in errors))

    async def close(self) -> None:
        for model in self.models:
            await close(model)

    def __repr__(self) -> str:
        return f"Fallback({', '.join(map(repr, self.models))})"
