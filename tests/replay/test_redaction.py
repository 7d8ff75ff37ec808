"""A run is handed on without what its models were asked: hashes stand in for it, and it is checked like any other."""

import lzma
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.report.kept_calls import kept_calls
from cave_sim.history.rewards import trajectories
from cave_sim.journal.compaction import compact
from cave_sim.journal.integrity import problems
from cave_sim.journal.repair import repair
from cave_sim.journal.tables import DATABASE
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.bundle import unpack, write_bundle
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.prompts import Prompts

SECRET = "Live as nobody has told you to."
TOWN = Recipe("town_day", {"seed": 7, "residents": 2}, ModelChoice(), prompts=Prompts(texts={"resident": SECRET}))
OLD = Path(__file__).parent.parent / "fixtures" / "old_runs" / "town_with_minds" / "run.sqlite.xz"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of a run of minds that are told what nobody else is to read."""
    folder = tmp_path_factory.mktemp("whole") / "town"
    TOWN.make(folder).run(until=10).close()
    with closing(sqlite3.connect(folder / DATABASE)) as file, file:
        answer = ("trust", 9, "mayor", "most", 1, "Whom do you trust?", '"ann"', "Ann", 1)
        file.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", answer)
    return folder


def handed_on(folder, into):
    """Return the folder that a redacted bundle of a run was unpacked into."""
    write_bundle(folder, into / "town.cave", redacted=True)
    unpack(into / "town.cave", into / "theirs")
    return into / "theirs"


@pytest.fixture
def theirs(whole, tmp_path):
    return handed_on(whole, tmp_path)


def change(folder, statement):
    with closing(sqlite3.connect(folder / DATABASE)) as file, file:
        file.execute(statement)


def dumped(folder):
    with closing(sqlite3.connect(folder / DATABASE)) as file:
        return list(file.iterdump())


def found(folder):
    with open_run(folder) as run:
        return [str(problem) for problem in problems(run)]


def test_every_hash_and_seal_of_a_step_is_as_it_was_and_the_cells_come_out_the_same(whole, theirs, capsys):
    steps = "SELECT * FROM steps ORDER BY step"
    with open_run(whole) as run, open_run(theirs) as other:
        assert other.query(steps) == run.query(steps)
        assert {call["hash"]: call["reply"] for call in other.calls()} == {
            call["hash"]: call["reply"] for call in run.calls()
        }
    assert main(["open", str(theirs.with_name("town.cave")), "--host", "local"]) == 0
    said = capsys.readouterr().out
    assert "every cell came out the same" in said
    assert "texts of prompts were left out" in said


@pytest.mark.parametrize("is_compacted", [False, True])
def test_nothing_that_a_model_was_told_is_left_in_the_file(whole, tmp_path, is_compacted):
    shutil.copytree(whole, tmp_path / "town")
    if is_compacted:
        compact(tmp_path / "town")
    theirs = handed_on(tmp_path / "town", tmp_path)
    with open_run(whole) as run:
        said = {message["text"] for call in run.calls() for message in call["request"]["messages"]}
        said |= {row["text"] for each in run.sessions() for row in each["rows"] if row["kind"] in ("user", "memory")}
    left = (theirs / DATABASE).read_bytes()
    assert SECRET in "".join(said)
    assert len(said) > 5
    long_ones = [text for text in said if len(text) > 60]
    assert not [text for text in (*long_ones, SECRET, "Whom do you trust?") if text.encode() in left]
    with open_run(theirs) as run:
        assert not {"prompts", "dictionary"} & run.manifest.keys()
        assert run.sessions() == []
    assert found(theirs) == []


def test_who_has_the_texts_can_tell_that_they_are_the_ones(theirs, tmp_path):
    again = Recipe(**{**vars(TOWN), "model": ModelChoice(replay=str(theirs), strict=True)})
    again.make(tmp_path / "again").run(until=10).close()
    with open_run(theirs) as run, open_run(tmp_path / "again") as other:
        assert other.steps() == run.steps()
        assert {call["hash"] for call in other.calls()} == {call["hash"] for call in run.calls()}


@pytest.mark.parametrize(
    "command", ["resume {} --steps 12", "fork {} --at 3 --out {}-branch", "distil {}", "sessions {}"]
)
def test_it_is_not_gone_on_with_or_learned_from_and_is_left_as_it_is(theirs, capsys, command):
    before = dumped(theirs)
    assert main(command.format(theirs, theirs).split()) == 1
    assert "was left out when it was handed on" in capsys.readouterr().err
    assert dumped(theirs) == before
    assert not theirs.with_name("theirs-branch").exists()


def test_no_training_is_made_of_it(theirs):
    with open_run(theirs) as run, pytest.raises(JournalError, match="or learned from"):
        list(trajectories(run, "1"))


def test_it_is_shown_with_hashes_where_texts_stood(theirs, capsys):
    assert main(["blame", str(theirs), "mayor.plan", "--last", "1"]) == 0
    assert 'was asked "[left out: ' in capsys.readouterr().out
    with open_run(theirs) as run:
        kept = kept_calls(JournalReader.over(run))["minds"]
    assert all(text.startswith("[left out: ") for text in kept["texts"])
    assert not any(kept["memories"].values())


def test_redacting_it_again_changes_nothing(theirs, tmp_path):
    (tmp_path / "again").mkdir()
    again = handed_on(theirs, tmp_path / "again")
    with open_run(theirs) as run, open_run(again) as other:
        assert other.manifest == run.manifest


def test_it_is_repaired_and_compacted_like_any(theirs):
    compact(theirs)
    assert found(theirs) == []
    change(theirs, "UPDATE steps SET seal = 'x' WHERE step = 7")
    assert repair(theirs).last_step == 6
    assert found(theirs) == []


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE texts SET text = 'What nobody said.' WHERE rowid = 1", "texts: the text kept as"),
        ("UPDATE sessions SET rows = '[]'", "its seal is broken"),
        ("UPDATE sessions SET rows = replace(rows, 'a', 'b')", "its seal is broken"),
        ("DELETE FROM manifest WHERE key = 'redacted'", "the manifest was changed"),
    ],
)
def test_what_is_changed_afterwards_is_found(theirs, statement, problem):
    change(theirs, statement)
    assert problem in found(theirs)[0]


def test_a_text_that_is_gone_is_damage_unless_the_run_says_that_it_was_left_out(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "town")
    change(tmp_path / "town", "UPDATE texts SET text = hash")
    assert "is another" in found(tmp_path / "town")[0]


@pytest.mark.parametrize("told", ['{"texts": Infinity}', '{"texts": "many"}', "{}", "7", "not JSON", "[" * 90_000])
def test_a_strangers_word_that_it_was_redacted_already_is_looked_at(whole, tmp_path, told):
    shutil.copytree(whole, tmp_path / "town")
    with closing(sqlite3.connect(tmp_path / "town" / DATABASE)) as file, file:
        file.execute("INSERT INTO manifest VALUES ('redacted', ?)", (told,))
    with pytest.raises(JournalError, match="town"):
        write_bundle(tmp_path / "town", tmp_path / "town.cave", redacted=True)
    assert not (tmp_path / "town.cave").exists()


def test_what_could_not_be_checked_afterwards_is_not_handed_on(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "changed")
    change(tmp_path / "changed", "UPDATE sessions SET rows = replace(rows, 'a', 'b')")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / DATABASE).write_bytes(lzma.decompress(OLD.read_bytes()))  # its sessions are sealed as they are
    for name in ("changed", "old"):
        with pytest.raises(JournalError, match="cannot be redacted: it would not hold any more, step"):
            write_bundle(tmp_path / name, tmp_path / f"{name}.cave", redacted=True)
        assert not (tmp_path / f"{name}.cave").exists()
