"""The scenarios of the evaluation are kept in a file, which is what the generators make, and can be lived from it."""

import json

import pytest

from cave_sim import WorldError
from cave_sim.models import ScriptedModel
from cave_sim.simulations import handset
from cave_sim.simulations.handset import __main__ as command
from cave_sim.simulations.handset.scenarios import generate, scenarios
from cave_sim.simulations.handset.stored_scenarios import FILE, given_scenario, lines_of, read_scenarios


def test_the_406_that_are_kept_are_those_that_the_generators_make():
    assert FILE.read_text("utf-8") == lines_of(scenarios())


@pytest.mark.long
def test_each_of_the_406_that_are_kept_is_fulfilled_on_its_handset_and_comes_back_as_it_was():
    assert read_scenarios(FILE) == scenarios()


def test_a_kept_scenario_is_lived_as_the_generated_one_is(tmp_path):
    def hash_of(name, **options):
        simulation = handset.create(seed=4, out=tmp_path / name, **options).run(until=6)
        simulation.close()
        manifest = json.loads((tmp_path / name / "manifest.json").read_text())
        return manifest["state_hash"], manifest["scenario"], manifest["config"]

    assert hash_of("kept", scenario="mixed-4") == hash_of("generated", category="mixed")


def test_a_name_that_is_neither_file_nor_kept_is_refused_with_the_nearest():
    with pytest.raises(
        WorldError, match=r"one of the 406 that are kept, such as multi-0\. Did you mean 'multi-"
    ) as refused:
        given_scenario("multi-188", 7)
    assert "\n" not in str(refused.value)


def test_what_a_file_holds_is_what_is_evaluated(tmp_path, capsys):
    file = tmp_path / "two.jsonl"
    file.write_text(lines_of([generate("multi", 5, troubles=1), generate("conversational", 8)]))
    command.main(["--scenarios", str(file)])
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == ["| conversational"] * 5 + ["| multi"] * 5
    assert all(row.split(" | ")[2:4] == ["1", "1"] for row in rows)


def test_one_way_of_telling_is_evaluated_alone_and_judged_by_the_model_that_is_named(tmp_path, capsys, monkeypatch):
    asked = []

    def judge(request):
        asked.append(request.key.agent)
        return '{"classification": 1, "assistant_quality_score": 4, "feedback": "Good."}'

    monkeypatch.setattr(command, "LocalModel", lambda gguf: ScriptedModel(judge, name=f"local/{gguf}"))
    file = tmp_path / "one.jsonl"
    file.write_text(lines_of([generate("conversational", 8)]))
    command.main(["--scenarios", str(file), "--variants", "combined", "--judge", "small.gguf"])
    heads, _, row = capsys.readouterr().out.splitlines()
    assert "judged, by local/small.gguf" in heads
    assert row.split(" | ")[:5] == ["| conversational", "combined", "1", "1", "4"]
    assert asked == ["judge"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("multi-5", "multi", "line 1: id 'multi' does not end with the seed of its handset"),
        ("multi-6", "multi-5", "line 2: 'multi-5' is there already"),
        ('"asks"', '"aks"', "line 1: asks: Field required"),
        ('"fails":true', '"fails":false', "line 1: on the handset of seed 5, call_contact: "),
    ],
)
def test_a_file_of_scenarios_that_cannot_be_is_refused_in_one_line(old, new, told, tmp_path, capsys):
    file = tmp_path / "two.jsonl"
    file.write_text(lines_of(generate("multi", seed, troubles=1) for seed in (5, 6)).replace(old, new, 1))
    with pytest.raises(SystemExit) as stopped:
        command.main(["--scenarios", str(file)])
    assert stopped.value.code == 1
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_the_file_is_written_again_to_the_byte(tmp_path):
    command.main(["--store", str(tmp_path / "again.jsonl")])
    assert (tmp_path / "again.jsonl").read_bytes() == FILE.read_bytes()
