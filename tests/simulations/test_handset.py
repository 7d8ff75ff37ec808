"""The handset: scenarios that can be fulfilled, tools that are told briefly, and prompts that hardly grow."""

import json

import pytest

from cave_sim import Simulation, WorldError, open_run
from cave_sim.agents.tool_user import Kit, ToolUser
from cave_sim.llm_agent import tool_texts
from cave_sim.llm_agent.function_tools import tools_of
from cave_sim.models import ScriptedModel
from cave_sim.models.disclosure import Policy
from cave_sim.models.tokens import offline_counter
from cave_sim.simulations import handset
from cave_sim.simulations.handset.evaluation import live, scores, table
from cave_sim.simulations.handset.given_scenario import read_scenario
from cave_sim.simulations.handset.roles import reply
from cave_sim.simulations.handset.scenarios import MIX, generate, problems, scenarios
from cave_sim.worlds.handset import build_handset
from tests.docs.pages import ROOT

VARIANTS = ("reference", "tool_efficient", "memory_efficient", "combined")


@pytest.fixture(scope="module")
def outcomes():
    """25 turns of two categories, by variant."""
    return {
        (category, variant): live(generate(category, 0, 25), variant, ScriptedModel(reply))[1]
        for category in ("multi", "cloud")
        for variant in VARIANTS
    }


@pytest.mark.long
def test_406_scenarios_in_the_papers_mix_can_each_be_fulfilled():
    found = scenarios()
    assert len(found) == sum(MIX.values()) == 406
    assert len({scenario.id for scenario in found}) == 406
    assert not [problem for scenario in [*found, generate("single", 1)] for problem in problems(scenario)]


def test_a_menu_takes_a_sixth_of_published_schemas_for_the_same_tools():
    forms = [tool.form for tool in tools_of(build_handset(7), "phone").values()]
    assert len(forms) >= 20
    count = offline_counter()
    published, short, signed = (
        count(write(forms)) for write in (tool_texts.openapi, tool_texts.menu, tool_texts.signatures)
    )
    assert published >= 6 * short
    assert published > 5 * signed


@pytest.mark.long(cases=0)
def test_every_call_is_the_right_one_and_each_variant_begins_smaller_than_the_one_before(outcomes):
    assert {outcome.f1 for outcome in outcomes.values()} == {1.0}
    first = [outcomes["multi", variant].context[0] for variant in ("reference", "memory_efficient", "combined")]
    assert first == sorted(first, reverse=True)
    assert first[0] > 6 * first[-1]


@pytest.mark.long
def test_over_25_turns_a_log_grows_a_tenth_of_the_history_and_a_25th_where_answers_are_long(outcomes):
    growth = {key: outcome.growth for key, outcome in outcomes.items()}
    assert growth["multi", "tool_efficient"] >= 8 * growth["multi", "combined"]
    assert growth["cloud", "tool_efficient"] >= 25 * growth["cloud", "combined"]
    assert outcomes["cloud", "combined"].sent == 25


def changed(calls, kind, change):
    """Return the calls with the first argument of a kind changed; None if there is none."""
    for place, (name, arguments) in enumerate(calls):
        for key, value in arguments.items():
            if type(value) is kind:
                return [*calls[:place], (name, {**arguments, key: change(value)}), *calls[place + 1 :]]
    return None


def first(calls, name=None, arguments=None):
    """Return the calls with the first one's name, or its arguments, given."""
    return [(name or calls[0][0], calls[0][1] if arguments is None else arguments), *calls[1:]]


CORRUPTIONS = {
    "a call less": lambda calls: calls[1:],
    "a call twice": lambda calls: [*calls, calls[-1]],
    "a call more": lambda calls: [*calls, ("set_wifi", {"on": True})],
    "a call that there is not": lambda calls: [*calls, ("fly", {})],
    "no call": lambda calls: [],
    "another tool": lambda calls: first(calls, "set_wifi"),
    "a name misspelt": lambda calls: first(calls, calls[0][0] + "_"),
    "a name in capitals": lambda calls: first(calls, calls[0][0].upper()),
    "an argument more": lambda calls: first(calls, arguments={**calls[0][1], "why": "so"}),
    "an argument less": lambda calls: first(calls, arguments=dict([*calls[0][1].items()][1:])) if calls[0][1] else None,
    "a list for arguments": lambda calls: first(calls, arguments=[*calls[0][1].values()]),
    "no JSON": lambda calls: first(calls, arguments="{"),
    "a whole number as a fraction": lambda calls: changed(calls, int, float),
    "a number as a text": lambda calls: changed(calls, int, str),
    "a number one off": lambda calls: changed(calls, int, lambda number: number + 1),
    "a text in a list": lambda calls: changed(calls, str, lambda text: [text]),
    "nothing for a text": lambda calls: changed(calls, str, lambda text: None),
    "nothing to be seen": lambda calls: changed(calls, str, lambda text: "\u200b"),
    "arguments as JSON twice": lambda calls: first(calls, arguments=json.dumps(json.dumps(calls[0][1]))),
    "arguments within arguments": lambda calls: first(calls, arguments={"arguments": calls[0][1]}),
}
OF_WORDS = {
    "a text with a space more": lambda calls: changed(calls, str, lambda text: text + " "),
    "a text in capitals": lambda calls: changed(calls, str, lambda text: text.upper() + "!"),
}
"""Corruptions of what is compared to the letter, which a query that is handed on is not."""
A_QUERY = {"query": "How far is the moon?", "reason": "it takes knowledge"}


def as_made(calls):
    return [(name, given if isinstance(given, str) else json.dumps(given)) for name, given in calls]


@pytest.mark.parametrize("name", [*CORRUPTIONS, *OF_WORDS])
def test_a_sequence_of_calls_that_is_corrupted_is_not_the_one_that_was_asked_for(name):
    corrupt, passed, made = {**CORRUPTIONS, **OF_WORDS}[name], [], 0
    for scenario in [*scenarios()[::4], *(generate("single", seed) for seed in range(5))]:
        right = [(ask.tool, dict(ask.arguments) or dict(A_QUERY)) if ask.tool == "delegate" else
                 (ask.tool, dict(ask.arguments)) for ask in scenario.asks if ask.tool]  # fmt: skip
        assert scores(scenario, as_made(right)) == scores(scenario, as_made(right[::-1])) == (1.0, 1.0, 1.0)
        if not right or (name in OF_WORDS and "delegate" in scenario.sequence):
            continue
        if (wrong := corrupt(right)) is not None:
            made += 1
            passed += [scenario.id] * (scores(scenario, as_made(wrong))[2] == 1.0)
    assert made >= 20
    assert passed == []


def test_wrong_and_superfluous_calls_cost_precision_and_missing_ones_recall():
    scenario = generate("multi", 3)
    right = as_made((ask.tool, dict(ask.arguments)) for ask in scenario.asks)
    assert scores(scenario, right[1:])[0] == 1.0
    assert scores(scenario, right[1:])[1] < 1.0
    assert scores(scenario, [*right, ("set_wifi", "{}"), ("fly", "not JSON")])[0] < 1.0
    assert scores(generate("conversational", 0), []) == (1.0, 1.0, 1.0)
    assert scores(generate("conversational", 0), right)[0] == 0.0


def assistant(script, **kit):
    simulation = Simulation(build_handset(7), lambda sim: [ToolUser(sim, "aim", Kit("phone", **kit))],
                            llm=ScriptedModel(script))  # fmt: skip
    return simulation.by_name["aim"]


def test_a_model_that_only_selects_is_told_to_stop_and_does_not_go_on_for_ever():
    aim = assistant(lambda request: '{"select": "set_timer", "reason": "why not"}')
    aim.ask("Set a timer.")
    results = [row.text for row in aim.session if row.kind == "tool_result"]
    assert '"seconds"' in results[0]
    assert "you have selected 4 times" in results[3]
    assert len(results) < 12


@pytest.mark.parametrize(
    "private",
    [
        "+358 40 1234567",
        "＋358-40\u00a01234567",
        "(+358) 40/123.4567",
        "040 123 4567",
        "00358401234567",
        "pass\u00adwords",
        "ＰＡＳＳＷＯＲＤ",
        "pri\u200bvate",
        "p a s s w o r d",
        "p.r.i.v.a.t.e",
        "раssword",
        "0 4 0 1 2 3 4 5 6 7",
        "p\u0301assw\u0308ord",
        "pa\u3164ss\u115fword",
        "ᴘᴀꜱꜱᴡᴏʀᴅ",
        "p@$$w0rd",
        "0\ufe0f\u20e34\ufe0f\u20e30 123 4567",
        "〇四〇一二三四五六七",
        "❽ private",
        "zero four zero one two three four five six seven",
        "cGFzc3dvcmQgb2YgRGFuYQ==",
        "30343031323334353637",
        "%70assword",
        "pass&#119;ord",
        "\\u0070assword",
    ],
)
def test_what_is_private_is_held_back_however_it_is_spelt(private):
    assert "must not leave" in Policy().objection(f"Look: {private}!")


@pytest.mark.parametrize("open_", ["01-02-2026 10:00", "01.02.2026", "12+34567890", "0.1234567", "in 2001 2002 2003",
                                   "one, two or three", "sort 0, 5, 3, 9, 1, 2, 4"])  # fmt: skip
def test_dates_and_sums_are_no_telephones(open_):
    assert Policy().objection(f"What of {open_}?") == ""


def test_an_assistant_repeats_the_ends_of_a_reply_that_knew_no_limit():
    sent, replies = [], iter(["well " * 80_000, "Yes."])

    def script(request):
        sent.append("".join(each.text for each in request.messages))
        return next(replies)

    aim = assistant(script)
    aim.ask("Tell me.")
    aim.ask("And?")
    assert "characters are left out here" in sent[1]
    assert len(sent[1]) < len(sent[0]) + 10_000


@pytest.mark.parametrize("rest", ["", ', "reason": "he said \\"now\\""', ', "reason": "x", "sure": true'])
@pytest.mark.parametrize("first", ["", '"why": "x", '])
def test_a_selection_is_read_however_its_reason_is_written(first, rest):
    replies = iter([f'{{{first}"select": "set_timer"{rest}}}', "Well."])
    aim = assistant(lambda request: next(replies))
    assert aim.ask("Do it.") == "Well."
    assert '"seconds"' in next(row.text for row in aim.session if row.kind == "tool_result")


def test_a_call_with_endless_arguments_is_answered_and_not_made():
    call = {"name": "write_note", "arguments": {"title": "x" * 400_000, "text": "y"}}
    replies = iter([json.dumps(call), "So be it."])
    aim = assistant(lambda request: next(replies))
    assert aim.ask("Note it.") == "So be it."
    assert "400,026 characters of arguments" in next(row.text for row in aim.session if row.kind == "tool_result")


def test_what_is_private_does_not_leave_the_device_and_what_leaves_is_written_down():
    asked = []

    def script(request):
        asked.append(request.key.agent)
        if request.key.agent == "larger":
            return "42"
        query = "Who has +358 40 1234567?" if "number" in request.messages[-1].text else "What is 6 times 7?"
        if request.messages[-1].text.startswith("Tool: "):
            return "So be it."
        return json.dumps({"name": "delegate", "arguments": {"query": query, "reason": "hard"}})

    larger = ScriptedModel(script)
    aim = assistant(script, schemas="minified", larger=larger)
    aim.ask("Whose number is that?")
    assert "larger" not in asked
    aim.ask("What is six times seven?")
    assert asked.count("larger") == 1
    routes = [dict(row.data) for row in aim.session if row.kind == "route"]
    assert [bool(route["sent"]) for route in routes] == [False, True]
    assert "must not leave" in routes[0]["held_back"]
    shut = assistant(script, schemas="minified", larger=larger, policy=Policy(allowed=False))
    shut.ask("What is six times seven?")
    assert asked.count("larger") == 1


@pytest.mark.parametrize(
    "queries",
    [
        ["It begins with 040", "and goes on 123 4567"],
        ["First half: 35840. Keep it.", "The other half is 1234567!"],
        ["Keep 4567 for later", "and 040123 in front"],
        ["a is zero four zero", "b is one two three", "c is four five six seven"],
        ["Remember pass", "word"],
        ["My login is hunt", "er2, is it good?"],
        ["Is 12 3 a year? Is 45 6 7?"],
    ],
)
def test_what_is_private_on_the_device_does_not_leave_in_pieces_over_however_many_queries(queries):
    left, sent = [], []

    def script(request):
        if request.key.agent == "larger":
            sent.append("".join(each.text for each in request.messages))
            return "I will."
        if request.messages[-1].text.startswith("Tool: "):
            return "So be it."
        query = queries[len(left)]
        left.append(query)
        return json.dumps({"name": "delegate", "arguments": {"query": query, "reason": "Dana, +358 40 1234567"}})

    aim = assistant(script, schemas="minified", larger=ScriptedModel(script))
    for _ in queries:
        aim.ask("Dana has +358 40 1234567, and my password is hunter2.")
    routes = [row.data for row in aim.session if row.kind == "route"]
    assert [bool(route["sent"]) for route in routes] == [True] * (len(queries) - 1) + [False]
    assert len(sent) == len(queries) - 1
    assert not any("Dana" in text for text in sent)  # the reason stays on the device


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": ["040", "1234567"], "reason": "x"},
        {"query": {"of": "040 1234567"}, "reason": "x"},
        {"query": "Sum it up.", "reason": "x", "attachment": "contacts/Dana"},
        {"query": "Sum it up."},
        ["Sum it up."],
    ],
)
def test_a_query_is_one_text_and_nothing_leaves_beside_it(arguments):
    replies = iter([json.dumps({"name": "delegate", "arguments": arguments}), "So be it."])
    larger = ScriptedModel(lambda request: pytest.fail("it left"))
    aim = assistant(lambda request: next(replies), schemas="minified", larger=larger)
    aim.ask("Ask somebody.")
    assert not [row for row in aim.session if row.kind == "route"]


def test_a_policy_bounds_what_leaves_in_all():
    policy = Policy(most_chars_in_all=30)
    assert policy.objection("What is 6 times 7?") == ""
    assert "18 have left" in policy.objection("What is 7 times 8?", ["What is 6 times 7?"])


@pytest.mark.long
def test_a_table_has_a_row_for_each_category_and_variant(outcomes):
    rows = table(outcomes.values())
    assert [row["variant"] for row in rows] == list(VARIANTS) * 2
    assert all(row["n"] == 1 and row["f1"].mean == 1 and not row["f1"].has_interval for row in rows)


def test_a_scenario_of_ones_own_is_that_of_the_docs_and_each_of_its_calls_is_made(tmp_path):
    page = (ROOT / "docs" / "compact_context.md").read_text("utf-8")
    file = tmp_path / "late.json"
    file.write_text(page.partition("```json\n")[2].partition("```")[0])
    simulation = handset.create(seed=7, scenario=str(file))
    simulation.run(until=6)
    session = simulation.by_name["assistant"].session
    made = [(row.data["name"], row.data["arguments"]) for row in session if row.kind == "tool_call"]
    assert scores(read_scenario(str(file), 7), made) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{", "", "Invalid JSON"),
        ('"multi"', '"many"', "category: Input should be"),
        ('"said"', '"says"', "asks.0.said: Field required"),
        ("send_message", "send_fax", "send_fax: there is no such tool; there are"),
        ('Dana", "text', 'Nobody", "text', "no contact 'Nobody'"),
        ("recipient", "to", "send_message: "),
        ('Zoltan"}', 'Dana"}', "call_contact: it does not fail"),
        ('"asks": [', '"asks": [], "more": [', "asks: List should have at least 1"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused_in_one_line(old, new, told, tmp_path):
    page = (ROOT / "docs" / "compact_context.md").read_text("utf-8")
    file = tmp_path / "late.json"
    file.write_text(page.partition("```json\n")[2].partition("```")[0].replace(old, new, 1))
    with pytest.raises(WorldError) as refused:
        handset.create(seed=7, scenario=str(file))
    assert told in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_judge_rates_a_talk_by_what_was_done_and_says_who_it_is(tmp_path):
    handset.create(seed=0, category="multi", troubles=1, judge=True, out=tmp_path / "run").run(until=10).close()
    with open_run(tmp_path / "run") as run:
        assert handset.summary(run).endswith("judged by scripted, no language model: 5 of 5")
        assert [call["agent"] for call in run.calls()].count("judge") == 1


def test_a_talk_that_is_not_over_is_not_judged(tmp_path):
    handset.create(seed=0, category="multi", judge=True, out=tmp_path / "run").run(until=3).close()
    with open_run(tmp_path / "run") as run:
        assert handset.summary(run).endswith("not judged: the talk is not over")


def test_an_assistant_that_does_nothing_is_rated_low_and_one_that_does_it_all_high():
    def idle(request):
        return "Of course." if "assist the owner" in request.messages[0].text else reply(request)

    scenario = generate("multi", 0)
    rated = [live(scenario, "combined", ScriptedModel(each), judged=True)[1] for each in (reply, idle)]
    assert [each.quality for each in rated] == [5, 1]
    assert [row["quality"].mean for row in table(rated)] == [3.0]


def test_an_owner_who_never_ends_is_heard_as_often_as_their_brief_says():
    def endless(request):
        return "And another thing." if handset.roles.GOAL in request.messages[0].text else reply(request)

    scenario = generate("conversational", 0)
    simulation, _ = live(scenario, "combined", ScriptedModel(endless), judged=True)
    simulation.run(until=20)
    said = [row for row in simulation.by_name["owner"].session if row.kind == "assistant"]
    assert len(said) == len(scenario.asks) + 2
    assert simulation.by_name["judge"].rating is not None
