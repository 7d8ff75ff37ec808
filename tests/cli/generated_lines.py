"""Odd command lines, generated from what the parsers themselves declare: every command, every option, odd values."""

import argparse
import os
from random import Random

from cave_sim.cli.parser import COMMANDS, parser

ODD = [
    "", " ", "0", "-1", "-0", "1.5", "nan", "inf", "-inf", "1e400", "99999999999999999999", "0x10", "١٢", "½", "true",
    "None", "2012-13-45", "0000-00-00", "9999-12-31T23:50", "missing", "missing/deeper", "a-file", "a-file/below", ".",
    "..", "/", "/dev/null", "/proc/foo", "/proc/self/mem", "run/run.sqlite", "run", "torn", "x" * 300, "a\0b",
    os.fsdecode(b"caf\xe9"), "\N{SNOWMAN}", "\N{RIGHT-TO-LEFT OVERRIDE}txt", "a\nb", "=", "a=", "=b", "a=b=c",
    "weather.kind", "weather", "world", "$system", "weather.kind == 1", "weather.kind ==", "(" * 80, "1/0", "[] + 1",
    "'x' * 9", "json", "json:loads", "os.path", "a..b", "http://", "http://[", "ftp://127.0.0.1", "s3://", "@file",
    "--", "-", "--help=1", "town_day", "smart_home", "graphml", "csv", "local", "process", "isolated", "random",
]  # fmt: skip
"""Wrong types, missing files, folders, devices, huge and negative numbers, texts of all kinds, dates that are none."""
BASE = {
    "run": ["storm_warning", "--quiet", "--steps", "1"],
    "list": [],
    "completion": ["bash"],
    "new": ["agent", "mine"],
    "tag": ["run", "word"],
    "note": ["run", "a text"],
    "resume": ["run", "--quiet", "--steps", "3"],
    "verify": ["run"],
    "replay": ["run"],
    "fork": ["run", "--at", "1", "--quiet", "--steps", "2"],
    "distil": ["run"],
    "doctor": ["run"],
    "log": ["run"],
    "blame": ["run", "weather.kind"],
    "story": ["run", "weather"],
    "evidence": ["missing.toml"],
    "export": ["run", "--format", "csv"],
    "training-data": ["run", "--out", "data"],
    "bisect": ["run", "weather.kind == 'rain'"],
    "why": ["run", "weather.kind == 'rain'", "--max-forks", "1"],
    "rules": ["run"],
    "search": ["missing.yaml", "weather.kind == 'rain'"],
    "diff": ["run", "run"],
    "cohort": ["run", "--at", "1", "--set", "weather.kind=rain", "--outcome", "Resident.mood", "--max-lives", "4"],
    "compare": ["run", "run"],
    "compare-models": ["run", "--without", "clock", "--max-calls", "2"],
    "dash": ["missing"],
    "serve": ["--gguf", "missing"],
    "branches": ["run"],
    "study": ["nothing"],
    "survey": ["run", "missing"],
    "check": ["missing.yaml"],
    "prompts": ["run"],
    "scenario": ["run"],
    "answer": ["run"],
    "bundle": ["run", "--out", "run.cave"],
    "capacity": ["plan", "--tokens", "900"],
    "film": ["run", "film.gif", "--every", "3"],
    "map": ["missing.osm.pbf"],
    "mcp": ["missing"],
    "open": ["missing.cave"],
    "sessions": ["run"],
}
"""An ordinary line of each command, into which something odd is put; what would serve or work long names nothing."""
LEFT_OUT = {"--help", "-h", "--watch", "--follow", "--address", "--mirror", "--host", "--on"}
"""Options that wait for somebody, or for another machine."""


def generated(seed, count):
    """Yield so many odd lines; the same seed gives the same ones."""
    dice = Random(seed)
    commands = next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction)).choices
    options = {name: list(_options(commands[name])) for name in BASE}
    assert options.keys() == COMMANDS.keys()
    for _ in range(count):
        command = dice.choice(list(BASE))
        line = list(BASE[command])
        way = dice.randrange(4)
        if way == 0 and line:
            line[dice.randrange(len(line))] = dice.choice(ODD)
        elif way == 1:
            line.insert(dice.randrange(len(line) + 1), dice.choice(ODD))
        else:
            for option, takes in dice.sample(options[command], min(max(1, way - 1), len(options[command]))):
                line += [f"{option}={dice.choice(ODD)}"] if takes else [option]
        yield [command, *line]


def _options(command):
    """Yield the options of a command, and whether each takes a value."""
    for action in command.load()._actions:
        for option in action.option_strings:
            if option not in LEFT_OUT:
                yield option, action.nargs != 0
