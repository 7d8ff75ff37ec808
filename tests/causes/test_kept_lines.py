"""Results in a file: what was kept is there again, whatever it holds and wherever writing was broken off."""

import os
import resource
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import WorldError
from cave_sim.causes.cohort import KeptLives
from cave_sim.causes.kept_lines import KeptLines
from cave_sim.causes.replies import KeptCall, first_answers
from cave_sim.causes.results import Results
from cave_sim.cli.main import main

TEXTS = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(["\u2028", "\x85", "\n", "\r\n", "\x1e"])
KEPT = st.lists(st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=3), min_size=1, max_size=4)


@pytest.mark.long
@given(KEPT, KEPT, st.integers(0, 30))
def test_what_was_kept_is_there_again_but_for_what_was_cut_off(before, after, cut):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "new" / "results.jsonl"
        for each in before:
            KeptLines(file).add(each)
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) - cut] or b"{")
        left = list(KeptLines(file))
        assert left == before[: len(left)]
        for each in after:
            KeptLines(file).add(each)
        assert list(KeptLines(file)) == left + after


@pytest.mark.parametrize("is_link", [True, False])
def test_nothing_is_read_or_written_elsewhere(is_link, tmp_path):
    file, elsewhere = tmp_path / "results.jsonl", tmp_path / "elsewhere.jsonl"
    elsewhere.write_bytes(b'{"key": 1}\n')
    if is_link:
        file.symlink_to(elsewhere)
    else:
        os.mkfifo(file)
    assert list(KeptLines(file)) == []
    with pytest.raises(WorldError, match="is a link or no file"):
        KeptLines(file).add({"key": 2})
    assert elsewhere.read_bytes() == b'{"key": 1}\n'


@pytest.mark.parametrize("command", [["why", "mood"], ["cohort", "--at", "1", "--outcome", "A.b", "--cell", "pass"]])
def test_a_folder_of_results_that_came_with_a_run_and_leads_elsewhere_is_refused(command, tmp_path, capsys):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for ending in ("-why", "-cohort"):
        tmp_path.joinpath(f"run{ending}").symlink_to(elsewhere)
    assert main([command[0], str(tmp_path / "run"), *command[1:]]) == 1
    assert "is a link; if results are to be kept where it leads, say --out" in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []


def test_a_line_that_nobody_can_read_is_passed_over(tmp_path):
    file = tmp_path / "results.jsonl"
    file.write_bytes(b'[1]\n"text"\n' + b"[" * 100_000 + b'\n\xff\n{"key": 1}\n')
    assert list(KeptLines(file)) == [{"key": 1}]
    assert list(KeptLines(tmp_path / "none")) == list(KeptLines()) == []


@pytest.mark.parametrize("value", ["NaN", "-Infinity", '"many"', "[1]"])
def test_a_kept_outcome_that_is_no_figure_is_worked_out_anew(value, tmp_path):
    file = tmp_path / "results.jsonl"
    file.write_text(f'{{"key": "one", "value": {value}}}\n{{"key": "other", "value": 2.5}}\n')
    known = Results(file)
    assert known.get("one", None) is None
    assert known.get("other", None).value == 2.5


@pytest.mark.parametrize(
    "wrong", [{"key": [1]}, {"asked": "x"}, {"reused": None}, {"trace": [[{}, 1]]}, {"value": None}]
)
def test_a_result_of_another_shape_is_worked_out_anew(wrong, tmp_path):
    file = tmp_path / "results.jsonl"
    KeptLines(file).add({"key": "one", "value": 2.5, **wrong})
    assert Results(file).get("one", None) is None


@pytest.mark.parametrize(
    "wrong", [{"key": [1]}, {"outcomes": 5}, {"outcomes": {"ann": "x"}}, {"outcomes": {"ann": None}}]
)
def test_a_life_of_another_shape_is_lived_anew(wrong, tmp_path):
    file = tmp_path / "lives.jsonl"
    KeptLines(file).add({"key": "one", "outcomes": {"ann": 1.0}, **wrong})
    assert KeptLives(file).get("one") is None


CALL = {"run": "", "agent": "ann", "step": 0, "attempt": 0, "retry": 0, "hash": "h", "model": {"name": "m"}}


@pytest.mark.parametrize("wrong", [{"agent": [1]}, {"model": 5}, {"reply": {}}, {"reply": {"text": 1, "usage": {}}}])
def test_a_reply_of_another_shape_is_asked_for_anew_and_of_two_the_first_stands(wrong, tmp_path):
    file = tmp_path / "model.jsonl"
    for each in (wrong, {}, {"reply": {"text": "again", "usage": {}}}):
        KeptLines(file).add({**CALL, "reply": {"text": "first", "usage": {}}, **each})
    assert [each["reply"]["text"] for each in first_answers(KeptLines(file, KeptCall))] == ["first"]


@pytest.mark.parametrize(
    "question", [["why", "1"], ["cohort", "--at=1", "--outcome=A.b"], ["compare-models", "--model=scripted"]]
)
def test_results_are_kept_neither_in_the_run_nor_in_a_file(question, tmp_path, capsys):
    (tmp_path / "file").touch()
    for out, told in ((tmp_path, "this is the run"), (tmp_path / "file", "this is a file")):
        assert main([question[0], str(tmp_path), *question[1:], "--out", str(out)]) == 1
        assert told in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="limits on files are POSIX's")
def test_where_nothing_can_be_written_no_empty_file_is_left_and_what_was_there_stays(tmp_path):
    file = tmp_path / "lives.jsonl"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for kept in ([], [{"n": 1}]):
        for each in kept:
            KeptLines(file).add(each)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size if kept else 0, hard))
        try:
            with pytest.raises(OSError, match="lives"):
                KeptLines(file).add({"n": 2})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert list(KeptLines(file)) == kept
        assert file.exists() == bool(kept)
