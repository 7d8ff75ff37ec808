"""Files that people name, read within limits, and files that are written whole."""
