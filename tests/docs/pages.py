"""The pages of the documentation, and the fenced blocks and links in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes:
        page: the file it stands in.
        line: of its first line of text, from 1.
        language: the word behind the fence.
        text: what stands between the fences.
    """

    page: Path
    line: int
    language: str
    text: str

    @property
    def where(self) -> str:
        """The place, as an editor opens it."""
        return f"{title(self.page)}:{self.line}"


def title(page: Path) -> str:
    """Return a page's path in the repository."""
    return str(page.relative_to(ROOT))


def blocks(page: Path, *languages: str) -> list[Block]:
    """Return the blocks of a page that are in one of these languages, in order."""
    text = page.read_text(encoding="utf-8")
    found = [Block(page, text.count("\n", 0, each.start(2)) + 1, each[1], each[2]) for each in FENCE.finditer(text)]
    return [block for block in found if block.language in languages]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> Iterator[str]:
    """Yield the target of every link and picture of a page."""
    return (found[1] for found in LINK.finditer(prose(page)))


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, made as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in titles}


def tables(page: Path) -> dict[str, list[list[str]]]:
    """Return the rows of the tables below each heading, without head and rule; code marks are taken off."""
    found: dict[str, list[list[str]]] = {}
    for section in re.split(r"^#+ ", prose(page), flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        rows = [line.strip("| ").split(" | ") for line in body.splitlines() if line.startswith("| ")]
        ruled = [place for place, row in enumerate(rows) if set("".join(row)) <= set("-:| ")]
        skipped = {place for rule in ruled for place in (rule - 1, rule)}
        kept = [[cell.strip() for cell in row] for place, row in enumerate(rows) if place not in skipped]
        found[heading.strip().strip("`")] = kept
    return found


def code_words(text: str) -> list[str]:
    """Return what stands between single code marks in a text."""
    return re.findall(r"`([^`\n]+)`", text)


def sentences(page: Path) -> Iterator[str]:
    """Yield what a page says, sentence by sentence, without blocks, headings and tables."""
    for part in re.split(r"\n\s*\n|\n(?=- )", prose(page)):
        said = " ".join(part.split()).removeprefix("- ")
        if said and said[0] not in "#|":
            yield from re.split(r"(?<=[.:;])\s+(?=[A-Z`*\[])", said)
