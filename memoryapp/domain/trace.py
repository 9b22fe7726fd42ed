"""A trace: one search or context call of an agent, what it asked, what it was given and how that ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from memoryapp.domain.identity import derived_id

LONGEST = 500  # characters of a question that are kept
MOST = 5_000  # traces of a space
KEPT_FOR = timedelta(days=30)
HASHED = 16  # digits of a text's hash: enough to see that it was changed


class Act(StrEnum):
    SEARCH = "search"
    CONTEXT = "context"


class Result(StrEnum):
    """Unclear: what was given is the closest, and not clearly relevant. No room: the budget held nothing of it."""

    ANSWERED = "answered"
    UNCLEAR = "unclear"
    NOTHING = "nothing"
    NO_ROOM = "no room"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the agent's name, how its key begins, and the role that it has."""

    agent: str
    key: str
    role: str


@dataclass(frozen=True, slots=True)
class Given:
    """A memory as it was given. `tokens`: about how many it took; `relevance` 0–1, None where it was not searched for;
    `layer` of a context; `answer`: (start, end) in its text of the sentence that answers, as long as the text has this
    `content_hash`; `inherited_from`: the parent space it lives in."""

    memory: str
    tokens: int
    relevance: float | None = None
    layer: str = ""
    answer: tuple[int, int] | None = None
    content_hash: str = ""
    inherited_from: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """`given` in its order. `of_all`: a question, asked of all that is held, so that no answer is something the memory
    lacks; not a narrowed search or a message that asks nothing. `ms` to the answer; `budget` in tokens, of a context;
    `cached`: an earlier answer was given again."""

    id: str
    at: datetime
    act: Act
    question: str
    of_all: bool
    asker: Asker
    strategy: str
    result: Result
    given: tuple[Given, ...]
    tokens: int
    ms: float
    budget: int | None = None
    cached: bool = False

    @property
    def asked(self) -> str:
        """The id of the question."""
        return question_id(self.question)


def question_id(text: str) -> str:
    """The same for the same words, whatever their case, blanks and closing marks."""
    return derived_id("question", " ".join(text.casefold().split()).rstrip("?.!？。 "))
