"""The structure of the code, measured from its imports: `tests/test_layout.py` holds it, `make house` prints it."""
