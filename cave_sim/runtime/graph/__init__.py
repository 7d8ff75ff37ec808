"""The canonical form of variables: one object graph, as plain data; see :mod:`cave_sim.runtime.graph.writer`."""
