"""A small town in which rules are planted: its dynamics keep each, and break two on purpose from a step on."""

from cave_sim import Entity, Simulation, World


class Sky(Entity):
    """Weather, by chance."""

    is_dark: bool = False
    rain_mm: int = 0


class Square(Entity):
    """What follows from the weather."""

    lamp: str = "off"
    river_cm: int = 50
    notice: int = 0
    visitors: int = 0
    fund: int = 1


class Bank(Entity):
    """Has what people have not."""

    cash: int = 80


class Guest(Entity):
    """Somebody with a purse, who comes once invited."""

    purse: int = 20
    mood: int = 0
    is_invited: bool = False
    has_come: bool = False


NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kay", "leo", "mia", "ned", "oda", "pia")


def town(*, seed=1, out=None, broken_from=None):
    """Return a simulation without agents; from ``broken_from`` on its lamp stays off, and bob finds a coin."""
    world = World(seed=seed)
    for name, entity in {"sky": Sky(), "square": Square(), "bank": Bank(), **{name: Guest() for name in NAMES}}.items():
        world.add(name, entity)

    def live(world):
        draw, step = world.rng("town"), world.clock.step
        sky, square, bank = world["sky"], world["square"], world["bank"]
        square.river_cm += 2 * (sky.rain_mm > 0) - (draw.random() < 0.4)
        sky.rain_mm = draw.randint(1, 4) if draw.random() < 0.35 and sky.rain_mm == 0 else 0
        if draw.random() < 0.4:
            sky.is_dark = not sky.is_dark
        square.lamp = "on" if sky.is_dark else draw.choice(["off", "dim"])
        square.visitors += draw.randint(0, 2)
        square.fund = square.fund - 1 if square.fund else draw.randint(1, 2)
        if step <= 25 and step % 2:
            square.notice += 1
        for place, name in enumerate(NAMES):
            guest = world[name]
            paid = draw.randint(-2, 2)
            guest.purse, bank.cash = guest.purse - paid, bank.cash + paid
            guest.mood += draw.choice([-1, 1])
            guest.is_invited = guest.is_invited or step >= 3 * place + 2
            guest.has_come = guest.has_come or (guest.is_invited and step >= 3 * place + 6)
        if broken_from is not None and step >= broken_from:
            square.lamp = "off"
            world["bob"].purse += step == broken_from

    world.dynamics(live)
    return Simulation(world, lambda made: [], out=out)


def lived(folder, steps=90, **options):
    """Live such a run and return its folder."""
    town(out=folder, **options).run(until=steps).close()
    return folder
