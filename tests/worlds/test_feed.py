"""A feed shows what its ranking chooses, keeps who was shown what, and lets nobody speak for another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, World, WorldError, open_run
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulations import town_day
from cave_sim.worlds.feed import RANKINGS, Feed, Post, install_ranking, open_feed

NAMES = ("ann", "bob", "cat")


class Reader(Entity):
    """Somebody who reads."""


@pytest.fixture
def world():
    world = World(seed=7, step_s=3600)
    for name in NAMES:
        world.add(name, Reader())
    open_feed(world, "latest")
    return world


def landed(world, agent, cell):
    turn = world.execute(cell, agent=agent)
    assert turn.committed, turn.error
    return turn.output.strip()


def refused(world, agent, cell):
    turn = world.execute(cell, agent=agent)
    assert not turn.committed
    return turn.error


def shown(world, agent, count=5):
    return [line.split()[0] for line in eval(landed(world, agent, f"feed.read({count})"))]


def test_each_ranking_chooses_what_it_says(world):
    landed(world, "ann", "feed.post('old and liked')")
    for name in ("bob", "cat"):
        landed(world, name, "feed.like('post_ann_1')")
    world.advance()
    landed(world, "bob", "feed.post('new'); feed.post('newer')")
    landed(world, "cat", "feed.follow('bob')")
    expected = {
        "latest": ["post_bob_2", "post_bob_1", "post_ann_1"],
        "following": ["post_bob_2", "post_bob_1"],
        "popular": ["post_ann_1", "post_bob_2", "post_bob_1"],
        "friends_first": ["post_bob_2", "post_bob_1", "post_ann_1"],
    }
    for ranking, posts in expected.items():
        world["feed"].ranking = ranking
        assert shown(world, "cat") == posts
    assert set(expected) <= RANKINGS.keys()


def test_a_like_is_worth_half_after_six_hours(world):
    world["feed"].ranking = "popular"
    landed(world, "ann", "feed.post('once liked')")
    landed(world, "bob", "feed.like('post_ann_1')")
    for _ in range(7):
        world.advance()
    landed(world, "bob", "feed.post('fresh')")
    assert shown(world, "cat") == ["post_bob_1", "post_ann_1"]


def test_who_was_shown_a_post_is_kept_and_who_was_not_is_not(world):
    landed(world, "ann", "feed.post('one'); feed.post('two')")
    landed(world, "bob", "feed.read(1)")
    assert (world["post_ann_1"].shown_to, world["post_ann_2"].shown_to) == (set(), {"bob"})
    assert "may not read" in refused(world, "cat", "post_ann_2.shown_to")


@pytest.mark.parametrize(
    ("agent", "cell", "why"),
    [
        ("ann", "feed.post('')", "1 to 280 characters, not 0"),
        ("ann", "feed.post('x' * 281)", "not 281"),
        ("ann", "feed.post('x', reply_to='bob')", "no post 'bob'"),
        ("ann", "feed.like('post_ann_1')", "of your own"),
        ("ann", "feed.follow('ann')", "nobody else called 'ann'"),
        ("ann", "feed.follow('zoe')", "nobody else called 'zoe'"),
        ("ann", "feed.unfollow('bob')", "do not follow"),
        ("bob", "feed.read(21)", "from 1 to 20"),
        ("bob", "world['post_ann_1'].text = 'x'", "may not write"),
        ("bob", "world['post_ann_1'].likes.add('cat')", "may not write"),
        ("bob", "feed.posts.clear()", "may not write"),
        ("bob", "feed.follows.add_edge('cat', 'bob')", "may not write"),
        ("bob", "feed._actor = lambda: 'ann'", ""),
    ],
)
def test_what_nobody_may_do_is_refused(world, agent, cell, why):
    landed(world, "ann", "feed.post('hello')")
    before = world.state_hash()
    assert why in refused(world, agent, cell)
    assert world.state_hash() == before


def test_all_of_a_batch_can_post_and_like_at_once(world):
    landed(world, "ann", "feed.post('first')")
    turns = world.execute_batch({name: f"feed.post('I am {name}'); feed.read()" for name in NAMES})
    assert all(turn.committed for turn in turns.values())
    turns = world.execute_batch(dict.fromkeys(("bob", "cat"), "feed.like('post_ann_1')"))
    assert all(turn.committed for turn in turns.values())
    assert world["post_ann_1"].likes == {"bob", "cat"}
    assert sorted(world["feed"].posts) == ["post_ann_1", "post_ann_2", "post_bob_1", "post_cat_1"]


@pytest.mark.long
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["post", "read", "like", "follow"])), max_size=15))
def test_nobody_is_shown_their_own_posts_and_every_post_is_its_authors(acts):
    world = World(seed=7)
    for name in NAMES:
        world.add(name, Reader())
    feed = open_feed(world)
    cells = {
        "post": "feed.post('x')",
        "read": "feed.read()",
        "like": "feed.like(feed.posts[-1])",
        "follow": "feed.follow('bob')",
    }
    for name, act in acts:
        world.execute(cells[act], agent=name)
    posts = [world[name] for name in feed.posts]
    assert len(posts) == sum(act == "post" for _, act in acts) == len(world.all(Post))
    assert all(post.author not in post.shown_to | post.likes for post in posts)
    assert World.restore(world.snapshot()).state_hash() == world.state_hash()


def test_an_unknown_ranking_is_refused_and_a_name_is_taken_once(world):
    with pytest.raises(WorldError, match=r"no ranking 'best'.*latest"):
        open_feed(world, "best", "second")
    with pytest.raises(WorldError, match="already"):
        install_ranking("latest", lambda reader, posts, follows, now_s: posts)


def test_a_town_can_hold_a_feed_and_goes_on_with_its_posts(tmp_path):
    recipe = Recipe("town_day", {"seed": 7, "residents": 2, "feed": "latest"})
    simulation = recipe.make(tmp_path)
    simulation.run(until=2)
    assert simulation.world.execute("feed.post('The parks are open.')", agent="mayor").committed
    simulation.run(until=4)
    simulation.close()
    resumed = resume(tmp_path)
    assert isinstance(resumed.world["feed"], Feed)
    assert resumed.world["post_mayor_1"].text == "The parks are open."
    resumed.close()
    with pytest.raises(WorldError, match="no ranking 'best'"):
        town_day.create(seed=7, residents=2, feed="best")
    with open_run(tmp_path) as run:
        assert run.manifest["create"]["feed"] == "latest"
