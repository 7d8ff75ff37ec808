"""What pages ask of a run: each look-up reads its journal and returns plain data."""
