"""What scripted residents do while they are ill: go home, eat what is there, rest, and get up when it is over."""

from cave_sim.agents.mind import Perception


def stay_at_home(mind: Perception) -> str:
    """Return the cell of somebody who is ill, or was until now."""
    if mind.seen["health"] != "ill":
        return "health.get_up()"
    has_food, hungry = mind.me["belongings"].get("groceries", 0) > 0, mind.me["hunger"] > 0.5
    if mind.at == mind.me["home"] and hungry and has_food:
        return "me.eat()"
    grocer = mind.pick("shop", sells="groceries") if hungry and not has_food else None
    if grocer and mind.at == mind.me["home"]:
        return f"# nothing to eat at home\nme.go({grocer})"
    return "health.stay_at_home()" if mind.at == mind.me["home"] else f"me.go({mind.me['home']})"
