"""What takes its time says how far it is, at a terminal and elsewhere."""

from cave_sim.cli.options.progress import StatusLine


def test_where_there_is_no_terminal_a_line_now_and_then_says_how_far_it_is(capsys):
    often, seldom = StatusLine(every_s=0), StatusLine(every_s=3600)
    for done in (1, 2):
        often(f"{done} of 2 lives")
        seldom(f"{done} of 2 points")
    assert capsys.readouterr().err == "1 of 2 lives\n2 of 2 lives\n"


def test_at_a_terminal_the_line_is_written_anew(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    status = StatusLine()
    status("1 of 2 lives")
    status("2 of 2 lives")
    assert capsys.readouterr().err.split("\r")[1:] == ["1 of 2 lives\x1b[K", "2 of 2 lives\x1b[K"]
