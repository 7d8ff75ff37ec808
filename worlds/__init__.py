"""Worlds to simulate: each folder holds entities, their rules and the data they need."""
