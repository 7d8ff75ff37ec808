"""What a local model reads anew of prompts that it knows in part, and how long it takes to the first token.

    python -m tests.bench.prompt_reuse coder.gguf

prints two tables: by the length of what comes first, and for the two roles of a mind whose model writes its context
state. Seconds are of the processor, which neighbours change less than the clock; ``--rounds`` says how often each is
measured. A role's permanent part is what it may find in the cache by its layout: its front, and the log as it was when
this role was last asked.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, takewhile
from typing import Any

from cave_sim import Entity, Simulation, World, field
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.llm_agent.tracker import RULES_PART
from cave_sim.models import Asker, Message, Model, Reply, Request
from cave_sim.models.llama_cpp import LocalModel
from cave_sim.models.wrapped import Wrapped

Ask = Callable[[Request], Reply]
LENGTHS = (400, 3_200)
"""Tokens of a prompt as the paper's begin: ours with a menu, and with published schemas."""
WORDS = "north river copper early garden window seven market paper silver".split()
EXECUTOR, TRACKER = "executor", "tracker"
TURNS = 8
ISSUES = ("wifi", "printer", "badge", "door", "phone")


def words(count: int, begin: int = 0) -> str:
    """Return so many words, about a token each."""
    return " ".join(WORDS[(begin + place) * (place % 7 + 1) % len(WORDS)] for place in range(count))


def told(front: str, rest: str) -> Request:
    """Return a request for one token: what comes first, and what comes behind it."""
    return Request((Message("system", front), Message("user", rest)), max_tokens=1)


def ways(tokens: int, mark: str) -> dict[str, Request]:
    """Return what is asked one after another, by what of it was read before; a mark makes the front a new one."""
    front, log = f"{mark} {words(tokens - 60)}", words(20)
    return {
        "nothing of it read before": told(front, log),
        "50 words more behind it": told(front, f"{log} {words(50, 3)}"),
        "100 other words behind it": told(front, words(100, 5)),
        "the same again": told(front, words(100, 5)),
    }


def first_tokens(ask: Ask, rounds: int) -> Iterator[str]:
    """Yield the rows of a table: processor seconds to the first token, and tokens read anew."""
    ask(told("warm", "up"))
    taken: dict[str, dict[int, list[tuple[float, int]]]] = {}
    for number in range(rounds):
        for tokens in LENGTHS:
            for name, request in ways(tokens, f"{number} {tokens}").items():
                started_s = time.process_time()
                usage = ask(request).usage
                cost = time.process_time() - started_s, usage.prompt_tokens - usage.cached_tokens
                taken.setdefault(name, {}).setdefault(tokens, []).append(cost)
    yield f"| what is asked | {' | '.join(f'{tokens:,} tokens' for tokens in LENGTHS)} | read anew |"
    yield f"| --- |{' --- |' * (len(LENGTHS) + 1)}"
    for name, by_length in taken.items():
        seconds = [", ".join(f"{s:.1f}" for s, _ in costs) for costs in by_length.values()]
        anew = ", ".join(f"{max(count for _, count in costs):,}" for costs in by_length.values())
        yield f"| {name} | {' | '.join(seconds)} | {anew} |"


class Desk(Entity):
    """An IT desk."""

    tickets: dict[str, str] = field({})

    def open(self, issue: str, room: int) -> dict[str, Any]:
        """Open a ticket."""
        number = f"IT{7300 + 13 * len(self.tickets)}"
        self.tickets[number] = issue
        return {"status": "success", "ticket": number}


@dataclass
class Asked:
    """One request of a role, and what was read of it."""

    request: Request
    prompt_tokens: int
    cached_tokens: int


class Listening(Wrapped):
    """Notes what each role of a mind was asked, and what the cache gave."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.by_role: dict[str, list[Asked]] = {EXECUTOR: [], TRACKER: []}

    async def reply(self, request: Request) -> Reply:
        reply = await self.model.reply(request)
        role = TRACKER if RULES_PART in request.parts else EXECUTOR
        self.by_role[role].append(Asked(request, reply.usage.prompt_tokens, reply.usage.cached_tokens))
        return reply


def talk(model: Model, turns: int) -> dict[str, list[Asked]]:
    """Let a mind whose model writes its log be asked for tickets, and return what its roles were asked."""
    world, heard = World(seed=1), Listening(model)
    world.add("desk", Desk())
    habits = Habits(max_cells=1, context="state", tracker="model", max_tokens=60, continuations=0)
    simulation = Simulation(world, lambda sim: [LLMAgent(sim, "ann", habits=habits)], llm=heard)
    for turn in range(turns):
        simulation.by_name["ann"].ask(f"Please open a ticket: {ISSUES[turn % len(ISSUES)]} in room {100 + turn}.")
    return heard.by_role


def permanent(earlier: Request, later: Request) -> Request:
    """Return the front and the whole lines behind it that two requests of a role have in common, for one token."""
    lines = zip(*(each.messages[1].text.splitlines() for each in (earlier, later)), strict=False)
    same = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], lines)]
    return Request((later.messages[0], Message("user", "\n".join(same))), max_tokens=1)


def tokens_of(ask: Ask, request: Request) -> int:
    """Return how many tokens a request has without what its template puts behind it: as many as a longer one finds."""
    ask(request)
    system, said = request.messages
    return ask(replace(request, messages=(system, Message("user", f"{said.text}\n{words(9)}")))).usage.cached_tokens


def roles(model: Model, ask: Ask, turns: int) -> Iterator[str]:
    """Yield the rows of a table: of each role, what it had to read and what the cache gave of its permanent part."""
    yield "| role | requests | tokens | permanent part | from the cache | at least the permanent part |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for role, asked in talk(model, turns).items():
        parts = [tokens_of(ask, permanent(one.request, other.request)) for one, other in pairwise(asked)]
        rest = asked[1:]
        kept = sum(each.cached_tokens >= part for each, part in zip(rest, parts, strict=True))
        spans = [each.prompt_tokens for each in rest], parts, [each.cached_tokens for each in rest]
        yield f"| {role} | {len(rest)} | {' | '.join(map(_span, spans))} | {kept} of {len(rest)} |"


def _span(values: Iterable[int]) -> str:
    found = sorted(values)
    return f"{found[0]:,} to {found[-1]:,}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gguf", help="file of the weights")
    parser.add_argument("--rounds", type=int, default=2, help="how often each is measured (default: 2)")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"of the talk with both roles (default: {TURNS})")
    parser.add_argument("--threads", type=int, help="how many compute (default: one for each processor)")
    options = parser.parse_args(arguments)
    model = LocalModel(options.gguf, threads=options.threads)
    with Asker() as asker:
        ask = partial(asker.ask, model)
        for line in chain(first_tokens(ask, options.rounds), [""], roles(model, ask, options.turns)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
