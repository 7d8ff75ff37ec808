"""A film as MP4, made by the ffmpeg that is installed where it is made.

No library encodes it here: the wheels that bring an encoder of H.264 along (PyAV, imageio-ffmpeg) bring x264 and x265,
which are under the GPL. A program that somebody has installed is theirs, and is handed pixels alone.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from PIL import Image

from cave_sim import WorldError

EVEN = "pad=ceil(iw/2)*2:ceil(ih/2)*2"
"""Players expect colours at half the resolution, and so an even width and height."""
LAST_WORDS = 200


def ffmpeg_for(path: Path) -> str:
    """Return where ffmpeg is; raises WorldError, with the way out, where there is none."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise WorldError(
            f"{path}: MP4 takes the program ffmpeg, and none is on the PATH: install it, or write .gif or .webp"
        )
    return program


def write_mp4(frames: Sequence[Image.Image], path: Path, fps: float, ffmpeg: str) -> None:
    """Write pictures of one size as a film.

    Args:
        frames: RGB pictures.
        path: where to.
        fps: frames a second.
        ffmpeg: the program.

    Raises:
        WorldError: it failed; with the last that it said.
    """
    width, height = frames[0].size
    takes = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps:g}", "-i", "-"]
    makes = ["-vf", EVEN, "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(path.absolute())]
    line = [ffmpeg, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", *takes, *makes]
    with TemporaryFile() as messages:
        with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=messages) as program:
            assert program.stdin is not None
            try:
                for frame in frames:
                    program.stdin.write(frame.tobytes())
                program.stdin.close()
            except BrokenPipeError:
                pass  # it has ended, and says why
        messages.seek(0)
        words = " ".join(messages.read().decode(errors="replace").split())
    if program.returncode != 0:
        raise WorldError(f"{path}: ffmpeg failed ({program.returncode}): {words[-LAST_WORDS:] or 'it says nothing'}")
