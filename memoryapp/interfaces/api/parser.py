"""Reads a JSON body: strictly, so that what gets past here can be stored and said again."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from memoryapp.domain.errors import BadInput, TooLarge

DEEPEST = 40  # levels of nesting; nothing of ours needs ten
MOST_VALUES = 250_000  # in lists and objects together; a full batch with every field and tag has some 65,000


class Malformed(BadInput):
    """The body is not JSON at all."""

    status = 400
    title = "Not readable as JSON"


class StrictParser(Parser):
    """Refuses NaN, Infinity, numbers of thousands of digits, nesting and lists without end, halves of characters."""

    def parse_body(self, request: HttpRequest) -> Any:
        return read_json(request.body)


def read_json(body: bytes) -> Any:
    """Raises Malformed with the place, TooLarge, or BadInput for text that no encoding can hold.

    UTF-8 alone, with or without a byte order mark: `json.loads` would guess at others, and let halves of characters by.
    """
    try:
        found = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise Malformed(f"The body is not UTF-8: byte {error.start} cannot be read.") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise Malformed(f"The body is nested more than {DEEPEST} levels deep.") from None
    except ValueError:
        raise Malformed("The body holds a number with more digits than can be read.") from None
    _check_size(found)
    if b"\\u" in body:
        _check_surrogates(found)
    return found


def _refuse(name: str) -> NoReturn:
    raise Malformed(f"The body holds {name}, which is not a JSON number.")


def _check_size(found: Any) -> None:
    level, depth, values = [found], 0, 0
    while containers := [value for value in level if isinstance(value, (dict, list))]:
        depth += 1
        if depth > DEEPEST:
            raise Malformed(f"The body is nested more than {DEEPEST} levels deep.")
        values += sum(map(len, containers))
        if values > MOST_VALUES:  # each would be checked by itself, and told by itself where it is wrong: for minutes
            raise TooLarge(f"The body holds more than {MOST_VALUES:,} values. Send it in parts.")
        level = [inner for one in containers for inner in (one.values() if isinstance(one, dict) else one)]


def _check_surrogates(found: Any) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ord(error.object[error.start])
        raise BadInput(
            f"The text holds half of a character (\\u{half:04x}), which cannot be written as UTF-8."
        ) from None
