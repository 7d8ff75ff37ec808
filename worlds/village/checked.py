"""Reading JSON files that people write: a mistake becomes one line with file, place in it, rule and way out."""

import re
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from cave_sim import WorldError
from cave_sim.files.given_files import given_bytes

T = TypeVar("T")
SHOWN = 60


class Frozen(BaseModel):
    """What a file may say: exact types, no field that is not declared, no change afterwards."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, strict=True, extra="forbid")


def read(path: Path, shape: Any) -> Any:
    """Return the file's data as `shape`, a type that pydantic can check.

    Raises:
        WorldError: the file is missing, is not JSON, or does not have that shape.
    """
    try:
        return TypeAdapter(shape).validate_json(given_bytes(path))
    except OSError as error:
        raise WorldError(f"{path.name}: cannot be read ({error.strerror}); it should lie at {path}.") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        refuse(path.name, _place(first["loc"]), _rule(first))


def refuse(file: str, place: str, rule: str) -> NoReturn:
    """Raise the one-line error that `file` breaks `rule` at `place`; the rule says "must ..."."""
    where = f"{file}: {place}" if place else file
    raise WorldError(f"{where}: {rule}; correct it in the file.")


def _place(loc: tuple[int | str, ...]) -> str:
    """Return where in the file, as code would say it: `people.ann.shift_h[1]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")


def _rule(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "no such field is known"
    text = re.sub(r"^\w+ should ", "must ", error["msg"].removeprefix("Value error, "))
    if error["type"] == "json_invalid":
        return f"must be JSON ({text.removeprefix('Invalid JSON: ')})"
    if error["type"] == "missing":
        return "must be there"
    return f"{text}, not {str(error['input'])[:SHOWN]!r}"
