"""An exchange with quotes, and a portfolio that buys and sells at them."""

from __future__ import annotations

from cave_sim import Entity, WorldError, field


class Exchange(Entity):
    """Where stocks have their prices."""

    quotes_cents: dict[str, int] = field({}, unit="cents", about="ticker -> price of a share", guarded=True)
    ratings: dict[str, int] = field({}, about="ticker -> 1 (sell) to 5 (buy)", guarded=True)

    def quote(self, ticker: str) -> int:
        """Return the price of a share in cents."""
        if ticker not in self.quotes_cents:
            raise WorldError(f"{ticker!r} is not traded; traded are: {', '.join(self.quotes_cents)}")
        return self.quotes_cents[ticker]

    def rating(self, ticker: str) -> int:
        """Return what analysts think, 1 (sell) to 5 (buy)."""
        self.quote(ticker)
        return self.ratings[ticker]


class Portfolio(Entity):
    """Shares and the cash beside them."""

    exchange: Exchange
    cash_cents: int = field(0, unit="cents", ge=0, guarded=True)
    shares: dict[str, int] = field({}, about="ticker -> number of shares, without zeros", guarded=True)

    def buy(self, ticker: str, count: int) -> int:
        """Buy shares; returns the cash that is left, in cents."""
        cost_cents = self.exchange.quote(ticker) * _counted(count)
        if cost_cents > self.cash_cents:
            raise WorldError(f"{count} {ticker} cost {cost_cents} cents, and there are {self.cash_cents}")
        self.cash_cents -= cost_cents
        self.shares[ticker] = self.shares.get(ticker, 0) + count
        return self.cash_cents

    def sell(self, ticker: str, count: int) -> int:
        """Sell shares; returns the cash then, in cents."""
        owned = self.shares.get(ticker, 0)
        if _counted(count) > owned:
            raise WorldError(f"{owned} shares of {ticker} are held, which is less than {count}")
        self.cash_cents += self.exchange.quote(ticker) * count
        self.shares[ticker] = owned - count
        if not self.shares[ticker]:
            del self.shares[ticker]
        return self.cash_cents


def _counted(count: int) -> int:
    if count < 1:
        raise WorldError(f"{count}: trade at least 1 share")
    return count
