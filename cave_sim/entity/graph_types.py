"""networkx's graphs as annotations name them: its stubs want to be told what a node is, which the classes cannot be."""

from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

if TYPE_CHECKING:
    Graph: TypeAlias = nx.Graph[Any]
    DiGraph: TypeAlias = nx.DiGraph[Any]
else:
    Graph, DiGraph = nx.Graph, nx.DiGraph
