# ruff: noqa: E501 -- a cell a line reads best
"""Data work as language models write it: each block is a cell that runs after SETUP, and ends with what it found.

The subjects are those of the tutorials of pandas, numpy, networkx and Python's statistics and sqlite3.
"""

from pathlib import Path

SETUP = """
import pandas as pd
import numpy as np
import networkx as nx
sales = pd.DataFrame({
    "day": pd.to_datetime(["2024-01-05", "2024-01-12", "2024-02-03", "2024-02-20", "2024-03-01", "2024-03-09", "2024-03-30", "2024-04-02"]),
    "city": ["Oslo", "Bergen", "Oslo", "Tromso", "Bergen", "Oslo", "Tromso", "Bergen"],
    "product": ["tea", "cake", "cake", "tea", "tea", "cake", "tea", "cake"],
    "units": [3, 5, 2, 8, 6, 1, 7, 4],
    "price": [2.5, 4.0, 4.5, 2.0, 2.25, 5.0, 2.75, 3.5],
})
people = pd.DataFrame({
    "name": ["Ada Berg", "Bo Lie", "Cy Vik", "Di Moe", "Eva Dahl"],
    "age": [31, 45, None, 22, 67],
    "city": ["Oslo", "Bergen", "Oslo", None, "Tromso"],
    "income": [520.0, 610.5, 480.0, 300.0, np.nan],
})
a = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, 0.0], [2.0, 0.0, 5.0]])
x = np.linspace(0.0, 5.0, 11)
y = 2.0 * x + 1.0 + np.sin(7 * x)
roads = nx.Graph()
roads.add_weighted_edges_from([("a", "b", 4), ("b", "c", 1), ("a", "c", 7), ("c", "d", 2), ("e", "f", 3)])
"""

PAGES = {
    title: text
    for title, _, text in (
        page.partition("\n") for page in Path(__file__).with_suffix(".txt").read_text("utf-8").split("=== ")[1:]
    )
}

DRAWING = ("draws", "figures", "learning by chance")
"""Pages whose lines draw from the agent's own stream, or make figures: what they come to is not compared."""
UNLIKE_PYTHON = frozenset(
    {
        "people.info()",
        "list(nx.find_cliques(roads)), nx.core_number(roads), list(nx.k_core(roads, 2).nodes)",
        "nx.max_weight_matching(roads), nx.greedy_color(roads), nx.maximal_independent_set(roads, seed=1)",
        'list(nx.ego_graph(roads, "c")), nx.node_connected_component(roads, "e"), nx.edge_betweenness_centrality(roads), nx.harmonic_centrality(roads)',
        "sales.head(2).to_markdown()",  # Python needs another library for it
        "sales.head(2).to_markdown(index=False)",
    }
)
"""Lines that mean something else in a cell: the order of sets, the machine's memory."""
REFUSED = frozenset(
    {
        "sales.to_records(index=False).shape",
        "m = np.ma.masked_array([1, 2, 3], mask=[False, True, False])\nm.mean()",
        'record = np.array([("ann", 3), ("bob", 5)], dtype=[("name", "U10"), ("n", "i4")])\nrecord["n"].sum()',
        "nx.hits(nx.DiGraph([(1, 2), (1, 3)]))[0], nx.katz_centrality(nx.path_graph(3)), nx.load_centrality(nx.path_graph(3)), nx.voterank(nx.star_graph(3))",
        'multi = nx.MultiGraph()\nmulti.add_edge("a", "b", weight=1)\nmulti.add_edge("a", "b", weight=2)\nmulti.number_of_edges("a", "b")',
    }
)
"""Lines that cells refuse."""
