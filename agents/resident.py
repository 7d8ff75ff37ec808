"""A resident with a language model: perceives, remembers, plans, reflects, talks, and writes one cell.

The architecture of Generative Agents (Park et al. 2023, §4) on the loop of CaveAgent: what it decides is code, and what
it remembers is rows of its session. Nothing else is kept, so a resumed run goes on as if it had never stopped.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from cave_sim import Simulation
from cave_sim.agents import hours
from cave_sim.agents.attention import is_called_for
from cave_sim.agents.faculties import Faculties
from cave_sim.agents.mind import hour_of
from cave_sim.agents.past import Past
from cave_sim.agents.prompts import texts, view, wording
from cave_sim.agents.prompts.api import menu
from cave_sim.agents.rating import AT_ONCE, ratings
from cave_sim.agents.reflection import QUESTIONS, conclusions, numbered, questions
from cave_sim.agents.remembering import in_words, is_told, lasting, latest, of_deeds, of_failure, of_look, time_of
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models.base import Model, Reply
from cave_sim.models.embeddings import request_for, vectors_in
from cave_sim.session.context_state import NO_UPDATE
from cave_sim.session.importance import Event
from cave_sim.session.memory import ASKED, Memory, recalled
from cave_sim.session.relevance import EMBEDDING, ByMeaning
from cave_sim.session.row import Row
from cave_sim.session.session import Session
from cave_sim.simulation.deliberation import Deliberation, Question
from cave_sim.simulation.prompts import Prompts

REMEMBERED_CHARS, RESULT_CHARS = 64, 60
TRACKED = frozenset({"user", "cell", "error"})
"""The kinds of rows of which the context state of a resident is made."""
OVERDUE_H = 0.75
REFLECTED_ON = 30
EMBEDDED_AT_ONCE = 256


class LLMResident(LLMAgent):
    """Somebody who lives in a town and thinks with a language model.

    Args:
        simulation: the model it belongs to, in Mesa's sense of the word.
        name: of the resident.
        llm: the language model it asks; that of the simulation unless given.
        habits: how it goes about its loop.
        faculties: what its mind can do.
        duties: what it answers for besides its own life, as a text for the model.
        prompts: what it says to the model; what the simulation's agents say unless given.

    Attributes:
        memory: what it remembers of its session.
    """

    habits: Habits = Habits(
        max_cells=2, until_landed=True, context="step", max_tokens=400, continuations=1, state_tokens=30
    )
    logs_only_changes: bool = True
    session: Session

    def __init__(
        self, simulation: Simulation, name: str, *, llm: Model | None = None, habits: Habits | None = None,
        faculties: Faculties | None = None, duties: str = "", prompts: Prompts | None = None,
    ) -> None:  # fmt: skip
        super().__init__(simulation, name, llm=llm, habits=habits, prompts=prompts)
        self.faculties: Faculties = faculties or Faculties()
        self.duties = duties
        self._meaning = ByMeaning()
        self.memory: Memory = Memory(relevance=self._meaning)
        self._past = Past()
        self._seen: Mapping[str, Any] = {}
        self._reminders: Mapping[str, str] | None = None
        self._asked_about = ""

    # ---- the prompt: first what all residents share, then who one is, then what one knows; the moment comes last

    def front(self) -> Mapping[str, str]:
        """Return the API and the instructions, alike for all; then who one is."""
        own: type = type(self.model.world[self.name])
        return {"api": menu(own), "instructions": self.instructions(), "who": self.identity()}

    def identity(self) -> str:
        """Return who they are, as they see themselves."""
        return view.identity(self._look()["me"])

    def instructions(self) -> str:
        """Return how to act, and the duties if there are any."""
        text_of = self.wording
        duties = text_of("mayor", self.duties) if self.duties else ""
        return "\n\n".join(filter(None, [self._filled_in(text_of("resident", texts.INSTRUCTIONS)), duties]))

    def perceive(self, observation: Mapping[str, Any]) -> str:
        """Return what is new since the last look; what was said stands where how things are now is told."""
        nothing = texts.NEW_WORDS if self._new_lines(observation) else texts.NOTHING_NEW
        return "\n".join(["New:", *news]) if (news := self._news(observation)) else nothing

    def remind(self) -> Mapping[str, str]:
        """Return what comes to mind, and how things stand now."""
        if self._reminders is None:
            seen = self._look()
            return self._moment(seen, self._recall(seen))
        return self._reminders

    def there(self) -> Mapping[str, Sequence[str]]:
        """Return the places that everybody knows; who and what else is there is seen, and remembered."""
        world = self.model.world
        landmarks = world["town"].landmarks if "town" in world else ()
        return {"Place": [name for name in landmarks if name in world]}

    def track(self, rows: Sequence[Row], lines: Sequence[str]) -> str:
        """Return what the log gains by a turn: what failed today, and what was said from outside; deeds are remembered.

        That somebody was not there, or asleep, is seen anew each time. Nor are words that did not arrive news.
        """
        new_lines = super().track([row for row in rows if row.kind in TRACKED], lines)
        return lasting(new_lines).rstrip("\n") or NO_UPDATE

    def moment(self) -> str:
        """Return the weekday, the date and the time; the year is no news."""
        return f"It is {self.model.world.clock.now:%a %-d %B %H:%M}."

    def respond(self, text: str, *, about: str = "", since: int | None = None) -> Generator[Question, Any, str | None]:
        """Hear a question and answer it in words; what is asked brings memories to mind."""
        self._asked_about = about
        try:
            yield from self._embed(about)
            return (yield from super().respond(text, about=about, since=since))
        finally:
            self._asked_about = ""

    def remember(
        self,
        text: str,
        *,
        importance: float,
        hours_ago: float = 0.0,
        of: str = "event",
        about: Sequence[str] = (),
        because: Sequence[str] = (),
    ) -> Row:
        """Begin with a memory, before the first step; the arguments are those of :meth:`Memory.commit`."""
        data = {"importance": importance, "of": of, "about": about, "because": because}
        return self.memory.commit(self.session, text, step=0, time_s=-3600.0 * hours_ago, **data)  # type: ignore[arg-type]

    # ---- one step of a life

    def deliberate(self, observation: Mapping[str, Any]) -> Deliberation:
        """Look, remember, reflect if much has happened, plan if it is time, else act."""
        if observation["me"]["activity"] == "sleeping":
            return
        self._seen = observation
        self._past.follow(self.session)
        if self.faculties.rests:
            looked, ago_s = self._past.looked, self._now_s() - self._past.looked_at_s
            converses = self.faculties.conversation
            if not is_called_for(observation, looked, self._new_lines(observation), ago_s, converses=converses):
                return
        if self.faculties.memory and self._past.is_of_another_day(self.model.world.start, self._now_s()):
            self._tracker.forget(self.session, "tool_error")  # it is remembered, and may work by now
        self._take_in(observation)
        if self.faculties.rating and len(self.memory.unrated(self.session)) >= AT_ONCE:
            yield from self._rate()
        if self.faculties.reflection and self.memory.unreflected(self.session) >= self.faculties.reflects_at:
            yield from self._reflect_in_two_steps() if self.faculties.questions else self._reflect()
        text, marks = self._task(observation)
        if self.faculties.hours and "plans" not in marks:
            yield from self._break_down_the_hour(observation)
        yield from self._decide(observation, text, marks)

    @property
    def reactions(self) -> int:
        """How often it answers within one step."""
        return self.faculties.answers if self.faculties.dialogues else 0

    def react(self, observation: Mapping[str, Any], to: Sequence[str]) -> Deliberation:
        """Answer who is there and has just said something; what else others did can wait for the next step."""
        if observation["me"]["activity"] in ("sleeping", "walking"):
            return
        self._past.follow(self.session)
        near, lines = {other["name"] for other in observation["near"]}, self._new_lines(observation)
        speakers = [name for name in to if name in near and any(f" ({name}): " in line for line in lines)]
        if not speakers:
            return
        self._seen = observation
        self._take_in(observation)
        task = self.wording("answer", texts.ANSWER).replace("{speaker}", wording.named(speakers[-1]))
        text = "\n".join([*self._news(observation), "", self._filled_in(task)]).strip()
        yield from self._decide(observation, text, {}, answers=speakers[-1])

    def _decide(
        self, observation: Mapping[str, Any], text: str, marks: Mapping[str, Any], *, answers: str = ""
    ) -> Deliberation:
        """Be told a task, with what comes to mind and how things stand, and act."""
        yield from self._embed(self._query(observation))
        rows = self._recall(observation, answers)
        self._reminders = self._moment(observation, rows, plans=bool(marks), answers=answers)
        data = {"perceived": True, **marks, **recalled(rows, self._query(observation))}
        self._append("user", text, {**data, "looked": view.look(observation)})
        begun = len(self.session)
        self.session = yield from self.converse(self.session)
        self._reminders = None
        if self.faculties.memory:
            self._commit(of_deeds(self.session.rows.since(begun)))

    def _task(self, observation: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return what the model is told to do now, and how the row that says so is marked."""
        news, today = self.perceive(observation), observation["time"].rpartition(" ")[0]
        if self.faculties.plans and self._past.planned != today:
            return f"{news}\n\n{self._filled_in(self.wording('plan', texts.PLAN))}", {"plans": today}
        hours = {at: hour_of(at) for at in observation["plan"]}
        missed = [
            at
            for at, hour in hours.items()
            if hour is not None and OVERDUE_H <= observation["hour"] - hour < view.TOMORROW_H
        ]
        mark = f"{today}: {', '.join(missed)}"
        if self.faculties.plans_anew and missed and self._past.missed != mark:
            text = self._filled_in(self.wording("plan_anew", texts.PLAN_ANEW))
            return f"{news}\n\n{text.replace('{missed}', ', '.join(missed))}", {"missed": mark}
        return news, {}

    def _filled_in(self, text: str) -> str:
        """Return a text with names in its examples that exist here; the same for all who know the town's landmarks."""
        seen = self._look()
        places = [place["name"] for place in seen.get("places", ())] or [seen["me"]["home"] or "home"]
        # The first of all: every request asks, so looking through everybody would cost the square of the town.
        person = next(name for name, agent in self.model.by_name.items() if isinstance(agent, LLMResident))
        return text.replace("{place}", wording.named(places[-1])).replace("{person}", wording.named(person))

    # ---- what it thinks of between looking and acting

    def _reflect(self) -> Deliberation:
        """Draw conclusions from what has happened, each with the memories that it follows from."""
        rows = self.memory.recent(self.session, REFLECTED_ON)
        task = self.wording("reflect", texts.REFLECT)
        reply = yield from self._consider(rows, task, {"reflects": True})
        self._commit(conclusions(reply, rows))

    def _reflect_in_two_steps(self) -> Deliberation:
        """Ask oneself what can be concluded from what has happened, and conclude from what each question recalls."""
        rows = self.memory.recent(self.session, REFLECTED_ON)
        task = self.wording("questions", texts.QUESTIONS).replace("{count}", str(QUESTIONS))
        reply = yield from self._consider(rows, task, {"reflects": True})
        for question in questions(reply):
            yield from self._embed(question)
            evidence = self.memory.recall(self.session, question, now_s=self._now_s(), count=REFLECTED_ON // 2)
            task = self.wording("insights", texts.INSIGHTS).replace("{question}", wording.quoted(question))
            reply = yield from self._consider(evidence, task, recalled(evidence, question))
            self._commit(conclusions(reply, evidence))

    def _rate(self) -> Deliberation:
        """Say how much the latest memories matter."""
        rows = self.memory.unrated(self.session)[-REFLECTED_ON:]
        reply = yield from self._consider(rows, self.wording("rate", texts.RATE), {})
        if rated := ratings(reply, rows):
            self._append("rating", "", {"rated": rated})

    def _break_down_the_hour(self, observation: Mapping[str, Any]) -> Deliberation:
        """Say how this hour is to be spent, if it is another one or something has happened."""
        news = self.perceive(observation)
        if not hours.is_due(self._past.hour, observation, news):
            return
        task = hours.task(self._past.hour, observation, news, self.wording("hours", texts.HOURS))
        reply = yield from self._put(task, {}, self._moment(observation, self._recall(observation)))
        if (hour := hours.read(reply, observation)) is not None:
            self._append("hour", str(hour), {"hour": hour.to_data()})
            if self.faculties.memory:
                self._commit([{"text": f"From {hour.begins} on I meant to: {hour}", "importance": 3.0, "of": "plan"}])
            self._past.follow(self.session)

    def _consider(self, rows: Sequence[Row], task: str, marks: Mapping[str, Any]) -> Generator[Question, Any, str]:
        """Look at some memories, numbered, and answer in words."""
        return (yield from self._put(f"{numbered(rows, self._time_of)}\n\n{task}", marks, {}))

    def _put(self, text: str, marks: Mapping[str, Any], reminders: Mapping[str, str]) -> Generator[Question, Any, str]:
        """Be told a task that takes no cell; returns the answer, "" if the model failed."""
        self._reminders = reminders
        self._append("user", text, {"perceived": True, **marks})
        reply_from = len(self.session)
        yield from self._listen(self.session, reply_from - 1)
        self._reminders = None
        return "\n".join(row.text for row in self.session.rows.since(reply_from) if row.kind == "assistant")

    def _embed(self, query: str) -> Generator[Question, Any, None]:
        """Have a query and the memories that are new turned into vectors, if there is a model for that.

        Where it gives none, words decide what comes to mind.
        """
        model = self.model.embeddings
        if model is None or not query or not self.faculties.memory:
            return
        self.memory.follow(self.session)
        new = dict(list(self._meaning.without_vectors().items())[-EMBEDDED_AT_ONCE:])
        answer = yield Question(model, request_for([*new.values(), query], self._key()))
        if isinstance(answer, Reply) and len(vectors := vectors_in(answer)) == len(new) + 1:
            of_query = vectors.pop()
            self._append(EMBEDDING, query, {"vectors": dict(zip(new, vectors, strict=True)), "query": of_query})

    # ---- what it knows

    def _take_in(self, observation: Mapping[str, Any]) -> None:
        """Commit what happened to memory."""
        if self.faculties.memory:
            self._commit(of_look(observation, self._past.looked, self._new_lines(observation)))
        self._past.follow(self.session)

    def _commit(self, memories: Iterable[Event | Mapping[str, Any]]) -> None:
        clock = self.model.world.clock
        for memory in memories:
            if isinstance(memory, Event):
                importance = self.faculties.importance(memory)
                memory = {"text": memory.text, "importance": importance, "about": memory.about}
            self.memory.commit(self.session, **memory, step=clock.step, time_s=clock.time_s)

    def _query(self, observation: Mapping[str, Any]) -> str:
        """Return what memories are to be about: what is asked, else the moment."""
        here, heard = observation.get("here") or {}, observation.get("heard", ())
        near = [other["name"] for other in observation.get("near", ())]
        situation = [*near, here.get("title", ""), *heard[-1:], *observation.get("plan", {}).values()]
        return self._asked_about or " ".join(situation)

    def _recall(self, observation: Mapping[str, Any], answers: str = "") -> list[Row]:
        """Return the memories that the moment brings to mind, without those that are heard anyway."""
        if not self.faculties.memory:
            return []
        heard, query, count = self._heard_now(observation, answers), self._query(observation), self.faculties.recalls
        weights = ASKED if self._asked_about else None
        rows = self.memory.recall(self.session, query, now_s=self._now_s(), count=count + len(heard), weights=weights)
        return [row for row in rows if row.text not in heard][:count]

    def _heard_now(self, observation: Mapping[str, Any], answers: str) -> list[str]:
        """Return what was heard that the prompt tells."""
        return view.heard_now(observation, self._heard_from(observation), answers)

    # ---- the moment in words

    def _moment(
        self, observation: Mapping[str, Any], rows: Iterable[Row], *, plans: bool = False, answers: str = ""
    ) -> dict[str, str]:
        heard, heard_from = self._heard_now(observation, answers), self._heard_from(observation)
        opinions = self._opinions(observation, answers) if self.faculties.relationships else {}
        failed = self._past.failure and of_failure(self._past.failed, self._past.failure)
        untold = [row for row in sorted(rows, key=_age) if not is_told(row.text, observation, heard, failed)]
        remembered = latest({text: row for row in untold if (text := in_words(row, opinions))})
        now, start = self.model.world.clock.now, self.model.world.start
        times = {text: time_of(row, start, today=now) for text, row in remembered.items()}
        reminders = [f"{time} {wording.quoted(text, REMEMBERED_CHARS)}" for text, time in times.items()]
        memories = f"Memories: {'; '.join(reminders)}" if reminders else ""
        diary = not self.faculties.memory
        lines = view.now(observation, heard_from, diary=diary, plans=plans, answers=answers, opinions=opinions)
        if self.faculties.hours and self._past.hour is not None:
            lines.append(f"This hour you mean to: {wording.quoted(str(self._past.hour), 600)}")
        if self._past.failure:
            lines.append(f"Your last cell did not land: {wording.quoted(self._past.failure)}")
        elif self._past.result:
            lines.append(f"Your last cell gave: {wording.quoted(self._past.result, RESULT_CHARS)}")
        return {"memories": memories, "now": "\n".join(lines)}

    def _opinions(self, observation: Mapping[str, Any], answers: str) -> dict[str, str]:
        people = [answers] if answers else [other["name"] for other in observation.get("near", ())]
        rows = {name: self.memory.latest(self.session, of="person", about=name) for name in people}
        return {name: row.text for name, row in rows.items() if row is not None}

    def _news(self, observation: Mapping[str, Any]) -> list[str]:
        return view.new(observation, self._past.looked if self.faculties.deltas else {})

    def _new_lines(self, observation: Mapping[str, Any]) -> list[str]:
        return view.slid(observation.get("heard", ()), self._past.looked.get("heard", ()))

    def _heard_from(self, observation: Mapping[str, Any]) -> int:
        return len(observation.get("heard", ())) - len(self._new_lines(observation))

    def _look(self) -> Mapping[str, Any]:
        """Return what is seen now; within a step, what was seen as it began."""
        if self._reminders is not None:
            return self._seen
        self._past.follow(self.session)
        observation: Mapping[str, Any] = self.model.world.observe(self.name)
        return observation

    def _append(self, kind: str, text: str, data: Mapping[str, Any]) -> None:
        clock = self.model.world.clock
        self.session.append(kind, text, step=clock.step, time_s=clock.time_s, data=data)

    def _time_of(self, row: Row) -> str:
        return time_of(row, self.model.world.start)

    def _now_s(self) -> float:
        return float(self.model.world.clock.time_s)


def _age(row: Row) -> tuple[float, int]:
    """Order memories by time, then by place in the session."""
    return row.time_s, int(row.id.rpartition("#")[2])
