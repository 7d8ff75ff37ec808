"""`make bench`: what the engine costs, each figure a ratio taken inside one run, beside its target."""
