"""What was said is taken out alone, parts of prompts are left out, calls are bounded, interactions are shared out."""

from html.parser import HTMLParser

import pytest

from cave_sim import Simulation, World, WorldError, open_run
from cave_sim.causes import Asked, Counterfactuals, candidates, effects, ranked, shapley
from cave_sim.causes.announcement import announcements, without
from cave_sim.causes.provenance import Provenance
from cave_sim.causes.replies import Replies
from cave_sim.causes.wording import Wording
from cave_sim.changes.change import Change
from cave_sim.cli.main import main
from cave_sim.llm_agent.habits import Habits
from cave_sim.llm_agent.llm_agent import LLMAgent
from cave_sim.models import ScriptedModel
from cave_sim.models.cassette import Cassette
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.treatment import Intervention
from tests.causes.test_planted import causes, flee, ready
from tests.causes.worlds import Hall, Person, hall, lived

TALK = """me.mood += 1
if me.mood:
    hall.notices.append('the party is on')
hall.notices.append('fine day, ünïcode'); hall.treasury -= 1"""


def test_the_one_sentence_that_mattered_is_told_from_the_others_of_its_turn(tmp_path):
    acts = (
        ("bob", None, "if 'the party is on' in hall.notices: hall.treasury -= 5"),
        ("cid", 3, "hall.notices += ['hello']"),
    )
    run = lived(tmp_path / "run", ("ann", 2, TALK), *acts)
    assert causes(run, "hall.treasury", among="announcements") == [("ann", 2, -30.0)]
    _, found = ready(run, "hall.treasury", among="announcements")
    assert sorted(each.description for each in found) == ["“fine day, ünïcode”", "“hello”", "“the party is on”"]


def test_two_sentences_of_one_cell_are_taken_out_together():
    change = Change("hall", ("notices",), "splice", None, {"at": 0, "items": ["the party is on", "fine day, ünïcode"]})
    (one, _), (other, _) = announcements(TALK, [change])
    assert without(TALK, [one, other]) == "me.mood += 1\nif me.mood:\n    pass\npass; hall.treasury -= 1"


@pytest.mark.parametrize("code", ["me.mood = 'cheerful'", "x = 'cheerful'", "hall.keys += 1", "('broken"])
def test_what_stays_with_oneself_is_no_announcement(code):
    assert announcements(code, [Change("ann", ("mood",), "set", "", "cheerful")]) == []


def test_interactions_say_who_needs_whom_and_who_stands_in_for_whom(tmp_path):
    told = ("ann", 1, "hall.notices.append('fire')"), ("bob", 1, "hall.notices.append('fire')")
    masked, found = ready(lived(tmp_path / "masked", *told, dynamics=flee), "hall.closed")
    shares = shapley(masked, found)
    assert ranked(list(effects(masked, found))) == []
    assert [each.mean for each in shares.values] == [0.5, 0.5]
    assert shares.together == {(0, 1): -1.0}
    keys = ("ann", 1, "hall.keys += 1"), ("bob", 3, "hall.keys += 1")
    both, found = ready(lived(tmp_path / "both", *keys, dynamics=unlock), "hall.closed")
    shares = shapley(both, found)
    assert ([each.mean for each in shares.values], shares.together) == ([0.5, 0.5], {(0, 1): 1.0})
    assert shares.is_exact


def test_a_long_ranking_is_told_by_its_first_lines_and_a_word_about_the_rest(tmp_path):
    counterfactuals, found = ready(
        lived(tmp_path / "run", *(("ann", step, f"hall.treasury -= {step}") for step in (1, 2, 3))), "hall.treasury"
    )
    tried = list(effects(counterfactuals, found))
    say = Wording(counterfactuals, "EUR", {each.step: "noon" for each in found})
    shown = "\n".join(say.ranking(ranked(tried), tried, len(found), most=2))
    assert "2. -2 EUR" in shown
    assert "3." not in shown
    assert "and 1 more cause, none of them larger; --most 0 prints all" in shown
    assert "3. -1 EUR" in "\n".join(say.ranking(ranked(tried), tried, len(found)))


def unlock(world):
    world["hall"].closed = world["hall"].keys == 2


@pytest.mark.long
def test_sampled_orders_share_out_the_whole_difference_within_the_forks_allowed(tmp_path):
    acts = [("ann", step, f"hall.treasury -= {step}") for step in range(1, 6)]
    counterfactuals, found = ready(lived(tmp_path / "run", *acts), "hall.treasury")
    shares = shapley(counterfactuals, found, orders=4)
    assert not shares.is_exact
    assert {each.step: round(value.mean) for each, value in zip(shares.players, shares.values, strict=True)} == {
        step: -step for step in range(1, 6)
    }
    with pytest.raises(WorldError, match="before one order"):
        shapley(checked_of(tmp_path / "run", acts), found, max_forks=2)


def checked_of(folder, acts):
    counterfactuals = Counterfactuals(folder, Asked("hall.treasury"), lambda: hall(*acts))
    counterfactuals.check()
    return counterfactuals


class Payer(LLMAgent):
    """Pays if the model says so."""

    def identity(self):
        return "You are ann, who pays for the hall."


def answer(request):
    """Pay if the prompt says that one is to; a scripted model."""
    pays = any("pays for the hall" in message.text for message in request.messages)
    return "```python\nhall.treasury -= 10\n```" if pays else "Nothing to do."


def payers(out=None):
    world = World(seed=1)
    world.add("hall", Hall())
    world.add("ann", Person())
    world.grant("ann", "*")
    model = ScriptedModel(answer)
    return Simulation(
        world, lambda made: [Payer(made, "ann", habits=Habits(max_cells=1))], llm=model, out=out, host="local"
    )


@pytest.fixture(scope="module")
def minds(tmp_path_factory):
    """Return a run of somebody who asks a scripted model."""
    folder = tmp_path_factory.mktemp("runs") / "minds"
    payers(out=folder).run(until=4).close()
    return folder


def parts_of(folder, **how):
    counterfactuals = Counterfactuals(folder, Asked("hall.treasury"), payers, may_ask=None, **how)
    counterfactuals.check()
    with open_run(folder) as run:
        return counterfactuals, candidates(run, "prompt-parts", 4, Provenance(run, (), 4))


def test_the_part_of_the_prompt_that_decides_is_found_and_the_others_are_none(minds):
    counterfactuals, found = parts_of(minds)
    assert {"identity", "api", "instructions", "clock"} <= {each.part for each in found}
    tried = list(effects(counterfactuals, found))
    assert [(each.candidate.part, each.mean) for each in ranked(tried)] == [("identity", -40.0)]
    assert {each.asked for each in tried} == {4}


def test_no_more_calls_are_paid_for_than_all_forks_together_may(minds):
    counterfactuals, found = parts_of(minds, max_calls=6)
    tried = list(effects(counterfactuals, found))
    assert counterfactuals.asked == 6
    assert [bool(each.pairs) for each in tried] == [True, False]
    assert "asked anew" in tried[1].why


def test_what_one_fork_was_answered_no_other_fork_and_no_later_question_pays_for(minds, tmp_path):
    counterfactuals, found = parts_of(minds, replies=Replies(tmp_path / "replies.jsonl"))
    assert next(effects(counterfactuals, found[:1])).asked == 4
    with (tmp_path / "replies.jsonl").open("a") as file:
        file.write('{"of": "another run", "agent": "ann"}\n{"cut o')
    later = Counterfactuals(minds, Asked("hall.noise"), payers, may_ask=0, replies=Replies(tmp_path / "replies.jsonl"))
    later.check()
    effect = next(effects(later, found[:1]))
    assert (effect.asked, effect.reused, effect.why) == (0, 4, "")


def test_what_one_model_was_asked_on_a_fork_another_one_has_not_answered(minds):
    replies, own, others = Replies(), Cassette(), Cassette()
    with open_run(minds) as run:
        replies.keep("one", run)
        replies.keep("one", run)
    replies.lend("one", own)
    replies.lend("another", others)
    assert (len(own), len(others)) == (4, 0)


class Closed(HTMLParser):
    """Counts what is drawn, and sees that nothing is loaded or run by what is in the data."""

    def __init__(self):
        super().__init__()
        self.drawn: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.drawn.append(tag)


@pytest.mark.long
def test_the_command_draws_what_it_found_and_a_hostile_cell_stays_text(tmp_path, capsys):
    storm = "town.announcements.append('<img src=x onerror=alert(1)> A storm')"
    folder = tmp_path / "town"
    recipe = Recipe("town_day", {"seed": 7, "residents": 1}, interventions=(Intervention(storm, at=1),))
    recipe.make(folder).run(until=4).close()
    page = tmp_path / "why.html"
    line = ["why", str(folder), "len(town.announcements)", "--among", "interventions", "--html", str(page)]
    assert main([*line, "--max-calls", "5"]) == 0
    assert f"page: {page}" in capsys.readouterr().out
    parser = Closed()
    parser.feed(page.read_text())
    assert parser.drawn.count("svg") == 2
    assert "circle" in parser.drawn
    assert "img" not in parser.drawn
    assert "made it more" in page.read_text()


@pytest.mark.parametrize("command", ["why {run} x --html", "distil {run} --out", "diff {run} {run} --html"])
@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("none/x", "there is no folder"),
        ("", "this is a folder"),
        ("file/x", "there is no folder"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_file_that_has_no_place_is_refused_before_any_work(command, place, says, tmp_path, capsys):
    (tmp_path / "file").touch()
    line = [part.format(run=tmp_path / "no_run") for part in command.split()]
    assert main([*line, str(tmp_path / place)]) == 1
    complaint = capsys.readouterr().err
    assert says in complaint
    assert f"{line[-1]} {tmp_path / place}" in complaint


@pytest.mark.parametrize(
    "line", [["--shapley", "9"], ["--shapley", "3", "--seeds", "2"], ["--shortest", "--shapley", "2"]]
)
def test_what_cannot_be_put_together_is_refused_in_a_line(line, tmp_path, capsys):
    assert main(["why", str(tmp_path), "x", *line]) == 1
    assert "--sh" in capsys.readouterr().err
