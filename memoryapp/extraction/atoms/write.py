"""The canonical spelling of an atom, on one line. `parse` reads it back as the same atom."""

from __future__ import annotations

import re

from memoryapp.domain.atom import Atom

# Narrower than what `parse` takes bare: every reader of standard PENMAN takes these for one word.
_BARE = re.compile(r"\w[\w.+#@-]*")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})


def format_atom(atom: Atom) -> str:
    """`(prefers :subject Alice :object "Visual Studio Code" :memory_type semantic)`: participants in their order, then
    the attributes. For an atom as `parse` gives it: at least one participant, no name blank."""
    participants = (
        f" :{role} {format_atom(value) if isinstance(value, Atom) else _name(value)}"
        for role, value in atom.participants
    )
    attributes = (("memory_type", atom.memory_type), ("mood", atom.mood), ("tense", atom.tense))
    tail = (f" :{name} {value}" for name, value in attributes if value is not None)
    return f"({_name(atom.predicate)}{''.join(participants)}{''.join(tail)})"


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else f'"{name.translate(_ESCAPES)}"'
