"""What happens to a file on its way: it is cut, letters of it fall over, a piece is lost, doubled or replaced."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

Damage = Callable[[bytes], bytes]
# Places are said as parts of the whole: what is drawn must not hang on how long a file of random ids came to be.
_PLACE = st.floats(0, 1, exclude_max=True)


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    kind = draw(st.sampled_from(["cut", "flipped", "lost", "doubled", "replaced"]))
    at, also = sorted((draw(_PLACE), draw(_PLACE)))
    letters = draw(st.binary(min_size=1, max_size=6))
    flips = draw(st.lists(st.tuples(_PLACE, st.integers(1, 255)), min_size=1, max_size=3))

    def damage(whole: bytes) -> bytes:
        first, last = int(at * len(whole)), int(also * len(whole))
        if kind == "cut":
            return whole[:first]
        if kind == "lost":
            return whole[:first] + whole[last:]
        if kind == "doubled":
            return whole[:last] + whole[first:last][:100_000] + whole[last:]
        if kind == "replaced":
            return whole[:first] + letters + whole[first + len(letters) :]
        spoiled = bytearray(whole)
        for place, by in flips:
            spoiled[int(place * len(whole))] ^= by
        return bytes(spoiled)

    return damage
