"""What is said of names and values that do not fit, and how: hints, numbers with their nouns, texts cut short."""
