"""Simulations to run: each folder wires a world, its agents and what is measured, and offers `create`."""
