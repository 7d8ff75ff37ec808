"""Where a world's cells run: in the process of the script (``local``, no host at all), or in others."""
