"""Texts that name a zone: by a place or by letters, and never the one that the machine's owner chose."""

import pytest

from tests.policy import square
from tests.policy.judge import run


def test_a_text_may_name_a_zone_and_no_file_is_looked_for_by_the_cell():
    outcome = run('print(pd.to_datetime(["2024 CET", "2024 Asia/Tokyo"], format="%Y %Z", utc=True).hour.tolist())')
    assert outcome.turns[0].output == "[23, 15]\n"
    assert not outcome.reached


@pytest.mark.parametrize("given", ['"2024 localtime"', '["2024 LocalTime"]', 'pd.Series(["2024 posixrules"])'])
def test_the_zone_of_the_machine_is_named_by_no_text(given):
    turn = square.build().execute(f'pd.to_datetime({given}, format="%Y %Z", errors="coerce")', agent="ann")
    assert turn.status == "blocked"
    assert "take 'UTC'" in turn.error
