"""A name and what is said of it in, one sentence out that stands by itself: “John Smith”, “Speaks Spanish” →
“John Smith speaks Spanish”. Where that is not certain the two stay apart, with a colon."""

from __future__ import annotations

import re

# Words that open a predicate, and hardly ever a name or a passive: “Works at Acme” is one, while “May 3” and
# “Founded in 2010” (by whom?) would not be.
_PREDICATE = re.compile(
    r"""(?:
    is | was | has | had | does | did | can | could | would | must | should | cannot
    | isn't | wasn't | hasn't | doesn't | didn't | can't | won't | never | also | currently | usually | often
    | likes | loves | prefers | enjoys | hates | dislikes | wants | needs | hopes | avoids
    | works | worked | lives | lived | studies | studied | speaks | owns | uses | knows | runs | manages | teaches
    | plays | writes | wrote | reads | builds | develops | maintains | joined | graduated | moved | married | grew
    | became | began | attended | visited | met | believes | thinks | says | said | asked | decided | agreed
    | requires | depends | contains | provides | implements | handles | follows | keeps | takes | goes | drinks | eats
    | wears | drives | suffers
    )(?=[ .,;]|$)""",
    re.VERBOSE | re.IGNORECASE,
)


_THE_USER = re.compile(r"(?:the )?user(?=[ '’])", re.IGNORECASE)


def of_user(name: str, text: str) -> str:
    """The sentence with its user called by name, where the words leave out who it is or say “user”; else as it was."""
    if name.casefold() in text.casefold():
        return text
    name = name[:1].upper() + name[1:]
    if opening := _THE_USER.match(text):
        return name + text[opening.end() :]
    return f"{name} {text[0].lower()}{text[1:]}" if _PREDICATE.match(text) else text


def said_of(name: str, text: str) -> str:
    """The sentence. Words that name the subject themselves are left as they are."""
    if name.casefold() in text.casefold():
        return text
    if _PREDICATE.match(text):
        return f"{name} {text[0].lower()}{text[1:]}"
    return f"{name}: {text}"
