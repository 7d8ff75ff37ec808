"""Counterfactuals: a run without something that was done in it, lived on from there with the same random draws.

A fork on which nothing is taken out must end as the run did, to the very hash; that is checked before anything else.
Cells that were submitted live are done again at their steps, models answer as they did where they are asked the same,
and where they would have to be asked anew the counterfactual stays unknown, unless asking is allowed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from cave_sim.causes.killed_forks import is_fork_of, was_killed
from cave_sim.causes.question import Asked
from cave_sim.causes.removal import Removal
from cave_sim.causes.replies import Replies
from cave_sim.causes.results import ForkResult, Results, Trace
from cave_sim.causes.workplace import Workplace
from cave_sim.errors import JournalError, WorldError
from cave_sim.journal.queries import last_turn_of, state_hashes, step_hashes
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tallies import call_counts, paid_calls_by_agent, reused_call_count
from cave_sim.models.budget import Budget, Budgets
from cave_sim.replay.fork import fork, one_simulation
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario.trial import interventions
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.silence import WITHOUT
from cave_sim.simulation.simulation import Simulation
from cave_sim.simulation.treatment import Intervention, Treatment
from cave_sim.world.host_protocol import MovableHost

TRACED = 200
"""At how many steps it is noted what a question came to on the way."""
WHY_CHARS = 300


class Counterfactuals:
    """What a question comes to on forks of one run.

    Args:
        folder: of the run; it is only read.
        question: the question.
        maker: how the run's simulation is made: its recipe; or what makes one just as it was, with no ``out``.
        at: the step at which the question is asked; the run's last one unless given.
        may_ask: how many calls to models each fork may pay for; None for as many as it takes.
        max_calls: how many all forks together may pay for; None for as many as it takes.
        host: gives what cells run on, for one fork; this process runs them unless given.
        results: where outcomes are kept, so that none is worked out twice; nowhere unless given.
        replies: where it is kept what models answered on forks, so that none pays for what another one was answered;
            nowhere unless given.
        workplace: where forks are lived one at a time, whoever asks; each where it likes unless given.

    Attributes:
        first: the step behind which the run begins.
        at: the step at which the question is asked.
        forks: how many were run so far, without the one that is the run itself.
        asked: how many calls to models they paid for.
        trace: what the question came to on the way, once checked.

    Raises:
        JournalError: there is no such run or step.
        WorldError: the run lies in shards.
    """

    def __init__(
        self,
        folder: str | Path,
        question: Asked,
        maker: Recipe | Callable[[], Runnable],
        *,
        at: int | None = None,
        may_ask: int | None = 0,
        max_calls: int | None = None,
        host: Callable[[], AbstractContextManager[MovableHost | None]] = nullcontext,
        results: Results | None = None,
        replies: Replies | None = None,
        workplace: Workplace | None = None,
    ) -> None:
        self.folder: Path = Path(folder)
        self.question: Asked = question
        self.forks: int = 0
        self.asked: int = 0
        self._max_calls = max_calls
        self._maker, self._may_ask, self._host = maker, may_ask, host
        self._results, self._replies = results or Results(), replies or Replies()
        self._workplace = workplace or Workplace()
        self._facts: list[float | bool] = []
        self.trace: Trace = ()
        with open_run(folder) as run:
            self.at: int = run.last_step if at is None else at  # first: a run that goes on has later steps by then
            last_turn_of(run, self.at)
            hashes = state_hashes(run)
            self.first: int = min(hashes, default=0)
            self.seed: int = run.manifest["seed"]
            self._hash, self._step_hash = hashes[self.at], step_hashes(run)[self.at]
            self._of = json.dumps(run.manifest.get("model") or run.manifest.get("code"), sort_keys=True)
            self._calls = call_counts(run)[0] > 0
            self._live = list(_live(run))

    @property
    def fact(self) -> float | bool:
        """What the question came to in the run itself; :meth:`check` has to come first."""
        return self._facts[-1]

    @property
    def decided(self) -> int:
        """The step from which on nothing that is done can change the answer: a condition that ever held, did."""
        if self.question.ever and True in self._facts:
            return self.first + self._facts.index(True)
        return self.at

    def check(self) -> str:
        """Fork the run at its beginning with nothing taken out, and return the unit of what the question asks for.

        Raises:
            WorldError: it does not end as the run did, so that no fork would say what caused what; or there is no
                answer to the question.
        """
        self._facts = []
        with self._branch(Removal(), self.first, None) as branch:
            trace: list[tuple[int, float | None]] = []
            self._facts += self._answers(branch, trace)
            while branch.world.clock.step < self.at and branch.running and not branch.over:
                branch.step()
                self._facts += self._answers(branch, trace)
            self.trace = tuple(trace)
            if branch.calls.stopped is not None or branch.state_hash != self._hash:
                raise WorldError(f"{self.folder}: {self._not_exact(branch)}")
            if not self.question.ever:
                self._facts += [self.question.value(branch)]
            elif True not in self._facts:
                self.question.value(branch)  # what it names was there at some time
            self.question.expect_heard(branch)
            unit = self.question.unit(branch)
        if self.question.ever:
            if not isinstance(self._facts[-1], bool):
                raise WorldError(f"{self.question.text!r} is a number; only a condition can have held ever")
            self._facts = [any(self._facts[: place + 1]) for place in range(len(self._facts))]
        return unit

    def outcome(
        self, removal: Removal, step: int, *, seed: int | None = None, out: Path | None = None, anew: bool = False
    ) -> ForkResult:
        """Return what the question comes to without something.

        Args:
            removal: what is taken out.
            step: the step of the earliest of it; up to there the fork is the run.
            seed: what is drawn from behind that step on follows from; the run's own unless given. The step itself
                keeps the run's draws, so that what is taken out is what was done.
            out: folder of the fork; its journal goes unless given.
            anew: work it out even where it is known.
        """
        known = None if anew else self.known(removal, step, seed=seed, out=out)
        if known is not None:
            return known
        with self._workplace.alone():
            self._results.read()
            self._replies.read()
            known = None if anew else self.known(removal, step, seed=seed, out=out)
            if known is not None:  # by now: another search has found it meanwhile
                return known
            self.forks += 1
            result = self._worked_out(removal, step, None if seed == self.seed else seed, out)
            self.asked += result.asked
            self._results.put(self._key(removal, step, seed), result)
            return result

    def known(
        self, removal: Removal, step: int, *, seed: int | None = None, out: Path | None = None
    ) -> ForkResult | None:
        """Return an outcome that needs no fork; None where one is needed, as for a journal that is not there yet."""
        result = self._results.get(self._key(removal, step, seed), self._may_ask_now())
        wants_journal = out is not None and not out.exists()
        return None if wants_journal and result is not None and result.value != self.fact else result

    @property
    def is_out_of_calls(self) -> bool:
        """Whether no fork may pay for another call."""
        return self._max_calls is not None and self.asked >= self._max_calls

    def _may_ask_now(self) -> int | None:
        """Return how many calls the next fork may pay for."""
        left = None if self._max_calls is None else max(0, self._max_calls - self.asked)
        return min((each for each in (self._may_ask, left) if each is not None), default=None)

    def _key(self, removal: Removal, step: int, seed: int | None) -> str:
        of_run = f"{self._step_hash} {self.question.text} {self.question.ever} {self.at}"
        return f"{of_run} {step} {self.seed if seed is None else seed} {json.dumps(removal.to_data())}"

    def _worked_out(self, removal: Removal, step: int, seed: int | None, out: Path | None) -> ForkResult:
        with self._kept(out) as folder:
            may_ask = self._may_ask_now()
            try:
                with self._branch(removal, step, folder) as branch:
                    value, trace = self._lived(branch, step, seed)
                    is_stopped = branch.calls.stopped is not None
                result = ForkResult(None if is_stopped else value, trace=() if is_stopped else trace)
                if is_stopped:
                    result = replace(result, why="a model would have to be asked anew", may_ask=may_ask)
            except WorldError as error:
                result = ForkResult(None, why=str(error))
            except (OSError, MemoryError):
                raise
            except Exception as error:  # of a rule, a measure or a script that was not made for such a life
                result = ForkResult(None, why=f"its fork broke off: {type(error).__name__}: {error}"[:WHY_CHARS])
            finally:
                asked, reused = self._paid(folder)
            return replace(result, asked=asked, reused=reused)

    def _paid(self, folder: Path | None) -> tuple[int, int]:
        """Return how many calls a fork paid for and how many were known, and keep what it was answered."""
        if folder is None or not folder.exists():
            return 0, 0
        with open_run(folder) as run:
            self._replies.keep(self._of, run)
            return sum(paid_calls_by_agent(run).values()), reused_call_count(run)

    def _lived(self, branch: Simulation, step: int, seed: int | None) -> tuple[float | bool, Trace]:
        """Let a fork live on, and return what the question comes to, and came to on the way."""
        trace: list[tuple[int, float | None]] = []
        holds = any(self._answers(branch, trace)) or (self.question.ever and bool(self._facts[step - self.first]))
        while not holds and branch.world.clock.step < self.at and branch.running and not branch.over:
            branch.step()
            if seed is not None and branch.world.clock.step == step + 1:
                branch.world.randomness.seed = seed
            holds = any(self._answers(branch, trace))
        return holds if holds or self.question.ever else self.question.value(branch), tuple(trace)

    def _answers(self, branch: Simulation, trace: list[tuple[int, float | None]]) -> list[float | bool]:
        """Ask on the way: at every step whether it ever held, and at evenly many for the trace; returns the former."""
        step, ever = branch.world.clock.step, self.question.ever
        is_noted = (step - self.first) % max(1, -(-(self.at - self.first) // TRACED)) == 0 or step == self.at
        if not (is_noted or ever):
            return []
        try:
            value = self.question.value(branch)
        except WorldError:  # what it names may come later; until then it does not hold
            if is_noted:
                trace.append((step, None))
            return [False] if ever else []
        if is_noted:
            trace.append((step, float(value)))
        return [value] if ever else []

    @contextmanager
    def _branch(self, removal: Removal, step: int, out: Path | None) -> Iterator[Simulation]:
        """Give a fork with something taken out of all that comes."""
        with self._host() as host:
            if isinstance(self._maker, Recipe):
                branch = fork(self.folder, step, out, recipe=self._maker, host=host)
            else:
                branch = fork(self.folder, step, out, simulation=one_simulation(self._maker()), host=host)
            if branch.journal is not None:
                branch.journal.describe({WITHOUT: removal.to_data()})
            if branch.calls.inherited is not None:
                self._replies.lend(self._of, branch.calls.inherited)
            try:
                live = [act for turn, act in self._live if turn not in removal.turns]
                planned = [act for act in branch.treatment.interventions if act.key not in removal.plans]
                done = branch.treatment.keep()
                branch.treatment = Treatment([*removal.pauses, *live, *planned])
                branch.treatment.restore(done)
                branch.roster.silence, branch.roster.omission = removal.silence, removal.omission
                if (may_ask := self._may_ask_now()) is not None:
                    branch.calls.budgets = Budgets(run=Budget(calls=may_ask))
                yield branch
            finally:
                branch.close()

    @contextmanager
    def _kept(self, out: Path | None) -> Iterator[Path | None]:
        """Give the folder of a fork: a passing one where only its calls are counted, none where there are none."""
        if out is not None:
            if was_killed(self.folder, out):
                self._keep_replies(out)
                shutil.rmtree(out)
            if out.exists():
                raise JournalError(f"{out} is there already: remove it, or leave --keep away")
            try:
                yield out
            except BaseException:
                shutil.rmtree(out, ignore_errors=True)
                raise
        elif not self._calls:
            yield None
        else:
            with self._workplace.passing(self._keep_replies) as folder:
                yield folder

    def _keep_replies(self, left: Path) -> None:
        """Keep what the minds of a fork were answered that was killed: it is paid for."""
        with suppress(JournalError), open_run(left) as run:
            if is_fork_of(self.folder, run):
                self._replies.keep(self._of, run)

    def _not_exact(self, branch: Simulation) -> str:
        """Say why a fork on which nothing is taken out is not the run."""
        what = "a fork on which nothing is taken out does not end as the run did, so no fork of it would tell a cause"
        if branch.calls.stopped is not None:
            return f"{what}: a model would have to be asked what it was not asked then"
        with open_run(self.folder) as run:
            begun = last_turn_of(run, self.first)
            if any(turn.kind == "outside" for turn in run.turns(between=(begun, last_turn_of(run, self.at)))):
                return f"{what}: a script changed its world between two steps, and is not there to do so again"
        return f"{what}; cave-sim verify says where the two part"


def _live(run: Run) -> Iterator[tuple[int, Intervention]]:
    """Yield the cells that were submitted live, with the turns that they were: as if they had been planned."""
    turns = {about["turn"] for _, about in interventions(run) if not about.get("plan")}
    for turn in run.turns() if turns else ():
        if turn.turn in turns:
            yield turn.turn, Intervention(turn.code, turn.agent, at=turn.step)
