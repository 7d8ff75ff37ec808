"""The causes of one history, asked again in other futures: which sentence mattered, and not by this history's chance.

``cave-sim why RUN QUESTION --among announcements`` finds them in the run's own history. Here each is left out again
where the draws behind its step are those of seeds that had no say in finding it, and the effects are counted.

    python -m tests.bench.other_futures runs/party "len(...)" --at 38 --seeds 8-12
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from cave_sim import open_run
from cave_sim.causes import Asked, Candidate, Counterfactuals, Removal, candidates, effects, ranked
from cave_sim.causes.provenance import Provenance
from cave_sim.causes.replies import Replies
from cave_sim.causes.results import Results
from cave_sim.causes.workplace import Workplace
from cave_sim.replay.recipe import Recipe


def search(folder: Path, question: str, at: int, among: str) -> tuple[Counterfactuals, list[Candidate]]:
    """Return what knows the forks of ``cave-sim why``, and what may have been a cause."""
    kept = folder.with_name(f"{folder.name}-why")
    with open_run(folder) as run:
        counterfactuals = Counterfactuals(
            folder,
            Asked(question),
            Recipe.of(run.manifest),
            at=at,
            may_ask=None,
            results=Results(kept / "results.jsonl"),
            replies=Replies(kept / "replies.jsonl"),
            workplace=Workplace(kept),
        )
        counterfactuals.check()
        relevance = Provenance(run, counterfactuals.question.fields({}), at)
        return counterfactuals, candidates(run, among, at, relevance, counterfactuals.question.names())


def causes(counterfactuals: Counterfactuals, found: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return what made a difference in the run's own history, the largest first, by the forks that there are."""
    return [effect.candidate for effect in ranked(list(effects(counterfactuals, found, max_forks=0)))][:most]


def again(
    counterfactuals: Counterfactuals, candidate: Candidate, seeds: Sequence[int]
) -> Iterator[tuple[float, float]]:
    """Yield what the question comes to in each of some futures, and the effect of a candidate there."""
    for seed in seeds:
        fact, other = (
            counterfactuals.outcome(removal, candidate.step, seed=seed).value
            for removal in (Removal(), Removal.of([candidate]))
        )
        assert fact is not None
        assert other is not None
        yield float(fact), float(fact) - float(other)


def main(line: Sequence[str] | None = None) -> None:
    """Print each cause with its effect in the history and in each of the other futures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("question")
    parser.add_argument("--at", type=int, required=True)
    parser.add_argument("--among", default="announcements")
    parser.add_argument("--most", type=int, default=10)
    parser.add_argument("--seeds", default="8-12")
    options = parser.parse_args(line)
    first, last = map(int, options.seeds.split("-"))
    counterfactuals, found = search(options.run, options.question, options.at, options.among)
    for each in causes(counterfactuals, found, options.most):
        own = next(effects(counterfactuals, [each])).mean
        others = list(again(counterfactuals, each, range(first, last + 1)))
        signs = Counter((effect > 0) - (effect < 0) for _, effect in others)
        print(f"{each.name} {each.description}: {own:+g} of {float(counterfactuals.fact):g}")
        print(f"   then {', '.join(f'{effect:+g} of {fact:g}' for fact, effect in others)}")
        print(f"   more because of it in {signs[1]}, fewer in {signs[-1]}, the same in {signs[0]} of {len(others)}")
    print(f"{counterfactuals.forks} forks were run, {counterfactuals.asked} calls asked")


if __name__ == "__main__":
    main()
