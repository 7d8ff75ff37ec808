"""Hostile cells that go through modules: what they import, write, read and call by name."""

PAGES = {
    "imports": """
import os

import sys as math

import os.path

from os import system

from math import _members

from . import secrets

from json import decoder
print(decoder.scanner)

from collections import abc

import importlib

from numpy import random
random.seed(1)

from dataclasses import sys

from networkx import utils

import builtins

from statistics import *

__import__("os").system("touch canary")

from pandas import io
""",
    "pickle, native": """
import pickle
pickle.dumps(me)

import ctypes

import copy
print(copy.deepcopy(world))

import copy
copy.copy(me)

print(me.__reduce_ex__(2))

np.load("canary.npy", allow_pickle=True)

pd.read_pickle("canary.pkl")

np.save("canary.npy", np.zeros(3))

import dataclasses
@dataclasses.dataclass
class Box:
    inside: object
print(dataclasses.asdict(Box(world)))
""",
    "data-library doors": """
census.to_csv("canary.csv")

census["people"].to_pickle("canary.pkl")

print(pd.read_csv("canary.csv"))

print(census.query("@pd.io"))

print(census.eval("people + 1"))

census.apply("to_csv", path_or_buf="canary.csv")

census.agg("to_json", path_or_buf="canary.json")

census["people"].pipe(open, "canary", "w")

census.groupby("part").apply(print)

census.groupby("part").agg("to_csv")

census.pivot_table(index="part", aggfunc="to_csv")

census.pivot_table(index="part", values="people", aggfunc=["mean", "plot"])

census.plot()

census.style.to_html("canary.html")

np.fromfile("canary")

np.zeros(3).tofile("canary.bin")

np.zeros(3).dump("canary.bin")

np.memmap("canary", mode="w+", shape=(3,))

np.genfromtxt("canary")

print(np.lib, np.ctypeslib)

nx.read_gml("canary.gml")

nx.write_gml(vault.streets, "canary.gml")

print(nx.utils, nx.readwrite)

nx.shortest_path(vault.streets, "a", "c", backend="os")

vault.accounts.values[0] = 9

np.asarray(vault.accounts["cents"])[0] = 9

vault.accounts["cents"].array[0] = 9

vault.accounts.loc[0, "cents"] = 10**6
print(vault.accounts.loc[0, "cents"])

vault.grid[0] = 99
vault.grid.base[0] = 99

vault.grid.fill(7)

np.abs([9] * 6, out=vault.grid)

pd.DataFrame.to_csv(census, "canary.csv")

team["ann"].inject("t", census)
pd.DataFrame.to_csv(t, "canary.csv")

series = me.diary["day"]
series.map("to_csv")

vault.streets.nodes["a"]["x"] = 1

vault.streets.add_edge("a", "d")

nx.Graph.add_edge(vault.streets, "a", "d")

g = vault.streets.subgraph(["a", "b"])
g.nodes["a"]["x"] = 1

vault.streets.adj["a"]["b"]["w"] = 3

vault.streets.graph["name"] = "mine"

vault.accounts.index.values[0] = 7

import dataclasses
dataclasses.dataclass(pd.Series)

vault.accounts.attrs["x"] = 1

print(np.core, np.testing, pd.io, pd.compat.os)
""",
}
