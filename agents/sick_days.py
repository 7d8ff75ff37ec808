"""What scripted residents do while they are ill: go home, eat what is there, rest, and get up when it is over."""

from cave_sim.agents.mind import Perception

OUT_H = (7.0, 20.0)
"""When somebody ill goes out for food; at other hours they rest, hungry."""


def stay_at_home(mind: Perception) -> str:
    """Return the cell of somebody who is ill, or was until now."""
    if mind.seen["health"] != "ill":
        return "health.get_up()"
    has_food, hungry = mind.me["belongings"].get("groceries", 0) > 0, mind.me["hunger"] > 0.5
    if mind.at == mind.me["home"] and hungry and has_food:
        return "me.eat()"
    needs_food = hungry and not has_food and mind.at == mind.me["home"] and OUT_H[0] <= mind.hour < OUT_H[1]
    grocer = mind.pick("shop", sells="groceries") if needs_food else None
    if grocer:
        return f"# nothing to eat at home\nme.go({grocer})"
    return "health.stay_at_home()" if mind.at == mind.me["home"] else f"me.go({mind.me['home']})"
