"""What the page on security says in passing of the layers, on any host."""

from decimal import Decimal, localcontext

from cave_sim import Entity, World, field


class Bank(Entity):
    """Computes by Python's own context of decimals."""

    rates: list[str] = field([])

    def note_rate(self) -> None:
        """Note what a third is."""
        self.rates.append(str(Decimal(1) / Decimal(3)))


def test_how_a_cell_computes_with_decimals_is_no_affair_of_a_method_and_ends_with_its_turn():
    world = World()
    world.add("bank", Bank())
    third = "print(decimal.Decimal(1) / decimal.Decimal(3))"
    with localcontext(prec=7):
        coarse = world.execute(f"import decimal\ndecimal.getcontext().prec = 3\nbank.note_rate()\n{third}")
        after = world.execute(f"import decimal\nbank.note_rate()\n{third}")
    assert (coarse.output, after.output) == ("0.333\n", f"0.{'3' * 28}\n")
    assert world["bank"].rates == ["0.3333333"] * 2


def test_numpy_draws_from_the_stream_of_the_agent_whatever_the_seed():
    def drawn(cell: str) -> str:
        world = World(seed=3)
        world.add("bank", Bank())
        return world.execute(f"{cell}\nprint(rng.random())").output

    untouched = drawn("")
    seeded = {drawn(f"np.random.seed({seed})\nnp.random.random(2)") for seed in (1, 2)}
    made = {drawn(f"np.random.default_rng({seed}).random(2)") for seed in (1, 2)}
    assert len(seeded) == len(made) == 1
    assert untouched not in seeded | made
