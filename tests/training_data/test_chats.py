"""Training data as whole chats: what is learned of them is the last message, and nothing else."""

import json

import pytest

from cave_sim import WorldError
from cave_sim.cli.main import main
from cave_sim.training_data.chats import NOT_LEARNED, tokens_and_labels
from cave_sim.training_data.example import ROLES, SPLITS
from cave_sim.training_data.replies import JudgedReplies
from cave_sim.training_data.statistics import examples_in


class Letters:
    """A tokenizer whose tokens are the letters of a chat, each message between marks."""

    def apply_chat_template(self, conversation, *, tools=None, add_generation_prompt=False):
        told = "".join(f"<{each['role']}>{each['content']}</>" for each in conversation)
        return [ord(letter) for letter in f"{json.dumps(tools)}{told}{'<assistant>' if add_generation_prompt else ''}"]


class Rewriting(Letters):
    """Writes what came before otherwise once there is an answer, as templates that drop thoughts do."""

    def apply_chat_template(self, conversation, **options):
        return [len(conversation), *super().apply_chat_template(conversation, **options)]


def lines(folder):
    for role in ROLES:
        for split in SPLITS:
            for line in (folder / role / f"{split}.jsonl").read_text("utf-8").splitlines():
                yield json.loads(line)


def test_a_chat_is_prompt_and_completion_and_its_last_message_alone_has_weight(written, tmp_path):
    folder, chats = written[1], tmp_path / "chats"
    assert main(["training-data", "--chats", str(folder), "--out", str(chats)]) == 0
    found, examples = list(lines(chats)), list(lines(folder))
    assert len(found) == len(examples) > 0
    for chat, example in zip(found, examples, strict=True):
        weights = [each.pop("weight", None) for each in chat["messages"]]
        assert chat["messages"] == example["prompt"] + example["completion"]
        assert weights == [0 if each["role"] == "assistant" else None for each in example["prompt"]] + [1]
    assert any(0 in [each.get("weight") for each in chat["messages"]] for chat in lines(chats))


def test_labels_say_that_the_completion_is_learned_and_nothing_before_it(written):
    for example in list(examples_in(written[1] / "executor" / "train.jsonl"))[:20]:
        tokens, labels = tokens_and_labels(example, Letters())
        learned = "".join(chr(label) for label in labels if label != NOT_LEARNED)
        assert learned == f"{example.completion[0].content}</>"
        assert len(tokens) == len(labels)
        assert "".join(map(chr, tokens)).endswith(learned)
        with pytest.raises(WorldError, match="otherwise once it is answered"):
            tokens_and_labels(example, Rewriting())


def test_what_is_no_training_data_is_refused_by_file_and_line(written, tmp_path, capsys):
    folder, out = tmp_path / "broken", tmp_path / "chats"
    for each in ("executor", "tracker"):
        (folder / each).mkdir(parents=True)
    (folder / "executor" / "train.jsonl").write_text('{"messages": []}\n')
    assert main(["training-data", "--chats", str(folder), "--out", str(out)]) == 1
    assert "train.jsonl:1 is no example" in capsys.readouterr().err
    assert main(["training-data", "--chats", str(tmp_path / "none"), "--out", str(out)]) == 1
    assert main(["training-data", "--chats", str(written[1])]) == 1
    assert not out.exists()


def test_a_reply_that_was_asked_for_anew_is_not_learned():
    replies = JudgedReplies(None)
    rows = [
        {"kind": "user", "text": "Dim it."},
        {"kind": "assistant", "text": '{"name": "dim"', "data": {"outcome": "truncated"}},
        {"kind": "user", "text": "Your reply was cut off."},
        {"kind": "assistant", "text": '{"name": "dim"}'},
        {"kind": "tool_call", "text": "dim({})", "data": {"id": "1", "name": "dim", "arguments": "{}"}},
        {"kind": "tool_result", "text": "done", "data": {"call": "1"}},
        {"kind": "assistant", "text": "It is do", "data": {"outcome": "truncated"}},
        {"kind": "user", "text": "Your reply was cut off."},
    ]
    learned = [text for row in rows for text, _, _ in replies.take(row)] + [text for text, _, _ in replies.end()]
    assert learned == ['{"name": "dim"}']
