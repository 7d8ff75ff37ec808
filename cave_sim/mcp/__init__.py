"""The Model Context Protocol: our runs and worlds for any client, and anybody's tools for our agents."""
