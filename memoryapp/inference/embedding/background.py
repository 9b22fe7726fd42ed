"""An encoder that loads on a thread, from when it is first wanted, while pages are already answered: a slot that
fills, or says why not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread

from memoryapp.domain.errors import EncoderError, ModelLoading, ModelUnreadable
from memoryapp.inference.embedding.encoder import Encoder
from memoryapp.inference.embedding.load import comes_along, load_encoder


class EncoderSlot:
    """Where an encoder will be. Search asks `ready`, and answers by keyword until it is."""

    def __init__(self, name: str, load: Callable[[str], Encoder]) -> None:
        self.name = name
        self._load = load
        self._encoder: Encoder | None = None
        self._failure: EncoderError | None = None
        self._settled = Event()
        self._beginning = Lock()
        self._begun = False

    @property
    def ready(self) -> bool:
        """Whether `get` returns at once."""
        return self._encoder is not None

    @property
    def begun(self) -> bool:
        """Whether it is loading, or was loaded or failed to be."""
        return self._begun

    @property
    def error(self) -> str | None:
        """Why there will be no encoder; None while loading and when ready."""
        return self._failure.detail if self._failure else None

    def get(self, timeout: float | None = None) -> Encoder:
        """Return the encoder, waiting at most `timeout` seconds (None: as long as it takes).

        Raises ModelLoading when the time is up, and what loading raised (ModelMissing, ModelUnreadable).
        """
        self.begin()
        if not self._settled.wait(timeout):
            raise ModelLoading(f"The embedding model {self.name} is still loading. Try again in a few seconds.")
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        assert self._encoder is not None
        return self._encoder

    def begin(self) -> None:
        """Start loading on a daemon thread, unless that was done before."""
        if not self._begun:
            with self._beginning:
                begun, self._begun = self._begun, True
            if not begun:
                Thread(target=self.fill, name=f"load {self.name}", daemon=True).start()

    def fill(self) -> None:
        """Load now, in the calling thread; failures are kept for `get`."""
        self._begun = True
        try:
            self._encoder = self._load(self.name)
        except EncoderError as error:
            self._failure = error
        except Exception as error:  # noqa: BLE001 - a broken library must not leave readers waiting for ever
            self._failure = ModelUnreadable(f"The model {self.name} does not load ({type(error).__name__}: {error}).")
        finally:
            self._settled.set()


def background_encoder(
    name: str, *, models_dir: Path | None = None, load: Callable[[str], Encoder] | None = None
) -> EncoderSlot:
    """Return the slot of `name` at once. The model that comes with the program is loaded when it is first wanted
    (`begin`, `get`); any other now, so that a wrong name is told at the start. `load` replaces `load_encoder`."""
    slot = EncoderSlot(name, load or (lambda wanted: load_encoder(wanted, models_dir=models_dir)))
    if load is not None or not comes_along(name):
        slot.begin()
    return slot
