"""Which posts somebody is shown: rules by name, so that a study can swap them and a run says which one it had."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from cave_sim import WorldError

if TYPE_CHECKING:
    from cave_sim.worlds.feed.feed import Feed, Post

HALF_LIFE_S = 6 * 3600.0


class Ranking(Protocol):
    """Orders posts for a reader, the first to be shown first; what it leaves out is not shown."""

    def __call__(self, feed: "Feed", reader: str, posts: "Sequence[Post]") -> "Sequence[Post]":
        """Return the posts to show, out of the latest ones by others, which come with the newest first."""


def latest(_feed: "Feed", _reader: str, posts: "Sequence[Post]") -> "Sequence[Post]":
    """Everything, the newest first."""
    return posts


def following(feed: "Feed", reader: str, posts: "Sequence[Post]") -> "Sequence[Post]":
    """What those have posted whom one follows, the newest first."""
    return [post for post in posts if feed.follows.has_edge(reader, post.author)]


def popular(feed: "Feed", _reader: str, posts: "Sequence[Post]") -> "Sequence[Post]":
    """What is liked, the more so the newer: a like is worth half after six hours."""
    now_s = feed.world.clock.time_s

    def score(post: "Post") -> float:
        return float((1 + len(post.likes)) * 0.5 ** ((now_s - post.time_s) / HALF_LIFE_S))

    return sorted(posts, key=score, reverse=True)


def friends_first(feed: "Feed", reader: str, posts: "Sequence[Post]") -> "Sequence[Post]":
    """What those have posted whom one follows, then what is popular."""
    followed = following(feed, reader, posts)
    return [*followed, *(post for post in popular(feed, reader, posts) if post not in followed)]


RANKINGS: dict[str, Ranking] = {
    "latest": latest,
    "following": following,
    "popular": popular,
    "friends_first": friends_first,
}
"""By name; see :func:`install_ranking`."""


def install_ranking(name: str, rule: Callable[..., "Sequence[Post]"]) -> None:
    """Make a rule of one's own known under a name; a run that uses it needs it installed to be gone on with.

    Raises:
        WorldError: another rule has that name.
    """
    if RANKINGS.setdefault(name, rule) is not rule:
        raise WorldError(f"there is a ranking {name!r} already; there are {', '.join(RANKINGS)}")
