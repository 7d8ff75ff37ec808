"""A market: made-up stocks with prices by day, a portfolio that trades them, and a shop with a cart."""

from worlds.market.prices import TICKERS, price_table
from worlds.market.shop import Cart, Product
from worlds.market.trading import Exchange, Portfolio

__all__ = ["TICKERS", "Cart", "Exchange", "Portfolio", "Product", "price_table"]
