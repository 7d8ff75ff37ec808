"""What the pages claim, and what shows it: nothing of the kind is claimed without a packet, and none is out of date."""

import ast
import re
from functools import cache

from cave_sim import Limits
from cave_sim.evidence.build import source_of
from cave_sim.evidence.claims_page import page
from cave_sim.evidence.packet import packets_in
from cave_sim.files import given_files
from cave_sim.hosts.process.cell_process import MAX_AT_ONCE
from cave_sim.policy import syntax
from cave_sim.replay import bundle
from cave_sim.runtime.deadline import WAITING_FACTOR
from cave_sim.simulation.mirror import EVERY_STEPS
from tests.docs.pages import ROOT, sentences, tables

CLAIMS = ROOT / "docs" / "claims"
PACKETS = packets_in([CLAIMS])
SAID = [(path.stem, claim) for path, packet in PACKETS.items() for claim in packet.claims]
TESTS = sorted({claim.test for _, claim in SAID if claim.test})


def promised(page, heading, pattern):
    """Return what a pattern finds below a heading of a page, up to the next of its kind."""
    level = heading.split(" ")[0]
    below = (ROOT / page).read_text().split(f"\n{heading}\n", 1)[1]
    return set(re.findall(pattern, below.split(f"\n{level} ", 1)[0], re.MULTILINE))


def rows(page, heading):
    """Return the first column of the table below a heading."""
    return promised(page, heading, r"^\| ([^|]+?) \|") - {"promise", "---"}


def claims(name):
    """Return what a packet shows by tests."""
    return {claim.says for packet, claim in SAID if packet == name and claim.test}


PAGES_OF_SAFETY = ("docs/security.md", "docs/how_to/choose_a_host.md")


def unclaimed(page):
    """Return the sentences of a page of which no packet shows a part by a test."""
    shown = [" ".join(claim.says.split()) for _, claim in SAID if claim.page == page and claim.test]
    return [each for each in sentences(ROOT / page) if not any(says in each or each in says for says in shown)]


@cache
def names_in(path):
    """Return the names of the tests of a file."""
    return {node.name for node in ast.walk(ast.parse((ROOT / path).read_text())) if isinstance(node, ast.FunctionDef)}


def test_every_promise_about_safety_is_held_by_a_test():
    assert rows("docs/security.md", "## What the local host promises") == claims("local_host")
    process = rows("docs/security.md", "## What the process host promises") - {"level", "process"}
    assert {row for row in process if not row.startswith("`")} == claims("process_host")


def test_every_sentence_about_safety_is_held_by_a_test_or_is_listed_as_one_that_promises_nothing():
    listed = (ROOT / "tests" / "docs" / "no_promises.txt").read_text().splitlines()
    said = [each for page in PAGES_OF_SAFETY for each in unclaimed(page)]
    assert [each for each in said if each not in listed] == []
    assert [each for each in listed if each not in said] == [], "no longer said, or held by a test by now"


def test_every_promise_of_the_first_page_is_held_by_a_test():
    assert promised("README.md", "## Why", r"^- \*\*(.+?)\*\*") <= claims("first_page")


def test_every_command_of_the_first_page_does_what_is_said_beside_it_or_is_listed_as_not_shown():
    said = {claim.says for _, claim in SAID if claim.page == "README.md"}
    comments = promised("README.md", "## What you can do", r"^\$ cave-sim .+  # (.+)$")
    assert len(comments) > 12
    assert [each for each in comments if not any(claim in each for claim in said)] == []


def test_every_difference_between_hosts_is_held_by_a_test():
    page = "docs/how_to/choose_a_host.md"
    assert promised(page, "## What is different in a process", r"^- \*\*(.+?)\*\*") == claims("host_differences")


def test_the_tests_that_hold_claims_are_there():
    named = [(held_by, *held_by.split("::")) for held_by in TESTS]
    assert [held_by for held_by, path, name in named if name not in names_in(path)] == []


def test_claims_are_made_where_their_packets_say_in_these_words():
    pages = {claim.page: " ".join((ROOT / claim.page).read_text().split()) for _, claim in SAID}
    missing = [(packet, claim.says) for packet, claim in SAID if " ".join(claim.says.split()) not in pages[claim.page]]
    assert missing == []


def test_the_page_of_claims_was_made_of_these_packets_and_of_the_tests_that_they_name_as_these_are_now(tmp_path):
    def told(text):
        return {heading: [row[:3] for row in rows] for heading, rows in tables(text).items()}

    new = tmp_path / "claims.md"
    new.write_text(page(PACKETS, tmp_path))
    kept = told(ROOT / "docs" / "claims.md")
    assert kept == told(new)
    text = (ROOT / "docs" / "claims.md").read_text()
    assert dict(re.findall(r"^Packet `(\w+)`, built .*, from source (\w+)\.$", text, re.MULTILINE)) == {
        path.stem: source_of(path, packet) for path, packet in PACKETS.items() if packet.is_shown
    }, "a packet or a test that shows a claim has changed: cave-sim evidence docs/claims --table docs/claims.md"
    assert all(limit in text for packet in PACKETS.values() for limit in (packet.proves, packet.does_not_prove))
    verdicts = [row[3] for rows in tables(ROOT / "docs" / "claims.md").values() for row in rows]
    assert set(verdicts) <= {"holds", "**not shown**"}
    assert verdicts.count("**not shown**") == sum(
        not packet.is_shown for path, packet in PACKETS.items() for _ in packet.claims
    )


def test_the_numbers_of_the_pages_about_safety_are_those_of_the_code():
    limits, page = Limits(), " ".join((ROOT / "docs" / "security.md").read_text().split())
    said = [
        f"at most {syntax.MAX_CELL_CHARS:,} characters and {syntax.MAX_BRACKETS} open brackets",
        f"{limits.ticks:,} by default",
        f"{limits.deadline_s:g} seconds of processor time by default",
        f"or {limits.deadline_s * WAITING_FACTOR:g} of waiting",
        f"no more than {limits.memory_bytes // 2**20} MiB beyond what it has",
        f"at most {bundle.MOST_BYTES // 2**30} GiB and {bundle.MOST_RATIO} times its packed size",
        f"{given_files.MOST_BYTES // 2**20} MiB or less",
        f"TOML {given_files.MOST_TOML // 2**20} MiB with keys of {given_files.MOST_KEY_PARTS} parts at most",
        f"up to {('seven', 'eight', 'nine')[MAX_AT_ONCE - 7]} in one go",
    ]
    assert [each for each in said if each not in page] == []
    assert f"every {EVERY_STEPS} steps" in (ROOT / "docs" / "how_to" / "choose_a_host.md").read_text()
