"""The scripted language model of this story: residents as ever, and a mayor who does what its prompt asks of it."""

import re

from cave_sim.agents.reading import hour_told, seen_in
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.models import Request
from cave_sim.simulations import scripted_model
from cave_sim.survey.asking import FRAME

_TODAY = re.compile(
    r"At (\d\d:\d\d) let a storm come for ([\d.]+) hours.*?"
    r"At (\d\d:\d\d) open a café named (\w+) .*?`Resident` \((\w+)\)",
    re.DOTALL,
)
_OPENED = re.compile(r"\((\w+)\) opens its doors|^came: (\w+): Place$", re.MULTILINE)
"""What tells of a new place: the notice, or a line of a log."""
CURIOSITY = 0.3
GO_AND_SEE = "```python\n# A new place! Let me see it.\nme.go({place})\n```"
DONE = "Nothing else is to be done now."

STORM = """```python
weather.turn("storm", {hours})
cold_c = feels_like_c(weather.temperature_c, weather.wind_m_s)
shut = close_parks()
town.announcements.append(f"{clock} A storm is coming, with {{cold_c:.0f}} degrees. The parks are closed. Stay inside.")
print(len(shut), "parks closed")
```"""

CAFE = """```python
home = next(place for place in world.all(Place) if place.kind == "home")
parks = [place for place in world.all(Place) if place.kind == "park"]
people = world.all(Resident)
park = min(parks, key=lambda each: sum(abs(each.lon - one.lon) + abs(each.lat - one.lat) for one in people))
world.add("{cafe}", Place(title="{title}", kind="cafe", node=park.node, lon=park.lon, lat=park.lat, opens_h=7.5,
                          closes_h=22, capacity=30, price_cents=450))
world.add("{manager}", Resident(title="{name}", age=41, job="manager", traits=["sociable"], home=home,
                                workplace={cafe}, wage_cents_h=1900, works_weekends=True, shift_starts_h=7.5,
                                shift_ends_h=22, location={cafe}, node=park.node, lon=park.lon, lat=park.lat,
                                activity="waiting", energy=0.9, hunger=0.2))
{cafe}.guests.add({manager})
town.landmarks.append("{cafe}")
{reopen}town.announcements.append("{clock} {title} ({cafe}) opens its doors; {name} ({manager}) runs it.")
```"""
REOPEN = """reopen(shut)
town.announcements.append("{clock} The storm is over, the parks are open.")
"""


def reply(request: Request) -> str:
    """Return what the script says to a request."""
    texts = [message.text for message in request.messages if message.role != "assistant"]
    if FRAME.partition("{question}")[0] in "\n".join(texts):
        return scripted_model.reply(request)
    if "You are a meta-agent." in texts[0]:
        return _mayor("\n".join(texts))
    usual = scripted_model.reply(request)
    return _curious("\n".join(texts)) or usual if usual.count("me.go(") or "Nothing" in usual else usual


def _curious(prompt: str) -> str:
    """Return the cell that visits a newly opened place; "" without the time or the wish."""
    new_places = [noticed or logged for noticed, logged in _OPENED.findall(prompt)]
    if not new_places:
        return ""
    observation = seen_in(prompt)
    is_free = observation["me"]["activity"] not in ("walking", "sleeping") and not observation["me"]["busy_minutes"]
    has_been = (observation["here"] or {}).get("name") == new_places[-1]
    wants = RandomStream("curious", observation["me"]["name"], observation["time"]).random() < CURIOSITY
    return GO_AND_SEE.format(place=new_places[-1]) if is_free and wants and not has_been else ""


def _mayor(prompt: str) -> str:
    """Return the cell that the hour asks for; what is on the notice board has been done."""
    today = _TODAY.search(prompt)
    if today is None:
        return DONE
    storm_at, hours, cafe_at, cafe, manager = today.groups()
    now = hour_told(prompt)
    if now >= storm_at and "A storm is coming" not in prompt:
        if "You have these functions now" not in prompt:
            return "```python\nskills['storm_watch']\n```"
        return STORM.format(hours=hours, clock=now) if "parks closed" not in prompt else DONE
    if now >= cafe_at and "opens its doors" not in prompt and "Your cell ran" not in prompt:
        reopen = REOPEN.format(clock=now) if "The parks are closed" in prompt else ""
        names = {"title": _title(cafe), "name": _title(manager)}
        return CAFE.format(cafe=cafe, manager=manager, clock=now, reopen=reopen, **names)
    return DONE


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split("_")).replace("Cafe", "Café")
