"""The command that measures models and plans documents."""

import json

import pytest

from cave_sim.cli.main import main


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("capacity") / "found"
    assert main(f"capacity calibrate --window 2000 --occupancies 0.3,0.5,0.8 --json --out {folder}".split()) == 0
    return folder


def test_a_calibration_leaves_what_a_plan_reads(calibrated, capsys):
    found = json.loads((calibrated / "capacity.json").read_text())
    assert found["limits"]["degradation"]["kind"] == "logistic"
    assert abs(found["limits"]["degradation"]["midpoint"] - 0.58) < 0.06
    assert (calibrated / "capacity.svg").read_text().startswith("<svg")
    assert main(f"capacity plan --tokens 400 --limits {calibrated} --used 1200 --json".split()) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["strategy"] in ("chunked", "none")
    assert plan["capacity_tokens"] < 500


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("plan --window 1000", "--tokens N"),
        ("plan --tokens 10", "--window N"),
        ("plan --tokens 10 --window 1000 --used 2000", "there is no such window"),
        ("plan --tokens 10 --window 1000 --format pdf", "there is no format 'pdf'"),
        ("plan --tokens 10 --window 1000 --margin 2", "margin=2.0"),
        ("plan --tokens 10 --window 1000 --data-share nan", "there is no such document"),
        ("plan --tokens 10 --limits nowhere.json", "nowhere.json"),
        ("calibrate --occupancies half", "--occupancies half"),
        ("calibrate --occupancies 1.5", "below 1"),
        ("calibrate --model local", "--gguf"),
    ],
)
def test_what_cannot_be_is_one_line(words, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["capacity", *words.split()]) == 1
    error = capsys.readouterr().err.strip()
    assert says in error
    assert "\n" not in error
