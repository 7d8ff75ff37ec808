"""What the data of a document must look like: checked before anything is rendered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, ValidationError, create_model, model_validator

from cave_sim.diagnostics.plurals import counted
from cave_sim.rendering.limits import MOST_COLUMNS, RenderError

CELLS = frozenset({str, int, float, bool, type(None)})
Scalar = str | int | float | bool | None
TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}
MOST_SCHEMA_PARTS = 500


class DocumentData(BaseModel):
    """Data of a document: nothing beyond what is named, and no text taken for a number."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class DataTable(DocumentData):
    """A table; each row has as many cells as there are columns."""

    columns: list[str] = Field(min_length=1, max_length=MOST_COLUMNS)
    rows: Annotated[list[list[Scalar]], SkipValidation]  # checked below, in a fraction of the time
    caption: str = ""

    @model_validator(mode="after")
    def _is_rectangular(self) -> DataTable:
        width = len(self.columns)
        if not isinstance(self.rows, list):
            raise ValueError("rows: a list of lists is needed")
        for place, row in enumerate(self.rows):
            if type(row) is not list or len(row) != width:
                cells = counted(len(row), "cell") if isinstance(row, list) else "no cells"
                raise ValueError(f"row {place} has {cells}, and there are {width} columns")
            if not CELLS.issuperset(map(type, row)):
                raise ValueError(f"row {place}: cells are texts, numbers, booleans or null")
        return self


class ChartSeries(DocumentData):
    """One line, one row of bars or one cloud of points."""

    name: str = ""
    kind: Literal["line", "bar", "points"] = "line"
    x: list[float | str] = Field(max_length=20_000)
    y: list[float | None] = Field(max_length=20_000)

    @model_validator(mode="after")
    def _is_paired(self) -> ChartSeries:
        if len(self.x) != len(self.y):
            raise ValueError(f"series {self.name!r} has {len(self.x)} x and {len(self.y)} y")
        return self


class Chart(DocumentData):
    """A figure with axes."""

    title: str = ""
    x_label: str = ""
    y_label: str = ""
    series: list[ChartSeries] = Field(min_length=1, max_length=12)


class CheckedTable(dict[str, Any]):
    """A table that was found to be one."""


def checked(schema: type[BaseModel], data: Any, template: str) -> dict[str, Any]:
    """Return data that fits a schema, with the defaults that it has, as plain data.

    Raises:
        RenderError: it does not; the message says where and why.
    """
    try:
        plain: dict[str, Any] = _as_plain(schema.model_validate(data))
        return plain
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "data"
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise RenderError("schema", f"{template}: {place}: {first['msg']}{more}. It takes {takes(schema)}") from None


def _as_plain(value: Any) -> Any:
    """Return a model as dicts and lists; the rows of tables are not copied."""
    if isinstance(value, DataTable):
        return CheckedTable(columns=value.columns, rows=value.rows, caption=value.caption)
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {field.alias or name: _as_plain(getattr(value, name)) for name, field in fields.items()}
    if isinstance(value, list):
        return [_as_plain(each) for each in value]
    return value


def takes(schema: type[BaseModel]) -> str:
    """Return in a line what a schema's data holds."""
    fields = schema.model_fields.items()
    return ", ".join(f"{field.alias or name}{'' if field.is_required() else '?'}" for name, field in fields)


def json_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a document's data."""
    return schema.model_json_schema()


def schema_of(name: str, described: Mapping[str, Any]) -> type[BaseModel]:
    """Return the schema that a JSON schema describes: objects, arrays, scalars, enums and what is required.

    Args:
        name: of the template that it is for.
        described: the JSON schema of an object.

    Raises:
        RenderError: it has something else.
    """
    try:
        if len(json.dumps(described, default=str)) > 50_000:
            raise RenderError("schema", f"{name}: a schema has 50,000 characters at the most")
        kind = _type_of(name, described, [0])
    except (TypeError, ValueError, RecursionError) as error:
        raise RenderError("schema", f"{name}: this is no schema: {str(error)[:200]}") from None
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        raise RenderError("schema", f"{name}: the schema of a document is that of an object with properties")
    return kind


def _object_of(name: str, described: Mapping[str, Any], count: list[int]) -> type[BaseModel]:
    properties, required = described["properties"], described.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        raise RenderError("schema", f"{name}: properties are an object, and required is a list of their names")
    fields: dict[str, Any] = {}
    for key, part in properties.items():
        kind = _type_of(f"{name}.{key}", part, count)
        is_required = key in required
        default: Any = ... if is_required else part.get("default")
        # a name of its own, because a property may be called `_x`, `json` or `model_config`
        fields[f"field_{len(fields)}"] = (kind if is_required else kind | None, Field(default, alias=str(key)))
    return create_model(name.replace(".", "_"), __base__=DocumentData, **fields)


def _one_of(name: str, choices: Any) -> Any:
    if not (isinstance(choices, list) and choices and all(isinstance(each, str | int | None) for each in choices)):
        raise RenderError("schema", f"{name}: an enum is a list of texts, whole numbers, booleans or null")
    return Literal[tuple(choices)]


def _type_of(name: str, described: Any, count: list[int]) -> Any:
    count[0] += 1
    if count[0] > MOST_SCHEMA_PARTS or not isinstance(described, Mapping):
        raise RenderError("schema", f"{name}: a schema is made of objects, {MOST_SCHEMA_PARTS} at the most")
    if "enum" in described:
        return _one_of(name, described["enum"])
    match described.get("type"):
        case "object":
            if "properties" not in described:
                return dict[str, Scalar]
            return _object_of(name, described, count)
        case "array":
            return list[_type_of(f"{name}[]", described.get("items", {"type": "string"}), count)]  # type: ignore[misc]
        case list() as kinds if all(kind in TYPES for kind in kinds):
            return Scalar
        case str() as kind if kind in TYPES:
            return TYPES[kind]
        case "table":
            return DataTable
        case "chart":
            return Chart
    problem = f"the type {described['type']!r} is not known" if "type" in described else 'it has no "type"'
    raise RenderError(
        "schema",
        f"{name}: {problem}; there are object, array, table, chart, {', '.join(TYPES)}",
    )
