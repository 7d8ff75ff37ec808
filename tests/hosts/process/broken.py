"""A square whose cells have broken out of Python already: what a cell says runs unguarded in its sandboxed process.

Only tests build this. The sandbox, the commit and the host are the real ones.
"""

from typing import Any

from cave_sim import World
from cave_sim.hosts.process import cell_process
from cave_sim.hosts.process.channel import encode
from cave_sim.hosts.process.proposal import Proposal, ProposedCall, ProposedTurn, ProposedWrites, Variables
from tests.policy import square

SIGN = "# broken out\n"


def build() -> World:
    """Return the square, in a process whose cell processes run what begins with the sign as it stands."""
    honest = cell_process.run

    def run(world: World, code: str, agent: str) -> bytes:
        if not code.startswith(SIGN):
            return honest(world, code, agent)
        scope: dict[str, Any] = {
            "world": world, "agent": agent, "honest": honest, "claim": claim, "turn": turn, "encode": encode,
            "Call": ProposedCall, "Proposal": Proposal, "Writes": ProposedWrites,
        }  # fmt: skip
        exec(code, scope)
        answer = scope["said"] if "said" in scope else honest(world, "me.mood = 0.75", agent)
        return answer if isinstance(answer, bytes) else encode(answer)

    cell_process.run = run
    return build_square()


def build_square() -> World:
    """Return the square, in which the mayor alone has a tool that makes money."""
    world = square.build(deadline_s=1.0)

    def mint(who: Any, cents: int) -> None:
        who.money_cents += cents

    world.inject("mint", mint, agent="mayor")
    return world


def turn(*acts: Any, status: Any = "committed", agent: str = "ann", code: str = "", **told: Any) -> ProposedTurn:
    """Return what a turn is said to have done."""
    return ProposedTurn(agent, code, status, acts=list(acts), **told)


def claim(*changes: Any, variables: dict[str, Any] | None = None, claimed: Any = None, **told: Any) -> Proposal:
    """Return a proposal that writes these changes."""
    bound = {name: Variables(data, []) for name, data in (variables or {}).items()}
    return Proposal(turn(ProposedWrites([*changes]), **told), claimed, bound)
