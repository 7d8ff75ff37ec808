"""What the documentation points at is there."""

import re

import pytest

from tests.docs.pages import PAGES, ROOT, code_words, headings, links, prose, title

A_PATH = re.compile(r"(?:cave_sim|worlds|agents|dashboards|simulations|tests|docs)/[\w./]*")


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_the_links_of_a_page_lead_somewhere(page):
    for target in links(page):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{title(page)} links to {target}"
        assert not anchor or anchor in headings(linked), f"{title(page)} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_the_files_that_a_page_names_are_there(page):
    named = [word for word in code_words(prose(page)) if A_PATH.fullmatch(word)]
    assert not [word for word in named if not (ROOT / word).exists()]


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        waiting += [(page.parent / target.partition("#")[0]).resolve() for target in links(page) if "://" not in target]
    assert not set(PAGES) - reached
