"""Export: a run for other tools."""

import json
import resource
import sys

import networkx as nx
import pandas as pd
import pytest

from cave_sim import JournalError, MissingExtra
from cave_sim.cli.main import main
from cave_sim.history.export import export
from cave_sim.history.lineage import lineage


def whole_csv(path):
    """Read a CSV file, `null` in a column of JSON as what it is."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def test_jsonl_has_a_line_for_each_row(town, tmp_path):
    paths = {path.stem: path for path in export(town, "jsonl", tmp_path)}
    rows = [json.loads(line) for line in paths["turns"].read_text(encoding="utf-8").splitlines()]
    assert [row["turn"] for row in rows] == [turn.turn for turn in town.turns()]
    assert rows[0]["parent"] is None
    changes = [json.loads(line) for line in paths["changes"].read_text(encoding="utf-8").splitlines()]
    assert [row["new"] for row in changes] == [change.new for change in town.changes()]


@pytest.mark.parametrize(("form", "read"), [("csv", whole_csv), ("parquet", pd.read_parquet)])
def test_tables_come_back_as_they_were(town, tmp_path, form, read):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    paths = {path.stem: path for path in export(town, form, tmp_path)}
    changes = read(paths["changes"])
    assert [json.loads(value) for value in changes["new"]] == [change.new for change in town.changes()]
    measures = read(paths["measures"]).set_index("step")
    assert measures["mood"].tolist() == town.measures()["mood"].tolist()
    assert len(read(paths["turns"])) == len(list(town.turns()))


@pytest.mark.parametrize("form", ["jsonl", "csv", "graphml"])
def test_a_disk_that_is_full_leaves_the_files_of_the_last_export(town, tmp_path, form):
    before = {path: path.read_bytes() for path in export(town, form, tmp_path)}
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            export(town, form, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_graphml_comes_back_as_the_lineage(town, tmp_path):
    path = next(path for path in export(town, "graphml", tmp_path) if path.name == "lineage.graphml")
    read, graph = nx.read_graphml(path), lineage(town)
    assert set(read.nodes) == set(graph.nodes)
    assert read.number_of_edges() == graph.number_of_edges()


def test_the_lineage_leads_from_what_a_turn_read_to_who_wrote_it(town):
    graph = lineage(town)
    reads = [(one, other, told) for one, other, told in graph.edges(data=True) if told["kind"] == "read"]
    assert reads
    for writer, reader, told in reads:
        assert int(writer.removeprefix("turn:")) < int(reader.removeprefix("turn:"))
        for field in json.loads(told["fields"]):
            entity, _, name = field.partition(".")
            assert name.endswith("()") or name in json.loads(graph.edges[writer, f"entity:{entity}"]["fields"])


def test_interactions_count_what_agents_changed(town):
    graph = lineage(town)
    told = graph.edges["agent:mayor", "entity:town"]
    found = town.query("SELECT count(*) FROM changes JOIN turns USING (turn) WHERE agent = 'mayor' AND entity = 'town'")
    assert told == {"kind": "acted on", "changes": found[0][0]}


def test_some_tables_alone_can_be_exported(town_folder, tmp_path, capsys):
    command = ["export", str(town_folder), "--format", "csv", "--out", str(tmp_path), "--table", "measures"]
    assert main(command) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'measures.csv'}\n"


def test_parquet_without_its_extra_says_how_to_install_it(town, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'cave_sim\[export\]'"):
        export(town, "parquet", tmp_path)


def test_a_format_that_is_not_there_is_said(town, tmp_path):
    with pytest.raises(JournalError, match="cannot be exported as 'xml'; there are jsonl, csv, parquet, graphml"):
        export(town, "xml", tmp_path)


def test_a_folder_that_cannot_be_made_is_one_line(town_folder, tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    assert main(["export", str(town_folder), "--format", "csv", "--out", str(tmp_path / "file")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_trajectories_are_written_with_what_each_turn_brought(town_folder, tmp_path, capsys):
    figure = "town.turnover_cents"
    assert main(["export", str(town_folder), "--format", "jsonl", "--reward", figure, "--out", str(tmp_path)]) == 0
    rows = [json.loads(line) for line in (tmp_path / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {"prompt", "reply", "cell", "changes", "reward", "agent", "turn"} <= set(rows[0])
    assert sum(row["reward"] for row in rows) > 0
    assert main(["export", str(town_folder), "--format", "csv", "--reward", figure]) == 1
