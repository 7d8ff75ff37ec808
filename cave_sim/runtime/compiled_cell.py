"""What a cell is once it was compiled."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import CodeType

_WORK = ("CALL", "BACKWARD", "ITER", "IMPORT", "SEND", "YIELD", "CLASS", "FUNCTION", "WITH")
_LASTING = frozenset(number for name, number in dis.opmap.items() if any(word in name for word in _WORK))
"""Instructions by which a cell may come to run for long: what calls, repeats, imports or waits."""
_CONSTANT = dis.opmap["LOAD_CONST"]
_COMPARING = frozenset(number for name, number in dis.opmap.items() if "COMPARE" in name or "SUBSCR" in name)
_COMPARING |= {dis.opmap["CONTAINS_OP"]}
"""And those that compare or hash what stands last on the stack, which takes long with what shares its parts."""
_FILLING = {dis.opmap.get("CACHE", 0), dis.EXTENDED_ARG}
_HASHING = frozenset({dis.opmap["BUILD_MAP"], dis.opmap["MAP_ADD"]})
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
        return cls(source, code, frozenset(_names(code)), bool(code.co_flags & _COROUTINE), is_brief)


def _is_brief(instructions: bytes) -> bool:
    if not _LASTING.isdisjoint(instructions):
        return False
    plain = bytes(each for each in instructions if each not in _FILLING)
    return not any(each in _HASHING or (each in _COMPARING and before != _CONSTANT) for before, each in pairwise(plain))


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of each function and class body within, in order; comprehensions are no functions everywhere."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name not in _COMPREHENSIONS:
                yield constant
            yield from functions_in(constant)


def _names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if type(constant) is CodeType:
            names |= _names(constant)
    return names
