"""Numbers side by side in tables of what differs, and marks of time below charts, as the page's modules write them."""

from itertools import pairwise

import pytest

SIDE_BY_SIDE = [
    ([0.5, 0.75], None, ["0.5", "0.75", "+0.25"]),
    ([0.123456, 0.123457], None, ["0.123456", "0.123457", "+0.000001"]),
    ([0.00003, 0], None, ["0.00003", "0", "-0.00003"]),
    ([12345.67891, 12345.67892], "mm", ["12,345.67891 mm", "12,345.67892 mm", "+0.00001 mm"]),
    ([0.3, 0.1 + 0.2], None, ["0.3", "0.30000000000000004", "+5.551e-17"]),
    ([2e-300, 1e-300], None, ["2e-300", "1e-300", "-1e-300"]),
    ([1250, 1300], "EUR cent", ["12.50 EUR", "13.00 EUR", "+0.50 EUR"]),
    ([12.3, 12.4], "EUR cent", ["0.123 EUR", "0.124 EUR", "+0.001 EUR"]),
    ([2**53 + 1, 2**53 + 2], "m", ["9007199254740993 m", "9007199254740994 m", ""]),
    ([1, 0.123456, 0.123457], None, ["1", "0.123456", "0.123457", "-0.8765"]),
]


def told(page, modules, script, *given):
    """Return what a script makes of modules of the page."""
    page.open("/runs")
    imports = f"const done = arguments.at(-1); Promise.all({modules}.map((name) => import(`/web/${{name}}.js`)))"
    return page.driver.execute_async_script(
        f"arguments = [...arguments]; {imports}.then((found) => done(({script})(...found, ...arguments)))", *given
    )


@pytest.mark.long
@pytest.mark.parametrize(("numbers", "unit", "texts"), SIDE_BY_SIDE)
def test_numbers_that_differ_are_shown_so_that_they_do(page, numbers, unit, texts):
    row = {"entity": "ann", "title": "Ann", "type": "Resident", "field": "mood", "numbers": numbers}
    row["values"] = [str(each) for each in numbers]
    found = {"rows": [row], "total": 1, "fields": [["Resident", "mood", 1]], "missing": []}
    script = """({ differing }, { h }, found, runs, classes) =>
        [...h("div", {}, differing(found, runs, classes)).querySelectorAll("tbody td")].slice(2)
            .map((each) => each.textContent)"""
    classes = {"Resident": {"mood": {"unit": unit}}}
    assert told(page, ["differences", "dom"], script, found, ["one"] * len(numbers), classes) == texts


def marks(page, start, step_s, first, last, *, most=8, ends=False):
    script = "({ timeMarks }, { Clock }, start, step_s, ...how) => timeMarks(new Clock({ start, step_s }), ...how)"
    return told(page, ["time_marks", "clock"], script, start, step_s, first, last, most, ends)


@pytest.mark.long(cases=0)
def test_an_axis_of_seconds_and_one_of_centuries_are_marked(page):
    start = "2030-03-01T12:00:05"
    short = marks(page, start, 10, 1, 5)
    assert [text for _, text in short][:2] == ["12:00:15", "12:00:20"]
    assert 4 < len(short) < 10
    long = marks(page, start, 365 * 86400, 0, 500)
    assert [text for _, text in long] == ["2100", "2200", "2300", "2400", "2500"]
    assert [text for _, text in marks(page, start, 0.1, 0, 9, most=10)][1] == "12:00:05.200"
    assert marks(page, start, 7, 0, 60)[0][1] == "12:01"
    counted = marks(page, "2000-01-01T00:00:00", 60, 0, 40)
    assert [text for _, text in counted] == [str(step) for step in range(0, 41, 5)]


@pytest.mark.long(cases=0)
def test_an_axis_of_turns_is_marked_at_both_ends(page):
    found = marks(page, "2030-03-01T12:00:05", 600, 0, 39, ends=True)
    assert (found[0], found[-1]) == ([0, "12:00"], [39, "18:30"])
    assert len(found) < 10
    gaps = [later - step for (step, _), (later, _) in pairwise(found)]
    assert min(gaps) >= 39 / 8
    assert marks(page, "2030-03-01T12:00:05", 600, 7, 7, ends=True) == [[7, "13:10"]]
