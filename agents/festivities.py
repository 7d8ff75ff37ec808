"""What scripted residents do when there is something to celebrate: go there, wish whose day it is well, and stay."""

from collections.abc import Mapping
from typing import Any

from cave_sim.agents.mind import Perception

SETS_OUT_H = 0.5
COMES = {"sociable": 0.5, "quiet": 0.1}
"""How likely somebody sets out for the gathering whenever they think of it, by trait."""
USUALLY = 0.25
STAYS_MIN = 60


def celebrate(mind: Perception) -> str:
    """Return the cell of somebody who keeps a birthday, or joins the weekly gathering; "" if neither is now."""
    for occasion in mind.seen.get("occasions", ()):
        if occasion["from_h"] - SETS_OUT_H <= mind.hour < occasion["until_h"] - SETS_OUT_H:
            cell = _birthday(mind, occasion) if occasion["what"] == "birthday" else _gathering(mind, occasion)
            if cell:
                return cell
    return ""


def _birthday(mind: Perception, occasion: Mapping[str, Any]) -> str:
    whose, where = occasion["of"], occasion["where"]
    if mind.at != where:
        return f"# {'my birthday' if whose == mind.me['name'] else f'the birthday of {whose}'}\nme.go({where})"
    if not occasion["wished"] and any(other["name"] == whose for other in mind.listeners):
        return f"almanac.congratulate({whose})\nme.rest({STAYS_MIN})"
    return f"me.rest({STAYS_MIN})" if mind.hour >= occasion["from_h"] - SETS_OUT_H else ""


def _gathering(mind: Perception, occasion: Mapping[str, Any]) -> str:
    if mind.at == occasion["where"]:
        return "almanac.gather()" if occasion["from_h"] <= mind.hour else ""
    likely = next((COMES[trait] for trait in mind.me["traits"] if trait in COMES), USUALLY)
    return f"# everybody will be there\nme.go({occasion['where']})" if mind.rng.random() < likely else ""
