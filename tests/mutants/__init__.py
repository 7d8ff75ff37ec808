"""Mistakes made on purpose, one at a time, to see whether a test notices: ``make mutants``."""
