"""A cluster of two nodes on this machine, in a process of its own: a world loses the node that it is on, and goes on.

    python -m tests.hosts.ray.two_nodes FOLDER

It prints what became of the run, as JSON.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

from cave_sim.hosts.ray import launch, start
from cave_sim.hosts.ray.cluster import OBJECT_STORE_BYTES, library
from cave_sim.replay.recipe import Recipe

TOWN = Recipe("town_day", {"seed": 7, "residents": 4})
STEPS = 6
PATIENCE_S = 60
CELLS = ["town.announcements.append('in the morning')", "town.announcements.append('just before')"]


def main(folder):
    """Run a town, half of it on a node that is then lost; returns what there was to see."""
    ray = library()
    from ray.cluster_utils import Cluster

    small = {"num_cpus": 1, "object_store_memory": OBJECT_STORE_BYTES}
    nodes = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
    try:
        second = nodes.add_node(**small, resources={"second": 1})
        with start(nodes.address):
            ray.get(ray.remote(lambda: None).options(resources={"second": 1}).remote())  # now every node knows of it
            return live_through(folder, second)
    finally:
        nodes.shutdown()


def live_through(folder, second):
    """Act before and after the death of the second node's raylet."""
    raylet = second.all_processes["raylet"][0].process
    remote = settled(folder, second.node_id, raylet.pid)
    remote.execute(CELLS[0], "mayor")
    remote.run(until=STEPS // 2)
    remote.execute(CELLS[1], "mayor")
    process = remote.about()["process"]
    os.kill(raylet.pid, signal.SIGKILL)
    raylet.wait()
    killed_s = time.monotonic()
    while is_running(process) and time.monotonic() < killed_s + PATIENCE_S:
        time.sleep(0.01)
    assert not is_running(process), "the actor outlives its node"
    told = remote.execute("[*town.announcements]", "mayor").output
    back_s = time.monotonic() - killed_s
    other = remote.about()["process"]
    remote.run(until=STEPS)
    return {"run": remote.name, "told": told, "back_s": back_s, "moved": other != process, "hash": remote.end()}


def settled(folder, node, raylet):
    """Launch a town on a node: to Ray that is a wish, which it does not always grant while it counts its nodes."""
    for attempt in range(20):
        remote = launch(TOWN, folder / f"town-{attempt}", node=node)
        if stat_of(remote.about()["process"])[1] == str(raylet):
            return remote
        remote.end()
    raise AssertionError("Ray never puts an actor on the second node")


def is_running(process):
    """Say whether a process still runs: an actor sees that its raylet is gone, and ends."""
    return stat_of(process)[0] != "Z"  # a process that has ended, and nobody has asked how


def stat_of(process):
    """Return the state of a process, and its parent; "Z" and none if there is no such process."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except FileNotFoundError:
        return "Z", ""


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
