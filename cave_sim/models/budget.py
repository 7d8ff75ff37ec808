"""How much a run may spend: tokens, money, seconds and calls; for all of it, for each agent, for each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from cave_sim.diagnostics.number_checks import is_number
from cave_sim.errors import CaveSimError
from cave_sim.models.base import Model, ModelError, Reply, Request, Usage, columns
from cave_sim.models.prices import Price
from cave_sim.models.tokens import TokenCounter, offline_counter
from cave_sim.models.wrapped import Wrapped


@dataclass(frozen=True)
class Budget:
    """Limits of spending; None for no limit.

    Attributes:
        tokens: read and written, cached ones included.
        money_usd: US dollars.
        seconds: the latencies of all replies, added up: of a recording they are the same each time.
        calls: replies asked for; retries of one call are part of it.
    """

    tokens: int | None = None
    money_usd: float | None = None
    seconds: float | None = None
    calls: int | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            limit = getattr(self, each.name)
            if limit is not None and not (is_number(limit) and limit >= 0):
                raise ValueError(f"Budget({each.name}={limit!r}): a limit is 0 or more, or None for no limit")

    @cached_property
    def limits(self) -> Mapping[str, float]:
        """What is limited, and to how much."""
        return {name: limit for name, limit in columns(self).items() if limit is not None}


GRAIN_USD = 2.0**-36
GRAIN_S = 2.0**-20


@dataclass(frozen=True)
class Spent:
    """What was spent, in the units of :class:`Budget`; spendings add up.

    Money and time are kept in grains that are powers of two (about 15 pico-dollars, a microsecond): sums of such
    floats are exact, so the books are the same in whatever order replies arrive.
    """

    tokens: int = 0
    money_usd: float = 0.0
    seconds: float = 0.0
    calls: int = 0

    def __post_init__(self) -> None:
        if self.money_usd or self.seconds:
            object.__setattr__(self, "money_usd", round(self.money_usd / GRAIN_USD) * GRAIN_USD)
            object.__setattr__(self, "seconds", round(self.seconds / GRAIN_S) * GRAIN_S)

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.tokens + other.tokens,
            self.money_usd + other.money_usd,
            self.seconds + other.seconds,
            self.calls + other.calls,
        )

    def __neg__(self) -> Spent:
        return Spent(-self.tokens, -self.money_usd, -self.seconds, -self.calls)

    def first_over(self, budget: Budget) -> str | None:
        """Return the first limit of a budget that this goes beyond; None if it stays within."""
        return self._first(budget, lambda spent, limit: spent > limit)

    def first_at(self, budget: Budget) -> str | None:
        """Return the first limit of a budget that has been used up; None if something is left of each.

        Where nothing was spent nothing is used up: a free model may be asked within ``money_usd=0``.
        """
        return self._first(budget, lambda spent, limit: spent >= limit and spent > 0)

    def _first(self, budget: Budget, is_beyond: Callable[[float, float], bool]) -> str | None:
        return next((name for name, limit in budget.limits.items() if is_beyond(getattr(self, name), limit)), None)


class BudgetReached(CaveSimError):
    """A budget does not allow another call. The run can be saved, and resumed with a larger one.

    Attributes:
        scope: ``run``, ``step``, or ``agent NAME``.
        limit: which limit it was: ``tokens``, ``money_usd``, ``seconds`` or ``calls``.
        allowed: its value.
        spent: what has been spent of it.
        needed: what another call would take, as estimated; 0 where the limit is used up already.
    """

    def __init__(self, scope: str, limit: str, allowed: float, spent: float, needed: float) -> None:
        more = f", and another call takes up to {needed:g}" if needed else ""
        way_out = "it starts anew with the next step" if scope == "step" else "resume with a larger one"
        super().__init__(
            f"budget of {scope}: {spent:g} of {limit}={allowed:g} spent{more}."
            f" Nothing is lost: {way_out}, or raise Budgets({scope.split()[0]}=Budget({limit}=...))"
        )
        self.scope: str = scope
        self.limit: str = limit
        self.allowed: float = allowed
        self.spent: float = spent
        self.needed: float = needed

    def why(self) -> dict[str, str]:
        """Return why a run stopped, for its manifest."""
        return {"limit": self.limit, "message": str(self)}


class Budgets:
    """Keeps the books of one run.

    What a call may take is set aside before it and replaced by what it took: calls in flight together cannot
    overspend tokens or calls that none of them would alone.

    Args:
        run: for everything.
        agent: for each agent.
        step: for everything within one step.

    Raises:
        TypeError: one of them is no :class:`Budget`.
    """

    def __init__(self, run: Budget | None = None, agent: Budget | None = None, step: Budget | None = None) -> None:
        for name, budget in (("run", run), ("agent", agent), ("step", step)):
            if not isinstance(budget, Budget | None):
                raise TypeError(f"Budgets({name}={budget!r}): takes what may be spent, as {name}=Budget(calls=100)")
        self.run: Budget = run or Budget()
        self.agent: Budget = agent or Budget()
        self.step: Budget = step or Budget()
        self.spent: Spent = Spent()
        self.spent_in_step: Spent = Spent()
        self.spent_by: dict[str, Spent] = {}
        self._aside: dict[str, Spent] = {}

    @property
    def in_flight(self) -> int:
        """How many calls have begun and not ended."""
        return self._aside_for("run").calls

    def begin_step(self) -> None:
        """Start the books of a step."""
        self.spent_in_step = Spent()

    def reserve(self, agent: str, estimate: Spent) -> None:
        """Set aside what a call may take; raises BudgetReached if some budget has less left."""
        for scope, budget, spent in self._books(agent):
            aside = self._aside_for(scope)
            limit = (spent + aside + estimate).first_over(budget) or (spent + aside).first_at(budget)
            if limit:
                needed = getattr(estimate, limit)
                raise BudgetReached(scope, limit, getattr(budget, limit), getattr(spent + aside, limit), needed)
        for scope, _, _ in self._books(agent):
            self._aside[scope] = self._aside_for(scope) + estimate

    def settle(self, agent: str, estimate: Spent, actual: Spent) -> None:
        """Replace what was set aside by what a call took, even if that is more."""
        for scope, _, _ in self._books(agent):
            self._aside[scope] = self._aside_for(scope) + -estimate
        self.spent += actual
        self.spent_in_step += actual
        self.spent_by[agent] = self.spent_by.get(agent, Spent()) + actual

    def reached(self, agent: str = "") -> BudgetReached | None:
        """Return which budget has nothing left for an agent; None if another call may be tried."""
        for scope, budget, spent in self._books(agent):
            if limit := spent.first_at(budget):
                return BudgetReached(scope, limit, getattr(budget, limit), getattr(spent, limit), 0)
        return None

    def to_data(self) -> dict[str, Any]:
        """Return what was spent as plain data. Calls in flight are not in it: save between steps."""
        by = {agent: columns(spent) for agent, spent in sorted(self.spent_by.items())}
        return {"run": columns(self.spent), "step": columns(self.spent_in_step), "agents": by}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Go on from what :meth:`to_data` returned; the limits are the present ones."""
        self.spent = Spent(**data["run"])
        self.spent_in_step = Spent(**data["step"])
        self.spent_by = {agent: Spent(**spent) for agent, spent in data["agents"].items()}
        self._aside = {}

    def _books(self, agent: str) -> list[tuple[str, Budget, Spent]]:
        by_agent = self.spent_by.get(agent, Spent())
        return [
            ("run", self.run, self.spent),
            ("step", self.step, self.spent_in_step),
            (f"agent {agent}", self.agent, by_agent),
        ]

    def _aside_for(self, scope: str) -> Spent:
        return self._aside.get(scope, Spent())


class Budgeted(Wrapped):
    """A model that asks the budgets before each call and tells them after it.

    A reply that turned out dearer than estimated is not thrown away, it was paid for: the next call is refused.

    Args:
        model: the model to ask.
        budgets: the books; several models may share them.
        price: what tokens cost; the model's own if None.
        counter: estimates the tokens of a request; what it may write is its ``max_tokens``.

    Raises:
        CaveSimError: money is limited, and nobody knows what the model costs.
    """

    def __init__(
        self, model: Model, budgets: Budgets, *, price: Price | None = None, counter: TokenCounter | None = None
    ) -> None:
        super().__init__(model)
        self.budgets = budgets
        self.counter: TokenCounter = counter or offline_counter()
        self._price = price or model.price
        limited = [name for name in ("run", "agent", "step") if getattr(budgets, name).money_usd is not None]
        if limited and self._price is None:
            raise CaveSimError(
                f"Budgets({limited[0]}=Budget(money_usd=...)) cannot be kept: the price of {model.name!r} is not known."
                " Give it as price=Price(prompt_usd=..., completion_usd=...), on the command line --price READ,WRITTEN,"
                " or limit tokens"
            )

    @property
    def price(self) -> Price | None:
        return self._price

    async def reply(self, request: Request) -> Reply:
        agent, estimate = request.key.agent, self.estimate(request)
        self.budgets.reserve(agent, estimate)
        actual = Spent()  # of a call that was cancelled
        try:
            reply = await self.model.reply(request)
            actual = self._actual(reply)
        except ModelError as error:
            actual = Spent(calls=int(error.kind != "late"))  # a late reply is counted when it comes
            raise
        finally:
            self.budgets.settle(agent, estimate, actual)
        return reply

    def estimate(self, request: Request) -> Spent:
        """Return the most that a request is expected to take; how long it takes is not guessed."""
        usage = Usage(self.counter.of_request(request), request.max_tokens or 0)
        return Spent(usage.tokens, usage.cost_usd(self._price), 0.0, 1)

    def _actual(self, reply: Reply) -> Spent:
        cost_usd = reply.cost_usd
        if cost_usd is None:
            cost_usd = reply.usage.cost_usd(self._price)
        return Spent(reply.usage.tokens, cost_usd, reply.latency_s, 1)
