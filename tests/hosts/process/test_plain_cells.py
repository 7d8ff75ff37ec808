"""Which cells are plain: those that hold no code of an agent's. Reading them takes no parser, and no time."""

import ast
import random
import time

import pytest

from cave_sim.hosts.process.plain_cells import MAX_CHARS, read_plain

PLAIN = {
    "me.eat()": {("me", "()")},
    "me.mood = 0.25": {("me", "mood")},
    "me.mood": {("me", "mood")},
    "me.mood = -1": {("me", "mood")},
    "print(shop.buy(me, 'bread', count=2))": {("print", ""), ("shop", "()"), ("me", "")},
    "me.say(bob, \"Kahvi, kiitos! Öö?\")\n\nme.plan = shop.title": {
        ("me", "()"), ("bob", ""), ("me", "plan"), ("shop", "title"),
    },
    "me.mood = 0.2 if me.mood == 0.5 else me.mood + 0.1": {("me", "mood")},
    "if not shop.is_open:\n    me.plan = 'home'\nelse:\n    shop.open()\n    me.mood": {
        ("shop", "is_open"), ("me", "plan"), ("shop", "()"), ("me", "mood"),
    },
    "x": {("x", "")},
    "# 18:00: Åsa's \"friend\" waits (here\nif me.mood == 'a':\n# why\n    me.eat()\n        # '''\n    me.x = '#'": {
        ("me", "()"), ("me", "mood"), ("me", "x"),
    },
    "seen = me.place\nmood = seen\nprint(seen + mood)": {("me", "place"), ("print", "")},
    "n = n + 1\nif n == 3:\n    last = n\nelse:\n    last = cup": {("n", ""), ("cup", "")},
    "me.mood -= 0.1\nn += me.count": {("me", "mood"), ("n", ""), ("me", "count")},
    "cup = shop.buy('tea')\ncup\nprint(cup)\nme.cup = cup\nsame = cup\nsame": {
        ("shop", "()"), ("print", ""), ("me", "cup"),
    },
}  # fmt: skip
BOUND = {
    "me.mood = 1": set(), "x": set(), "x = 1": {"x"}, "x = me.mood\nx = bob.eat(x)": {"x"}, "me = 1": {"me"},
    "x += 1\nme.mood += 1": {"x"},
    "if x:\n    y = 1\nelse:\n    z = x": {"y", "z"},
}  # fmt: skip
NOT_PLAIN = [
    "", "    ", "x = y = 1", "x: int = 1", "x + = 1", "x *= 2", "x, y = 1", "f(x += 1)", "x = me.f()\nx += 1",
    "print = 1", "True = 1", "x = [1]", "me.x = y = 1",
    "x = me.f()\nx + 1", "x = me.f()\nme.go(x)", "x = me.f()\ny = x\nnot y", "x = me.f()\nif x:\n    me.y",
    "x = me\nx.y",
    "x = 'a'\nx.upper()", "if me.y:\n    x = 1\nx", "x = 1\nif me.y:\n    x = me.f()\nx + 1", "f()", "me.go(f())",
    "me.a.b()", "me.a.b = 1", "me.a.b", "me.x[0]", "[me]",
    "{}", "me.__class__", "me._x", "_x.y", "me.go(lambda: 1)", "me.x = f'{me}'", "me.x = b'a'", "me.x = '\\n'",
    "me.x = '''a'''", "me.x = 'a' 'b'", "me.x = 2 ** 9", "me.x = 'a' * 9", "me.x = 1e9", "me.x = 0x1", "me.x = 1_0",
    "import os", "del me.x", "await me.x", "for x in me.y:\n    me.x", "while me.x:\n    me.y", "def f():\n    me.x",
    "class x:\n    me.y", "with me.x:\n    me.y", "try:\n    me.x\nfinally:\n    me.y", "@me.x\nme.y", "me.x; me.y",
    "me.x # why", "# why", "me.x = \\\n# why", "me.x = '''\n# a\n'''", "me.go(\n# a\n)", "if me.x:\n    # why",
    "#\rme.x",
    "me.x \\\n= 1", "me.go(*x)", "me.go(**x)", "me.go(x := 1)", "me.é", "mе.x", "me.x = print", "print",
    "me.go(print)", "print(print(1))", "me.x\t= 1", "me.x\r", "me.x\x0c", "me.x = '\u202e'", "if me.x:\nme.y",
    "if me.x:\n   me.y", "me.x or f(1)", "not", "me.x.__add__(1)", "me.go(me.x.y)", "me.go((1))",
    "me.go(x for x in y)", "me.x = 'a' % me", "me.x = ~me.y", "...", "me.x,",
]  # fmt: skip


@pytest.mark.parametrize("code", PLAIN)
def test_what_only_uses_what_there_is_is_plain(code):
    assert read_plain(code).places == PLAIN[code]


def test_what_a_plain_cell_binds_is_told():
    assert {code: read_plain(code).bound for code in BOUND} == BOUND


def test_what_could_hold_code_is_not_plain():
    assert [code for code in NOT_PLAIN if read_plain(code) is not None] == []
    assert read_plain("me.x = '" + "a" * MAX_CHARS + "'") is None


def test_what_stands_in_a_line_of_comment_is_no_part_of_a_plain_cell():
    chance = random.Random(7)
    quotes, comments = ["'", '"', "'a'", "\\", "(", ")"], ["#", " # ", "\n#", "\n# it's\n", "\n    # a\n"]
    parts = [*quotes, *comments, "me.x", " = ", "\n", "if me.x:\n    "]
    found = 0
    for _ in range(20_000):
        code = "".join(chance.choices(parts, k=chance.randint(2, 7)))
        if "#" in code and read_plain.__wrapped__(code) is not None:
            bare = "\n".join(line for line in code.split("\n") if not line.lstrip().startswith("#"))
            assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(bare))
            found += 1
    assert found > 100


def test_nothing_takes_long_to_read():
    evil = [
        "me.a+" * 199 + "!",
        "n.n(" + "a," * 490 + "!",
        "-" * 999,
        "a.b" * 300,
        "if a:\n" * 20,
        "a if b else " * 80,
        "'" * 999,
    ]
    read_plain.cache_clear()
    began_s = time.process_time()
    for code in evil:
        assert read_plain(code) is None
    assert time.process_time() - began_s < 2
