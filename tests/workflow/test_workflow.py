"""Workflows map sessions to sessions: agents, cells, branches, compression, memory and child workflows are steps."""

import pytest

from cave_sim import Agent, open_run
from cave_sim.models.base import ModelError, Usage
from cave_sim.replay.resume import resume
from cave_sim.replay.verify import verify
from cave_sim.session.graph import sessions_of
from cave_sim.workflow.branches import Branches
from cave_sim.workflow.selector import NONE_NAMED, Selector
from cave_sim.workflow.step import WorkflowError, WorkflowSetting
from cave_sim.workflow.steps import AskAgent, Compress, Recall, Remember, RunCell, last_words
from cave_sim.workflow.workflow import Workflow
from tests.workflow.newsdesk import desk, echo, simulation, texts

CHILD = Workflow(
    "check", "Two look at it at once.", (Branches((AskAgent("ann", "Look."), AskAgent("bob", "Look, too."))),)
)
WHOLE = Workflow(
    "whole",
    "Everything once.",
    (
        AskAgent("ann", "Write."),
        CHILD,
        AskAgent("rule"),
        RunCell(lambda session: f"print(board.put_up({last_words(session)!r}))"),
        Remember("The board was written on.", importance=8.0),
        Compress(keep=1),
        Recall("board"),
        AskAgent("bob", lambda session: f"{len(session)} rows so far"),
    ),
)


class Passer(Agent):
    """Hands a session on."""

    def forward(self, session):
        return session


@pytest.fixture(scope="module")
def whole():
    """Return a simulation whose workflow went through."""
    made = simulation(WHOLE, echo)
    while not desk(made).is_done:
        made.step()
    return made


def test_each_plain_step_takes_a_step_of_the_world_and_then_nothing_more_happens(whole):
    assert (whole.world.clock.step, desk(whole).failure) == (8, "")
    rows = len(desk(whole).session)
    whole.step()
    assert (len(desk(whole).session), len(whole.asked)) == (rows, 4)


def test_rows_belong_to_those_who_said_them_and_are_told_to_others_as_theirs(whole):
    assistants = [row.agent for row in desk(whole).session if row.kind == "assistant"]
    assert assistants == ["ann", "ann", "bob", "bob"]
    of_bob = next(request for request in whole.asked if request.key.agent == "bob")
    heard = [(message.role, message.text) for message in of_bob.messages]
    assert any(role == "user" and text.startswith("ann said:\nann heard") for role, text in heard)
    assert not any(role == "assistant" for role, _ in heard)


def test_branches_are_asked_at_once_begin_alike_and_are_merged_in_their_order(whole):
    ann, bob = whole.asked[1:3]
    assert (ann.key.agent, bob.key.agent, ann.key.step, bob.key.step) == ("ann", "bob", 1, 1)
    told = texts(desk(whole).session, "user", "assistant")
    assert told[:2] == ["Go.", "Write."]
    assert (told.index("Look."), told.index("Look, too.")) == (3, 5)
    spent = sum((row.usage for row in desk(whole).session if row.usage), Usage())
    assert desk(whole).session.usage == spent


def test_cells_are_turns_of_whoever_runs_them(whole):
    assert whole.world["board"].lines == ["stamped", "bob heard 5"]
    cells = [(row.agent, row.data["status"]) for row in desk(whole).session if row.kind == "cell"]
    assert cells == [("rule", "committed"), ("desk", "committed")]


def test_what_was_compressed_is_not_shown_and_what_was_remembered_comes_to_mind(whole):
    (recall,) = (row for row in desk(whole).session if row.kind == "recall")
    assert recall.text.endswith("The board was written on.")
    last = "\n".join(message.text for message in whole.asked[-1].messages)
    assert recall.text in last
    assert "ann said" not in last
    assert "Earlier, in short" in last


def test_a_step_leaves_the_session_that_it_was_given_as_it_was(whole):
    session, setting = desk(whole).session, WorkflowSetting(whole, "desk")
    before, cost = [*session], session.usage
    passages = [step.run(session, setting) for step in WHOLE.plain_steps()]
    ended = [passage for passage in passages if next(passage, None) is None]
    assert ([*session], session.usage, len(ended)) == (before, cost, 3)


def test_a_session_that_is_handed_on_is_a_fork_whose_rows_are_the_others(whole):
    session = desk(whole).session
    handed = session.handed_to("ann")
    row = handed.append("user", "hello")
    assert (handed[:-1], row.agent, handed.parents) == (session[:], "ann", (session.id,))
    assert handed.handed_to("desk").agent == session.agent == "desk"


def test_every_mistake_is_named_before_anybody_is_asked():
    wrong = Workflow(
        "Wrong name",
        " ",
        (
            AskAgent("anne", "Write."),
            AskAgent("desk"),
            RunCell("board.put_up("),
            RunCell(" "),
            "ask ann",
            Compress(keep=0),
            Remember(importance=11),
            Recall("", count=0),
            Branches((AskAgent("ann"), Workflow("again", "Ann again.", (AskAgent("ann"),)))),
            Branches((AskAgent("bob"),)),
            Selector((CHILD, CHILD), by="rule"),
            Selector((), by="nobody"),
            Workflow("empty", "Nothing.", ()),
            AskAgent("passer"),
        ),
    )
    made = simulation(wrong, echo)
    made.roster.add(Passer(made, "passer"))
    with pytest.raises(WorkflowError) as refused:
        made.step()
    told = str(refused.value)
    for part in (
        "name is 'Wrong name'",
        "says nothing about itself",
        "step 14, ask passer: Passer.forward is never called by a workflow: let it be through",
        "step 1, ask anne: no agent is called 'anne'. Did you mean 'ann'?",
        "step 2, ask desk: desk runs the workflow",
        "step 3, act board.put_up(: its cell is no Python",
        "step 4, act: its code is empty",
        "step 5: 'ask ann' is no step",
        "step 6, compress: keep=0",
        "step 7, remember: importance=11",
        "step 8, recall: its query is empty",
        "step 8, recall: count=0",
        "ann takes part in 2 branches",
        "it has 1 branch",
        "2 candidates are called 'check'",
        "rule chooses its cells by rules",
        "it has 0 candidates",
        "no agent is called 'nobody'",
        "step 13, empty: it has no steps",
    ):
        assert part in told
    assert (made.asked, made.turns_taken) == ([], 0)


NOTE = Workflow("note", "Writes a note on the board.", (RunCell("board.put_up('a note')"),))
TALK = Workflow("talk", "Talks about it once more.", (AskAgent("ann", "Talk."),))


@pytest.mark.parametrize(
    ("answer", "decision", "reason"),
    [
        ("talk: it is unclear", "talk", "it is unclear"),
        ("**note** - all is said", "note", "all is said"),
        ("Well.\n`talk`: why not", "talk", "why not"),
        ("I would talk.", "talk", "I would talk."),
        ("Neither, or both: note and talk?", "note", NONE_NAMED),
        ("", "note", NONE_NAMED),
    ],
)
def test_what_an_answer_chooses(answer, decision, reason):
    assert Selector((NOTE, TALK), by="bob").read(answer) == (decision, reason)


def test_a_choice_is_a_row_with_its_reason_and_the_candidates():
    def reply(request):
        assert "- talk: Talks about it once more." in request.messages[-1].text or request.key.agent == "ann"
        return "talk: it is unclear" if request.key.agent == "bob" else "Talked."

    def latest(session, candidates):
        return candidates[0].name, f"{len(session)} rows"

    made = simulation(
        Workflow("route", "Chooses twice.", (Selector((NOTE, TALK), by="bob"), Selector((NOTE, TALK), by=latest))),
        reply,
    )
    made.run(2)
    one, two = (row for row in desk(made).session if row.kind == "route")
    assert (one.data["decision"], one.data["reason"], one.data["by"]) == ("talk", "it is unclear", "bob")
    assert [each["about"] for each in one.data["candidates"]] == [NOTE.about, TALK.about]
    assert (two.data["decision"], two.data["by"], made.world["board"].lines) == ("note", "rule", ["a note"])
    assert last_words(desk(made).session) == "Talked."


@pytest.mark.parametrize("chosen", [3, "note", ("note", None), None])
def test_a_rule_that_returns_no_name_and_reason_is_told_so(chosen):
    made = simulation(Workflow("route", "Chooses.", (Selector((NOTE, TALK), by=lambda *_: chosen),)), echo)
    made.run(1)
    assert desk(made).failure == f"step 1, select: the rule returned {chosen!r}; it returns a name and a reason"


def test_a_step_that_fails_ends_the_workflow_with_the_reason_and_asks_nobody_again():
    made = simulation(Workflow("fails", "Fails.", (RunCell("board.lines = 3"), AskAgent("ann"))), echo)
    made.run(3)
    assert desk(made).failure.startswith("step 1, act board.lines = 3: the cell failed: ")
    assert (texts(desk(made).session, "error"), made.asked) == ([desk(made).failure], [])


def test_a_failed_step_is_taken_again_by_a_resume_that_retries_and_what_came_before_is_not_paid_again(tmp_path):
    asked, down = [], ["bob"]

    def reply(request):
        asked.append(request.key.agent)
        if request.key.agent in down:
            raise ModelError("refused", "not today")
        return echo(request)

    steps = (AskAgent("ann"), RunCell("board.put_up('once')"), AskAgent("bob"), RunCell("board.put_up('end')"))
    workflow = Workflow("fails", "Fails once.", steps)
    with simulation(workflow, reply, out=tmp_path / "run") as failed:
        failed.run(5)
    assert desk(failed).failure.startswith("step 3, ask bob: ")
    with resume(tmp_path / "run", simulation=simulation(workflow, reply)) as ended:
        ended.run(6)
    assert (desk(ended).failure, asked.count("bob")) == (desk(failed).failure, 1)
    down.clear()
    with resume(tmp_path / "run", simulation=simulation(workflow, reply), retry=True) as retried:
        retried.run(8)
    assert (desk(retried).is_done, desk(retried).failure) == (True, "")
    assert (retried.world["board"].lines, asked) == (["once", "end"], ["ann", "bob", "bob"])
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT data FROM events WHERE kind = 'freed'") == [('{"agents": ["desk"]}',)]
        assert verify(run, lambda: simulation(workflow, lambda request: pytest.fail("was asked"))).holds


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (RunCell(lambda session: [][3]), "IndexError: list index out of range (test_workflow.py, line "),
        (RunCell(lambda session: None), "<lambda> returned None; it returns a text"),
        (Recall(lambda session: session.nothing), "AttributeError: "),
        (Branches((AskAgent("ann"), AskAgent("bob", lambda session: 1 / 0))), "ZeroDivisionError: division by zero ("),
    ],
    ids=["cell", "no text", "query", "branch"],
)
def test_a_function_that_raises_fails_its_step_which_is_taken_again_on_wish(step, why, tmp_path):
    flow = Workflow("flow", "Three steps.", (RunCell("print(board.put_up('one'))"), step, RunCell("board.lines = []")))
    made = simulation(flow, echo, out=tmp_path / "run")
    made.run(3).close()
    assert why in desk(made).failure
    assert list(made.world["board"].lines) == ["one"]
    again = resume(tmp_path / "run", simulation=simulation(flow, echo), retry=True)
    assert (desk(again).at, desk(again).failure) == (1, "")
    again.close()


def test_when_a_branch_fails_the_others_end_what_they_do_and_their_rows_are_kept_with_them():
    branches = Branches((Workflow("acts", "Acts.", (RunCell("1 / 0"),)), AskAgent("ann", "Go on.")))
    made = simulation(Workflow("half", "Half of it fails.", (branches,)), echo)
    made.step()
    assert "the cell failed: " in desk(made).failure
    assert last_words(made.by_name["ann"].session) == "ann heard 3"


class Killed(BaseException):
    """Ends everything, as the end of the process would."""


@pytest.mark.parametrize("killed_at", [1, 3, 4])
def test_who_was_stopped_in_the_middle_goes_on_and_asks_and_acts_nothing_twice(tmp_path, whole, killed_at):
    folder, asked, deadly = tmp_path / "run", [], [killed_at]

    def reply(request):
        if len(asked) + 1 in deadly:
            raise Killed
        asked.append(request.hash)
        return echo(request)

    stopped = simulation(WHOLE, reply, out=folder)
    with pytest.raises(Killed):
        stopped.run(8)
    stopped.run_journal.writer.abandon()
    deadly.clear()
    resumed = resume(folder, simulation=simulation(WHOLE, reply))
    resumed.run(until=8)
    assert (desk(resumed).is_done, resumed.world["board"].lines) == (True, whole.world["board"].lines)
    assert asked == [request.hash for request in whole.asked]
    assert desk(resumed).session.to_rows() == desk(whole).session.to_rows()
    resumed.close()
    with open_run(folder) as run:
        assert verify(run, lambda: simulation(WHOLE, lambda request: pytest.fail("was asked"))).holds
        stored = sessions_of(run)[desk(resumed).session.id]
        assert (stored.to_rows(), stored.usage) == (desk(whole).session.to_rows(), desk(whole).session.usage)
