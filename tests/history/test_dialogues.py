"""How long people talk, and who answers, is read from a journal: lines of two people, one soon after the other."""

from cave_sim.history.dialogues import dialogues, talk
from tests.history.test_diffusion import told


def test_utterances_of_two_people_that_follow_each_other_soon_are_one_dialogue(tmp_path):
    cells = {
        ("ann", 0): "me.tell(bob, 'Hi')\nme.tell(bob, 'How are you?')",
        ("bob", 1): "me.tell(ann, 'Fine')",
        ("cat", 1): "me.tell(ann, 'And me?')",
        ("ann", 3): "me.tell(bob, 'Good')\nme.heard.append('a thought of my own')",
    }
    with told(tmp_path, cells) as run:
        found = dialogues(run)
        assert [(dialogue.people, len(dialogue.utterances), dialogue.is_answered) for dialogue in found] == [
            (("ann", "bob"), 4, True),
            (("cat", "ann"), 1, False),
        ]
        assert found[0].utterances[1].text == "ann: How are you?"
        assert [len(dialogue.utterances) for dialogue in dialogues(run, gap_steps=1)] == [3, 1, 1]


def test_what_was_undone_was_not_said(tmp_path):
    with told(tmp_path, {("ann", 0): "me.tell(bob, 'Hi')\n1 / 0"}) as run:
        assert dialogues(run) == []


def test_a_run_has_so_many_dialogues_of_each_length_and_so_many_answered(tmp_path):
    cells = {("ann", 0): "me.tell(bob, 'Hi')", ("bob", 1): "me.tell(ann, 'Ho')", ("dan", 1): "me.tell(cat, 'Hey')"}
    with told(tmp_path, cells) as run:
        found = talk(run)
    assert (dict(found.lengths), found.answered) == ({2: 1, 1: 1}, 1)
    assert (found.mean_length, found.answered_share) == (1.5, 0.5)


def test_where_nobody_talks_there_is_nothing_to_measure(tmp_path):
    with told(tmp_path, {}) as run:
        found = talk(run)
    assert (found.lengths.total(), found.mean_length, found.answered_share) == (0, 0.0, 0.0)
