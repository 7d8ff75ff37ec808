"""What can be written, what need not be, and what templates make of it."""

# ruff: noqa: E501 -- a mutant is one line

from tests.mutants.mutant import Mutant

CAPACITY, RENDERING = "cave_sim/capacity", "cave_sim/rendering"
WRITTEN, WAYS = ("capacity/test_output_capacity.py",), ("capacity/test_strategies.py",)
STALLS = ("llm_agent/test_stalls.py", "capacity/test_calibration.py")
ATTACKS, DOCUMENTS = ("rendering/test_attacks.py",), ("rendering/test_documents.py", "rendering/test_attacks.py")

MUTANTS = [
    Mutant("a full window is more than full", CAPACITY, "used_tokens=min(self.limit_tokens, self.used_tokens + tokens)", "used_tokens=self.used_tokens + tokens", WRITTEN + WAYS),
    Mutant("a window may be used beyond its limit", CAPACITY, "0 <= self.used_tokens <= self.limit_tokens)", "0 <= self.used_tokens)", WRITTEN),
    Mutant("a margin of nothing is one", CAPACITY, "if not 0 < margin <= 1:", "if not 0 <= margin <= 1:", WAYS),
    Mutant("a replan is not counted", CAPACITY, "replans: int = 0\n    why", "replans: int = -9\n    why", WAYS),
    Mutant("a stall teaches nothing", CAPACITY, "STALLED_SHARE = 0.75", "STALLED_SHARE = 1.0", WAYS),
    Mutant("the template is paid for each document", CAPACITY, "math.ceil(document.template_tokens / document.documents)", "document.template_tokens", WAYS),
    Mutant("parts of a document lose its rest", CAPACITY, "each + (place < rest) + FRAME_TOKENS", "each + FRAME_TOKENS", WAYS),
    Mutant("chunks need no frames", CAPACITY, "return document.formatted_tokens + (chunks * FRAME_TOKENS if chunks > 1 else 0)", "return document.formatted_tokens", WAYS),
    Mutant("rendering always pays", CAPACITY, "return template_tokens / (documents * gain) if gain > 0 else math.inf", "return template_tokens / (documents * abs(gain))", WAYS),
    Mutant("only a part of the data costs nothing", CAPACITY, "self.content_tokens * self.data_share * self.data_multiplier", "self.content_tokens * self.data_multiplier", WAYS),
    Mutant("a call without words is silence", CAPACITY, "if not reply.text.strip() and not reply.tool_calls:", "if not reply.text.strip():", STALLS),
    Mutant("silence does not lower what is asked for", CAPACITY, "int(SHRINK * min(asked_tokens, self.tokens or asked_tokens))", "min(asked_tokens, self.tokens or asked_tokens)", STALLS),
    Mutant("a longer answer never lifts the limit", CAPACITY, "self.tokens = max(self.tokens, 2 * written_tokens)", "pass", STALLS),
    Mutant("loops of a template are not counted", RENDERING, "        self._steps += count\n", "", ATTACKS),
    Mutant("a template has any time", RENDERING, "if time.thread_time() > self._until_s:", "if False:", ATTACKS),
    Mutant("a text of a template has any length", RENDERING, "if isinstance(value, str) and len(value) > self.limits.chars:", "if False:", ATTACKS),
    Mutant("a row of a table in LaTeX is taken for an option", RENDERING, 'return f"{{}}{line}" if line.lstrip().startswith(("[", "*")) else line', "return line", DOCUMENTS),
    Mutant("a percent sign begins a comment in LaTeX", RENDERING, '[A-Za-z0-9][A-Za-z0-9 .,:;()+-]', '[A-Za-z0-9][A-Za-z0-9 .,:;()+%-]', DOCUMENTS),
    Mutant("a list begins where a text does", RENDERING, "    begin = _LINE_START.match(marked)\n", "    begin = None\n", DOCUMENTS),
    Mutant("an ampersand stays one in Markdown", RENDERING, '{"<": "&lt;", "&": "&amp;", ', '{"<": "&lt;", ', DOCUMENTS),
    Mutant("signs that turn a line stay", RENDERING, 'return text if text.isascii() else _TURNING.sub("", text)', "return text", DOCUMENTS),
    Mutant("the marks of cells may stand in a cell", RENDERING, "if joined.count(ROW) != len(rows) - 1 or joined.count(CELL) != len(rows) * (len(rows[0]) - 1):", "if False:", DOCUMENTS),
]  # fmt: skip
