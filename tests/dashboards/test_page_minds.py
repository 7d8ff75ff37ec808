"""Minds, lives and news at the page: in a real browser, over one run of residents who think and one that waits."""

import json
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from cave_sim import Entity, Simulation, World, effect, field, open_run
from cave_sim.dashboards import write_report
from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.news import plain_text, words_of
from cave_sim.dashboards.report import kept_calls, kept_talk
from cave_sim.history.diffusion import contacts
from cave_sim.journal.effect_answers import waiting
from cave_sim.replay.recipe import Recipe
from tests.dashboards.asking import ask
from tests.dashboards.browser import Page, shots_folder
from tests.dashboards.conftest import leave, play

MIND = "/run/mind?step=18"


class Keeper(Entity):
    """Somebody who keeps a shop."""

    orders: list[str] = field([])


@effect(approval=True)
def order(what: str, cents: int) -> str:
    """Order something."""
    raise AssertionError(f"nobody resumes this run, and {what} was ordered for {cents}")


@pytest.fixture(scope="module")
def minds(tmp_path_factory):
    """Return a dashboard over a morning of two residents and a mayor with minds, and a shop in which orders wait."""
    folder = tmp_path_factory.mktemp("minds")
    play(Recipe("town_day", {"seed": 7, "residents": 2, "minds": "scripted"}).make(folder / "mind"), 18)
    world = World(seed=1)
    world.add("ann", Keeper())
    world.inject("order", order)
    with Simulation(world, out=folder / "shop") as shop:
        world.execute("for what in ('tea', 'jam', 'oil'): me.orders.append(order(what, 5))", agent="ann")
        shop.run(1)
    with Dashboard([folder], port=0) as served:
        yield served


@pytest.fixture
def page(driver, minds):
    shown = Page(driver, minds, shots_folder())
    yield shown
    assert shown.trouble() == []
    leave(driver)


def told(dashboard, path, wish=None):
    status, text, _ = ask(dashboard, f"/api/run/{path}", wish)
    return status, json.loads(text)


def test_a_mind_is_told_by_its_prompt_its_reply_and_what_came_to_mind(minds):
    _, mind = told(minds, "mind/mind?step=18")
    call = mind["call"]
    assert abs(sum(part["tokens"] for part in call["parts"]) - call["usage"]["prompt_tokens"]) <= len(call["parts"])
    asked = [told(minds, f"mind/mind?step=18&agent={mind['agent']}&call={each['call']}")[1] for each in mind["calls"]]
    came = [(turn["code"], each["call"]["reply"]) for each in asked for turn in each["call"]["turns"]]
    assert came
    assert all(code.split("(")[0] in reply for code, reply in came)
    recalled = [each["call"]["recalled"] for each in asked if (each["call"]["recalled"] or {}).get("memories")]
    assert recalled
    for each in recalled:
        scores = [memory["why"]["score"] for memory in each["memories"]]
        assert each["query"]
        assert scores == sorted(scores, reverse=True)  # weighed again, they come to mind in the same order
        assert all(memory["text"] for memory in each["memories"])
    status, refused = told(minds, "mind/mind?step=18&agent=mayor&call=9999")
    assert (status, refused["error"]) == (404, "mayor made no call 9999 in mind")


def test_what_a_step_shows_of_a_mind_was_asked_by_then(minds):
    _, mind = told(minds, "mind/mind?step=6&agent=mayor")
    assert {call["step"] for call in mind["calls"]} <= set(range(6))
    assert told(minds, "mind/mind?step=0&agent=mayor")[1]["call"] is None


@pytest.mark.long
def test_a_page_looks_into_a_mind_and_asks_it_at_a_past_moment(page, minds):
    page.open(f"{MIND}&tab=minds&pick=mayor")
    page.until("document.querySelectorAll('#mind-parts li').length > 3")
    page.until_text("#mind-body", "Came to mind")
    page.click("#mind-wide")
    page.until("getComputedStyle(document.querySelector('.exchange')).gridTemplateColumns.split(' ').length === 2")
    before = minds.endpoints.index.reader("mind").folder.joinpath("run.sqlite").read_bytes()
    page.write("#interview-question", "What are your plans for tonight?")
    page.click("#interview-ask")
    page.until("document.querySelector('#interview-log blockquote')?.textContent.length > 10")
    page.shot("minds")
    assert minds.endpoints.index.reader("mind").folder.joinpath("run.sqlite").read_bytes() == before
    page.tab("life")
    page.until("document.querySelectorAll('#life-day li.mine').length > 2")
    page.until("document.querySelectorAll('#life-ribbon button').length > 2")
    page.until_text("#panel-life summary", "Memories")
    page.shot("life")
    page.click("#life-ribbon button")
    page.until("document.querySelector('.stage').dataset.step !== '18'")
    page.until("!location.search.includes('step=18')")  # which follows a little later
    page.js("history.back()")
    page.shows(18)
    for tab, there in (("minds", "#mind-parts li"), ("life", "#life-ribbon button"), ("news", "#news-note")):
        page.tab(tab)
        page.until(f"document.querySelector('{there}')?.offsetParent")
        assert page.barriers() == [], tab


def test_a_question_that_cannot_be_put_is_refused_in_words(minds):
    for wish, why in (
        ({"agent": "mayor", "question": " ", "step": 3}, "give one of at most"),
        ({"agent": "--at", "question": "?", "step": 3}, "name one who is to be asked"),
        ({"agent": "mayor", "question": "?", "step": "3"}, "after a step of the run"),
    ):
        status, refused = told(minds, "mind/interview", wish)
        assert status == 400
        assert why in refused["error"]
    assert ask(minds, "/api/run/mind/interview", {"agent": "mayor"}, token="wrong")[0] == 403


@pytest.mark.long
def test_requests_that_wait_are_decided_at_the_page(page, minds):
    page.open("/run/shop?tab=minds")
    page.until("document.querySelectorAll('#approvals .request').length === 3")
    page.write("[data-ticket=ann-2] input", "too ")
    page.js("document.querySelector('[data-ticket=ann-1] [data-decision=approve]').click()")  # which takes no focus
    page.until("document.querySelectorAll('#approvals .request').length === 2")
    page.until_text("#approvals-said", "cave-sim resume")
    page.js("return document.activeElement").send_keys("dear")  # nobody who writes is disturbed
    page.find("[data-ticket=ann-2] [data-decision=reject]").send_keys(Keys.ENTER)
    page.until("document.querySelectorAll('#approvals .request').length === 1")
    assert page.js("return document.activeElement.dataset.ticket") == "ann-3", "who goes by keys goes on at the next"
    page.until_text("#approvals-said", "rejected")
    page.click("[data-ticket=ann-3] summary")
    page.write("[data-ticket=ann-3] textarea", '{"what": "oil"}')
    page.click("[data-ticket=ann-3] [data-decision=edit]")
    page.until_text("#approvals-said", "ann-3 waits on: edit: order(): missing a required argument: 'cents'")
    assert all("404" in complaint for complaint in page.trouble())
    page.write("[data-ticket=ann-3] textarea", '{"what": "oil", "cents": 4}')
    page.click("[data-ticket=ann-3] [data-decision=edit]")
    page.until("!document.querySelector('#approvals .request')")
    with open_run(minds.endpoints.index.reader("shop").folder) as run:
        assert waiting(run) == []
        decided = {row["ticket"]: (row["status"], row["error"], row["result"]) for row in run.effects()}
    assert decided == {
        "ann-1": ("approved", None, None),
        "ann-2": ("rejected", "too dear", None),
        "ann-3": ("approved", None, {"what": "oil", "cents": 4}),
    }
    status, refused = told(minds, "shop/answer", {"ticket": "ann-1", "decision": "approve"})
    assert (status, refused["error"]) == (404, "no request 'ann-1' waits for people: it is approved; waiting: none")


def test_a_request_with_hostile_words_is_decided_once_where_two_look_at_it(driver, tmp_path):
    hostile = "</code><img src=x onerror=alert(1)><script>alert(2)</script>"
    world = World(seed=1)
    world.add("ann", Keeper())
    world.inject("order", order)
    with Simulation(world, out=tmp_path / "shop") as shop:
        world.execute(f"for what in ({hostile!r}, 'jam'): me.orders.append(order(what, 5))", agent="ann")
        shop.run(1)
    with Dashboard([tmp_path], port=0) as served:
        one = Page(driver, served, shots_folder())
        one.open("/run/shop?tab=minds")
        one.until("document.querySelectorAll('#approvals .request').length === 2")
        assert hostile in one.text("[data-ticket=ann-1] code")
        assert one.js("return document.querySelectorAll('#approvals :is(img, script)').length") == 0
        one.shot("approval-hostile")
        one.js("cave.panels.minds.refresh = () => {}")  # it has not heard of what is done elsewhere
        mine = driver.current_window_handle
        driver.switch_to.new_window("tab")
        other = Page(driver, served)
        other.open("/run/shop?tab=minds")
        other.click("[data-ticket=ann-1] [data-decision=reject]")
        other.until("document.querySelectorAll('#approvals .request').length === 1")
        driver.close()
        driver.switch_to.window(mine)
        one.js("document.querySelector('[data-ticket=ann-1] [data-decision=approve]').click()")
        one.until_text("#approvals-said", "no request 'ann-1' waits for people: it is rejected; waiting: ann-2")
        one.until("document.querySelectorAll('#approvals .request').length === 1")
        assert all("404" in complaint for complaint in one.trouble())
        leave(driver)


@pytest.mark.long(cases=0)
def test_news_is_a_tree_of_who_has_it_from_whom(driver, dashboard):
    page = Page(driver, dashboard, shots_folder())
    with open_run(dashboard.endpoints.index.reader("town-7").folder) as run:
        first = next(contact for contact in contacts(run) if "morning" in contact.text)
    page.open("/run/town-7?step=60&tab=news&news=good+morning")
    page.until(f"document.querySelector('.news-tree .teller[data-name={first.source}]')")
    parent = "document.querySelector('.news-tree .teller[data-name={}]').closest('ul').parentElement"
    assert page.js(f"return {parent.format(first.target)}.querySelector('.teller').dataset.name") == first.source
    page.until_text("#news-note", "have said or heard it")
    page.shot("news")
    page.write("#news-text", "no such words")
    page.until_text("#panel-news .empty", "Nobody has said or heard that")
    page.js("cave.panels.news.text.value = ''; cave.panels.news.text.dispatchEvent(new Event('input'))")
    page.enter("#news-source", first.source)
    page.until_text("#news-note", "Word can have reached")
    page.until(f"document.querySelector('.news-tree .teller[data-name={first.target}]')")
    assert page.trouble() == []
    leave(driver)


@pytest.mark.long(cases=0)
def test_a_tree_of_news_holds_nobody_before_whom_they_have_it_from(dashboard):
    _, body, _ = ask(dashboard, "/api/run/town-7/news?text=good+morning&step=60")
    tree = json.loads(body)["tree"]
    steps = {row["name"]: row["step"] for row in tree}
    assert len(tree) > 1
    for row in tree:
        assert row["parent"] is None or steps[row["parent"]] <= row["step"]
    _, body, _ = ask(dashboard, "/api/run/town-7/news?text=good+morning&step=2")
    assert {row["name"] for row in json.loads(body)["tree"]} <= {name for name, step in steps.items() if step <= 2}


SAID = (("good morning", ""), ("morning, work", ""), ("no such words", ""), ("", ""), ("read", ""), ("", "{first}"))


@pytest.mark.long
def test_a_saved_page_finds_news_as_the_server_does(driver, dashboard, tmp_path):
    folder = dashboard.endpoints.index.reader("town-7").folder
    page = Page(driver, None, shots_folder())
    with open_run(folder) as run:
        path = write_report(run, tmp_path / "saved.html")
        first = next(contact for contact in contacts(run) if "morning" in contact.text).source
        driver.get(f"{path.as_uri()}#step=60&tab=news&news=good+morning")
        page.until(f"document.querySelector('.news-tree .teller[data-name={first}]')")
        for text, source in SAID:
            for step in (20, 60):
                wanted = {"text": text, "source": source.format(first=first), "step": step}
                saved = page.js("return modules['api.js'].get('/api/run/town-7/news', arguments[0])", wanted)
                _, live = told(dashboard, f"town-7/news?{urlencode(wanted)}")
                assert {key: saved[key] for key in live} == live, wanted
    page.shot("saved-news")
    assert page.trouble() == []
    leave(driver)


@pytest.mark.long
def test_a_saved_page_looks_into_minds_without_a_server(driver, minds, tmp_path):
    page = Page(driver, None, shots_folder())
    with open_run(minds.endpoints.index.reader("mind").folder) as run:
        path = write_report(run, tmp_path / "saved.html")
    driver.get(f"{path.as_uri()}#step=18&tab=minds&pick=mayor")
    page.until("document.querySelectorAll('#mind-parts li').length > 3")
    _, live = told(minds, "mind/mind?step=18&agent=mayor")
    prompts = [message["text"] for message in live["call"]["messages"]]
    shown = page.js("return [...document.querySelectorAll('[aria-label=Prompt] pre')].map((each) => each.textContent)")
    assert shown == prompts
    assert page.js("return document.querySelector('[aria-label=Reply] pre').textContent") == live["call"]["reply"]
    asked = page.js("return [...document.querySelectorAll('#mind-call option')].map((each) => Number(each.value))")
    assert asked == [each["call"] for each in live["calls"]]
    page.until_text("#interview", "cave-sim dash")
    assert page.all("#interview textarea") == []
    page.shot("saved-minds")
    assert page.trouble() == []
    leave(driver)


@pytest.mark.long
def test_of_very_many_calls_a_report_keeps_an_even_share_and_says_how_many_it_lacks(
    driver, minds, tmp_path, monkeypatch
):
    monkeypatch.setattr(kept_calls, "MOST_CALLS", 4)
    with open_run(minds.endpoints.index.reader("mind").folder) as run:
        reader = JournalReader.over(run)
        kept = kept_calls.kept_calls(reader)["minds"]
        (asked,) = run.query("SELECT count(*) FROM calls")[0]
        path = write_report(run, tmp_path / "saved.html")
    assert sum(kept["asked"].values()) == asked
    steps = [call["step"] for call in kept["calls"]]
    assert len(steps) == 4 < asked
    assert steps[-1] - steps[0] > 3  # from all over the run
    page = Page(driver, None)
    driver.get(f"{path.as_uri()}#step=18&tab=minds&pick=mayor")
    lacking = kept["asked"]["mayor"] - sum(call["agent"] == "mayor" for call in kept["calls"])
    page.until_text("#mind-left-out", f"{lacking} more calls of")
    page.until_text("#saved-note", f"4 of its {asked} calls to models")
    assert page.trouble() == []
    leave(driver)


@pytest.mark.long
def test_of_very_much_talk_a_report_keeps_the_beginning_and_says_where_it_ends(
    driver, dashboard, tmp_path, monkeypatch
):
    monkeypatch.setattr(kept_talk, "MOST_LETTERS", 150)
    with open_run(dashboard.endpoints.index.reader("town-7").folder) as run:
        talk = kept_talk.kept_talk(JournalReader.over(run))["talk"]
        passed = [[contact.turn, contact.source, contact.target] for contact in contacts(run)]
        path = write_report(run, tmp_path / "saved.html")
    kept = [[turn, source, target] for turn, _, _, source, target, _ in talk["contacts"]]
    assert kept == passed[: len(kept)]
    assert 0 < len(kept) < len(passed)
    assert sum(map(len, talk["texts"])) <= 150
    page = Page(driver, None)
    driver.get(f"{path.as_uri()}#step={talk['until']}&tab=news&news=morning")
    page.until_text("#news-left-out", "This file holds what was said before")
    page.press(Keys.ARROW_LEFT)
    page.until("!document.querySelector('#news-left-out')")  # of the step before, all is here
    assert page.trouble() == []
    leave(driver)


HOSTILE = (
    '{"items": 5}', '{"items": ["08:00 Ann (ann): hi <img src=x onerror=alert(1)>"]}', '["a", ["b"], null, {"c": 1}]',
    "[" * 3000, '{"at": 1}', "7", "null", "\u202e08:00 overheard Bo: backwards", "",
)  # fmt: skip


def test_whatever_stands_in_somebody_s_ears_is_words():
    said = [words_of(text) for text in HOSTILE]
    assert said[:3] == ["5", "hi <img src=x onerror=alert(1)>", "a ['b'] None {'c': 1}"]
    assert said[3:] == [HOSTILE[3], "", "7", "null", HOSTILE[7], ""]
    assert [plain_text(value) for value in (None, 0, 5, True, ["x"], {"items": ["y"]}, {"what": "z"})] == [
        "",
        "",
        "5",
        "True",
        "x",
        "y",
        "z",
    ]


def test_the_sessions_of_minds_are_drawn_as_they_were_at_the_shown_step(page, minds):
    early, late = (told(minds, f"mind/sessions?step={step}")[1]["sessions"] for step in (6, 18))
    assert [each["agent"] for each in early] == [each["agent"] for each in late]
    assert sum(each["rows"] for each in early) < sum(each["rows"] for each in late)
    assert all(each["last_step"] is None or each["last_step"] <= 6 for each in early)
    page.open(f"{MIND}&tab=minds&pick=mayor")
    page.click("#sessions summary")
    page.until(f"document.querySelectorAll('#sessions rect').length === {len(late)}")
    rows = {each["agent"]: f"{each['rows']} rows" for each in late}
    page.until_text("#sessions .session", rows["mayor"])
    assert page.barriers() == []
    page.shot("sessions")
