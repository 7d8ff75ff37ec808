"""A market: made-up stocks with prices by day, a portfolio that trades them, and a shop with a cart."""

from cave_sim.worlds.market.prices import TICKERS, price_table
from cave_sim.worlds.market.shop import Cart, Product
from cave_sim.worlds.market.trading import Exchange, Portfolio

__all__ = ["TICKERS", "Cart", "Exchange", "Portfolio", "Product", "price_table"]
