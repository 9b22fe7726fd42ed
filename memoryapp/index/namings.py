"""Names of entities as vectors: one dense matrix of those that stand for themselves, the few others beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.register import Canon, Register
from memoryapp.index.vectors import Floats, unit

Ints = NDArray[np.int32]
Named = tuple[Ints, Floats]  # codes (k,), unit vectors (k, dimension)


class Namings:
    """The writer's side. A name may arrive before its entity: it waits beside the matrix until that stands.

    Rows are appended behind what readers hold, and altered in a copy.
    """

    def __init__(self, register: Register, kept: Named | None = None) -> None:
        """`kept`: codes and vectors as `everything` gave them."""
        self.register = register
        codes, matrix = kept or (np.zeros(0, dtype=np.int32), np.zeros((0, 0), dtype=np.float32))
        self._codes, self._matrix = codes, matrix  # with room at the end
        self._n = len(codes)
        self._row_of = {code: row for row, code in enumerate(codes.tolist())}
        self._beside: dict[int, Floats] = {}
        self._gone: set[int] = set()  # codes with a row that is to be taken out
        self._shared = True  # readers hold the present arrays
        self._changed = True
        self._canon: Canon | None = None
        self._last: Named = codes, matrix

    def put(self, entity: str, vector: NDArray[np.floating] | None) -> None:
        """The vector of an entity's name, None once it has none. One without direction or of another length than the
        others is left out."""
        code = self.register.code(entity)
        ready = None if vector is None else unit(vector)
        if ready is not None and self.dimension and len(ready) != self.dimension:
            ready = None
        row = self._row_of.get(code)
        if row is not None and ready is None:
            self._gone.add(code)
        elif row is not None and ready is not None:
            self._gone.discard(code)
            self._overwrite(row, ready)
        elif ready is None:
            self._beside.pop(code, None)
        elif self.register.stands(code):
            self._beside.pop(code, None)
            self._append({code: ready})
        else:
            self._beside[code] = ready
            self._canon = None

    @property
    def dimension(self) -> int:
        """0 as long as there is no vector."""
        waiting = next(iter(self._beside.values()), None)
        return self._matrix.shape[1] if self._n else 0 if waiting is None else len(waiting)

    def publish(self) -> Named:
        """Codes and vectors of the entities that stand for themselves; never changed afterwards."""
        canon = self.register.publish().canon
        if self._canon is not canon or self._gone:
            self._settle(canon)
            self._canon = canon
        if self._changed:
            self._last = self._codes[: self._n], self._matrix[: self._n]
            for array in self._last:
                array.flags.writeable = False
            self._shared, self._changed = True, False
        return self._last

    def everything(self) -> Named:
        """Codes and vectors of all names, also of those that do not stand for themselves."""
        codes, matrix = self.publish()
        if not self._beside:
            return codes, matrix
        beside = np.array(list(self._beside), dtype=np.int32)
        vectors = np.stack(list(self._beside.values()))
        return np.concatenate([codes, beside]), np.concatenate([matrix, vectors]) if len(matrix) else vectors

    def _settle(self, canon: Canon) -> None:
        """Takes out what is gone; moves those beside the matrix that do not stand for themselves any more, and those
        into it that do now."""
        codes = self._codes[: self._n]
        stays = canon.stands[codes]
        leaving = np.flatnonzero(~stays).tolist()
        self._beside |= {int(codes[row]): self._matrix[row].copy() for row in leaving if codes[row] not in self._gone}
        stays &= ~np.isin(codes, list(self._gone))
        self._gone = set()
        if not stays.all():
            self._keep(stays)
        arrived = [code for code in self._beside if canon.stands[code]]
        if arrived:
            self._append({code: self._beside.pop(code) for code in arrived})

    def _overwrite(self, row: int, vector: Floats) -> None:
        if np.array_equal(self._matrix[row], vector):
            return
        if self._shared:
            self._codes, self._matrix, self._shared = self._codes.copy(), self._matrix.copy(), False
        self._matrix[row] = vector
        self._changed = True

    def _keep(self, which: NDArray[np.bool_]) -> None:
        self._codes, self._matrix = self._codes[: self._n][which], self._matrix[: self._n][which]
        self._n = len(self._codes)
        self._row_of = {code: row for row, code in enumerate(self._codes.tolist())}
        self._shared, self._changed = False, True

    def _append(self, new: dict[int, Floats]) -> None:
        end = self._n + len(new)
        if end > len(self._codes):
            self._grow(max(end, len(self._codes) + len(self._codes) // 2), len(next(iter(new.values()))))
        for row, (code, vector) in enumerate(new.items(), start=self._n):
            self._codes[row], self._matrix[row], self._row_of[code] = code, vector, row
        self._n, self._changed = end, True

    def _grow(self, room: int, dimension: int) -> None:
        codes, matrix = np.zeros(room, dtype=np.int32), np.zeros((room, dimension), dtype=np.float32)
        codes[: self._n] = self._codes[: self._n]
        if self._n:
            matrix[: self._n] = self._matrix[: self._n]
        self._codes, self._matrix, self._shared = codes, matrix, False
