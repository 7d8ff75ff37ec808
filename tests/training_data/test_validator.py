"""The validator: whatever is spoilt in a folder of training data is named by file, line, key and rule."""

import json

import pytest

from cave_sim.cli.main import main
from cave_sim.training_data.example import TrainingExample
from cave_sim.training_data.statistics import examples_in
from cave_sim.training_data.validator import faults
from tests.long_cases import cases

EXECUTOR, TRACKER, CARD, MANIFEST = "executor/train.jsonl", "tracker/train.jsonl", "README.md", "training_data.json"


def lines_of(folder, name):
    return (folder / name).read_text("utf-8").splitlines()


def rewrite(folder, name, lines):
    (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def place(folder, name, kind):
    """Return the first line of a kind, from 0, and what it says."""
    found = enumerate(map(json.loads, lines_of(folder, name)))
    return next((at, data) for at, data in found if data["kind"] == kind)


def edit(name, kind, change, *, sealed=True):
    """Return how a line of a kind is spoilt; its id is made to fit again, as a careful forger would."""

    def spoil(folder):
        at, data = place(folder, name, kind)
        change(data)
        if sealed:
            data["id"] = TrainingExample.model_validate_json(json.dumps(data)).content_id
        lines = lines_of(folder, name)
        lines[at] = json.dumps(data)
        rewrite(folder, name, lines)

    return spoil


def answer(text):
    def change(data):
        data["completion"][0]["content"] = text

    return change


def put(path, value):
    def change(data):
        *parents, last = path
        for each in parents:
            data = data[each]
        data[last] = value

    return change


def call(name, **arguments):
    return json.dumps({"name": name, "arguments": arguments})


def without_tools(data):
    head, _, told = data["prompt"][0]["content"].partition("\nTools:\n")
    data["prompt"][0]["content"] = f"{head}\nTools:\n" + "\n".join(told.splitlines()[:4])


def repeat_log(data):
    log = data["prompt"][1]["content"].partition("\n\n<new_messages>")[0].splitlines()
    data["completion"][0]["content"] = log[-1]


def swap_splits(folder):
    train, other = lines_of(folder, EXECUTOR), lines_of(folder, "executor/validation.jsonl")
    rewrite(folder, "executor/validation.jsonl", [*other, train[0]])


def drop_lines(name, keep):
    return lambda folder: rewrite(folder, name, [line for line in lines_of(folder, name) if keep(json.loads(line))])


def raw(name, change):
    return lambda folder: (folder / name).write_text(change((folder / name).read_text("utf-8")), "utf-8")


BREAKS = "breaks the rules of the log"
SPOILT = {
    "a line that is no JSON": (raw(EXECUTOR, lambda text: text.replace("{", "", 1)), f"{EXECUTOR}:1: Invalid JSON"),
    "an empty line": (raw(EXECUTOR, lambda text: "\n" + text), f"{EXECUTOR}:1: Invalid JSON"),
    "NaN": (edit(EXECUTOR, "call", put(["tokens", "prompt"], float("nan")), sealed=False), "tokens.prompt: Input"),
    "a key that nobody knows": (edit(EXECUTOR, "call", put(["why"], 1), sealed=False), "why: Extra inputs"),
    "a number as text": (edit(EXECUTOR, "call", put(["origin", "step"], "1"), sealed=False), "origin.step: Input"),
    "two replies": (
        edit(EXECUTOR, "call", lambda data: data["completion"].append(data["completion"][0]), sealed=False),
        "completion: List should have at most 1 item",
    ),
    "another word": (edit(EXECUTOR, "answer", put(["prompt", 1, "content"], "Hm."), sealed=False), ": id: "),
    "a reply of a user": (edit(EXECUTOR, "answer", put(["completion", 0, "role"], "user")), "completion[0].role"),
    "an empty reply": (edit(EXECUTOR, "answer", answer(" ")), "completion[0].content: is empty"),
    "a reply to an assistant": (edit(EXECUTOR, "answer", put(["prompt", -1, "role"], "assistant")), "is assistant"),
    "a second system message": (edit(EXECUTOR, "call", put(["prompt", 1, "role"], "system")), "[1].role: is system"),
    "a tool that is not shown": (edit(EXECUTOR, "call", answer(call("fly", to="Oslo"))), "calls fly, which is none of"),
    "a call without an argument": (edit(EXECUTOR, "call", answer('{"name": "NAME", "arguments": {}}')), "without"),
    "a call that is cut": (edit(EXECUTOR, "call", answer('{"name": "set_timer", "arguments": {')), "cannot be parsed"),
    "an argument of no tool": (edit(EXECUTOR, "call", answer('{"name": "NAME", "arguments": {"x": 1}}')), "with x"),
    "a selection of no tool": (edit(EXECUTOR, "select", answer('{"select": "fly", "reason": ""}')), "selects fly"),
    "few tools": (edit(EXECUTOR, "answer", without_tools), "shows 4 tools; 10 to 14 are wanted"),
    "a wrong kind": (edit(EXECUTOR, "answer", put(["kind"], "call")), "is of kind call, and does nothing but answer"),
    "a kind of the tracker": (edit(EXECUTOR, "answer", put(["kind"], "facts")), "kind: is facts"),
    "a line in the wrong file": (edit(EXECUTOR, "answer", put(["role"], "tracker")), "role: is tracker in a file of"),
    "a wrong length": (edit(EXECUTOR, "call", put(["tokens", "completion"], 1)), "tokens.completion: says 1"),
    "a telephone": (edit(EXECUTOR, "answer", answer("It is +358 40 1234567.")), "holds something that may not leave"),
    "a key": (edit(EXECUTOR, "answer", answer("Use sk-proj-abcdefghijklmnop1234.")), "holds a key or password"),
    "a mark of a template": (edit(EXECUTOR, "answer", answer("Yes.<|im_end|>")), "holds a mark of a chat template"),
    "a run that is no source": (edit(EXECUTOR, "call", put(["origin", "seal"], "0" * 64)), "origin.seal: is of no run"),
    "another category": (edit(EXECUTOR, "call", put(["category"], "talk")), "category: is talk; its run is of"),
    "another scenario": (edit(EXECUTOR, "call", put(["origin", "scenario"], "x/1")), "origin.scenario: is not that of"),
    "a log that repeats": (edit(TRACKER, "trouble", repeat_log), BREAKS),
    "a log in sentences": (edit(TRACKER, "facts", answer("- It went well:\n# and so on")), BREAKS),
    "NO_UPDATE and more": (edit(TRACKER, "no_update", answer("# NO_UPDATE\nuser: thanks")), BREAKS),
    "other rules for the tracker": (edit(TRACKER, "facts", put(["prompt", 0, "content"], "Sum up.")), "its rules"),
    "a line twice": (raw(TRACKER, lambda text: text + text.splitlines()[0] + "\n"), "is there twice: "),
    "a line of the other split": (swap_splits, "is on the other side of the split too"),
    "a category less": (drop_lines(EXECUTOR, lambda data: data["category"] != "cloud"), "category: cloud has 0.0%"),
    "a file less": (lambda folder: (folder / TRACKER).unlink(), f"{TRACKER}: is not there"),
    "an edited card": (raw(CARD, lambda text: text.replace("100%", "0%")), "README.md: is not the card of these files"),
    "an edited manifest": (raw(MANIFEST, lambda text: text.replace('"sources"', '"source"')), "source: Extra inputs"),
    "a manifest that is no JSON": (raw(MANIFEST, lambda text: text[:-9]), f"{MANIFEST}: Invalid JSON"),
    "a source less": (raw("sources.jsonl", lambda text: text.partition("\n")[2]), "sources.jsonl: has "),
}  # fmt: skip


def test_what_was_written_has_no_fault(written, capsys):
    assert main(["training-data", "--check", str(written[1])]) == 0
    assert "is as its card says" in capsys.readouterr().out


@pytest.mark.parametrize("what", cases(SPOILT, lambda what: what not in [*SPOILT][::3]))
def test_what_is_spoilt_is_named(what, copied):
    spoil, told = SPOILT[what]
    name = next(json.loads(each.completion[0].content)["name"] for each in examples_in(copied / EXECUTOR)
                if each.kind == "call" and "arguments\": {}" not in each.completion[0].content)  # fmt: skip
    spoil(copied)
    raw(EXECUTOR, lambda text: text.replace("NAME", name))(copied)
    found = [str(fault) for fault in faults(copied)]
    assert any(told in each for each in found), found


def test_a_fault_has_a_line_of_its_own_and_ends_the_command_with_1(copied, capsys):
    SPOILT["a key"][0](copied)
    assert main(["training-data", "--check", str(copied)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("executor/train.jsonl:") and "holds a key or password" in line for line in lines)
    assert lines[-1] == f"{len(lines) - 1} faults in {copied}"
