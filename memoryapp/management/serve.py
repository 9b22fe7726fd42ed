"""Listens and serves until it is told to stop. Comes in: a socket that is already bound; goes out: nothing, when a
signal came and the last answers are sent."""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from memoryapp.domain.errors import Clash

STOPS = (signal.SIGINT, signal.SIGTERM)
KEEP = 75  # seconds a connection may rest: longer than proxies keep one, or it ends under their next request
GRACE = 2  # seconds for open answers; an event stream would otherwise hold the process for ever


def bind(host: str, port: int) -> socket.socket:
    """Port 0 takes any free one. Raises Clash where the port is taken or may not be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named: asyncio turns Nagle's algorithm off only on sockets that say they are TCP, and with it on
    # every answer on a kept connection waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) else "ports go from 0 to 65535"
        raise Clash(f"Port {port} on {host} cannot be used ({why}). Choose another with --port N.") from None
    return listener


def serve(listener: socket.socket, *, behind_proxy: bool, on_ready: Callable[[], None]) -> None:
    """Returns when SIGINT or SIGTERM came. `on_ready` is called once pages are being answered."""
    config = uvicorn.Config(
        "memoryapp.asgi:application",
        lifespan="off",
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=behind_proxy,  # else anybody on this machine could put on another address
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=KEEP,
    )
    _Server(config, on_ready).run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Cutting an open event stream short is what the grace is for; uvicorn reports each as an error with its stack.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets=sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn would raise the signal again after serving, which ends the process before the worker and the store
        are closed."""
        before: dict[Any, Any] = {number: signal.signal(number, self.handle_exit) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
