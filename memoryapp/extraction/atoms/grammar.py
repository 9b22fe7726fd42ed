"""The brackets, roles and attributes of atoms, read from tokens. What a variable stands for is looked up later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from memoryapp.domain.atom import ATOMS, DEPTH, NAME_CHARS, Role, Tense
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import MemoryType, Mood
from memoryapp.extraction.atoms.fault import fault, over_limit, place, quote_words
from memoryapp.extraction.atoms.tokens import Kind, Token, tokens

EXAMPLE = "(prefers :subject Alice :object Python)"
_WORDS = (Kind.WORD, Kind.STRING)
_ROLES = ", ".join(f":{role}" for role in Role)
_ATTRIBUTES: dict[str, type[StrEnum]] = {"memory_type": MemoryType, "mood": Mood, "tense": Tense}


@dataclass(slots=True)
class Node:
    """One bracket. `variable`: the a of (a / Alice). `parts`: roles, each with a word or string, or another bracket."""

    at: int
    predicate: str
    variable: Token | None
    parts: list[tuple[Role, Token | Node]] = field(default_factory=list)
    attributes: dict[str, StrEnum] = field(default_factory=dict)


def nodes(text: str) -> Iterator[Node]:
    """Every outermost bracket of a text. Raises BadInput, TooLarge over the number of atoms."""
    reader = _Reader(text)
    count = 0
    while reader.next.kind is not Kind.END:
        if count == ATOMS:
            raise over_limit(text, reader.next.at, f"found more than {ATOMS} atoms. Send them in several calls.")
        count += 1
        yield reader.node(1)
    if not count:
        raise fault(text, reader.next.at, f"found no atom, expected one such as {EXAMPLE}.")


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self.next = next(self._tokens)

    def node(self, depth: int) -> Node:
        opened = self.next
        if opened.kind is not Kind.OPEN:
            raise self._expected(f"an atom in brackets such as {EXAMPLE}")
        if depth > DEPTH:
            raise self._fault(opened, f"found an atom {depth} deep, expected at most {DEPTH}.")
        self._step()
        variable = self._step() if self._is(Kind.VARIABLE) else None
        if not self._is(*_WORDS):
            what = "a word after “/”" if variable else "a predicate such as “prefers”"
            raise self._expected(what + (self._unclosed(opened) if self._is(Kind.END) else ""))
        node = Node(opened.at, self._named(self._step()), variable)
        while self._is(Kind.ROLE):
            self._part(node, depth)
        if not self._is(Kind.CLOSE):
            raise self._unfinished(opened)
        self._step()
        return node

    def _part(self, node: Node, depth: int) -> None:
        role = self._step()
        name = role.text[1:].lower().replace("-", "_")
        if name in _ATTRIBUTES:
            if name in node.attributes:
                raise self._fault(role, f"found :{name} a second time, expected it once in an atom.")
            node.attributes[name] = self._attribute(name)
            return
        if name not in {*Role}:
            raise self._no_role(role)
        if self._is(Kind.OPEN):
            node.parts.append((Role(name), self.node(depth + 1)))
        elif self._is(*_WORDS):
            self._named(self.next)
            node.parts.append((Role(name), self._step()))
        else:
            raise self._expected(f"a word, a quoted string or an atom in brackets after {quote_words(role.text)}")

    def _attribute(self, name: str) -> StrEnum:
        kind = _ATTRIBUTES[name]
        known = {str(value): value for value in kind}
        one_of = f"{', '.join(list(known)[:-1])} or {list(known)[-1]} after :{name}"
        if not self._is(*_WORDS) or self.next.text.strip().lower() not in known:
            raise self._expected(one_of)
        return known[self._step().text.strip().lower()]

    def _named(self, token: Token) -> str:
        if not token.text.strip():
            raise self._fault(token, "found empty quotes, expected words in them.")
        if len(token.text) > NAME_CHARS:
            raise self._fault(
                token,
                f"found {len(token.text):,} characters, expected at most {NAME_CHARS}. What is long is better a note.",
            )
        return token.text

    def _no_role(self, role: Token) -> BadInput:
        name = role.text[1:].lower()
        if name.endswith(("-of", "_of")):
            plain = name[:-3] if name[:-3] in {*Role} else "subject"
            return self._fault(
                role,
                f"found {quote_words(role.text)}, a role turned round, expected a plain role. Write the other atom on "
                f"its own"
                f" and name this one in its :{plain}.",
            )
        return self._fault(
            role, f"found {quote_words(role.text)}, expected a role ({_ROLES}) or :memory_type, :mood or :tense."
        )

    def _unfinished(self, opened: Token) -> BadInput:
        if self._is(Kind.END):
            return self._expected("a role such as :subject, or “)”" + self._unclosed(opened))
        hint = ""
        if self._is(*_WORDS):
            hint = '. Words with spaces between them go in quotes: "…"'
        elif self._is(Kind.OPEN):
            hint = f"{self._unclosed(opened)}; an atom within it needs a role"
        return self._expected("a role such as :subject, or “)”" + hint)

    def _unclosed(self, opened: Token) -> str:
        return f". The bracket opened in {place(self._text, opened.at)} is not closed"

    def _expected(self, what: str) -> BadInput:
        found = "the end of the text" if self._is(Kind.END) else quote_words(self.next.text)
        return self._fault(self.next, f"found {found}, expected {what}.")

    def _fault(self, token: Token, what: str) -> BadInput:
        return fault(self._text, token.at, what)

    def _is(self, *kinds: Kind) -> bool:
        return self.next.kind in kinds

    def _step(self) -> Token:
        here = self.next
        self.next = next(self._tokens, here)
        return here
