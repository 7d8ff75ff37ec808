from tests.core.world import market

__all__ = ["market"]
