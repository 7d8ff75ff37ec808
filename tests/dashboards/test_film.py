"""Films of runs, drawn without a browser: what one sees is where people are and what they do."""

import sys

import pytest
from PIL import Image

from cave_sim import WorldError, open_run
from cave_sim.cli.main import main
from cave_sim.dashboards.film import write_film
from cave_sim.dashboards.film.ground_picture import MapView, points
from cave_sim.dashboards.film.palette import activities, of_activity, tokens
from cave_sim.worlds.town.polylines import encoded
from tests.dashboards.small_town import SmallTown


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    return SmallTown(residents=4, steps=12).write(tmp_path_factory.mktemp("films") / "town")


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_a_film_has_a_frame_for_every_so_many_steps(town, tmp_path, capsys, ending):
    out = tmp_path / f"day.{ending}"
    assert main(["film", str(town), str(out), "--every", "2", "--width", "320"]) == 0
    assert "7 frames" in capsys.readouterr().out
    with Image.open(out) as film:
        assert (film.n_frames, film.width) == (7, 320)


def test_a_film_shows_people_in_the_colours_of_what_they_do(town, tmp_path):
    with open_run(town) as run:
        write_film(run, tmp_path / "day.gif", first=0, last=12, width=320)
    with Image.open(tmp_path / "day.gif") as film:
        film.seek(0)
        colours = {colour for _, colour in film.convert("RGB").getcolors(1 << 20)}
    assert of_activity("sleeping") in colours


def test_a_film_has_the_page_s_colours():
    assert activities()["walking"] == "blue"
    assert of_activity("walking") == tokens()["blue"] == (0, 0x72, 0xB2)
    assert of_activity("dancing") == tokens()["other"]


def test_a_film_reads_the_lines_that_maps_are_written_in():
    line = [(24.935, 60.164), (24.9353, 60.1639), (-1.5, 0.0)]
    assert sum(points(encoded(line)), ()) == pytest.approx(sum(line, ()))


def test_a_high_map_is_turned_with_north_to_the_right():
    high = MapView.fitted((0.0, 1.0, 0.0, 2.0), lonlat=False, width=200)
    assert (high.turned, high.height) == (True, 100)
    assert high.spot(0.0, 2.0) == (200.0, 0.0)
    assert MapView.fitted((0.0, 2.0, 0.0, 1.0), lonlat=False, width=200).spot(0.0, 1.0) == (0.0, 0.0)


FFMPEG = """#!{python}
import sys
frames = sys.stdin.buffer.read()
line = sys.argv[1:]
width, height = map(int, line[line.index("-s") + 1].split("x"))
open(line[-1], "w").write(f"{{len(frames) / (3 * width * height)}} frames, {{width}} wide")
sys.exit("no such encoder" if {fails} else 0)
"""


@pytest.mark.parametrize("fails", [False, True])
def test_mp4_is_made_by_the_ffmpeg_that_is_installed(town, tmp_path, capsys, monkeypatch, fails):
    out = tmp_path / "day.mp4"
    line = ["film", str(town), str(out), "--every", "4", "--width", "320"]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(line) == 1
    assert "MP4 takes the program ffmpeg" in capsys.readouterr().err
    (tmp_path / "ffmpeg").write_text(FFMPEG.format(python=sys.executable, fails=fails))
    (tmp_path / "ffmpeg").chmod(0o755)
    assert main(line) == int(fails)
    if fails:
        assert "ffmpeg failed (1): no such encoder" in capsys.readouterr().err
        assert [each.name for each in tmp_path.iterdir()] == ["ffmpeg"]
    else:
        assert out.read_text() == "4.0 frames, 320 wide"


def test_what_cannot_be_filmed_is_said_in_a_line(town, tmp_path, capsys):
    assert main(["film", str(town), str(tmp_path / "day.avi")]) == 1
    assert ".gif, .webp, .mp4" in capsys.readouterr().err
    assert main(["film", str(town), str(tmp_path / "none" / "day.gif")]) == 1
    assert "there is no folder" in capsys.readouterr().err
    bare = SmallTown(residents=1, steps=2, axes=()).write(tmp_path / "bare")
    with open_run(bare) as run, pytest.raises(WorldError, match="nothing in this run has a position"):
        write_film(run, tmp_path / "bare.gif")
    assert list(tmp_path.glob("*.gif")) == []
