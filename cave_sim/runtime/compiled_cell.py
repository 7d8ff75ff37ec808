"""What a cell is once it was compiled."""

from __future__ import annotations

import dis
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType


def _numbers(*words: str) -> bytes:
    """Return the numbers of the instructions in whose names one of these words is."""
    named = {name: number for name, number in dis.opmap.items() if number < 256}  # others are none that is kept
    return bytes(number for name, number in named.items() if any(word in name for word in words))


_LASTING = _numbers("CALL", "BACKWARD", "ITER", "IMPORT", "SEND", "YIELD", "CLASS", "FUNCTION", "WITH")
"""Instructions by which a cell may come to run for long: what calls, repeats, imports or waits."""
_HASHING = bytes([dis.opmap["BUILD_MAP"], dis.opmap["MAP_ADD"]])
_COMPARING = _numbers("COMPARE", "SUBSCR", "CONTAINS_OP")
"""And those that compare or hash what stands last on the stack, which takes long with what shares its parts."""
_LONG = re.compile(
    b"[%s]|(?<!%s)[%s]"
    % (re.escape(_LASTING + _HASHING), re.escape(bytes([dis.opmap["LOAD_CONST"]])), re.escape(_COMPARING)),
    re.DOTALL,
)
_FILLING = bytes([dis.opmap.get("CACHE", 0), dis.EXTENDED_ARG])
_COROUTINE = 0x80
_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


@dataclass(frozen=True, slots=True)
class CompiledCell:
    """One compiled cell.

    Attributes:
        source: as the agent wrote it.
        code: what runs; a coroutine if the cell awaits.
        names: every global name and attribute that it mentions.
        awaits: whether it must be run as a coroutine.
        is_brief: whether nothing in it can run for long.
    """

    source: str
    code: CodeType
    names: frozenset[str]
    awaits: bool
    is_brief: bool

    @classmethod
    def of(cls, source: str, code: CodeType, *, guarded: bool) -> CompiledCell:
        """Return the cell of this code.

        Args:
            source: what was compiled.
            code: what came of it.
            guarded: whether the gate let it through.
        """
        is_brief = guarded and _is_brief(code.co_code[::2])
        return cls(source, code, _names(code), bool(code.co_flags & _COROUTINE), is_brief)


def _is_brief(instructions: bytes) -> bool:
    return _LONG.search(instructions.translate(None, _FILLING)) is None


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of each function and class body within, in order; comprehensions are no functions everywhere."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name not in _COMPREHENSIONS:
                yield constant
            yield from functions_in(constant)


def _names(code: CodeType) -> frozenset[str]:
    inner = [_names(constant) for constant in code.co_consts if type(constant) is CodeType]
    return frozenset(code.co_names).union(*inner)
