"""Code is found in whatever fence a model writes, however its reply arrives."""

import textwrap
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim.models.code_blocks import Block, FenceReader, read_reply

CODE = "x = 1"


def codes(text, **options):
    return [block.code for block in read_reply(text, **options).blocks]


@pytest.mark.parametrize(
    "reply",
    [
        "```python\nx = 1\n```",
        "```py\nx = 1\n```",
        "```python3\nx = 1\n```",
        "```Python\nx = 1\n```",
        "``` python\nx = 1\n```",
        "```{python}\nx = 1\n```",
        "```tool_code\nx = 1\n```",
        "```\nx = 1\n```",
        '```python title="walk.py" linenums\nx = 1\n```',
        "```python:walk.py\nx = 1\n```",
        "~~~\nx = 1\n~~~",
        "~~~python\nx = 1\n~~~~",
        "````python\nx = 1\n````",
        "```python\r\nx = 1\r\n```\r\n",
        "  ```python\n  x = 1\n  ```",
        "1. First:\n   ```python\n   x = 1\n   ```",
        "- ```python\n  x = 1\n  ```",
        "```python\n    x = 1\n```",
        "Here it is: ```python\nx = 1\n```",
        "```python x = 1```",
        "```python\nx = 1```",
        "```python\nx = 1\n```and that was it",
        "<code>\nx = 1\n</code>",
        "<python>x = 1</python>",
        "<execute>\n```python\nx = 1\n```\n</execute>",
        "````\n```python\nx = 1\n```\n````",
        "````python\n```python\nx = 1\n```\n````",
        "`````\n````\n\n```\nx = 1\n```\n````\n`````",
        "~~~\n```python\nx = 1\n```\n~~~",
        "````\nIt isn't on.\n```python\nx = 1\n```\n````",
        "Here it is: ````python\nx = 1\n````",
        '<execute lang="python">\nx = 1\n</Execute>',
    ],
)
def test_every_fence_is_read(reply):
    reading = read_reply(f"I set x.\n\n{reply}")
    assert reading.blocks == (Block(CODE),)
    assert not reading.truncated


@pytest.mark.parametrize(
    "reply",
    [
        "I would rather wait.",
        "Say `x = 1` or ```x = 1``` for short.",
        "The <code>x</code> field is a number.",
        '```json\n{"x": 1}\n```',
        "```bash\nls\n```",
        "```text\nx = 1\n```",
        "```output\nx = 1\n```",
        "```markdown\n```python\nx = 1\n```\n```",
        "````markdown\n```python\nx = 1\n```\n````",
        "```python\n\n```",
        "",
    ],
)
def test_what_is_no_python_is_no_code(reply):
    reading = read_reply(reply)
    assert (reading.cell(), reading.truncated) == ("", False)


@pytest.mark.parametrize(
    "code",
    [
        'text = "```"',
        "text = '''\n```python\ny = 2\n```\n'''",
        'text = """It\'s\n```\n"""\nx = 1',
        "# ends with ```\nx = 1",
        "x = 1  # it's ``` here",
        'text = "\\"```"',
        "text = r'\\\\' + '```'",
        "first = '</code>'",
    ],
)
def test_fences_in_strings_and_comments_belong_to_the_code(code):
    assert codes(f"```python\n{code}\n```\nDone.") == [code]
    assert codes(f"````\n{code}\n````\nDone.") == [code]
    assert codes(f"<code>\n{code}\n</code>\nDone.") == [code]


def test_several_blocks_are_one_cell_in_order_or_by_choice_only_the_first():
    reading = read_reply("A:\n```python\na = 1\n```\nthen\n```json\n{}\n```\nB:\n~~~\nb = 2\n~~~\nDone.")
    assert reading.cell() == "a = 1\n\nb = 2"
    assert reading.cell(only_first=True) == "a = 1"
    assert reading.prose == "A:\nthen\n```json\n{}\n```\nB:\nDone."


def test_an_unclosed_block_is_reported_and_runs_only_on_demand():
    reading = read_reply("```python\nx = 1\ny = ")
    assert reading.blocks == (Block("x = 1\ny = ", closed=False),)
    assert reading.truncated
    assert reading.cell() == ""
    assert reading.cell(unclosed=True) == "x = 1\ny = "


def test_a_reply_that_was_cut_off_can_be_continued():
    reader = FenceReader()
    reader.feed("```python\nprint('half a wo")
    assert reader.is_open
    reader.feed("rd')\n```\n")
    assert not reader.is_open
    assert reader.finish().cell() == "print('half a word')"


@pytest.mark.parametrize(
    ("reply", "is_open"),
    [
        ("```python\nx = 1\n```", False),
        ("```python\nx = 1\n``", True),
        ("Then:\n```python", True),
        ("<think>hm</think>", False),
    ],
)
def test_the_last_line_counts_although_it_has_not_ended(reply, is_open):
    reader = FenceReader()
    reader.feed(reply)
    assert reader.is_open == is_open == reader.finish().truncated


@pytest.mark.parametrize(
    "reply",
    [
        "<think>\n```python\nbad()\n```\n</think>\n```python\nx = 1\n```",
        "<think>hm</think>```python\nx = 1\n```",
        "<Thinking>\n~~~\nbad()\n~~~\n</Thinking>\n```\nx = 1\n```",
        "Let me see: ```python\nbad()\n```\n</think>\n```\nx = 1\n```",
        "```python\nx = 1\n```\n<think>\n```python\nbad()\n```\n</think>",
    ],
)
def test_thoughts_are_no_code(reply):
    reading = read_reply(reply)
    assert (reading.cell(), reading.prose) == (CODE, "")


def test_an_unclosed_thought_is_a_truncated_reply():
    reading = read_reply("<think>\n```python\nbad()\n```")
    assert (reading.blocks, reading.truncated) == ((), True)


def test_a_model_whose_template_opens_the_thought_is_read_from_inside_it():
    reader = FenceReader(thinking=True)
    assert reader.feed("```python\nbad()\n```\n</think>\n") == []
    assert reader.feed("```python\nx = 1\n```\n") == [Block(CODE)]


def test_thinking_tags_in_code_are_code():
    assert codes("```python\ntag = '''\n<think>\n'''\n```") == ["tag = '''\n<think>\n'''"]


def test_a_block_comes_out_as_soon_as_it_closes():
    reader = FenceReader()
    assert [reader.feed(chunk) for chunk in ("```py", "thon\nx = 1\n", "``", "`\n", "more")] == [
        [],
        [],
        [],
        [Block(CODE)],
        [],
    ]


def test_a_fence_that_opens_before_the_last_one_closed_ends_it():
    assert codes("```python\na = 1\n```python\nb = 2\n```") == ["a = 1", "b = 2"]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("````python\na = 1\n```\nDone.\n```python\nb = 2\n```", ["a = 1", "b = 2"]),
        ("```python\na = '''oops\n```\nSo:\n```python\nb = 2\n```", ["a = '''oops", "b = 2"]),
    ],
)
def test_a_block_that_never_closes_properly_closes_where_it_was_meant_to(reply, expected):
    reading = read_reply(reply)
    assert [block.code for block in reading.blocks] == expected
    assert not reading.truncated


def test_relative_indentation_is_kept():
    code = "if x:\n    y()\n\nelse:\n\tz()"
    for indent in ("  ", "\t", "        "):
        assert codes(textwrap.indent(f"```python\n{code}\n```", indent)) == [code]


@pytest.mark.parametrize(
    "unit", ["```\n", '"""', "`", "<think></think>", "```python `", "~", "'''\n```\n", "<code>", "\\\n"]
)
def test_hostile_replies_end_in_time(unit):
    read_reply("```python\n" + unit * 20_000)
    read_reply(unit * 20_000)


# ---- laws

PIECES = st.sampled_from(
    [
        *("```python", "```", "~~~", "````", "```json", "```markdown", "`"),
        *("<think>", "</think>", "<code>", "</code>", "<execute>", "</execute>"),
        *("'''", '"""', "'", '"', "#", "\\", "- ", "it's"),
        *("\n", "\n", "\r\n", "x = 1", "    y", " "),
    ]
)
REPLIES = st.lists(PIECES, max_size=40).map("".join)


def in_chunks(text, cuts):
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


@given(REPLIES, st.lists(st.integers(0, 200), max_size=12))
def test_how_a_reply_is_cut_into_chunks_makes_no_difference(reply, cuts):
    whole, pieces = FenceReader(), FenceReader()
    at_once = whole.feed(reply)
    one_by_one = [block for chunk in in_chunks(reply, cuts) for block in pieces.feed(chunk)]
    assert one_by_one == at_once
    assert pieces.is_open == whole.is_open
    assert pieces.finish() == whole.finish() == read_reply(reply)


@given(REPLIES)
def test_every_character_on_its_own_makes_no_difference_either(reply):
    reader = FenceReader()
    for character in reply:
        reader.feed(character)
    assert reader.finish() == read_reply(reply)


LINES = st.sampled_from(
    [
        "x = 1",
        "if x:",
        "    y = '```'",
        '    """\n```\n"""',
        "# ```",
        "say(f'{a!r}')",
        "t = '''<think>\n</code>\n~~~'''",
        "",
        "    ",
        'don_t = "it\'s"',
    ]
)
FENCES = st.tuples(
    st.sampled_from("`~"), st.integers(3, 6), st.sampled_from(["python", "py", "PYTHON", "", "python3 hl=1"])
)


@given(
    st.lists(st.tuples(st.lists(LINES, max_size=6), FENCES), min_size=1, max_size=4),
    st.sampled_from(["", "  ", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_code_comes_out_of_any_fence_as_it_went_in(blocks, indent, end):
    expected, reply = [], "Here.\n"
    for lines, (character, length, info) in blocks:
        code = "\n".join(["start()", *lines])
        fence = character * length
        reply += textwrap.indent(f"{fence}{info}\n{code}\n{fence}\n", indent, lambda line: True) + "and\n"
        expected.append(code)
    reply = reply.replace("\n", end)
    assert codes(reply) == expected
