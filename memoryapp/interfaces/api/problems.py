"""Errors as RFC 9457 problems: the one place where what the rooms raise becomes an answer."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pydantic
from django.core.exceptions import DisallowedHost, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException
from django.views.defaults import bad_request, page_not_found
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from memoryapp.domain.errors import Clash, NotAllowed, NotFound, PalimpsestError, Stale, TooLarge
from memoryapp.domain.identity import new_id
from memoryapp.observability import log_fields

log = logging.getLogger("memoryapp.interfaces.api")

MEDIA_TYPE = "application/problem+json"
DOCS = "/api/docs"
PROGRAMS = ("/api/v1/", "/v1/", "/v2/", "/v3/", "/mcp/")  # addresses that programs ask, ours and other makers'
MOST_ERRORS = 20  # a batch of a thousand bad items is told by its first ones


class NotKnown(PalimpsestError):
    """No key, or none that is valid."""

    status = 401
    title = "Not authenticated"
    wrong = ""


class WrongKey(NotKnown):
    """A key that was mistyped, or revoked."""

    wrong = "The key is not valid"


class NoSuchMethod(PalimpsestError):
    status = 405
    title = "Method not allowed"


class WrongForm(PalimpsestError):
    status = 415
    title = "Unsupported content type"


class TooOften(PalimpsestError):
    status = 429
    title = "Too many requests"

    def __init__(self, *, wait: int) -> None:
        super().__init__(f"Too many requests from you just now. Wait {wait} s.")
        self.wait = wait


def slug(error: type[PalimpsestError]) -> str:
    """TooLarge → "too-large": the end of a problem's type."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", error.__name__).lower()


def problem(error: PalimpsestError, *, errors: list[dict[str, str]] | None = None, where: str = "") -> HttpResponse:
    """{"type", "title", "status", "detail", "field"?, "in"?, "errors"?, "current"?, "address"?, "request_id"?}"""
    body: dict[str, Any] = {
        "type": f"{DOCS}#{slug(type(error))}",
        "title": error.title,
        "status": error.status,
        "detail": error.detail,
    }
    if error.field:
        body["field"] = error.field
    if where:
        body["in"] = where
    if errors and len(errors) > 1:
        body["errors"] = errors
    if isinstance(error, Stale):
        body["current"] = error.current
    if isinstance(error, Clash) and error.address:
        body["address"] = f"/api/v1{error.address}"
    if request := log_fields().get("request"):
        body["request_id"] = request
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    response = HttpResponse(text, status=error.status, content_type=MEDIA_TYPE)
    _add_headers(response, error)
    return response


def _add_headers(response: HttpResponse, error: PalimpsestError) -> None:
    if isinstance(error, Stale):
        response["ETag"] = f'"{error.current}"'
    elif isinstance(error, NotKnown):
        # RFC 6750: no error code where no key was sent.
        why = f', error="invalid_token", error_description="{error.wrong}"' if error.wrong else ""
        response["WWW-Authenticate"] = f'Bearer realm="palimpsest"{why}'
    elif isinstance(error, TooOften):
        response["Retry-After"] = str(error.wait)
    elif error.status == 503:
        response["Retry-After"] = "2"


def refused_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's answer to what it will not look at (a Host that is not ours, above all): a problem for programs, a page
    for people."""
    if not is_for_programs(request):
        return bad_request(request, exception)  # type: ignore[arg-type]
    said = "The Host is none of this installation's. MEMORY_ALLOWED_HOSTS names those that are let in."
    return problem(_UnreadableRequest(said if isinstance(exception, DisallowedHost) else "The request cannot be read."))


def is_for_programs(request: HttpRequest) -> bool:
    """Whether the address is one of an API, so that it is answered in JSON."""
    return f"{request.path_info}/".startswith(PROGRAMS)


def nothing_here(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The same for an address that is not there."""
    if not is_for_programs(request):
        return page_not_found(request, exception)
    return problem(no_such_address(request))


def install(api: NinjaAPI) -> None:
    """Tells the API how each kind of error is answered."""
    # ninja's own type has a handler take the class as well as an error of it; it is only ever given an error.
    handlers: tuple[tuple[type[Exception], Callable[[HttpRequest, Any], HttpResponse]], ...] = (
        (PalimpsestError, _own_problem),
        (ValidationError, _not_valid),
        (HttpError, _from_ninja),
        (Http404, lambda request, error: problem(no_such_address(request))),
        (RequestDataTooBig, lambda request, error: problem(TooLarge("The body is too large."))),
        (SuspiciousOperation, _unreadable_problem),
        (MultiPartParserError, _unreadable_problem),
        (UnreadablePostError, _unreadable_problem),
        (RawPostDataException, _unreadable_problem),
        (Exception, unexpected_problem),
    )
    for kind, handler in handlers:
        api.add_exception_handler(kind, handler)


def no_such_address(request: HttpRequest) -> NotFound:
    return NotFound(f"There is nothing at {request.path[:200]}. {DOCS} lists what there is.")


def unexpected_problem(request: HttpRequest, error: Exception) -> HttpResponse:
    """Anything that no room meant to raise: the reader gets a number to look for in the log, the log the rest."""
    number = new_id()
    log.error("Problem %s in %s", number, _request_line(request), exc_info=error)
    return problem(PalimpsestError(f"An error that was not expected. The log has it under {number}."))


def _own_problem(request: HttpRequest, error: PalimpsestError) -> HttpResponse:
    if error.status >= 500:
        log.warning("%s: %s", _request_line(request), error)
    return problem(error)


def _request_line(request: HttpRequest) -> str:
    """Method and path as they were sent: spelled out, a line end in the path would begin a line of the log."""
    return f"{request.method} {quote(request.path)[:300]}"


def _unreadable_problem(request: HttpRequest, error: Exception) -> HttpResponse:
    return problem(WrongForm(f"The body cannot be read as its Content-Type says ({request.content_type or 'none'})."))


def _from_ninja(request: HttpRequest, error: HttpError) -> HttpResponse:
    """ninja wraps what the parser raised; what is under the wrapping is the better sentence."""
    if isinstance(error.__cause__, PalimpsestError):
        return problem(error.__cause__)
    if isinstance(error.__cause__, RequestDataTooBig):
        return problem(TooLarge("The body is too large."))
    known = {401: NotKnown, 403: NotAllowed, 404: NotFound}
    return problem(known.get(error.status_code, _UnreadableRequest)(str(error)))


class _UnreadableRequest(PalimpsestError):
    status = 400
    title = "This cannot be read"


class NotValid(PalimpsestError):
    """A field is missing, of the wrong type or out of range."""

    status = 422
    title = "Invalid input"


def _not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    told = [_validation_entry(one) for one in error.errors[:MOST_ERRORS]]
    first = told[0]
    where = first["in"]
    too_long = where == "body" and error.errors[0].get("type") in ("string_too_long", "too_long")
    raised = (TooLarge if too_long else NotValid)(first["detail"], field=first["field"])
    return problem(raised, errors=told, where="" if where == "body" else where)


def invalid(error: pydantic.ValidationError) -> ValidationError:
    """A body that an operation validated by itself, told like any other."""
    return ValidationError([{**one, "loc": ("body", "body", *one["loc"])} for one in error.errors(include_url=False)])


def _validation_entry(error: dict[str, Any]) -> dict[str, str]:
    """One validation error as {"detail", "field", "in"}; a body's field is a JSON pointer, another's is its name."""
    where, *path = error["loc"]
    if where == "body" and path:
        path = path[1:]  # the name of our own argument
    steps = [str(step) for step in path if not _is_branch(str(step))]
    pointer = "/" + "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
    name = next((step for step in reversed(steps) if not step.isdigit()), "the body")
    field = pointer if where == "body" else name  # of a list in a query, the list: our own argument is before it
    return {"detail": _sentence(error, name), "field": field, "in": str(where)}


def _is_branch(step: str) -> bool:
    """A name that the validator gives to one branch of a union, not a field of the caller's."""
    return "[" in step or step in ("str", "int", "float", "bool", "datetime", "constrained-str")


def _sentence(error: dict[str, Any], name: str) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "missing":
            return f"“{name}” is missing."
        case "extra_forbidden":
            return f"There is no field “{name}” here."
        case "string_too_long":
            most = context.get("max_length", 0)
            return f"“{name}” is over the limit of {most:,} characters. Send several shorter ones."
        case "too_long":
            return f"“{name}” is over the limit of {context.get('max_length', 0):,}. Send them in several requests."
        case "string_too_short" | "too_short":
            least = context.get("min_length", 1)
            return f"“{name}” is empty." if least == 1 else f"“{name}” has fewer than {least}."
        case "string_pattern_mismatch":
            return f"“{name}” does not have the form {context.get('pattern', 'it should')}."
        case "dict_type" | "model_type" | "model_attributes_type":
            return f"“{name}” should be an object, with a value for each name."
        case "enum" | "literal_error":
            return f"“{name}” is one of {context.get('expected', 'a few words')}."
        case "value_error":
            return f"“{name}”: {context.get('error', 'cannot be used')}."
        case _:
            said = str(error.get("msg", "cannot be used")).removeprefix("Input should be ")
            return f"“{name}” should be {said[:300]}." if said != error.get("msg") else f"“{name}”: {said[:300]}."
