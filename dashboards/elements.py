"""HTML made of calls: `element("p", "5 < 6", class_="note")`. Texts are escaped here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

VOID = {"input"}  # elements without an end tag


class Html(str):
    """Text that is markup already, and is not escaped again."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | int | None) -> Html:
    """Return an element; `class_` is the attribute class, `data_kind` data-kind; an attribute of None is left out."""
    named = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value is not None)
    written = "".join(f' {name}="{escape(str(value))}"' for name, value in named)
    return Html(f"<{tag}{written}>" if tag in VOID else f"<{tag}{written}>{joined(*children)}</{tag}>")


def joined(*children: str) -> Html:
    """Return the children one after the other, plain texts escaped."""
    return Html("".join(child if isinstance(child, Html) else escape(child) for child in children))


def dot(colour: str) -> Html:
    """Return a small square of a colour."""
    return element("i", class_="dot", style=f"--c:{colour}")


def legend(colours: Mapping[str, str]) -> Html:
    """Return a line of colours and their words."""
    return element("p", *(element("span", dot(colour), word) for word, colour in colours.items()), class_="legend")


def table(title: str, note: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """Return a card with a table, or nothing for no rows; heads that end in "#" head columns of numbers."""
    if not rows:
        return Html()
    aligned = ["number" if head.endswith("#") else None for head in heads]

    def line(tag: str, cells: Sequence[str]) -> Html:
        return element("tr", *(element(tag, cell, class_=side) for cell, side in zip(cells, aligned, strict=True)))

    top = line("th", [head.rstrip("#") for head in heads])
    body = element("table", element("thead", top), element("tbody", *(line("td", row) for row in rows)))
    return element("section", element("h2", title), element("p", note, class_="note"), body, class_="card table")
