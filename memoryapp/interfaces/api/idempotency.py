"""Idempotency-Key: a write sent twice with one key is done once, and answered twice with the same words.

An answer is kept for a day, encrypted with a key that only the Idempotency-Key as sent, together with the whole
request, can produce. So words that are purged from a space are not still readable here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from memoryapp.domain.errors import BadInput, Clash
from memoryapp.interfaces.api.caller import ApiRequest
from memoryapp.interfaces.api.models import SealedAnswer

LASTS = timedelta(hours=24)
GIVEN_UP_AFTER = timedelta(minutes=10)  # a write whose process died before it could answer
LONGEST_KEY = 255
KEPT_HEADERS = ("ETag", "Location")
_NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class Reservation:
    row: SealedAnswer
    secret: bytes


def write_once(request: ApiRequest, do: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Does the write, unless it was done before. Raises BadInput (a key used for something else) and Clash (the
    first one is not finished). Without the header it just does it."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key:
        return do()
    if len(key) > LONGEST_KEY:
        raise BadInput(f"An Idempotency-Key has at most {LONGEST_KEY} characters.", field="Idempotency-Key")
    earlier, reservation = _reserve(request, key)
    if earlier is not None:
        return earlier
    assert reservation is not None
    try:
        response = do()
    except BaseException:
        reservation.row.delete()
        raise
    _settle(reservation, response)
    return response


def _reserve(request: ApiRequest, key: str) -> tuple[HttpResponse | None, Reservation | None]:
    caller = request.auth
    secret = _digest(key, request_digest(request, caller.space.name))
    fingerprint = _digest("fingerprint", secret).hex()
    key_hash = _digest(caller.ident, key).hex()
    now = timezone.now()
    SealedAnswer.objects.filter(created_at__lt=now - LASTS).delete()
    SealedAnswer.objects.filter(key_hash=key_hash, status=None, created_at__lt=now - GIVEN_UP_AFTER).delete()
    try:
        with transaction.atomic():
            row = SealedAnswer.objects.create(key_hash=key_hash, fingerprint=fingerprint)
    except IntegrityError:
        return _replay_response(key_hash, fingerprint, secret), None
    return None, Reservation(row, secret)


def _replay_response(key_hash: str, fingerprint: str, secret: bytes) -> HttpResponse:
    row = SealedAnswer.objects.filter(key_hash=key_hash).first()
    if row is None or (row.fingerprint == fingerprint and row.status is None):
        raise Clash("The first request with this Idempotency-Key is still being worked on. Ask again in a moment.")
    if row.fingerprint != fingerprint:
        raise BadInput(
            "This Idempotency-Key was used for another request. A new request takes a new key.", field="Idempotency-Key"
        )
    try:
        opened = _open(bytes(row.sealed), secret)
    except (InvalidTag, ValueError) as error:  # written by an earlier version, or damaged
        raise Clash(
            "This request was done before, but its answer can no longer be read. Look at what it wrote before you "
            "send it again with a new Idempotency-Key."
        ) from error
    response = HttpResponse(opened, status=row.status, content_type=row.content_type)
    for name, value in row.headers.items():
        response[name] = value
    response["Idempotent-Replayed"] = "true"
    return response


def _settle(reservation: Reservation, response: HttpResponseBase) -> None:
    """Keeps what was done; what failed may be tried again with the same key."""
    row = reservation.row
    if response.status_code >= 400 or not isinstance(response, HttpResponse):
        row.delete()
        return
    row.status = response.status_code
    row.content_type = response["Content-Type"]
    row.headers = {name: response[name] for name in KEPT_HEADERS if name in response}
    row.sealed = _seal(response.content, reservation.secret)
    row.save()


def request_digest(request: HttpRequest, space: str) -> bytes:
    """A hash of everything that makes the request this one: method, address, space, If-Match, body or files."""
    parts: list[Any] = [request.method, request.get_full_path(), space, request.headers.get("If-Match", "")]
    if request.content_type != "multipart/form-data":
        return _digest(*parts, request.body)
    for name, values in sorted(request.POST.lists()):
        parts += [name, *values]
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            content = hashlib.sha256()
            for chunk in file.chunks():
                content.update(chunk)
            file.seek(0)
            parts += [name, file.name, content.digest()]
    return _digest(*parts)


def _digest(*parts: Any) -> bytes:
    found = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "big") + data)
    return found.digest()


def _seal(content: bytes, secret: bytes) -> bytes:
    """ChaCha20-Poly1305 (RFC 8439) under the 32 bytes of `secret`; the nonce stands in front."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + ChaCha20Poly1305(secret).encrypt(nonce, content, None)


def _open(sealed: bytes, secret: bytes) -> bytes:
    """What was sealed with `secret`. Raises InvalidTag for another secret, ValueError for too few bytes."""
    return ChaCha20Poly1305(secret).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], None)
