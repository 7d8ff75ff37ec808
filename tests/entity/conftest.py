from tests.world.market import market

__all__ = ["market"]
