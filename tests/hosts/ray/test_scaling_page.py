"""What docs/scaling.md shows of Ray works; its other examples run with those of all pages."""

import pytest

from tests.docs.pages import ROOT, blocks


@pytest.mark.long
def test_the_examples_with_ray_run(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks(ROOT / "docs" / "scaling.md", "py"):
        exec(compile(block.text, block.where, "exec"), names)
    assert names["turn"].result().committed
    assert names["pool"].name == "scripted"
