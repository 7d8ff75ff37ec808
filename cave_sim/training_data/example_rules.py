"""The rules that one example keeps: by these it is written, and by these it is checked."""

from __future__ import annotations

from collections.abc import Iterator

from cave_sim.diagnostics.plurals import counted
from cave_sim.llm_agent.tracker import RULES
from cave_sim.models.disclosure import Policy
from cave_sim.models.tokens import TokenCounter
from cave_sim.session.context_state import NO_UPDATE, START, new_lines
from cave_sim.training_data.example import KINDS, TrainingExample, tokens_of
from cave_sim.training_data.manifest import Settings
from cave_sim.training_data.privacy import Privacy
from cave_sim.training_data.tool_calls import faults_of_calls, tools_of

TROUBLE = ("tool_error:", "agent_limitation:", "agent_refusals:")
"""How the lines of a log begin that say what failed, what cannot be done, and what was refused."""


class ExampleRules:
    """The rules of a data set.

    Args:
        settings: of the data set.
        count: counts tokens as the data set does; None where that counter is not here, and lengths are believed.
    """

    def __init__(self, settings: Settings, count: TokenCounter | None) -> None:
        self._settings, self._count = settings, count
        self._privacy = Privacy(Policy(private=(*Policy().private, *settings.private)))

    def faults(self, example: TrainingExample) -> Iterator[tuple[str, str]]:
        """Yield key and rule of each thing that is wrong with an example; nothing is raised for what it says."""
        if example.id != example.content_id:
            yield "id", "is not the SHA-256 of what the example says"
        if example.kind not in KINDS[example.role]:
            yield "kind", f"is {example.kind}; of the {example.role} there are {', '.join(KINDS[example.role])}"
        yield from self._chat(example)
        yield from self._lengths(example)
        if objection := self._privacy.objection(example.texts):
            yield "", f"holds {objection}"
        yield from self._tools(example) if example.role == "executor" else _log(example)

    def _chat(self, example: TrainingExample) -> Iterator[tuple[str, str]]:
        answer, last = example.completion[0], example.prompt[-1]
        if answer.role != "assistant":
            yield "completion[0].role", f"is {answer.role}; what is learned is an assistant's"
        if not answer.content.strip() and not answer.tool_calls:
            yield "completion[0].content", "is empty"
        if last.role not in ("user", "tool"):
            yield f"prompt[{len(example.prompt) - 1}].role", f"is {last.role}; a reply is to a user or a tool"
        late = [at for at, each in enumerate(example.prompt) if each.role == "system" and at]
        yield from ((f"prompt[{at}].role", "is system, and not the first") for at in late)

    def _lengths(self, example: TrainingExample) -> Iterator[tuple[str, str]]:
        if self._count is None:
            return
        prompt = tokens_of(example.prompt, example.tools, self._count)
        completion = tokens_of(example.completion, None, self._count)
        stated = example.tokens
        if stated.prompt != prompt:
            yield "tokens.prompt", f"says {stated.prompt}; counted are {prompt}"
        if stated.completion != completion:
            yield "tokens.completion", f"says {stated.completion}; counted are {completion}"
        if prompt + completion > self._settings.most_tokens:
            yield "", f"has {prompt + completion:,} tokens; at most {self._settings.most_tokens:,}"

    def _tools(self, example: TrainingExample) -> Iterator[tuple[str, str]]:
        low, high = self._settings.tools
        try:
            listing = tools_of(example)
        except ValueError as error:
            yield "tools", str(error)
            return
        if listing is None:
            if example.kind != "cell":
                yield "prompt[0].content", f"shows no tools that can be read, and is of kind {example.kind}"
            return
        if not low <= len(listing.entries) <= high:
            yield "prompt[0].content", f"shows {counted(len(listing.entries), 'tool')}; {low} to {high} are wanted"
        if len(set(listing.names)) < len(listing.entries):
            yield "prompt[0].content", "shows a tool twice"
        yield from faults_of_calls(example, listing)


def kind_of_lines(written: str) -> str:
    """Return what new lines of a log are about: ``trouble``, ``no_update``, or else ``facts``."""
    if written == NO_UPDATE:
        return "no_update"
    return "trouble" if any(line.startswith(TROUBLE) for line in written.splitlines()) else "facts"


def _log(example: TrainingExample) -> Iterator[tuple[str, str]]:
    """Yield where a tracker's example does not follow the rules of the log."""
    if example.prompt[0].content != RULES or len(example.prompt) != 2:
        yield "prompt", "is not what a tracker is sent: its rules, then the log and the new messages"
        return
    sent = example.prompt[1].content
    head, between, news = sent.partition("\n\n<new_messages>\n")
    if not head.startswith(f"Log so far:\n{START}") or not between or not news.endswith("</new_messages>\nNew lines:"):
        yield "prompt[1].content", "is not a log and the new messages"
        return
    lines = head.removeprefix("Log so far:\n").splitlines()[1:]
    written = example.completion[0].content
    if written != ("\n".join(new_lines(written, lines)) or NO_UPDATE):
        yield "completion[0].content", f"breaks the rules of the log: short lines that are new, or {NO_UPDATE} alone"
    elif example.kind != kind_of_lines(written):
        yield "kind", f"is {example.kind}; its lines are {kind_of_lines(written)}"
