"""An account in whole coins. Shares are rounded down, as banks do with what they pay out."""

from __future__ import annotations

from typing import Literal

from cave_sim import Entity, WorldError, field
from cave_sim.diagnostics.plurals import counted

Tier = Literal["basic", "silver", "gold", "premium"]
TIERS: tuple[Tier, ...] = ("basic", "silver", "gold", "premium")


class Account(Entity):
    """What somebody has at the bank, in whole coins."""

    owner: str = field("", about="whose it is", guarded=True)
    balance: int = field(0, unit="coins", ge=0, about="what can be spent at once", guarded=True)
    savings: int = field(0, unit="coins", ge=0, about="what is put aside", guarded=True)
    loan: int = field(0, unit="coins", ge=0, about="what is owed to the bank", guarded=True)
    points: int = field(0, ge=0, about="loyalty points", guarded=True)
    tier: Tier = field("basic", guarded=True)
    frozen: bool = field(False, about="whether nothing may be paid out", guarded=True)

    def deposit(self, amount: int) -> int:
        """Pay in; returns the new balance."""
        self.balance += _positive(amount)
        return self.balance

    def withdraw(self, amount: int) -> int:
        """Pay out; returns the new balance. Refused when frozen or not covered."""
        if self.frozen:
            raise WorldError(f"the account of {self.owner} is frozen: nothing is paid out")
        self._take(amount)
        return self.balance

    def save(self, amount: int) -> int:
        """Move from the balance to the savings; returns the new savings."""
        self._take(amount)
        self.savings += amount
        return self.savings

    def unsave(self, amount: int) -> int:
        """Move from the savings to the balance; returns the new balance."""
        if _positive(amount) > self.savings:
            raise WorldError(f"{self.owner} has saved {self.savings} coins, which is less than {amount}")
        self.savings -= amount
        self.balance += amount
        return self.balance

    def borrow(self, amount: int) -> int:
        """Take up a loan, which is paid into the balance; returns what is owed."""
        self.loan += _positive(amount)
        self.balance += amount
        return self.loan

    def repay(self, amount: int) -> int:
        """Pay back some of the loan from the balance; returns what is still owed."""
        if _positive(amount) > self.loan:
            raise WorldError(f"{self.owner} owes {self.loan} coins, which is less than {amount}")
        self._take(amount)
        self.loan -= amount
        return self.loan

    def charge_loan(self, amount: int) -> int:
        """Add interest or a fee to what is owed; returns what is owed."""
        self.loan += _positive(amount)
        return self.loan

    def credit_savings(self, amount: int) -> int:
        """Add interest to the savings; returns the new savings."""
        self.savings += _positive(amount)
        return self.savings

    def add_points(self, points: int) -> int:
        """Add loyalty points; returns how many there are."""
        self.points += _positive(points)
        return self.points

    def spend_points(self, points: int) -> int:
        """Take loyalty points away; returns how many are left."""
        if _positive(points) > self.points:
            raise WorldError(f"{self.owner} has {counted(self.points, 'point')}, which is less than {points}")
        self.points -= points
        return self.points

    def set_tier(self, tier: Tier) -> str:
        """Set the tier."""
        self.tier = tier
        return self.tier

    def set_frozen(self, frozen: bool) -> bool:
        """Freeze the account, or open it again."""
        self.frozen = frozen
        return self.frozen

    def _take(self, amount: int) -> None:
        if _positive(amount) > self.balance:
            raise WorldError(f"{self.owner} has {self.balance} coins and cannot pay {amount}")
        self.balance -= amount


def _positive(amount: int) -> int:
    if amount < 0:
        raise WorldError(f"{amount}: give a number of 0 or more")
    return amount
