"""The page tells what is going on without a click: what stands out, and everybody with what they do."""

import pytest

from cave_sim import Entity, Simulation, World, field, narrates

RUN = "/run/town-7"


class Walker(Entity):
    """Somebody who talks, writes, and walks away."""

    lon: float = field(24.93)
    lat: float = field(60.16)
    notes: list[str] = field([])

    @narrates("says to {other}: “{text}”")
    def say(self, other, text):
        """Say something: `me.say(bob, "Hello!")`."""
        other.notes.append(text)


@pytest.mark.long
def test_what_is_said_is_a_bubble_and_what_is_written_is_none_and_a_line_ends_where_they_part(watching, tmp_path):
    world = World(seed=1)
    for name in ("ann", "bob", "cat"):
        world.add(name, Walker())
    cells = {"ann": "me.say(bob, 'Hello there!')\nme.lon += 0.05", "bob": "me.notes.append('buy milk')"}
    agents = {name: lambda _, cell=cell: cell for name, cell in cells.items()}
    with Simulation(world, agents, out=tmp_path / "walk") as simulation:
        simulation.run(steps=2)
    page = watching(tmp_path)
    page.open("/run/walk?step=2")
    page.until("cave.map.said.length")
    assert page.js("return cave.map.said") == [{"agent": "ann", "other": "bob", "text": "Hello there!"}]
    lines = "const pen = cave.map.pen(document.createElement('canvas')); let drawn = 0; pen.lineTo = () => drawn++;"
    draw = "cave.map.drawPeople(pen); return drawn"
    page.until("!cave.map.from")  # nobody is on the way any more
    apart = page.js(f"{lines} cave.map.trails = []; {draw}")
    page.js("for (let at = 0; at < 2; at += 1) cave.map.spots[at] = cave.map.spots[2 + at] + 20")
    assert page.js(f"{lines} {draw}") == apart + 1


class Sky(Entity):
    """Weather, as the page reads it."""

    kind: str = field("storm")
    temperature_c: float = field(12.0)
    precipitation_mm: float = field(9.0)


def test_an_invitation_on_its_way_and_a_storm_are_seen_on_the_map_and_told_without_a_click(watching, tmp_path):
    world = World(seed=1)
    world.add("weather", Sky())
    people = ("ann_aho", "bob_bo", "cat_chu", "dan_day", "eve_eck")
    for name in people:
        world.add(name, Walker())
    words = "me.say({}, 'Come to the picnic of ann_aho, down by the river at noon!')\nme.say({}, 'Bye!')"
    told = [words.format(other, other) for other in people[1:]]
    agents = {
        name: lambda _, at=at: told[at] if at == world.clock.step and at < len(told) else ""
        for at, name in enumerate(people)
    }
    with Simulation(world, agents, out=tmp_path / "picnic") as simulation:
        simulation.run(steps=5)
    page = watching(tmp_path)
    page.open("/run/picnic?step=2")
    page.until("cave.map.said.length && cave.map.news")
    invitation = "Come to the picnic of Ann aho, down by the river at noon!"
    assert page.js("return cave.map.said") == [{"agent": "bob_bo", "other": "cat_chu", "text": invitation}]
    assert page.text(".kinds .word") == "3 heard the news"
    assert "Ann aho tells Bob bo, and word of it reaches 4 people: “Come to the picnic" in page.text("#story")
    falls = "const { kind, stormy, drops } = cave.map.sky; return [kind, stormy, drops.length > 100]"
    assert page.js(falls) == ["rain", True, True]
    assert page.text("#weather").splitlines() == ["12.0 °C", "storm, 9.0 mm"]
    stamped = "const pen = cave.map.pen(document.createElement('canvas')); let seen = 0; cave.map.stamp = () => seen++"
    assert page.js(f"{stamped}; cave.map.drawPeople(pen); return seen") == 3
    name = "[...document.querySelectorAll('.p-feed .who .link')].find((each) => each.textContent === 'Cat chu')"
    assert page.js(f"return getComputedStyle({name}).display") == "inline"  # it breaks across lines as words do
    assert page.js(f"return {name}.getAttribute('href')") == "/run/picnic?step=2&tab=inspect&pick=cat_chu"
    page.js(f"{name}.click()")
    page.until("document.querySelector('#tab-inspect').getAttribute('aria-selected') === 'true'")
    assert page.js("return location.pathname") == "/run/picnic"
    page.open("/run/picnic?step=5&tab=life&pick=bob_bo")
    page.until("document.querySelector('#panel-life .theirs .link')")
    ann = "[...document.querySelectorAll('.theirs > span > .link')].find((each) => each.textContent === 'Ann aho')"
    page.until(ann)
    page.js(f"{ann}.click()")
    page.until("new URLSearchParams(location.search).get('pick') === 'ann_aho'")
