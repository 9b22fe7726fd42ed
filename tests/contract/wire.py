"""Requests that schemathesis makes, as they would go over the wire, through Django's client: no socket, but every byte
of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import requests
from django.test import Client
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
BASE = "http://localhost"


@dataclass(frozen=True)
class Wire:
    """Where the requests go: an administrator's key for everything, and one space."""

    key: str
    space: str
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def send(self, wire: requests.PreparedRequest) -> Response:
        assert wire.url and wire.method
        body = wire.body.encode() if isinstance(wire.body, str) else wire.body or b""
        headers = {
            k: str(v) for k, v in wire.headers.items() if k not in ("Content-Length", "X-API-Key", "Accept-Encoding")
        }
        self.client.cookies.clear()
        found = self.client.generic(
            wire.method,
            wire.url.removeprefix(BASE),
            body,
            content_type=headers.pop("Content-Type", ""),
            headers={**headers, "Authorization": f"Bearer {self.key}", "X-Space": self.space},
        )
        return Response(
            status_code=found.status_code,
            headers={name.lower(): [value] for name, value in found.items()},
            content=b"".join(found) if found.streaming else found.content,
            request=wire,
            elapsed=0.0,
            verify=False,
        )


def prepared(said: dict[str, Any]) -> requests.PreparedRequest:
    """What `Case.as_transport_kwargs` says, as a request. Cookies are the client's."""
    said.pop("cookies", None)
    return requests.Request(**said).prepare()
