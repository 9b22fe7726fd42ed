"""What all shapes share: bodies that refuse unknown fields, moments that are UTC, ids, pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Generic, Self, TypeVar

from annotated_types import GroupedMetadata, MaxLen, MinLen
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from memoryapp.domain.cleaning import clean, has_words, without_unseen
from memoryapp.domain.clock import FIRST_YEAR, LAST_YEAR, as_utc, read_moment
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.filters import AsOfBy

T = TypeVar("T")
_ID = re.compile(r"[0-9a-f]{16}")


class Body(BaseModel):
    """What a caller sends. An unknown field is an error: a filter with a typing mistake must not return everything."""

    model_config = ConfigDict(extra="forbid")


class Sparse(Body):
    """A body in which null says no more than leaving the field out: many clients send all their fields."""

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, said: Any) -> Any:
        return {name: value for name, value in said.items() if value is not None} if isinstance(said, dict) else said


class Response(BaseModel):
    """What a caller is given."""

    # A field with a default is still always there: the document says so.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    @classmethod
    def of(cls, source: object, /, **own: Any) -> Self:
        """Each field from the attribute of `source` of its name, but for those that are given."""
        return cls(**{name: getattr(source, name) for name in cls.model_fields if name not in own}, **own)


def _utc(moment: datetime) -> datetime:
    try:
        return as_utc(moment)
    except BadInput:
        raise ValueError(f"this time is outside the years {FIRST_YEAR} to {LAST_YEAR}") from None


def _read(value: Any) -> Any:
    if isinstance(value, (int, float)):
        raise ValueError("a time is written as text, such as 2026-11-21T09:30:00Z")
    return read_moment(value) if isinstance(value, str) else value


def _require_words(text: str) -> str:
    if not has_words(text):
        raise ValueError("it has no words")
    return text


Moment = Annotated[
    datetime,
    BeforeValidator(_read),
    AfterValidator(_utc),
    Field(
        description="ISO 8601; without an offset it is UTC, and a year or a month alone is its first instant.",
        examples=["2026-11-21T09:30:00Z"],
    ),
]
Id = Annotated[str, Field(description="16 hex digits.", pattern=r"^[0-9a-f]{16}$", examples=["9f2c1b7a40d3e685"])]


def unsent(**bounds: Any) -> Any:
    """The default of a field that may be left out and may not be null: `model_fields_set` tells whether it was sent."""
    return Field(None, **bounds)


@dataclass(frozen=True)
class Rules(GroupedMetadata):
    """Several rules of one type, written as one: `Annotated[str, words(300)]`."""

    each: tuple[object, ...]

    def __iter__(self) -> Iterator[object]:
        return iter(self.each)


def words(most: int, *, least: int = 0, line_ends_stay: bool = False) -> Rules:
    """A text's bounds, in characters. `least` 1 means that something must be left once blanks are taken away.
    `line_ends_stay`: of a file, which goes out again byte for byte."""
    bounds = (MaxLen(most), MinLen(least)) if least else (MaxLen(most),)
    cleaned = AfterValidator(without_unseen if line_ends_stay else clean)
    checks = (cleaned, AfterValidator(_require_words)) if least else (cleaned,)
    return Rules((*bounds, *checks))


ByTime = Annotated[
    AsOfBy,
    Field(
        description="By which time `as_of` asks: `recorded`, what was believed then, in the words of then; `valid`, "
        "what was true then, as it is known today.",
        examples=["recorded"],
    ),
]
Name = Annotated[str, words(300)]
FullName = Annotated[str, words(300, least=1)]
Limit = Annotated[int, Field(ge=1, le=200, description="How many at most.", examples=[50])]
Cursor = Annotated[
    str, Field(description="`next_cursor` of the page before this one.", max_length=2_000, examples=[""])
]


class Page(Response, Generic[T]):
    """`next_cursor` is null on the last page."""

    items: list[T]
    next_cursor: str | None = Field(examples=[None])


class Problem(BaseModel):
    """RFC 9457. `field` is a JSON pointer into the body, or the name of the parameter or header where `in` says so."""

    model_config = ConfigDict(
        title="Problem",
        json_schema_extra={
            "examples": [
                {
                    "type": "/api/docs#not-valid",
                    "title": "Invalid input",
                    "status": 422,
                    "detail": "“text” is missing.",
                    "field": "/items/3/text",
                }
            ]
        },
    )

    type: str = Field(description="What kind of problem, as an address that explains it.")
    title: str
    status: int
    detail: str = Field(description="What happened, where, and what to do, in one plain sentence or two.")
    field: str | None = None
    request_id: str | None = Field(None, description="As in the answer's X-Request-ID, and in the log.")
    where: str | None = Field(None, alias="in")
    errors: list[dict[str, str]] | None = Field(None, description="All of them, where there is more than one.")
    current: int | None = Field(None, description="The present version, where yours is not it.")
    address: str | None = Field(None, description="Of what is in the way, where that is one thing.")


def path_id(thing: str) -> Rules:
    """The rules of an id in an address. One that cannot be an id is not there, which is a 404, not a 422."""

    def check(text: str) -> str:
        if not _ID.fullmatch(text):
            raise NotFound(f"There is no {thing} {text[:40]!r}: an id has 16 of 0–9 and a–f.")
        return text

    shown = {"type": "string", "pattern": "^[0-9a-f]{16}$", "examples": ["9f2c1b7a40d3e685"]}
    return Rules((AfterValidator(check), WithJsonSchema(shown)))


SpaceName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$", examples=["research"])]
