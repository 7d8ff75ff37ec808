"""Names for people, and keys under which people and places stand in the world."""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import count
from random import Random


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


KNOWN_TO_CELLS = frozenset(dir(builtins)) | frozenset(
    _words("me world clock rng team collections datetime itertools json math np nx pd random re statistics")
)
WOMEN = _words("""
    Aino Anna Eeva Eila Elina Ella Emma Enni Eva Hanna Heidi Helena Helmi Iida Inka Irja Kaisa Katri Kerttu Laura Leena
    Liisa Lotta Maija Mari Marjatta Minna Nea Niina Noora Oona Outi Päivi Pinja Raija Riikka Ritva Saara Salla Sanna
    Siiri Sofia Sonja Suvi Tiina Tuula Tuuli Venla Vilma Åsa""")
MEN = _words("""
    Aapo Aatos Antti Arto Arvo Eero Elias Erkki Esa Heikki Henrik Ilkka Jaakko Jari Joel Johan Jouni Juho Jukka Kaarlo
    Kalle Kari Lassi Lauri Leevi Markku Matias Matti Mika Mikael Niilo Oiva Olli Onni Oskari Otso Paavo Pekka Pertti
    Petri Rasmus Samuel Seppo Tapio Teemu Timo Toivo Tuomas Veikko Väinö""")
FAMILIES = _words("""
    Aalto Ahonen Anttila Blomqvist Eklund Eskola Forsström Hakala Halonen Hänninen Heikkinen Heinonen Hietala Hiltunen
    Holm Huttunen Jokinen Kallio Karjalainen Kinnunen Koivisto Korhonen Koskinen Laakso Lahtinen Laine Laitinen Lehtonen
    Leppänen Lind Lindqvist Manninen Mattila Mäkelä Mäkinen Miettinen Niemi Nieminen Nurmi Nyman Ojala Pitkänen Rantanen
    Räsänen Saarinen Salmi Salonen Savolainen Seppälä Sjöberg Suominen Tanner Toivonen Tuominen Turunen Vainio Virtanen
    Väisänen Wirén Ylönen""")


def key_of(title: str, taken: Collection[str] = ()) -> str:
    """Return a name that code can use: `"Café Engel"` becomes `"cafe_engel"`, a second one `"cafe_engel_2"`.

    Never one of `taken`. What code would read as something else gets `the_` before it: `"NP"`, `"15/30"`, `"Max"`.
    """
    plain = unicodedata.normalize("NFKD", title.lower().replace("ø", "o").replace("ß", "ss"))
    key = re.sub(r"[^a-z0-9]+", "_", plain.encode("ascii", "ignore").decode()).strip("_")[:40].rstrip("_")
    if not key.isidentifier() or keyword.iskeyword(key) or key in KNOWN_TO_CELLS:
        key = f"the_{key}" if key else "someone"
    return next(candidate for candidate in _numbered(key) if candidate not in taken)


def full_names(rng: Random) -> Iterator[str]:
    """Yield full names in an order drawn from `rng`, all different until some 6,000 are used up."""
    first_names, families = list(WOMEN + MEN), list(FAMILIES)
    rng.shuffle(first_names)
    rng.shuffle(families)
    for turn in count():
        for index, name in enumerate(first_names):
            yield f"{name} {families[(index + turn) % len(families)]}"


def _numbered(key: str) -> Iterator[str]:
    yield key
    yield from (f"{key}_{number}" for number in count(2))
