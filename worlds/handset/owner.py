"""Whose handset it is: what is on it as a conversation begins, drawn from a seed."""

from __future__ import annotations

from cave_sim import World
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.worlds.handset.handset import Handset

CONTACTS = ("Dana", "Alex", "Mika", "Noor", "Ravi", "Lena", "Omar", "Yuki", "Ines", "Tove")
SONGS = ("Bohemian Rhapsody", "Blue Train", "Clair de Lune", "Water Music", "So What", "Finlandia")
PHOTOS = ("beach", "birthday", "receipt", "garden", "whiteboard")
WORDS = ("configuration", "invoice", "recipe", "contract", "itinerary")


def build_handset(seed: int) -> World:
    """Return a world with one handset, ``phone``, with somebody's contacts, songs, photos and files on it."""
    world, rng = World(seed=seed), RandomStream(seed, "handset")
    world.add(
        "phone",
        Handset(
            battery=20 + int(70 * rng.random()),
            playing=SONGS[int(len(SONGS) * rng.random())],
            contacts={name: f"+358 40 {int(1e6 + 8e6 * rng.random())}" for name in CONTACTS},
            photos={f"IMG_{1000 + place}.jpg": word for place, word in enumerate(PHOTOS)},
            files={f"{word}_{place}.txt": f"about the {word}" for place, word in enumerate(WORDS)},
            songs=list(SONGS),
        ),
    )
    return world
