"""After a long talk: what is answered by the log and by the whole history, and which failed calls are made again."""

import pytest

from cave_sim.models import ScriptedModel
from cave_sim.simulations.handset.evaluation import scores
from cave_sim.simulations.handset.remembering import WAYS, live, long_talk, main, table
from cave_sim.simulations.handset.roles import reply

FULL, STATE = WAYS
LONGEST = 100_000


@pytest.fixture(scope="module")
def outcomes():
    """Three talks, each prompted with the full history and with the context state, ended by the same script."""
    return [live(long_talk(seed), way) for seed in range(3) for way in WAYS]


def of(outcomes, way, name):
    return sum(getattr(each, name) for each in outcomes if each.variant == way)


@pytest.mark.long(cases=0)
def test_a_call_that_failed_is_made_again_more_often_by_the_full_history_than_by_the_state(outcomes):
    assert of(outcomes, STATE, "refused") == of(outcomes, FULL, "refused") == 9
    assert of(outcomes, STATE, "repeated") == 0
    assert of(outcomes, FULL, "repeated") > 6


def test_every_question_about_the_first_turns_is_answered_from_the_state(outcomes):
    assert of(outcomes, STATE, "answered") == of(outcomes, STATE, "questions") > 10
    assert of(outcomes, FULL, "answered") < of(outcomes, FULL, "questions") / 2


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_a_script_that_reads_all_of_its_prompt_knows_all_by_either(way):
    whole = live(long_talk(0), way, attends=LONGEST)
    assert (whole.answered, whole.repeated) == (whole.questions, 0)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_one_that_reads_nothing_of_it_knows_nothing_by_either(way):
    blind = live(long_talk(0), way, attends=1)
    assert (blind.answered, blind.repeated) == (0, blind.refused)


def test_a_model_that_repeats_itself_or_makes_numbers_up_is_counted_so():
    def stubborn(request):
        return "It got T7390, A7391, M7392." if request.messages[-1].text.endswith('"?') else reply(request)

    talk = long_talk(1)
    found = live(talk, STATE, ScriptedModel(stubborn))
    assert (found.answered, found.repeated) == (0, found.refused)


def test_a_talk_of_a_seed_is_the_same_each_time_and_its_calls_are_those_of_the_truth():
    talk = long_talk(2)
    assert talk == long_talk(2) != long_talk(3)
    refused = [ask for ask in talk.scenario.asks[: talk.led] if ask.fails]
    assert len(refused) == len(talk.again) == 3
    assert len(talk.scenario.asks) == talk.led + len(talk.answers) + len(talk.again)
    assert scores(talk.scenario, [("fly", "{}")])[1] == 0.0


def test_the_command_prints_a_row_for_each_way_with_its_intervals(capsys):
    main(["--talks", "1", "--length", "6"])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert [row.split(" | ")[0] for row in rows[2:]] == [f"| {way}" for way in WAYS]
    assert all("%" in row for row in rows[2:])
    assert rows == list(table(live(long_talk(0, 6), way) for way in WAYS))


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (["--gguf", "nowhere.gguf"], 1, "nowhere.gguf: there is no such file"),
        (["--talks", "0"], 2, "'0' is no whole number from 1 on"),
        (["--attends", "-5"], 2, "'-5' is no whole number from 1 on"),
    ],
)
def test_what_cannot_be_led_is_told_in_words(line, code, words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == code
    assert words in capsys.readouterr().err
