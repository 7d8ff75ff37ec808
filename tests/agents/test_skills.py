"""Skills: read from folders, listed by a line each, opened in a cell, and trusted no more than any cell."""

import os
from pathlib import Path

import pytest

from cave_sim import Entity, World, WorldError, agents, field
from cave_sim.llm_agent.skills import install, read_skill, read_skills

PAGE = "---\nname: sums\ndescription: Adding up, with care.\nlicense: MIT\n---\nUse `add_up(items)`.\n"
CODE = 'def add_up(items):\n    """Return the sum."""\n    return sum(items)\n'


class VariableStore(Entity):
    """Where somebody works."""

    notes: list[str] = field([])


def write(folder, page=PAGE, code=CODE, name="sums"):
    (folder / name).mkdir()
    (folder / name / "SKILL.md").write_text(page, "utf-8")
    if code:
        (folder / name / "functions.py").write_text(code, "utf-8")
    return folder / name


@pytest.fixture
def office(tmp_path):
    """Return an office whose people have one skill."""
    write(tmp_path)
    world = World(seed=7)
    world.add("ann", VariableStore())
    world.add("bob", VariableStore())
    install(world, read_skills(tmp_path))
    return world


def test_a_prompt_lists_names_and_descriptions_and_nothing_more(office):
    told = office.describe("ann")
    assert "#   sums: Adding up, with care." in told
    assert "add_up" not in told


def test_opening_a_skill_shows_it_and_defines_its_functions_for_who_opened_it(office):
    turn = office.execute("skills['sums']", agent="ann")
    assert turn.output.startswith("Use `add_up(items)`.")
    assert "def add_up(items)  # Return the sum." in turn.output
    assert office.execute("add_up([1, 2, 3])", agent="ann").output == "6"
    assert office.execute("add_up([1])", agent="bob").status == "failed"


def test_the_functions_of_a_skill_run_as_a_child_turn_with_the_rights_of_the_agent(office, tmp_path):
    write(tmp_path, PAGE.replace("sums", "pranks"), "def tease():\n    bob.notes.append('boo')\n", "pranks")
    install(office, read_skills(tmp_path))
    turns = []
    office.sink = turns.append
    assert office.execute("skills['pranks']\ntease()", agent="ann").status == "blocked"
    cells = [(turn.agent, turn.parent is not None) for turn in turns if turn.kind == "cell"]
    assert cells == [("ann", True), ("ann", False)]
    assert office["bob"].notes == []


def test_functions_of_an_opened_skill_outlast_a_snapshot_and_a_fork_opens_its_own(office):
    office.execute("skills['sums']", agent="ann")
    assert World.restore(office.snapshot()).execute("add_up([4, 5])", agent="ann").output == "9"
    twin = office.fork()
    assert twin.execute("skills['sums']\nadd_up([6])", agent="bob").output.endswith("6")
    assert office.execute("add_up([1])", agent="bob").status == "failed"


def test_python_that_the_gate_refuses_is_not_installed(office, tmp_path):
    write(tmp_path, PAGE.replace("sums", "files"), "import os\n", "files")
    with pytest.raises(WorldError, match=r"'files'.*must pass as a cell does"):
        install(office, read_skills(tmp_path))


def test_a_skill_can_be_one_agent_s_alone(tmp_path):
    write(tmp_path)
    world = World(seed=7)
    world.add("ann", VariableStore())
    world.add("bob", VariableStore())
    install(world, read_skills(tmp_path), agent="ann")
    assert world.execute("skills['sums']", agent="ann").committed
    assert world.execute("skills['sums']", agent="bob").status == "failed"


def test_an_unknown_skill_is_an_error_that_names_those_that_there_are(office):
    assert "There are: sums" in office.execute("skills['summs']", agent="ann").error


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ("Use it well.", "begins with a line '---'"),
        ("---\nname: sums\n", "begins with a line '---'"),
        ("---\ndescription: Adding up.\n---\n", "name"),
        ("---\nname: sums\n---\n", "description"),
        (f"---\nname: {'a' * 65}\ndescription: Adding up.\n---\n", "64"),
        ("---\nname: Sums!\ndescription: Adding up.\n---\n", "lower-case"),
        (f"---\nname: sums\ndescription: {'a' * 1_025}\n---\n", "1,024"),
    ],
)
def test_a_page_that_breaks_a_rule_says_where_and_which(tmp_path, page, wrong):
    with pytest.raises(WorldError, match=r"SKILL\.md") as caught:
        read_skill(write(tmp_path, page))
    assert wrong in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data", "wrong"),
    [
        ("functions.py", b"x = 1\0", "control character U\\+0000"),
        ("functions.py", b"-" * 19_000 + b"1", "nested too deeply"),
        ("functions.py", b"x = 1\n" * 10_000, "at most 20,000"),
        ("functions.py", b"x = '\xff'", "no text in UTF-8"),
        ("functions.py", b"x = 1\n" * 200_000, "more than 1,048,576 bytes"),
        ("SKILL.md", PAGE.encode("utf-16"), "no text in UTF-8"),
        ("SKILL.md", f"{PAGE}pay \u202eeve".encode(), r"line 7: the invisible or control character U\+202E"),
        ("SKILL.md", f"{PAGE}\U000e0041\U000e0042".encode(), r"U\+E0041"),
    ],
    ids=["nul", "deep", "long", "latin", "huge", "utf-16", "turned", "tags"],
)
def test_a_strangers_file_that_would_hurt_its_reader_is_refused_in_one_line(tmp_path, name, data, wrong):
    (write(tmp_path) / name).write_bytes(data)
    with pytest.raises(WorldError, match=wrong) as refused:
        read_skills(tmp_path)
    assert f"sums/{name}" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["SKILL.md", "functions.py"])
def test_a_skill_is_neither_a_link_nor_a_pipe(tmp_path, name):
    skill = write(tmp_path)
    (skill / name).replace(tmp_path / "elsewhere")
    (skill / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WorldError, match=f"{name}: is a link"):
        read_skill(skill)
    (skill / name).unlink()
    os.mkfifo(skill / name)
    with pytest.raises(WorldError, match=f"{name} cannot be read: it is no file"):
        read_skill(skill)


def test_a_page_may_be_written_in_any_script(tmp_path):
    text = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937 \u05d0\u200f"
    assert read_skill(write(tmp_path, PAGE + text)).body.endswith(text)


def test_a_folder_without_skills_has_none_and_one_that_is_not_there_is_an_error(tmp_path):
    assert read_skills(tmp_path) == []
    with pytest.raises(WorldError, match="no such folder"):
        read_skills(tmp_path / "nowhere")


def test_python_that_is_none_and_two_of_one_name_are_refused(tmp_path):
    write(tmp_path, code="def (:\n")
    with pytest.raises(WorldError, match=r"functions.py: line 1"):
        read_skills(tmp_path)
    (tmp_path / "sums" / "functions.py").unlink()
    write(tmp_path, code="", name="more_sums")
    with pytest.raises(WorldError, match="another skill here is called 'sums'"):
        read_skills(tmp_path)


def test_the_skills_that_come_with_the_agents_can_be_installed():
    skills = read_skills(Path(agents.__file__).parent / "skills")
    install(World(), skills)
    assert [skill.name for skill in skills] == ["storm_watch"]
