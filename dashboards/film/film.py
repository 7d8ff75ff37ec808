"""A run as an animated picture: a frame a step, with the ground, the light of the hour, everybody, and a caption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import cos, pi, sin, sqrt
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cave_sim import Run, WorldError
from cave_sim.dashboards.film.ground_picture import MapView, paint_ground
from cave_sim.dashboards.film.mp4 import ffmpeg_for, write_mp4
from cave_sim.dashboards.film.palette import activities, mixed, of_activity, tokens
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.scene import Scene
from cave_sim.files.whole_files import in_place_of
from cave_sim.journal.suspicion import understood

FORMATS = (".gif", ".webp", ".mp4")
CAPTION_PX = 30
LIGHTS = 6  # how many kinds of light between noon and night: each repaints the whole picture
GOLDEN_ANGLE = 2.39996
NIGHT = (42, 58, 120)
COLOURS = 96
CLEAR = 255  # the entry of a palette that shows the frame before


def write_film(
    run: Run,
    path: Path,
    *,
    first: int = 0,
    last: int | None = None,
    every: int = 1,
    width: int = 720,
    fps: float = 12.0,
) -> int:
    """Write a film of a run and return how many frames it has.

    Args:
        run: what `cave_sim.open_run` returns; it is only read.
        path: where to; its ending says in which format, ``.gif``, ``.webp``, or ``.mp4``, which takes ffmpeg.
        first: step of the first frame.
        last: step of the last one; that of the run by default.
        every: a frame for every so many steps.
        width: in pixels.
        fps: frames a second.

    Raises:
        WorldError: another format, one that ffmpeg makes where there is none, or a run in which nothing has a position.
    """
    if path.suffix not in FORMATS:
        raise WorldError(f"{path}: films are {', '.join(FORMATS)}; give a name that ends so")
    ffmpeg = ffmpeg_for(path) if path.suffix == ".mp4" else ""
    reader = JournalReader.over(run)
    with understood(run.folder):
        if not reader.timeline.drawn:
            raise WorldError(f"{run.folder}: nothing in this run has a position, so there is nothing to film")
        frames = list(_Camera(reader, width).frames(first, run.last_step if last is None else last, every))
    if not frames:
        raise WorldError(f"{run.folder}: there are no steps from {first} to {last}; it has {run.last_step}")
    moving = {"save_all": True, "duration": round(1000 / fps), "loop": 0}
    with in_place_of(path) as fresh:
        if ffmpeg:
            write_mp4(frames, fresh, fps, ffmpeg)
        elif path.suffix == ".gif":
            first_frame, *more = _flattened(frames)
            first_frame.save(fresh, "GIF", append_images=more, transparency=CLEAR, disposal=1, **moving)
        else:
            frames[0].save(fresh, "WEBP", append_images=frames[1:], quality=55, method=4, **moving)
    return len(frames)


class _Camera:
    """Draws scenes of one run."""

    def __init__(self, reader: JournalReader, width: int) -> None:
        self.timeline, manifest = reader.timeline, reader.run.manifest
        ground = manifest.get("map") or {}
        box = (ground.get("ground") or {}).get("box")
        bounds = (box[0], box[2], box[1], box[3]) if box else self.timeline.bounds
        self.view = MapView.fitted(bounds, ground.get("axes") == "lonlat", width)
        self.ground = paint_ground(ground, self.view)
        self.lit: dict[int, Image.Image] = {}
        self.start = datetime.fromisoformat(str(manifest.get("start", "2000-01-01T00:00")))
        self.step_s = float(manifest.get("step_s") or 1)
        self.has_hours = self.step_s < 43_200 and not (self.start.year == 2000 and self.start.hour == 0)
        self.credit = str(ground.get("attribution") or "")
        self.font, self.small = ImageFont.load_default(15), ImageFont.load_default(11)

    def frames(self, first: int, last: int, every: int) -> Iterator[Image.Image]:
        """Yield a picture for every so many steps."""
        for scene in self.timeline.scenes(first, last):
            if first <= scene.step <= last and (scene.step - first) % every == 0:
                yield self.frame(scene)

    def frame(self, scene: Scene) -> Image.Image:
        """Return one moment."""
        now = self.start + timedelta(seconds=scene.step * self.step_s)
        picture = Image.new("RGB", (self.view.width, self.view.height + CAPTION_PX), tokens()["card"])
        picture.paste(self._ground(now), (0, CAPTION_PX))
        pen = ImageDraw.Draw(picture)
        words = self._everybody(pen, scene)
        time = now.strftime("%H:%M") if self.has_hours else f"step {scene.step}"
        pen.text((10, 6), time, tokens()["ink"], self.font)
        self._legend(pen, words, 74 if self.has_hours else 96)
        pen.text((8, picture.height - 15), self.credit, tokens()["muted"], self.small)
        return picture

    def _ground(self, now: datetime) -> Image.Image:
        hour = now.hour + now.minute / 60
        light = max(0.0, min(1.0, 0.75 + 1.3 * cos((hour - 13) / 12 * pi))) if self.has_hours else 1.0
        level = round(light * LIGHTS)
        if level not in self.lit:
            share = 0.78 * (1 - level / LIGHTS)
            tint = np.array(mixed((255, 255, 255), NIGHT, share)) / 255
            self.lit[level] = Image.fromarray((np.asarray(self.ground) * tint).astype(np.uint8))
        return self.lit[level]

    def _everybody(self, pen: ImageDraw.ImageDraw, scene: Scene) -> Counter[str]:
        where, codes = self.timeline.positions(scene), self.timeline.states(scene)
        words: Counter[str] = Counter()
        radius = 7 if len(where) <= 60 else 4 if len(where) <= 400 else 2
        together: Counter[tuple[float, float]] = Counter()
        for (x, y), code in zip(where, codes, strict=True):
            word = self.timeline.words[code] if code < len(self.timeline.words) else ""
            words[word] += 1
            if np.isnan(x) or np.isnan(y):
                continue
            rank = together[x, y]
            together[x, y] += 1
            across, down = self.view.spot(x, y)
            across += 1.2 * radius * sqrt(rank) * cos(rank * GOLDEN_ANGLE)
            down += CAPTION_PX + 1.2 * radius * sqrt(rank) * sin(rank * GOLDEN_ANGLE)
            box = (across - radius, down - radius, across + radius, down + radius)
            pen.ellipse(box, of_activity(word), tokens()["card"], 2 if radius > 3 else 1)
        return words

    def _legend(self, pen: ImageDraw.ImageDraw, words: Counter[str], left: float) -> None:
        for word, many in sorted(words.items()):
            text = f"{word} {many}"
            wide = pen.textlength(text, self.small) + 26
            if not word or left + wide > self.view.width:
                continue
            pen.ellipse((left, 10, left + 10, 20), of_activity(word))
            pen.text((left + 14, 9), text, tokens()["ink"], self.small)
            left += wide


def _flattened(frames: list[Image.Image]) -> list[Image.Image]:
    """Return frames in one palette, each clear where it shows what the one before does: that costs nothing then."""
    some = frames[:: max(1, len(frames) // 6)]
    strip = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for at, frame in enumerate(some):
        strip.paste(frame, (0, at * frame.height))
    common = (strip.quantize(COLOURS, method=Image.Quantize.MEDIANCUT).getpalette() or [])[: 3 * COLOURS]
    rare = [part for name in (*activities().values(), "asleep", "at-rest", "other", "card") for part in tokens()[name]]
    holder = Image.new("P", (1, 1))
    holder.putpalette(common + rare)
    flat, before = [], None
    for frame in frames:
        codes = np.asarray(frame.quantize(palette=holder, dither=Image.Dither.NONE))
        shown = codes if before is None else np.where(codes == before, CLEAR, codes).astype(np.uint8)
        picture = Image.fromarray(shown, "P")
        picture.putpalette(common + rare)
        flat.append(picture)
        before = codes
    return flat
