"""``tau2``: customer service after tau2-bench, from an installed clone of it; nothing of it is here.

The customer is a partner with tau2's own rules and, in domains of dual control, functions of its own. What both sides
called is a log in the world; it and what was said become tau2's own record of a simulation, which *its* evaluator
judges. A call that raises returns tau2's error text, as in tau2, and fails no cell.
"""

from __future__ import annotations

import copy
import functools
import importlib
import inspect
import json
import os
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cave_sim import World
from cave_sim.errors import MissingExtra, WorldError
from cave_sim.experiment.call_log import LoggedObjects, calls_of, unchecked_annotations
from cave_sim.experiment.partner import PartnerBrief, PartnerDialogue
from cave_sim.experiment.study import Study
from cave_sim.experiment.task import PARTNER, Query, ScriptedExchange, Task
from cave_sim.experiment.trial import AGENT
from cave_sim.hosts.process.warm_interpreter import PASSED_ON

PACKAGE = "tau2"
PARTS = ("registry", "evaluator.evaluator", "user.user_simulator")
"""What tells tau2-bench from other packages of that name."""
INSTALL = "git clone https://github.com/sierra-research/tau2-bench && pip install -e tau2-bench (Python >= 3.12)"
STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
CALLS_A_MESSAGE = 8
"""Of a scripted agent, which must end before it has used up the cells that one message of the customer gets."""
GREETING = "Hi! How can I help you today?"
IN_WORDS = "NL_ASSERTION"
"""The basis of reward for which tau2 asks a model of a provider: it is left out."""
RETRIEVAL = "bm25"
"""How the agent of a domain with documents searches them: the way that asks no provider."""
DISCOVERED = "call_discoverable_agent_tool"
ROLES = {AGENT: "assistant", PARTNER: "user"}


PASSED_ON.add("TAU2_DATA_DIR")
"""Where tau2 looks for its data, in the process that builds a jailed trial's world, too."""


def why_not() -> str:
    """Say why tau2-bench cannot be used; "" if it can. It is known by what it has: another package has its name."""
    try:
        _hush()
        if find_spec(PACKAGE) is not None and all(find_spec(f"{PACKAGE}.{part}") for part in PARTS):
            return ""
    except ImportError as error:
        if error.name and error.name.partition(".")[0] != PACKAGE:
            return f"tau2-bench is there, but lacks what it needs: {error}. Install it with all of that: {INSTALL}"
    return f"the tasks of tau2 are those of tau2-bench, which is not installed: {INSTALL}"


def _hush() -> None:
    """Keep tau2's own log away from the screen, before it is loaded: it tells of every message that is made."""
    if find_spec("loguru") is not None:
        importlib.import_module("loguru").logger.disable(PACKAGE)


def tasks(_seed: int, domain: str = "retail", tasks: str = "", retrieval: str = "") -> list[Task]:
    """Return the tasks of a domain; they are the same for every seed.

    Raises:
        MissingExtra: tau2 is not installed.
        WorldError: there is no such domain or set of tasks, its data are not there, or it has nothing to retrieve.
    """
    if reason := why_not():
        raise MissingExtra(reason)
    registry = importlib.import_module(f"{PACKAGE}.registry").registry
    try:
        make = registry.get_env_constructor(domain)
        searches = "retrieval_variant" in inspect.signature(make).parameters
        if retrieval and not searches:
            raise WorldError(f"tau2's domain {domain!r} has no documents to search: leave retrieval={retrieval!r} out")
        cases = [
            Tau2Case(each, domain, make, _search_settings(each, retrieval) if searches else {})
            for each in registry.get_tasks_loader(tasks or domain)()
        ]
        like = None if searches else make()
        return [Task(f"{domain}_{each.number}", domain, (each.query(like),), build=each.build) for each in cases]
    except (KeyError, OSError, ValueError, ImportError) as error:
        why = _what_lacks(error) if isinstance(error, FileNotFoundError) else str(error)
        raise WorldError(f"tau2 has no tasks for domain={domain!r} tasks={tasks or domain!r} here: {why}") from None


def _what_lacks(error: FileNotFoundError) -> str:
    """Return which of tau2's files is not there, without the folders of this machine: it stands on pages, too."""
    name = "/".join(Path(os.fsdecode(error.filename or "")).parts[-2:])
    return f"its data lack {name or 'a file'}; TAU2_DATA_DIR names the folder that has them"


def _search_settings(task: Any, retrieval: str) -> dict[str, Any]:
    """Return what tau2 makes the environment of a task with, whose agent searches documents.

    Which reads count is told, as tau2's own runner does: those of the task's own actions.
    """
    actions = (task.evaluation_criteria and task.evaluation_criteria.actions) or []
    reads = {action.arguments.get("agent_tool_name") for action in actions if action.name == DISCOVERED}
    return {"retrieval_variant": retrieval or RETRIEVAL, "task": task, "read_log_allowlist": reads - {None}}


class Tau2Case:
    """One task of tau2, and what was called in its environment.

    Args:
        task: as tau2 has it.
        domain: of it.
        make: makes the domain's environment.
        settings: what it makes it with.
    """

    def __init__(self, task: Any, domain: str, make: Callable[..., Any], settings: Mapping[str, Any]) -> None:
        self.number: str = "".join(char if char.isalnum() else "_" for char in str(task.id))[:80]
        self._task, self._domain, self._settings = task, domain, dict(settings)
        self._make = functools.partial(make, **settings)
        self._world: World | None = None

    def build(self, world: World) -> None:
        """Inject the functions of the agent and of the customer, for each of them alone."""
        fresh = self._new_environment()  # now: a jailed cell reads no files
        self._world, objects = world, LoggedObjects(world, lambda: copy.deepcopy(fresh), _respond)
        environment = self._make()
        for owner, kit in ((AGENT, environment.tools), (PARTNER, environment.user_tools)):
            for name, function in ({} if kit is None else kit.tools).items():
                world.inject(name, _logged(objects, owner, name, function), agent=owner)

    def query(self, like: Any = None) -> Query:
        """Return what is to be done, with tau2's own actions as the script; like: an environment as all tasks have."""
        environment = like or self._make()
        user = importlib.import_module(f"{PACKAGE}.user.user_simulator")
        rules = user.get_global_user_sim_guidelines(use_tools=environment.user_tools is not None)
        brief = PartnerBrief(
            str(self._task.user_scenario),
            rules=rules.replace("<PERSONA_GUIDELINES>", ""),
            stop=STOPS,
            greeting=GREETING,
        )
        script = self._script()
        calls = tuple(call for each in script for call in each.calls)
        return Query(environment.policy, check=self._is_right, partner=brief, exchanges=script, reference=calls)

    def _script(self) -> tuple[ScriptedExchange, ...]:
        """Return tau2's actions by both sides in their order, and what it wants to be communicated at the end."""
        criteria = self._task.evaluation_criteria
        turns: list[tuple[list[Any], list[Any]]] = [([], [])]
        for action in (criteria and criteria.actions) or []:
            by_user = action.requestor == "user"
            if (by_user and turns[-1][1]) or len(turns[-1][1]) == CALLS_A_MESSAGE:
                turns.append(([], []))
            turns[-1][0 if by_user else 1].append(action)
        last = "Done. " + " ".join((criteria and criteria.communicate_info) or [])
        return tuple(
            ScriptedExchange(
                "Please go on.",
                last if number == len(turns) else "Please go on.",
                tuple(f"print({each.name}(**{dict(each.arguments)!r}))" for each in agents),
                tuple((each.name, dict(each.arguments)) for each in agents),
                tuple(f"print({each.name}(**{dict(each.arguments)!r}))" for each in users),
            )
            for number, (users, agents) in enumerate(turns, 1)
        )

    def _is_right(self, after: Any) -> bool:
        return float(self.reward(after.dialogue).reward) == 1.0

    def reward(self, dialogue: PartnerDialogue) -> Any:
        """Return what tau2's own evaluator says of the conversation, but for assertions in words."""
        evaluator = importlib.import_module(f"{PACKAGE}.evaluator.evaluator")
        task = self._task
        if (criteria := task.evaluation_criteria) is not None:
            basis = [each for each in criteria.reward_basis if each.value != IN_WORDS]
            task = task.model_copy(update={"evaluation_criteria": criteria.model_copy(update={"reward_basis": basis})})
        return evaluator.evaluate_simulation(
            self.record(dialogue), task, evaluator.EvaluationType.ALL, solo_mode=False, domain=self._domain,
            env_kwargs=self._settings,
        )  # fmt: skip

    def record(self, dialogue: PartnerDialogue) -> Any:
        """Return the conversation as tau2's own record of a simulation."""
        assert self._world is not None
        message = importlib.import_module(f"{PACKAGE}.data_model.message")
        simulation = importlib.import_module(f"{PACKAGE}.data_model.simulation")
        speakers = {AGENT: message.AssistantMessage, PARTNER: message.UserMessage}
        calls, environment = calls_of(self._world), self._new_environment()
        initial = self._task.initial_state
        messages = list((initial and initial.message_history) or [])
        messages.append(message.AssistantMessage(role="assistant", content=GREETING))
        for place in range(len(dialogue.utterances) + 1):
            for number, call in enumerate(calls):
                if call.turn != place or call.arguments is None:
                    continue
                role = ROLES[call.caller]
                call_message = message.ToolCall(
                    id=str(number), name=call.name, arguments=call.arguments, requestor=role
                )
                messages.append(speakers[call.caller](role=role, tool_calls=[call_message]))
                messages.append(environment.get_response(call_message))
            if place < len(dialogue.utterances):
                utterance = dialogue.utterances[place]
                messages.append(speakers[utterance.speaker](role=ROLES[utterance.speaker], content=utterance.text))
        reasons = simulation.TerminationReason
        ended = reasons.USER_STOP if dialogue.ended == "stop word" else reasons.MAX_STEPS
        return simulation.SimulationRun(
            id=f"cave_sim-{self.number}", task_id=str(self._task.id), start_time="", end_time="", duration=0.0,
            termination_reason=ended, messages=messages,
        )  # fmt: skip

    def _new_environment(self) -> Any:
        """Return the environment as it is when the task begins."""
        environment, initial = self._make(), self._task.initial_state
        if initial is not None:
            history = initial.message_history or []
            environment.set_state(initial.initialization_data, initial.initialization_actions, history)
        return environment


def _respond(environment: Any, caller: str, name: str, arguments: Mapping[str, Any]) -> Any:
    """Return what tau2 answers to a call: data where its text is JSON, and the text of an error."""
    message = importlib.import_module(f"{PACKAGE}.data_model.message")
    call = message.ToolCall(id="", name=name, arguments=dict(arguments), requestor=ROLES[caller])
    text = environment.get_response(call).content
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


def _logged(objects: LoggedObjects, owner: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)
    document = inspect.getdoc(getattr(function, "__func__", function)) or ""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            arguments = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            arguments = kwargs
            if args:
                return f"Error: {error}"
        return objects.call(owner, name, arguments)

    del call.__wrapped__
    call.__name__, call.__doc__, call.__annotations__ = name, document, unchecked_annotations(function)
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


STUDY = Study(
    "tau2",
    "Customer service after tau2-bench, judged by its own evaluator",
    "Tasks, environments and evaluator of tau2-bench (MIT); after CaveAgent §4.1.1.",
    tasks,
    options={
        "domain": "retail, airline, telecom, or another domain of tau2 (retail)",
        "tasks": "a set of its tasks, such as telecom_small (that of the domain)",
        "retrieval": "how documents are searched, where a domain has any: a variant of tau2's (bm25)",
    },
)
