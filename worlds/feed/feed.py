"""The feed. Whoever acts in the world may post under their own name and no other."""

from itertools import islice

import networkx as nx

from cave_sim import Entity, Refused, World, WorldError, field, narrates
from cave_sim.entity.graph_types import DiGraph
from cave_sim.errors import did_you_mean
from cave_sim.worlds.feed.post import Post
from cave_sim.worlds.feed.ranking import RANKINGS

MOST_CHARS, MOST_SHOWN = 280, 20
CONSIDERED = 200  # so many of the latest posts are ranked, however many there are


class Feed(Entity):
    """A public feed: `feed.post("...")`, `feed.read()`, `feed.like("post_ann_1")`, `feed.follow("ann")`."""

    ranking: str = field("friends_first", guarded=True, about="the rule by which posts are chosen for a reader")
    follows: DiGraph = field(nx.DiGraph(), guarded=True, about="who follows whom")
    posts: list[str] = field([], merge="extend", guarded=True, about="names of all posts, the latest last")
    counts: dict[str, int] = field({}, guarded=True, about="how many posts each has written")

    @narrates("posts: “{text}”")
    def post(self, text: str, reply_to: str = "") -> str:
        """Post a text of at most 280 characters, perhaps as the answer to another post; returns the post's name."""
        words = " ".join(text.split())
        if not 0 < len(words) <= MOST_CHARS:
            raise Refused(f"A post has 1 to {MOST_CHARS} characters, not {len(words)}.")
        if reply_to:
            self._named(reply_to)
        author = self._actor()
        self.counts[author] = self.counts.get(author, 0) + 1
        name = f"post_{author}_{self.counts[author]}"  # of the author's own, so that all of a batch can post at once
        self.world.add(name, Post(author=author, text=words, time_s=self.world.clock.time_s, reply_to=reply_to))
        self.posts.append(name)
        return name

    @narrates("reads the feed")
    def read(self, count: int = 5) -> list[str]:
        """Return the posts that the ranking chooses for you, a line each; you are known to have been shown them."""
        if not 1 <= count <= MOST_SHOWN:
            raise Refused(f"You can read from 1 to {MOST_SHOWN} posts at once, not {count}.")
        reader = self._actor()
        others = (post for name in reversed(self.posts) if (post := self.world[name]).author != reader)
        latest = list(islice(others, CONSIDERED))
        chosen = RANKINGS[self.ranking](reader, latest, self.follows, self.world.clock.time_s)[:count]
        for post in chosen:
            if reader not in post.shown_to:
                post.shown_to.add(reader)
        return [_line(post) for post in chosen]

    @narrates("likes {post}")
    def like(self, post: str) -> str:
        """Like a post of somebody else, by its name."""
        liked = self._named(post)
        if liked.author == self._actor():
            raise Refused("You cannot like a post of your own.")
        liked.likes.add(self._actor())
        return f"liked {post} of {liked.author}"

    @narrates("follows {other}")
    def follow(self, other: str) -> str:
        """Follow somebody, by name."""
        if other == self._actor() or other not in self.world:
            raise Refused(f"There is nobody else called {other!r} to follow.")
        self.follows.add_edge(self._actor(), other)
        return f"following {other}"

    @narrates("no longer follows {other}")
    def unfollow(self, other: str) -> str:
        """Follow somebody no more."""
        if not self.follows.has_edge(self._actor(), other):
            raise Refused(f"You do not follow {other!r}.")
        self.follows.remove_edge(self._actor(), other)
        return f"no longer following {other}"

    def _actor(self) -> str:
        actor: str | None = self.world.actor
        if actor is None:
            raise Refused("Only who acts in the world has a name to post under.")
        return actor

    def _named(self, name: str) -> Post:
        post = self.world[name] if name in self.posts else None
        if post is None:
            raise Refused(f"There is no post {name!r}; feed.read() shows names.")
        assert isinstance(post, Post)
        return post


def open_feed(world: World, ranking: str = "friends_first", name: str = "feed") -> Feed:
    """Add a feed to a world, and return it.

    Args:
        world: of any kind; whoever acts in it can post.
        ranking: one of :data:`RANKINGS`, or installed.
        name: under which cells find it.

    Raises:
        WorldError: there is no such ranking.
    """
    if ranking not in RANKINGS:
        near = did_you_mean(ranking, RANKINGS)
        raise WorldError(f"there is no ranking {ranking!r} of a feed.{near} There are: {', '.join(RANKINGS)}")
    feed = Feed(ranking=ranking)
    world.add(name, feed)
    return feed


def _line(post: Post) -> str:
    answered = f", to {post.reply_to}" if post.reply_to else ""
    return f'{post.id} by {post.author}{answered}, {len(post.likes)} likes: "{post.text}"'
