"""A public feed: posts, replies, likes and follows, ranked by a rule that can be swapped; any world can hold one."""

from cave_sim.worlds.feed.feed import Feed, open_feed
from cave_sim.worlds.feed.post import Post
from cave_sim.worlds.feed.ranking import RANKINGS, Ranking, install_ranking

__all__ = ["RANKINGS", "Feed", "Post", "Ranking", "install_ranking", "open_feed"]
