"""Training data: what finished conversations teach, in the paper's mix, without what must not be in it."""

import json
from contextlib import closing

import pytest

from cave_sim import WorldError, open_run
from cave_sim.agents.tool_user import Kit
from cave_sim.cli.main import main
from cave_sim.experiment.talk_judge import RULES
from cave_sim.files.whole_files import unfinished
from cave_sim.journal.lock import lock
from cave_sim.models import ScriptedModel
from cave_sim.models.disclosure import Policy
from cave_sim.session.context_state import NO_UPDATE
from cave_sim.simulations import handset
from cave_sim.simulations.handset import roles
from cave_sim.training_data.data_set import write_training_data
from cave_sim.training_data.mix import plan, quotas
from cave_sim.training_data.statistics import examples_in
from cave_sim.training_data.tool_calls import tools_of
from tests.training_data.conftest import settings, talk


def examples(folder, role):
    """Return the examples of a role by split."""
    return {split: list(examples_in(folder / role / f"{split}.jsonl")) for split in ("train", "validation")}


def test_the_executor_learns_what_was_sent_and_answered_with_10_to_14_tools_to_choose_from(written):
    found = [each for of in examples(written[1], "executor").values() for each in of]
    assert {each.kind for each in found} == {"select", "call", "answer"}
    for each in found:
        assert 10 <= len(tools_of(each).entries) <= 14
        assert "delegate" in tools_of(each).names
        assert [message.role for message in each.completion] == ["assistant"]
    call = next(each for each in found if '"add_event"' in each.completion[0].content and each.kind == "call")
    assert json.loads(call.completion[0].content)["arguments"].keys() == {"title", "date", "time"}
    assert '"name":"add_event"' in call.prompt[-1].content


def test_but_for_the_tools_a_prompt_is_byte_for_byte_that_of_the_run(written, talks):
    example = examples(written[1], "executor")["train"][0]
    run = next(each for each in talks if each.name == example.origin.run)
    with open_run(run) as file:
        calls = [each for each in file.calls() if each["hash"] == example.origin.request]
    sent = calls[0]["request"]["messages"]
    assert [each.content for each in example.prompt[1:]] == [each["text"] for each in sent[1:]]
    assert example.completion[0].content == calls[0]["reply"]["text"]
    assert set(example.prompt[0].content.splitlines()) < set(sent[0]["text"].splitlines())


def test_the_tracker_learns_facts_failures_and_when_there_is_nothing_to_write(written):
    found = [each for of in examples(written[1], "tracker").values() for each in of]
    by_kind = {kind: [each.completion[0].content for each in found if each.kind == kind] for kind in
               ("facts", "trouble", "no_update")}  # fmt: skip
    assert set(by_kind["no_update"]) == {NO_UPDATE}
    assert all("tool_error:" in text or "agent_refusals:" in text for text in by_kind["trouble"])
    assert len(by_kind["trouble"]) <= 0.15 * len(found) + 5


def test_no_scenario_and_no_text_is_on_both_sides_of_the_split(written):
    for role in ("executor", "tracker"):
        train, validation = examples(written[1], role).values()
        assert not {each.origin.scenario for each in train} & {each.origin.scenario for each in validation}
        said = [each.said_id for each in train + validation]
        assert len(said) == len(set(said))


@pytest.mark.long
def test_the_same_runs_in_another_order_give_the_same_files(written, talks, tmp_path):
    manifest, folder = written
    assert write_training_data(talks[::-1], tmp_path / "again", settings()) == manifest
    assert (tmp_path / "again" / "README.md").read_bytes() == (folder / "README.md").read_bytes()
    other = write_training_data(talks, tmp_path / "other", settings(seed=8))
    assert [each.sha256 for each in other.files] != [each.sha256 for each in manifest.files]


def test_a_short_category_is_told_and_nothing_is_repeated(talks, tmp_path):
    some = [each for each in talks if not each.name.startswith("cloud")]
    manifest = write_training_data(some, tmp_path / "short", settings(examples=200))
    assert any(line.startswith("executor/train.jsonl: cloud: none of 21") for line in manifest.short)
    assert sum(each.examples for each in manifest.files if each.role == "executor") < 200


def test_of_few_scenarios_it_is_told_which_mix_they_allow_and_the_folder_is_as_its_card_says(talks, tmp_path, capsys):
    few, out = [str(each) for each in talks if each.name in ("multi-0", "multi-1", "single-0")], str(tmp_path / "few")
    assert main(["training-data", *few, "--out", out]) == 0
    told = "is of mixed, conversational, cloud: --mix multi=73,single=27 asks for what there is"
    assert told in capsys.readouterr().out
    assert main(["training-data", "--check", out]) == 0
    train = tmp_path / "few" / "executor" / "train.jsonl"
    lines = [line for line in train.read_text().splitlines(keepends=True) if json.loads(line)["category"] != "single"]
    train.write_text("".join(lines))
    assert main(["training-data", "--check", out]) != 0
    assert "category: single has 0.0%" in capsys.readouterr().out


@pytest.mark.long(cases=0)
def test_what_a_judge_finds_unsuitable_or_rates_too_low_teaches_nothing_and_is_told(tmp_path, capsys):
    def judging(request):
        if request.messages[0].text != RULES:
            return roles.reply(request)
        score = 3 if "Mail" in request.messages[-1].text else 5
        return json.dumps({"classification": 1, "assistant_quality_score": score, "feedback": "So it was."})

    def spoiling(request):
        rating = {"classification": 0, "assistant_quality_score": 5, "feedback": "It made things up."}
        return json.dumps(rating) if request.messages[0].text == RULES else roles.reply(request)

    for seed in range(6):
        talk(tmp_path / "runs" / f"{seed}", seed, "multi", judge=True, llm=ScriptedModel(judging))
    talk(tmp_path / "runs" / "spoilt", 9, "multi", judge=True, llm=ScriptedModel(spoiling))
    talk(tmp_path / "runs" / "unjudged", 11, "multi")
    command = ["training-data", str(tmp_path / "runs"), "--mix", "multi=100", "--out"]
    assert main([*command, str(tmp_path / "all")]) == 0
    assert "spoilt: left out: its judge finds it unsuitable to learn from" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "best"), "--least-rating", "4"]) == 0
    told = capsys.readouterr().err
    low = told.count("its judge rated it below 4 of 5")
    assert 0 < low < 6
    assert "unjudged: left out: nobody rated it" in told
    sources = [json.loads(line) for line in (tmp_path / "best" / "sources.jsonl").read_text("utf-8").splitlines()]
    assert {(each["rating"], each["judge"]) for each in sources} == {(5, "scripted")}
    card = (tmp_path / "best" / "README.md").read_text("utf-8")
    assert f"judged {len(sources)} of its {len(sources)} runs, from 1 to 5, and the least of these is 4" in card
    assert "--least-rating 4" in card
    assert main(["training-data", "--check", str(tmp_path / "best")]) == 0


def test_where_scenarios_are_few_it_is_told_how_uneven_both_sides_are(talks, tmp_path):
    manifest = write_training_data(talks[:2], tmp_path / "few", settings(mix={"multi": 100.0}, validation=0.1))
    assert any("a scenario goes whole to one side" in line for line in manifest.short)


@pytest.mark.long
def test_a_dialogue_that_missed_a_call_or_its_end_teaches_nothing(talks, tmp_path):
    def wrong(request):
        answer = roles.reply(request)
        return answer.replace('"level": ', '"level": 1').replace('"seconds": ', '"seconds": 1').replace("20", "19")

    def silent(request):
        return "" if "tools" in request.parts else roles.reply(request)

    bad = [talk(tmp_path / "wrong", 0, "single", llm=ScriptedModel(wrong)),
           talk(tmp_path / "silent", 0, "cloud", llm=ScriptedModel(silent))]  # fmt: skip
    cut = handset.create(seed=0, category="conversational", out=tmp_path / "cut")
    cut.run(until=2)
    cut.close()
    manifest = write_training_data([*talks, *bad, tmp_path / "cut"], tmp_path / "some", settings())
    assert sum(manifest.runs_left_out.values()) == 3
    assert any("nobody said that they have what they wanted" in why for why in manifest.runs_left_out)


def test_what_may_not_leave_the_device_and_keys_are_in_no_file(written, talks, tmp_path, monkeypatch):
    for role in ("executor", "tracker"):
        texts = [text for of in examples(written[1], role).values() for each in of for text in each.texts]
        assert not any(map(Policy().first_private, texts))
    assert any("may not leave the device" in why for why in written[0].examples_left_out)
    monkeypatch.setenv("SOME_API_KEY", "no that is asked for")
    monkeypatch.setenv("OTHER_API_KEY", "You are welcome.")
    manifest = write_training_data(talks, tmp_path / "keys", settings(private=["(?i)ticket"]))
    assert manifest.examples_left_out["it holds a key or password"]
    assert "You are welcome." not in "".join(each.read_text() for each in (tmp_path / "keys").rglob("*.jsonl"))


def test_a_run_whose_policy_lets_nothing_out_gives_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(Kit, "__init__", _closed(Kit.__init__))
    run = talk(tmp_path / "closed", 0, "cloud")
    with pytest.raises(WorldError, match="nothing may leave this device"):
        write_training_data([run], tmp_path / "none", settings())
    assert not (tmp_path / "none").exists()


def _closed(init):
    def make(self, *given, **options):
        init(self, *given, **options, policy=Policy(allowed=False))

    return make


@pytest.mark.long
def test_residents_with_a_context_state_teach_the_cells_that_landed(tmp_path, capsys):
    town = ["--residents", "2", "--steps", "50", "--model", "scripted", "--context", "state", "--quiet"]
    assert main(["run", "town_day", "--out", str(tmp_path / "town"), *town]) == 0
    assert main(["training-data", str(tmp_path / "town"), "--out", str(tmp_path / "data")]) == 1
    assert "--mix town_day=100" in capsys.readouterr().err
    arguments = ["--mix", "town_day=100", "--validation", "0"]
    assert main(["training-data", str(tmp_path / "town"), "--out", str(tmp_path / "data"), *arguments]) == 0
    found = examples(tmp_path / "data", "executor")["train"]
    assert {each.kind for each in found} == {"cell"}
    assert main(["training-data", "--check", str(tmp_path / "data")]) == 0


@pytest.mark.long
def test_the_command_tells_what_it_wrote_and_the_card_names_scripts_as_such(talks, tmp_path, capsys):
    out = tmp_path / "data"
    unfinished(out).mkdir()
    with closing(lock(unfinished(out))):
        assert main(["training-data", str(talks[0].parent), "--out", str(out)]) == 1
        assert "data is being written by another process" in capsys.readouterr().err
    assert main(["training-data", str(talks[0].parent), "--out", str(out), "--license", "mit"]) == 0
    assert [each.name for each in out.iterdir() if "lock" in each.name] == []
    assert "card:" in capsys.readouterr().out
    card = (out / "README.md").read_text()
    assert card.startswith("---\nlicense: mit\n")
    assert "Scripted roles wrote 100%" in card
    assert str(tmp_path) not in card
    assert main(["training-data", str(talks[0].parent), "--out", str(out)]) == 1
    assert "there is something already" in capsys.readouterr().err


def test_a_run_of_the_command_line_is_summed_up_and_the_card_says_how_to_make_it_again(tmp_path, capsys):
    run, out = str(tmp_path / "run"), tmp_path / "data"
    assert main(["run", "handset", "--steps", "5", "--set", "category=cloud", "--out", run]) == 0
    assert "prompts, from" in capsys.readouterr().out
    assert main(["training-data", run, "--out", str(out), "--mix", "cloud=100"]) == 0
    assert "$ cave-sim run handset --seed SEED --set category=cloud  # seeds 7\n" in (out / "README.md").read_text()


def test_quotas_add_up_and_kinds_take_no_more_than_their_share():
    assert quotas({"a": 40, "b": 35, "c": 25}, 7) == {"a": 3, "b": 2, "c": 2}
    pools = {("a", "facts"): 50, ("a", "trouble"): 50, ("b", "facts"): 5}
    numbers, short = plan(pools, {"a": 50.0, "b": 50.0}, {"trouble": 20.0}, None)
    assert numbers == {("a", "facts"): 5, ("a", "trouble"): 1, ("b", "facts"): 5}
    assert not short
    numbers, short = plan(pools, {"a": 50.0, "b": 50.0}, {}, 40)
    assert [str(each) for each in short] == ["b: 5 of 20 wanted"]
    numbers, short = plan({("a", "trouble"): 9}, {"a": 100.0}, {"trouble": 20.0}, None)
    assert not numbers
    assert [str(each) for each in short] == ["a, beside trouble: none of 1 wanted"]
