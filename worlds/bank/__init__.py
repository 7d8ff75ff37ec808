"""A bank that counts in whole coins: accounts with savings, a loan, points and a tier."""

from cave_sim.worlds.bank.account import TIERS, Account, Tier

__all__ = ["TIERS", "Account", "Tier"]
