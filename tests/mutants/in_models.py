"""What asking models costs, when it is asked again, and what is read out of replies."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

MODELS, LLM_AGENT, SESSION = "cave_sim/models", "cave_sim/llm_agent", "cave_sim/session"
BUDGET, RATES = ("models/test_budget.py",), ("models/test_rate_limits.py",)
RETRY, TAPE = ("models/test_resilience.py",), ("models/test_cassette.py",)

MUTANTS = [
    Mutant("calls in flight are not set aside", MODELS, "limit = (spent + aside + estimate).first_over(budget) or (spent + aside).first_at(budget)", "limit = (spent + estimate).first_over(budget) or spent.first_at(budget)", BUDGET),
    Mutant("what was set aside stays aside", MODELS, "self._aside[scope] = self._aside_for(scope) + -estimate", "pass", BUDGET),
    Mutant("a failed call costs nothing", MODELS, "actual = Spent(calls=int(error.kind != \"late\"))", "pass", BUDGET),
    Mutant("a budget may be overspent by one", MODELS, "spent > limit)", "spent > limit + 1)", BUDGET),
    Mutant("nothing of the budget of a step is given back", MODELS, "self.spent_in_step = Spent()\n\n    def reserve", "pass\n\n    def reserve", BUDGET),
    Mutant("restored books forget agents", MODELS, 'self.spent_by = {agent: Spent(**spent) for agent, spent in data["agents"].items()}', "self.spent_by = {}", BUDGET),
    Mutant("Retry-After is not waited for", MODELS, "return max(pause_s, retry_after_s or 0.0)", "return pause_s", RETRY),
    Mutant("pauses do not grow", MODELS, "self.first_s * 2.0**key.retry", "self.first_s", RETRY),
    Mutant("what was refused is asked again", MODELS, "if not error.is_retried:\n            raise error", "if False:\n            raise error", RETRY),
    Mutant("one retry more", MODELS, "if request.key.retry >= self.retries:", "if request.key.retry > self.retries:", RETRY),
    Mutant("a provider that wants hours is waited for", MODELS, "if error.retry_after_s is not None and error.retry_after_s > self.longest_s:", "if False:", RETRY),
    Mutant("every failure of a burst cuts", MODELS, "if number > self._last_cut:", "if True:", RATES),
    Mutant("an overload cuts nothing", MODELS, "self.limit = max(1.0, self.limit * self.rate.cut)", "pass", RATES),
    Mutant("after a cut the number at once still doubles", MODELS, "growth = 1 / self.limit if self._last_cut else 1.0", "growth = 1.0", RATES),
    Mutant("a minute's requests go at once", MODELS, "self._requests_due_s = start_s +", "self._requests_due_s = 0 * start_s +", RATES),
    Mutant("a cassette answers whoever asks", MODELS, "self._answers.get((key, request_hash))", "next((answer for (_, told), answer in self._answers.items() if told == request_hash), None)", TAPE),
    Mutant("two answers to one request are kept", MODELS, "if self._answers.setdefault((key, request_hash), answer) != answer:", "if False:", TAPE),
    Mutant("a recorded failure is an answer for good", MODELS, "if answer is None or (isinstance(answer, ModelError) and not (self._failures_too or answer.kind in LASTING)):", "if answer is None:", (*TAPE, "replay/test_reuse.py")),
    Mutant("the hash of a request forgets temperature", MODELS, '"temperature": float(self.temperature),', "", ("models/test_client.py", "models/test_cassette.py", "models/test_scripted.py")),
    Mutant("an unclosed block runs", MODELS, "if block.closed or unclosed]", "if True]", ("models/test_code_blocks.py",)),
    Mutant("a stray end of a thought takes nothing back", MODELS, "self._end_of_thought = _STRAY\n        self._fence", "self._end_of_thought = _THINK\n        self._fence", ("models/test_code_blocks.py",)),
    Mutant("the clock comes before what changes", LLM_AGENT, "self.log, **self.changing, **last}", "self.log, **last, **self.changing}", ("llm_agent/test_prompt.py",)),
    Mutant("a tag may be closed from inside", LLM_AGENT, 'inside = re.sub(rf"<\\s*/\\s*(?={tag}\\b)", r"<\\\\/", clean(text), flags=re.IGNORECASE)', "inside = clean(text)", ("llm_agent/test_feedback.py",)),
    Mutant("quotes keep what nobody sees", LLM_AGENT, 'if c in "\\n\\t" or unicodedata.category(c) not in _UNSEEN)', "if True)", ("llm_agent/test_feedback.py",)),
    Mutant("a fourth same failure is needed", LLM_AGENT, "return self.times >= MAX_SAME_FAILURES", "return self.times > MAX_SAME_FAILURES", ("llm_agent/test_feedback.py", "llm_agent/test_llm_agent.py")),
    Mutant("rows share their data", SESSION, "return freeze(plain)", "return plain", ("session/test_row.py",)),
]  # fmt: skip
