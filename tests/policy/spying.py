"""Whether a script learns a secret: it is run where the secret is one thing and where it is another."""

import json
from collections.abc import Callable
from typing import Any

from cave_sim import World
from tests.policy import parlour
from tests.policy.judge import turns_of

SPY = "ann"
KEEPS = f"#> {SPY}\nprint(me.title, me.diary, me.memory)"


def told(world: Any, script: str) -> str:
    """Run a script and return everything that ann is told by it, keeps of it, and perceives when it is over."""
    turns = [(agent, world.execute(code, agent=agent)) for agent, code in turns_of(f"{script}\n{KEEPS}")]
    hers = [(turn.status, turn.output, turn.error) for agent, turn in turns if agent == SPY]
    return json.dumps([hers, world.observe(SPY)], default=repr)


def learned(script: str, build: Callable[..., World] = parlour.build) -> bool:
    """Say whether a script tells one secret from another."""
    return told(build(secret=0), script) != told(build(secret=1), script)
