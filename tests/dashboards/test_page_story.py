"""The story on the page: what stands out, told without a click, and where the shown moment is in it."""

RUN = "/run/town-7"


def test_what_stands_out_is_told_below_the_map_and_marks_the_shown_moment(page):
    page.open(f"{RUN}?step=30")
    page.until("document.querySelector('#story [aria-current]')")
    told = page.js("return cave.story.items.map(({line, element: e}) => [line.step, e.className, e.ariaCurrent])")
    assert [ahead == "ahead" for _, ahead, _ in told] == [step > 30 for step, _, _ in told]
    assert [step for step, _, current in told if current] == [max(step for step, _, _ in told if step <= 30)]
    page.js("document.querySelector('#story li:last-child button').click()")
    page.shows(told[-1][0])
    page.until("document.querySelector('#story li:last-child').ariaCurrent === 'step'")
