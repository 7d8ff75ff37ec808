"""What an agent's model is asked: who the agent is, what it perceives, and what of its session fits into the window."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.llm_agent import instructions
from cave_sim.llm_agent.context import TRIES, ContextWindow, KnownModel, OutOfCapacity, Room, fixed_tokens, parts_of
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.outcomes import Outcomes
from cave_sim.llm_agent.own_summary import checked_summary, summary_of, summary_request
from cave_sim.llm_agent.prompt import Prompt, StabilityMeter
from cave_sim.llm_agent.stalls import Stalls, outcome_data
from cave_sim.llm_agent.tracker import Tracker
from cave_sim.models.base import Context, Key, Message, Model, ModelError, Reply, Request, Usage
from cave_sim.models.per_agent import model_of
from cave_sim.models.tokens import ESTIMATE
from cave_sim.session import tracking
from cave_sim.session.compression import compress
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.session.summaries import by_rules, left_out
from cave_sim.session.transcript import message_of
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.simulation import Simulation
from cave_sim.world import api_reference

Tools = tuple[Mapping[str, Any], ...]


class PromptedAgent(Agent):
    """Has a language model to ask, and a prompt to ask it with.

    Override :meth:`identity`, :meth:`instructions`, :meth:`perceive` and :meth:`remind` to give it a character.

    Args:
        simulation: the model it belongs to, in Mesa's sense of the word.
        name: under which it acts.
        llm: the language model it asks; that of the simulation unless given.
        habits: how it goes about its loop.
        prompts: what it says to the model; what the simulation's agents say unless given.

    Attributes:
        prompts: of its own; None for those of the simulation.
        session: everything it said, saw and ran, row by row.
        stability: how much of its prompts repeated the one before, so that prefix caches hit.
        logs_only_changes: whether its context state tells of who came and is gone alone, and not first of who is there.
    """

    habits: Habits = Habits()
    logs_only_changes: bool = False

    def __init__(
        self,
        simulation: Simulation,
        name: str,
        *,
        llm: Model | None = None,
        habits: Habits | None = None,
        prompts: Prompts | None = None,
    ) -> None:
        super().__init__(simulation, name)
        self._llm = llm
        self.prompts = prompts
        if habits is not None:
            self.habits = habits
        self.session: Session = Session(name, placement="world")
        self.stability: StabilityMeter = StabilityMeter()
        self._context_window, self._outcomes = ContextWindow(self.message_of), Outcomes()
        self._tracker = Tracker()
        self._asked, self._stalls = (-1, 0), Stalls()
        self._own_habits: Habits | None = None

    @property
    def llm(self) -> Model:
        """The language model it asks; raises WorldError if there is none."""
        model: Model | None = self._llm or self.model.llm
        if model is None:
            raise WorldError(f"{self.name} has no language model to ask: give the simulation one, with llm= or --model")
        return model

    def wording(self, key: str, own: str) -> str:
        """Return the text that its own prompts, or else the simulation's, have for a key; ``own`` if they have none."""
        text: str = self.model.prompts.text(key, own)
        return text if self.prompts is None else self.prompts.text(key, text)

    # ---- who it is and what it perceives

    def identity(self) -> str:
        """Return who it is; the same text for the whole run."""
        own = "You are {name}. You act in a shared, live Python world by writing Python code."
        return self.wording("identity", own).replace("{name}", self.name)

    def instructions(self) -> str:
        """Return how to act; the same text for the whole run."""
        world, by_menu = self.model.world, self.habits.menu
        own = self.wording("instructions", instructions.usual(world, self.name, by_menu=by_menu))
        return "\n".join(filter(None, [own, instructions.example(world, self.name, by_menu=by_menu)]))

    def task(self, text: str) -> str:
        """Return what it is asked as its model reads it: where functions are all that there is, with how to answer."""
        is_alone = api_reference.is_functions_only(self.model.world, self.name)
        own = "" if self.wording("instructions", "") else instructions.REMINDER
        return f"{text}\n\n{self.wording('reminder', own)}".rstrip() if is_alone else text

    def front(self) -> Mapping[str, str]:
        """Return the parts of the prompt that stay the same, so that caches keep them."""
        api = instructions.reference(self.model.world, self.name, by_menu=self.habits.menu)
        role = self._wiring()["role"]
        identity = f"You are {self.name}. {role}" if role else self.identity()
        return {"identity": identity, "api": api, "instructions": self.instructions()}

    def perceive(self, observation: dict[str, Any]) -> str:
        """Return an observation as the text that the model reads."""
        return json.dumps(observation, ensure_ascii=False, separators=(",", ":"))

    def remind(self) -> Mapping[str, str]:
        """Return parts of the prompt that change, the steadiest first: who is there, and its own variables."""
        world = self.model.world
        there = "" if self.context == "state" else api_reference.names(world)
        types = world.variable_types(self.name) if self.inside is None else self.inside["variables"]
        own = ", ".join(f"{name}: {kind}" for name, kind in api_reference.own_variables(types).items())
        return {"names": there and f"Names: {there}", "variables": own and f"Your variables: {own}"}

    def moment(self) -> str:
        """Return the last part of a request, which differs every time; "" for none."""
        return f"It is {self.model.world.clock.text}."

    @property
    def context(self) -> Context:
        """How much of its session a request repeats: as the run says, else by its habits."""
        return self.model.contexts.of(self.name) or self.habits.context

    def message_of(self, row: Row) -> Message | None:
        """Return a row of its session as the model is sent it; None for rows that are for people.

        What another agent said, in a session that was handed on, is told and not its own.
        """
        message = message_of(row)
        if message is None or message.role != "assistant" or row.agent == self.name:
            return message
        return Message("user", f"{row.agent} said:\n{message.text}")

    def summarise(self, rows: Sequence[Row], most_tokens: int) -> str:
        """Return the text that stands for rows that make room for others, unless its model writes that itself."""
        return by_rules(rows, most_tokens)

    def track(self, rows: Sequence[Row], lines: Sequence[str]) -> str:
        """Return the lines that a turn adds to the context state, unless its model writes them itself."""
        return tracking.by_rules(rows, lines)

    def there(self) -> Mapping[str, Sequence[str]]:
        """Return the names of entities by class, for the context state: of each class that is told by name."""
        return api_reference.named_entities(self.model.world)

    def tools(self) -> Tools:
        """Return the tools that a request offers, in OpenAI's form; a mind acts by code and offers none."""
        return ()

    def _wiring(self) -> Mapping[str, Any]:
        """Return the role and the habits that another agent has given it; "" and {} for its own."""
        if self.inside is not None:
            return self.inside
        wiring = self.model.world.wiring
        return {"role": wiring.roles.get(self.name, ""), "habits": wiring.habits.get(self.name, {})}

    def _take_wiring(self) -> None:
        """Go about its loop as it is wired now."""
        if self._own_habits is None:
            self._own_habits = self.habits
        self.habits = replace(self._own_habits, **self._wiring()["habits"])

    def _hear(self, text: str, data: Mapping[str, Any] | None = None) -> None:
        clock = self.model.world.clock
        self.session.append("user", text, step=clock.step, time_s=clock.time_s, data=data)

    # ---- requests

    def _ask(self, session: Session, begun: int) -> Generator[Question, Any, tuple[Any, dict[str, Any]]]:
        """Ask with what fits into the window; a window that was larger in our belief is learned, and asked again.

        Returns:
            What came of it, and what its row is to say of it.
        """
        log = self._tracker.log(session) if self.context == "state" else ""
        prompt = Prompt(self.front(), self.remind(), self.moment(), log).without(self.model.roster.omission.parts)
        tools, fixed = self.tools(), fixed_tokens(prompt, self.tools())
        asked: Request | None = None
        answer: Any = None
        for tries_left in reversed(range(TRIES)):
            room = yield from self._make_room(session, begun, fixed)
            wanted = self._stalls.asked_tokens(session, self._asked_model().wanted_tokens)
            transcript = self._context_window.messages(session, self._since(begun), room)
            request = self._context_window.bounded(self._request(prompt, transcript, tools, room, wanted), room)
            if isinstance(request, OutOfCapacity):
                self.model.note("no_capacity", {"agent": self.name, **request.figures})
                return request, {"reason": request.kind, **request.figures}
            if asked is not None and request.hash == asked.hash:
                break  # nothing is left that could make room
            asked = request
            answer = yield Question(self.llm, request)
            counted = ESTIMATE.of_request(request)
            if isinstance(answer, Reply):
                return answer, {"model": answer.model, "counted": counted, **outcome_data(answer, request.max_tokens)}
            is_too_long = isinstance(answer, ModelError) and answer.kind == "too_long"
            if not is_too_long or not tries_left or self.context == "full":
                break
            data = {"reason": "too_long", "window_tokens": self._context_window.taught(str(answer), counted, room)}
            session.append("model_error", str(answer), data=data)
        return answer, {"reason": getattr(answer, "kind", "budget")}

    def _make_room(self, session: Session, begun: int, fixed: int) -> Generator[Question, Any, Room]:
        """Let the oldest rows make room if not all fits, and put what stands for them in their place."""
        room = self._room(session, fixed, begun)
        for stretch in self._context_window.excess(session, self._since(begun), room, begun):
            text, usage = yield from self._summary([each.row for each in stretch], room)
            compress(session, stretch, text, "window", usage)
        return room

    def _room(self, session: Session, fixed: int, begun: int) -> Room:
        return self._context_window.room(session, self._asked_model(), self.context, fixed, begun)

    def _asked_model(self) -> KnownModel:
        limits = self.model.output_limits.of(self.name)
        return KnownModel.of(model_of(self.llm, self.name), self.name, self.habits.max_tokens, limits)

    def _summary(self, rows: list[Row], room: Room) -> Generator[Question, Any, tuple[str, Usage | None]]:
        """Return what is to stand for rows, and what that cost."""
        if self.context != "summary":
            return left_out(rows), None
        if self.habits.summary == "model":
            request = self._context_window.bounded(summary_request(self.name, rows, room, self._key()), room)
            reply = (yield Question(self.llm, request)) if isinstance(request, Request) else None
            if isinstance(reply, Reply) and not reply.is_withheld and reply.text.strip():
                return summary_of(reply.text, room), reply.usage
        return checked_summary(self.summarise, rows, room.summary), None

    def _since(self, begun: int) -> int:
        """Return the first row that a request repeats, in a step that began with row ``begun``."""
        return begun if self.context in ("step", "state") else 0

    def _request(
        self, prompt: Prompt, transcript: tuple[Message, ...], tools: Tools, room: Room, most: int | None
    ) -> Request:
        messages = prompt.messages(transcript)
        self.stability.measure(messages)
        return Request(
            messages,
            max_tokens=min(most, room.reply) if room.reply and most is not None else most,
            temperature=self.habits.temperature,
            is_bounded=True,
            stop_at_block=self.habits.only_first,
            tools=tools,
            key=self._key(),
            parts=parts_of(prompt, transcript, tools),
        )

    def _key(self) -> Key:
        """Number the requests of a step, so that each can be told from the others."""
        step = self.model.world.clock.step
        attempt = self._asked[1] + 1 if self._asked[0] == step else 0
        self._asked = (step, attempt)
        return Key("", self.name, step, attempt)
