"""Experiments: studies of tasks whose outcome a program checks, and their statistics."""
