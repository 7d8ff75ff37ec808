"""What an error of somebody else's function says, in a line."""

from __future__ import annotations

import traceback
from pathlib import Path


def said_of(error: BaseException) -> str:
    """Return an error's class, its words and the place where it was raised, in a line."""
    words = f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    return f"{words} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else words
