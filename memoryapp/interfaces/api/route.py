"""How an operation is declared: its role, its errors and whether it writes, in one line beside its address."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from django.http.response import HttpResponseBase
from ninja import Router
from ninja.constants import NOT_SET

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.api.caller import ApiRequest, Guard
from memoryapp.interfaces.api.idempotency import write_once
from memoryapp.interfaces.api.reply import answer

View = Callable[..., Any]
WRITING = frozenset({"POST", "PATCH", "DELETE", "PUT"})


class Routes(Router):
    """A ninja router whose operations say `needs=Role.…` (or `needs=None`: open to everybody).

    `app`: the role must hold in every space; `space_in`: in the space that this part of the address names. `reads`: a
    POST that only asks. `idempotent` False: its answer is a secret, which is not kept to be given again. `errors`: the
    statuses it answers with beyond those that all do. `if_match`: it takes If-Match.
    """

    def __init__(self, tag: str) -> None:
        super().__init__(tags=[tag])

    def api_operation(  # type: ignore[override]  # more than Ninja's: roles, scopes, errors
        self,
        methods: list[str],
        path: str,
        *,
        needs: Role | None = None,
        app: bool = False,
        reads: bool = False,
        idempotent: bool = True,
        space_in: str = "",
        if_match: bool = False,
        errors: tuple[int, ...] = (),
        response: Any = NOT_SET,
        openapi_extra: dict[str, Any] | None = None,
        **more: Any,
    ) -> Callable[[View], View]:
        writes = bool(WRITING & set(methods)) and not reads and idempotent
        extra = dict(openapi_extra or {})
        extra["x-role"] = needs.value if needs else "none"
        extra["x-scope"] = "app" if app else "space"
        extra["x-idempotent"] = writes
        extra["x-if-match"] = if_match
        extra["x-errors"] = list(errors)
        declare = super().api_operation(
            methods,
            path,
            auth=Guard(needs, app=app, space_in=space_in) if needs else None,
            response=response,
            openapi_extra=extra,
            **more,
        )
        status = next(iter(response)) if isinstance(response, dict) else 200

        def decorator(view: View) -> View:
            if iscoroutinefunction(view):
                return declare(view)
            return declare(_answering_view(view, status=status, writes=writes, reading=methods == ["GET"]))

        return decorator

    def stream(self, path: str, **more: Any) -> Callable[[View], View]:
        """A GET whose coroutine returns the response itself."""
        return self.api_operation(["GET"], path, response={200: None}, **more)

    def get(self, path: str, **more: Any) -> Callable[[View], View]:  # type: ignore[override]
        return self.api_operation(["GET"], path, **more)

    def post(self, path: str, **more: Any) -> Callable[[View], View]:  # type: ignore[override]
        return self.api_operation(["POST"], path, **more)

    def patch(self, path: str, **more: Any) -> Callable[[View], View]:  # type: ignore[override]
        return self.api_operation(["PATCH"], path, **more)

    def put(self, path: str, **more: Any) -> Callable[[View], View]:  # type: ignore[override]
        return self.api_operation(["PUT"], path, **more)

    def delete(self, path: str, **more: Any) -> Callable[[View], View]:  # type: ignore[override]
        return self.api_operation(["DELETE"], path, **more)


def _answering_view(view: View, *, status: int, writes: bool, reading: bool) -> View:
    @wraps(view)
    def answering(request: ApiRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        _refuse_unknown(request, answering)

        def do() -> HttpResponseBase:
            return answer(view(request, *args, **kwargs), status=status, reading=reading)

        return write_once(request, do) if writes else do()

    # ninja would look the annotations up among this module's names; they are names of the operation's module.
    answering.__signature__ = inspect.signature(view, eval_str=True)  # type: ignore[attr-defined]
    return answering


def _refuse_unknown(request: ApiRequest, view: View) -> None:
    """A misspelt filter must not return everything: query parameters that nobody declared are an error."""
    if not request.GET:
        return
    known = {
        name
        for model in view._ninja_operation.models  # type: ignore[attr-defined]
        if model.__ninja_param_source__ == "query"
        for name in model.__ninja_flatten_map__
    }
    for name in request.GET:
        if name not in known:
            said = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
            raise BadInput(f"There is no parameter “{name[:60]}” here. {said}", field=name[:60])
