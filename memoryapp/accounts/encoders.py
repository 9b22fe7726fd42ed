"""Which embedding models a person may name for a space. The name may be an address that the server then calls, with
its key and everybody's words, or a folder that it then reads: so only names are free; the operator says the rest.

Nothing is asked of the address itself, its name or its numbers: what a name stands for can change after it was
checked. Only the operator's list counts, and no redirect is followed."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from memoryapp.domain.errors import BadInput

# "all-MiniLM-L6-v2", "hashing-64", "intfloat/multilingual-e5-small": looked for in the models folder and the cache.
_NAME = re.compile(r"\w[\w.-]{0,99}(/\w[\w.-]{0,99})?", re.ASCII)
_PORTS = {"http": 80, "https": 443}


def check_encoder(name: str) -> None:
    """Raises BadInput for an address or a folder that the operator has not said may be used."""
    if name == settings.ENCODER:
        return
    if name.startswith(("http://", "https://")):
        allowed = {_server(one) for one in (settings.ENCODER, *settings.ENCODER_SERVERS)} - {None}
        if _server(name) not in allowed:
            raise BadInput(
                "No model may be asked at that address. Whoever runs this installation can allow its server "
                "by MEMORY_ENCODER_SERVERS.",
                field="/encoder",
            )
    elif not _NAME.fullmatch(name) and not _in_models_folder(name):
        raise BadInput(
            "That is no name of a model. Put the model into the folder of MEMORY_MODELS_DIR, and give its name.",
            field="/encoder",
        )


def _server(address: str) -> tuple[str, str, int] | None:
    """(scheme, host, port), in which two addresses of one server are the same; None where it is no address."""
    try:
        parts = urlsplit(address)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username or parts.password or "\\" in address:
        return None
    return parts.scheme, parts.hostname.lower().rstrip("."), port


def _in_models_folder(name: str) -> bool:
    if settings.MODELS_DIR is None or "\x00" in name:
        return False
    base = settings.MODELS_DIR.resolve()
    return base in Path(name).expanduser().resolve().parents
