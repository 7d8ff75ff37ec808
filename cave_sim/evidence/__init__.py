"""What is claimed, what shows it, and what came of doing so: packets of evidence."""
