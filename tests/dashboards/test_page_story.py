"""The page tells what is going on without a click: what stands out, and everybody with what they do."""

RUN = "/run/town-7"


def test_what_stands_out_is_told_below_the_map_and_marks_the_shown_moment(page):
    page.open(f"{RUN}?step=30")
    page.until("document.querySelector('#story [aria-current]')")
    told = page.js("return cave.story.items.map(({line, element: e}) => [line.seen, e.className, e.ariaCurrent])")
    assert [ahead == "ahead" for _, ahead, _ in told] == [step > 30 for step, _, _ in told]
    assert [step for step, _, current in told if current] == [max(step for step, _, _ in told if step <= 30)]
    page.js("document.querySelector('#story li:last-child button').click()")
    page.shows(told[-1][0])
    page.until("document.querySelector('#story li:last-child').ariaCurrent === 'step'")


def test_whoever_was_let_go_is_inspected_again(page):
    page.open(f"{RUN}?step=30&tab=inspect&pick=mayor")
    page.until_text("#panel-inspect .note", "Mayor mayor")
    page.press("\ue00c")
    page.until("document.querySelectorAll('.cast button').length === cave.overview.movers.length")
    page.until_text(".cast .note", "working")
    page.enter("#pick", "mayor")
    page.until_text("#panel-inspect .note", "Mayor mayor")
