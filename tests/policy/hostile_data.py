"""Hostile cells that go through what models use for data work: texts of tables, databases, networks, and giants."""

from pathlib import Path

PAGES = {
    title: text
    for title, _, text in (
        page.partition("\n") for page in Path(__file__).with_suffix(".txt").read_text("utf-8").split("=== ")[1:]
    )
}
