"""Parser of PENMAN notation: all atoms of a text, or an error. Both ways of writing are read: (prefers :subject Alice)
and, with variables, (p / prefers :subject (a / Alice) :object a)."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.domain.atom import ATOMS_CHARS, DEPTH, PARTICIPANTS, Atom, Tense
from memoryapp.domain.cleaning import clean
from memoryapp.domain.memory import MemoryType, Mood
from memoryapp.extraction.atoms.fault import fault, over_limit, quote_words
from memoryapp.extraction.atoms.grammar import Node, nodes
from memoryapp.extraction.atoms.tokens import Kind, Token


def parse(text: str) -> tuple[Atom, ...]:
    """One atom or more, in order. Raises BadInput with field "/atoms" that names line and column, what was found there
    and what was expected; TooLarge (a BadInput) over a limit."""
    if len(text) > ATOMS_CHARS:
        raise over_limit(
            text,
            ATOMS_CHARS,
            f"found {len(text):,} characters in all, expected at most {ATOMS_CHARS:,}. Send them in several calls.",
        )
    text = clean(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    return tuple(_Atoms(text, node).atom() for node in nodes(text))


class _Atoms:
    """The brackets of one outermost atom made atoms. A variable holds within them, before and after its definition."""

    def __init__(self, text: str, root: Node) -> None:
        self._text = text
        self._root = root
        self._known: dict[str, Node] = {}
        self._open: list[Node] = []
        self._count = 0
        for node in _walk_nodes(root):
            if node.variable is None:
                continue
            if node.variable.text in self._known:
                what = (
                    f"found {quote_words(node.variable.text)} a second time, expected a variable that is new in "
                    f"this atom."
                )
                raise fault(text, node.variable.at, what)
            self._known[node.variable.text] = node

    def atom(self) -> Atom:
        return self._atom(self._root, self._root.at)

    def _atom(self, node: Node, at: int) -> Atom:
        if not node.parts:
            what = f"found {quote_words(node.predicate)} without a participant, expected a role such as :subject in it."
            raise fault(self._text, node.at, what)
        if any(node is other for other in self._open):
            raise fault(self._text, at, "found a variable of the atom it stands in, expected one of another atom.")
        if len(self._open) == DEPTH:
            raise fault(self._text, at, f"found an atom {DEPTH + 1} deep, expected at most {DEPTH}.")
        self._open.append(node)
        participants = tuple((role, self._participant(value)) for role, value in node.parts)
        self._open.pop()
        memory_type, mood, tense = (node.attributes.get(name) for name in ("memory_type", "mood", "tense"))
        return Atom(
            node.predicate,
            participants,
            memory_type=MemoryType(memory_type) if memory_type else None,
            mood=Mood(mood) if mood else None,
            tense=Tense(tense) if tense else None,
        )

    def _participant(self, value: Token | Node) -> str | Atom:
        self._count += 1
        if self._count > PARTICIPANTS:
            what = f"found more than {PARTICIPANTS} participants in one atom. Write it as several."
            raise fault(self._text, value.at, what)
        node = value if isinstance(value, Node) else self._stands_for(value)
        if node is None:
            assert isinstance(value, Token)
            return value.text
        if not node.parts and not node.attributes:
            return node.predicate  # (a / Alice) is a name
        return self._atom(node, value.at)

    def _stands_for(self, value: Token) -> Node | None:
        return self._known.get(value.text) if value.kind is Kind.WORD else None


def _walk_nodes(node: Node) -> Iterator[Node]:
    yield node
    for _, value in node.parts:
        if isinstance(value, Node):
            yield from _walk_nodes(value)
