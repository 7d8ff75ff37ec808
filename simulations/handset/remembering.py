"""What an assistant knows of the beginning of a long talk, by its context state and by the whole history.

    python -m cave_sim.simulations.handset.remembering --talks 12
    python -m cave_sim.simulations.handset.remembering --talks 6 --gguf coder.gguf

A script leads a talk: the owner wants many things, some of which the device refuses. Then the owner asks which numbers
early calls gave, and once more for what was refused. From there on the model under test answers, if one is named; else
a script that reads so many tokens from the end of its prompt and no more (``--attends``), for it is the paper's guess
(§6.1) that errors drown in a long history. Both ways of prompting are told of tools alike and differ in nothing but
what they repeat of what was said.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from cave_sim import Simulation
from cave_sim.agents.tool_user import ToolUser
from cave_sim.analysis.statistics import Estimate, mean_interval, share_interval
from cave_sim.analysis.wording import estimate_text
from cave_sim.determinism.canonical_json import from_json
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.errors import MissingExtra, WorldError
from cave_sim.llm_agent.function_tools import tools_of
from cave_sim.llm_agent.tracker import RULES_PART
from cave_sim.models import Model, ScriptedModel
from cave_sim.models.base import Reply, Request
from cave_sim.models.llama_cpp import LocalModel
from cave_sim.models.wrapped import Wrapped
from cave_sim.simulations.handset.command_numbers import whole_from
from cave_sim.simulations.handset.conversation import ASSISTANT, Variant, agents
from cave_sim.simulations.handset.roles import NUMBER, reply
from cave_sim.simulations.handset.scenarios import STRANGERS, Ask, HandsetScenario, generate
from cave_sim.worlds.handset import build_handset

WAYS: tuple[Variant, ...] = ("baseline", "memory_efficient")
"""All schemas in short form, with the full history and with the context state."""
LENGTH, QUESTIONS, REFUSED = 25, 5, 3
ATTENDS_TOKENS = 1_000
EARLY = 12
"""Asked is of so many of the first things that the owner wanted."""


class Successor(Wrapped):
    """Answers the assistant's requests from a step on, and those of its tracker; a script answers all others."""

    def __init__(self, script: Model, successor: Model, step: int) -> None:
        super().__init__(successor)
        self.script = script
        self.step = step

    async def reply(self, request: Request) -> Reply:
        is_its = request.key.agent == ASSISTANT and (request.key.step >= self.step or RULES_PART in request.parts)
        return await (self.model if is_its else self.script).reply(request)


@dataclass(frozen=True)
class LongTalkOutcome:
    """What became of one talk.

    Attributes:
        variant: how the assistant was prompted.
        answered, questions: how many of the questions were answered with the right number and no other.
        repeated, refused: how many of the calls that had failed were made again, of those asked for again.
        tokens: of the assistant's last request.
    """

    variant: Variant
    answered: int
    questions: int
    repeated: int
    refused: int
    tokens: int


@dataclass(frozen=True)
class LongTalk:
    """A talk that a script leads, and what is asked at its end.

    Attributes:
        scenario: all that the owner says, in order.
        led: how many of these things a script of the assistant does.
        answers: what of the handset answers each question, by where it stands among the owner's words.
        again: calls that were refused, as (tool, arguments), by where the owner asks for them again.
    """

    scenario: HandsetScenario
    led: int
    answers: dict[int, str]
    again: dict[int, tuple[str, dict[str, Any]]]


def long_talk(seed: int, length: int = LENGTH) -> LongTalk:
    """Return the talk of a seed: things that are done or refused, questions, and what was refused once more."""
    asks = list(generate("multi", seed, length).asks)
    rng = RandomStream(seed, "remembering")
    for name in sorted(STRANGERS, key=lambda _: rng.random())[:REFUSED]:
        asks.insert(int(EARLY * rng.random()), Ask(f"Call {name}.", "call_contact", (("name", name),), fails=True))
    numbers = numbers_of(asks, seed)
    said = [ask.said for ask in asks]
    askable = [place for place in numbers if place < EARLY and said.count(said[place]) == 1]
    asked = sorted(askable, key=lambda _: rng.random())[:QUESTIONS]
    questions = [Ask(f'Which number did it get when I said "{said[place]}"?') for place in asked]
    refused = [ask for ask in asks if ask.fails]
    first = len(asks)
    then = first + len(questions)
    return LongTalk(
        replace(generate("multi", seed), asks=(*asks, *questions, *(Ask(ask.said) for ask in refused))),
        first,
        {first + place: numbers[of] for place, of in enumerate(asked)},
        {then + place: (ask.tool, dict(ask.arguments)) for place, ask in enumerate(refused)},
    )


def numbers_of(asks: Sequence[Ask], seed: int) -> dict[int, str]:
    """Return the number that each call gives, on a handset of that seed, by where it stands; not of all calls do."""
    world = build_handset(seed)
    tools = tools_of(world, "phone")
    outputs = [world.execute(tools[ask.tool].cell(dict(ask.arguments)), agent="owner").output for ask in asks]
    return {place: number[1] for place, output in enumerate(outputs) if (number := re.search(NUMBER, output))}


def live(
    talk: LongTalk,
    variant: Variant,
    model: Model | None = None,
    *,
    attends: int = ATTENDS_TOKENS,
    tracker: Literal["rules", "model"] = "rules",
) -> LongTalkOutcome:
    """Lead a talk, let a model take over, and say what it still knew.

    Args:
        talk: which.
        variant: how the assistant is prompted.
        model: the one under test; None for the script.
        attends: how many tokens from the end of its prompt the script reads.
        tracker: who writes the context state: rules, or the model.
    """
    script = ScriptedModel(reply)
    successor = model or ScriptedModel(partial(reply, attends=attends))
    llm = Successor(script, successor, talk.led + 1)
    world = build_handset(int(talk.scenario.id.rpartition("-")[2]))
    simulation = Simulation(world, lambda sim: agents(sim, talk.scenario, variant, tracker=tracker), llm=llm)
    simulation.run(until=len(talk.scenario.asks) + 2)
    assistant = simulation.by_name[ASSISTANT]
    assert isinstance(assistant, ToolUser)
    answered = repeated = tokens = 0
    for place, rows in enumerate(_turns(assistant, talk.scenario), -1):  # the first is a greeting
        words = " ".join(row.text for row in rows if row.kind == "assistant")
        calls = [(row.data["name"], row.data["arguments"]) for row in rows if row.kind == "tool_call"]
        if place in talk.answers:
            answered += set(re.findall(NUMBER, words)) == {talk.answers[place]}
        if wanted := talk.again.get(place):
            repeated += any((name, from_json(given)) == wanted for name, given in calls)
        tokens = next((row.usage.prompt_tokens for row in rows if row.usage is not None), tokens)
    return LongTalkOutcome(variant, answered, len(talk.answers), repeated, len(talk.again), tokens)


def _turns(assistant: ToolUser, scenario: HandsetScenario) -> Iterator[list[Any]]:
    """Yield the rows of each turn: from one thing that the owner says to the next."""
    rest = [scenario.vague, *(ask.said for ask in scenario.asks)]
    turn: list[Any] = []
    for row in assistant.session:
        if rest and row.kind == "user" and row.text == rest[0]:
            del rest[0]
            if turn:
                yield turn
            turn = []
        turn.append(row)
    yield turn


def table(outcomes: Iterable[LongTalkOutcome]) -> Iterator[str]:
    """Yield the rows of a table: shares over all talks of a variant with their Wilson intervals."""
    yield "| variant | talks | questions answered | failed calls made again | last prompt, tokens |"
    yield "| --- | --- | --- | --- | --- |"
    found = list(outcomes)
    for variant in dict.fromkeys(each.variant for each in found):
        group = [each for each in found if each.variant == variant]
        shares = [
            _share(sum(getattr(each, part) for each in group), sum(getattr(each, whole) for each in group))
            for part, whole in (("answered", "questions"), ("repeated", "refused"))
        ]
        tokens = mean_interval([each.tokens for each in group])
        last = estimate_text(tokens.mean, tokens.low, tokens.high, n=tokens.n)
        yield f"| {variant} | {len(group)} | {' | '.join(shares)} | {last} |"


def _share(good: int, of: int) -> str:
    share: Estimate = share_interval(good, of)
    return f"{good} of {of}: {100 * share.mean:.0f} [{100 * share.low:.0f}, {100 * share.high:.0f}] %"


def main(arguments: Sequence[str] | None = None) -> None:
    """Lead the talks, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--talks", type=whole_from(1), default=6, help="how many, each of a seed of its own (default: 6)"
    )
    parser.add_argument("--seed", type=whole_from(0), default=0, help="of the first talk")
    parser.add_argument("--length", type=whole_from(1), default=LENGTH, help="things that are done first (default: 25)")
    parser.add_argument(
        "--gguf", metavar="PATH", help="file of the weights of the model under test; else a script answers"
    )
    parser.add_argument("--threads", type=whole_from(1), help="how many compute (default: one for each processor)")
    parser.add_argument("--tracker", choices=("rules", "model"), default="rules", help="who writes the context state")
    parser.add_argument(
        "--attends",
        type=whole_from(1),
        default=ATTENDS_TOKENS,
        metavar="TOKENS",
        help="what the script reads of a prompt's end",
    )
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="how the assistant is prompted")
    options = parser.parse_args(arguments)
    try:
        model = LocalModel(options.gguf, threads=options.threads) if options.gguf else None
    except (WorldError, MissingExtra) as error:
        parser.exit(1, f"{error}\n")
    outcomes = []
    for seed in range(options.seed, options.seed + options.talks):
        for variant in options.ways:
            outcomes.append(
                live(long_talk(seed, options.length), variant, model, attends=options.attends,
                     tracker=options.tracker)
            )  # fmt: skip
            print(outcomes[-1], flush=True)
    print("\n".join(table(outcomes)))


if __name__ == "__main__":
    main()
