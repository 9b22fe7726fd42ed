"""Atoms as anybody might write them, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from memoryapp.domain.atom import Atom, Role, Tense
from memoryapp.domain.memory import MemoryType, Mood

# What `clean` leaves as it is: line breaks, tabs, quotes, backslashes, brackets and Hangul among it.
_letters = st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from('\n\t "\\():/#;-_.,“가치관A1')
_odd = st.text(_letters, min_size=1, max_size=20).filter(str.strip)
_plain = st.sampled_from(
    ["Alice", "a", "p", "가치관", "민수", "C#", "src/app.py", "https://x.io/?a=b", "10:30", "a / b", "#x"]
)
names = _plain | _odd
roles = st.sampled_from(Role)


def _atoms(participant: st.SearchStrategy[str | Atom]) -> st.SearchStrategy[Atom]:
    return st.builds(
        Atom,
        names,
        st.lists(st.tuples(roles, participant), min_size=1, max_size=4).map(tuple),
        st.none() | st.sampled_from(MemoryType),
        st.none() | st.sampled_from(Mood),
        st.none() | st.sampled_from(Tense),
    )


def _one_deeper(atom: st.SearchStrategy[Atom]) -> st.SearchStrategy[Atom]:
    return _atoms(names | atom)


_flat = _atoms(names)
atoms = _flat | _one_deeper(_flat) | _one_deeper(_one_deeper(_flat))
