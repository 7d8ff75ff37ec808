"""A packet is run as it says, and what is kept of it shows which of its claims hold."""

import hashlib
import json
import shutil

import pytest

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.evidence.packet import read_packet
from tests.docs.pages import ROOT, blocks

LIMITS = 'proves = "What is tried here."\ndoes_not_prove = "Anything else."\n'
HEAD = f'title = "A town"\n{LIMITS}'
CLAIM = '\n[[claims]]\nsays = "it is so"\n'


def packet(folder, text, name="town"):
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The packet of the documentation, whose second run is killed and gone on with, that also claims what is false."""
    folder = tmp_path_factory.mktemp("built")
    (text,) = (block.text for block in blocks(ROOT / "docs" / "how_to" / "evidence.md", "toml"))
    text = text.replace("\n\n[[claims]]", '\ndifferent = [["whole", "killed"], ["whole", "none"]]\n\n[[claims]]', 1)
    text = text.replace('"state hash: "', '"state hash: ", "no such words"')
    path = packet(folder, f'{text}\n[[commands]]\nrun = "--version"\nexit = 3\n')
    assert main(["evidence", str(path), "--out", str(folder / "kept"), "--table", str(folder / "claims.md")]) == 1
    return folder / "kept" / "town"


@pytest.mark.long
def test_it_says_what_was_not_as_it_must_be_and_nothing_else(built):
    result = json.loads((built / "packet.json").read_text())
    with open_run(built / "whole") as run:
        end = run.steps()[-1].state_hash[:16]
    first, version, *others = result["problems"]
    assert first.endswith("it does not print 'no such words'")
    assert "exit code 0 and not 3; it said last: cave-sim " in version
    assert others == [
        f"the last states do not all differ: whole {end}, killed {end}",
        f"the last states do not all differ: whole {end}, none has none",
    ]
    assert [each["exit"] for each in result["commands"]] == [0, -9, 0, 0]
    assert not result["holds"]


@pytest.mark.long
def test_what_is_kept_can_be_checked_by_its_sums_and_says_what_made_it(built):
    sums = dict(reversed(line.split("  ")) for line in (built / "SHA256SUMS").read_text().splitlines())
    assert {"packet.toml", "packet.json", "logs/1.txt", "whole/run.sqlite", "killed/run.sqlite"} <= set(sums)
    assert all(hashlib.sha256((built / name).read_bytes()).hexdigest() == each for name, each in sums.items())
    assert {"code", "python", "machine"} <= set(json.loads((built / "packet.json").read_text())["made_by"])


@pytest.mark.long
def test_the_page_of_claims_says_which_do_not_hold(built):
    page = (built.parents[1] / "claims.md").read_text()
    assert "| a town that was killed goes on to the same end |" in page
    assert "**does not hold**" in page
    assert "That every moment of a kill is survived." in page


def test_a_claim_holds_by_its_own_test_and_one_that_is_skipped_shows_nothing(tmp_path, capsys):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_some.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_both(n): pass\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_one(n): assert n == 1\n"
        "def test_not_here(): pytest.skip('no bus')\n"
    )
    claims = "".join(
        f'\n[[claims]]\nsays = "{name}"\ntest = "tests/test_some.py::test_{name}"\n'
        for name in ("both", "one", "not_here", "gone")
    )
    path = packet(tmp_path, HEAD + claims)
    assert main(["evidence", str(path), "--out", str(tmp_path / "kept")]) == 1
    result = json.loads((tmp_path / "kept" / "town" / "packet.json").read_text())
    assert {claim["says"]: claim["holds"] for claim in result["claims"]} == {
        "both": True,
        "one": False,
        "not_here": False,
        "gone": False,
    }
    told = capsys.readouterr().out
    assert "town: 1 of 4 claims hold" in told
    assert "it was skipped here: no bus" in told


def test_what_nothing_shows_is_said_and_runs_nothing(tmp_path, capsys):
    path = packet(tmp_path, f'title = "Open"\n{CLAIM}')
    assert main(["evidence", str(path), "--out", str(tmp_path / "kept"), "--table", str(tmp_path / "claims.md")]) == 0
    assert capsys.readouterr().out == "nothing shows yet: it is so\n"
    assert "| it is so |  | nothing yet | **not shown** |" in (tmp_path / "claims.md").read_text()
    assert not (tmp_path / "kept").exists()


@pytest.mark.long
def test_what_a_command_takes_is_kept_and_may_be_bounded(tmp_path, capsys):
    commands = "".join(
        f'\n[[commands]]\nrun = "{run}"\nat_most = {{ {bound} }}\n'
        for run, bound in [
            ("run rain --steps 2 --quiet --out one", "cpu_s = 0.001, memory_mb = 1, written_mb = 0.0001"),
            ("--version", "cpu_s = 600, memory_mb = 4000, written_mb = 1"),
        ]
    )
    path = packet(tmp_path, f"{HEAD}{CLAIM}{commands}")
    assert main(["evidence", str(path), "--out", str(tmp_path / "kept")]) == 1
    result = json.loads((tmp_path / "kept" / "town" / "packet.json").read_text())
    took = [each["took"] for each in result["commands"]]
    held = sum(each.stat().st_size for each in (tmp_path / "kept" / "town" / "one").rglob("*") if each.is_file())
    assert took[0]["written_mb"] == round(held / 1e6, 2) > 0
    assert all(each["cpu_s"] > 0 and each["memory_mb"] > 5 for each in took)
    assert [problem.partition(": ")[2].partition(" = ")[0] for problem in result["problems"]] == [
        "it took cpu_s",
        "it took memory_mb",
        "it took written_mb",
        "nobody knows here what it took: written_mb",
    ]


def test_a_list_runs_nothing(tmp_path, capsys):
    path = packet(tmp_path, f'{HEAD}{CLAIM}\n[[commands]]\nrun = "run town_day --out one"\nkill_at = 2\n')
    assert main(["evidence", str(path), "--list"]) == 0
    assert "$ cave-sim run town_day --out one  (killed at step 2)" in capsys.readouterr().out


def test_what_held_is_not_built_again_and_a_folder_with_something_else_in_it_is_left_alone(tmp_path, capsys):
    path = packet(tmp_path, f'{HEAD}{CLAIM}\n[[commands]]\nrun = "--version"\n')
    (tmp_path / "kept" / "town").mkdir(parents=True)
    assert main(["evidence", str(path), "--out", str(tmp_path / "kept")]) == 1
    assert "is no evidence: move it" in capsys.readouterr().err
    shutil.rmtree(tmp_path / "kept")
    build = ["evidence", str(path), "--out", str(tmp_path / "kept")]
    for more, is_run in ([], True), ([], False), (["--again"], True):
        assert main([*build, *more]) == 0
        assert ("cave-sim --version" in capsys.readouterr().err) is is_run
    path.write_text(path.read_text() + "exit = 1\n")
    assert main(build) == 1
    assert [each.name for each in (tmp_path / "kept").iterdir()] == ["town"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("claims = ", "is no TOML"),
        (HEAD, "claims: Field required"),
        (f"{HEAD}claims = []", "claims: Tuple should have at least 1 item"),
        (f"{HEAD}colour = 'red'\n{CLAIM}", "there is no key 'colour'. There are title, claims"),
        (f'title = "A"\n{CLAIM}\n[[commands]]\nrun = "list"\n', "say what it proves and what it does not"),
        (f"{HEAD}{CLAIM}test = 'rm -rf /'\n", "claims.0.test: String should match"),
        (f"{HEAD}{CLAIM}test = 'tests/test_a.py::test_a'\n{CLAIM}", "nothing shows 'it is so'"),
        (f"{HEAD}same = [['a', 'b']]\n{CLAIM}", "give commands that make them"),
        (f"{HEAD}same = [['a', '../b']]\n{CLAIM}\n[[commands]]\nrun = 'list'\n", "same.0.1: String should match"),
        (f"{HEAD}{CLAIM}\n[[commands]]\nrun = 'list'\nkill_at = 2\n", "name its folder with --out"),
        (f'{HEAD}{CLAIM}\n[[commands]]\nrun = "list \'a"\n', "this is no command line"),
    ],
)
def test_what_is_no_packet_is_refused_in_one_line(tmp_path, text, why):
    path = packet(tmp_path, text)
    with pytest.raises(WorldError, match=r"town\.toml") as refused:
        read_packet(path)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_packet_at_all_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert main(["evidence"]) == 1
    assert main(["evidence", "empty"]) == 1
    told = capsys.readouterr().err
    assert "there is no docs/claims here" in told
    assert "no packet in empty" in told
