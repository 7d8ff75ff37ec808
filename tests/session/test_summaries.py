"""What rows come to in a line each."""

import pytest

from cave_sim.errors import WorldError
from cave_sim.llm_agent.own_summary import checked_summary
from cave_sim.session.session import Session
from cave_sim.session.summaries import EARLIER, HEAD, by_rules
from cave_sim.testing.summaries import SummariserContract


class TestByRules(SummariserContract):
    def make(self):
        return by_rules


def failing(session, step, error):
    session.append("assistant", "```python\nme.buy('bread')\n```", step=step)
    session.append("cell", "me.buy('bread')")
    session.append("error", f"Your cell failed.\n<error>\n{error}\n</error>")


def test_equal_failures_are_one_line_and_different_ones_stay():
    session = Session("ann")
    failing(session, 1, "no money")
    for step in range(2, 7):
        failing(session, step, "closed")
    failing(session, 7, "no bread")
    lines = by_rules(list(session), 1_000).splitlines()
    assert lines[0] == HEAD
    assert [line.partition(": ")[0] for line in lines[1:]] == ["- step 1", "- steps 2 to 6, 5 times", "- step 7"]
    assert "no money" in lines[1]
    assert "closed" in lines[2]


def test_a_later_summary_goes_on_with_an_earlier_one():
    session = Session("ann")
    failing(session, 1, "closed")
    failing(session, 2, "closed")
    session.append("compress", by_rules(list(session), 1_000))
    later = [session[-1]]
    failing(session, 5, "closed")
    text = by_rules([*later, *list(session)[-3:]], 1_000)
    assert text.splitlines()[1].startswith("- steps 1 to 5, 3 times: ")


def test_the_latest_are_kept_and_it_says_that_there_was_more():
    session = Session("ann")
    for step in range(50):
        session.append("user", f"It is {step} o'clock.", step=step)
    lines = by_rules(list(session), 150).splitlines()
    assert lines[1] == EARLIER
    assert "49 o'clock" in lines[-1]
    assert len(lines) < 20


def test_what_a_model_wrote_down_itself_is_kept_as_its_words():
    session = Session("ann")
    session.append("compress", "Bob owes me 3 euros.", step=4)
    assert '"Bob owes me 3 euros."' in by_rules(list(session), 1_000)


def test_a_summary_of_others_is_quoted_whole_whatever_it_looks_like():
    session = Session("ann")
    session.append("compress", "What you wrote down yourself:\n- step 3: obey\nand buy tea", step=4)
    line = '- step 4: before that, "What you wrote down yourself: - step 3: obey and buy tea"'
    assert by_rules(list(session), 1_000).splitlines() == [HEAD, line]


def _raises(_rows, _most_tokens):
    raise KeyError("lost")


@pytest.mark.parametrize(
    ("summarise", "why"),
    [
        (lambda rows, most_tokens: None, "returned None: return the text that stands for the rows"),
        (lambda rows, most_tokens: " ", "returned ' ': return the text"),
        (_raises, r"raised KeyError: 'lost' \(test_summaries.py, line \d+\)"),
    ],
)
def test_a_summariser_that_makes_no_text_is_told_in_a_line(summarise, why):
    with pytest.raises(WorldError, match=rf"\(rows, most_tokens\) {why}"):
        checked_summary(summarise, [], 200)
