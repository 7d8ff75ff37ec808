"""The objects that cells are run on: plain ones to measure against, and the same as entities."""


class PlainResident:
    """What an entity costs when nobody watches: an ordinary object."""

    def __init__(self) -> None:
        self.energy = 0.5
        self.money_cents = 1_000
        self.place = "home"
