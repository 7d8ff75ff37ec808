"""What makes a run the same again: random streams by name, and data written in one way."""
