"""Which posts somebody is shown: rules by name, so that a study can swap them and a run says which one it had."""

from collections.abc import Callable, Sequence

from cave_sim import WorldError
from cave_sim.entity.graph_types import DiGraph
from cave_sim.worlds.feed.post import Post

HALF_LIFE_S = 6 * 3600.0

Ranking = Callable[[str, Sequence[Post], DiGraph, float], Sequence[Post]]
"""Orders posts for a reader, the first to be shown first; what it leaves out is not shown.

It is given the reader's name, the latest posts by others with the newest first, who follows whom, and world time in
seconds.
"""


def latest(_reader: str, posts: Sequence[Post], _follows: DiGraph, _now_s: float) -> Sequence[Post]:
    """Everything, the newest first."""
    return posts


def following(reader: str, posts: Sequence[Post], follows: DiGraph, _now_s: float) -> Sequence[Post]:
    """What those have posted whom one follows, the newest first."""
    return [post for post in posts if follows.has_edge(reader, post.author)]


def popular(_reader: str, posts: Sequence[Post], _follows: DiGraph, now_s: float) -> Sequence[Post]:
    """What is liked, the more so the newer: a like is worth half after six hours."""

    def score(post: Post) -> float:
        return float((1 + len(post.likes)) * 0.5 ** ((now_s - post.time_s) / HALF_LIFE_S))

    return sorted(posts, key=score, reverse=True)


def friends_first(reader: str, posts: Sequence[Post], follows: DiGraph, now_s: float) -> Sequence[Post]:
    """What those have posted whom one follows, then what is popular."""
    followed = following(reader, posts, follows, now_s)
    return [*followed, *(post for post in popular(reader, posts, follows, now_s) if post not in followed)]


RANKINGS: dict[str, Ranking] = {
    "latest": latest,
    "following": following,
    "popular": popular,
    "friends_first": friends_first,
}
"""By name; see :func:`install_ranking`."""


def install_ranking(name: str, rule: Ranking) -> None:
    """Make a rule of one's own known under a name; a run that uses it needs it installed to be gone on with.

    Raises:
        WorldError: another rule has that name.
    """
    if RANKINGS.setdefault(name, rule) is not rule:
        raise WorldError(f"there is a ranking {name!r} already; there are {', '.join(RANKINGS)}")
