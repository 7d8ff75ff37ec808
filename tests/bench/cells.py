"""The cells that are timed. All of them run on a plain object as well, so that bare Python can be the measure."""

from collections.abc import Iterator

THREE_WRITES = (
    "me.energy = 0.25 if me.energy == 0.5 else 0.5\n"
    "me.money_cents = me.money_cents + 1\n"
    "me.place = 'cafe' if me.place == 'home' else 'home'\n"
)
"""Leaves three changes whenever it runs: no field comes to what it held."""
THREE_WRITES_THEN_A_VALUE = THREE_WRITES + "me.energy / 2\n"
"""Shows the value, which is a call, so that it has a deadline as most cells have."""
THREE_WRITES_THEN_AN_ERROR = THREE_WRITES + "me.energy / 0\n"


def new_cells(count: int, start: int, template: str) -> Iterator[str]:
    """Return cells that nobody has run before: `template` with another number for each `{n}`."""
    return iter([template.replace("{n}", str(number)) for number in range(start, start + count)])


THREE_WRITES_OF_A_FORM = (
    "me.energy = 0.25 if me.energy == 0.5 else 0.5\nme.money_cents = me.money_cents + {n}\nme.place = 'cafe {n}'\n"
)
"""Differs in numbers and texts alone from one `{n}` to the next."""
THREE_NEW_WRITES = THREE_WRITES_OF_A_FORM.replace("'cafe {n}'", "'cafe {n}' if me.energy else nobody_{n}")
"""Mentions another name each time, so that no two are of one form."""
TRIVIAL = "x = {n}\n"
FOUR_LINES = "tired = me.energy < 0.3\nwish = 'sleep' if tired else 'walk {n}'\nme.money_cents = {n}\nme.place = wish\n"
HUNDRED_LINES = (
    "total = {n}\n"
    + "".join(
        f"list_{line} = [total + k for k in range(3)]\n"
        f"if list_{line}[1] > {line}:\n    total = total + {line}\n"
        f"me.money_cents = total\n"
        for line in range(24)
    )
    + "me.energy = 0.5\nme.place = 'cafe {n}'\nwish = 'walk'\n"
)

ONE_KILOBYTE = """\
tired = me.energy < 0.3
if tired and clock.hour > 20:
    me.activity = "going home"
    plan = ["walk", "eat", "sleep"]
else:
    plan = []
for friend in me.friends:
    if friend.place == me.place and friend.mood < 0.4:
        topics = {word: len(word) for word in friend.heard if word not in me.heard}
        best = max(topics, key=lambda word: topics[word], default="weather")
        me.say(friend, f"How about the {best}?")
        friend.mood += 0.05
spent_cents = sum(receipt["price_cents"] * receipt["count"] for receipt in me.receipts)
if me.money_cents - spent_cents >= 1200 and not weather.is_raining:
    try:
        me.go(world["Café Engel"])
    except Refused as reason:
        me.note(str(reason))
        closed = [place.title for place in world.all(Place) if place.closed]
        print("closed:", ", ".join(closed[:5]))
while plan and me.energy > 0.1:
    nearest = min(places, key=lambda place: (place.lon - me.lon) ** 2 + (place.lat - me.lat) ** 2)
    plan.pop(0)
    me.energy = round(me.energy - 0.01, 2)
"""
