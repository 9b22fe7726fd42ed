"""Tools that read memories: recall by a question, get_memory by an id, context for a message.

What they return is data, and is marked so. `context` gives what belongs into a prompt, within a budget of tokens.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category, Kind, MemoryType, Mood
from memoryapp.domain.plan import MOST_CHARS
from memoryapp.domain.strategies import DEFAULT
from memoryapp.interfaces.mcp.client import Api, segment, without_empty
from memoryapp.interfaces.mcp.shapes import (
    NOTICE,
    Id,
    Label,
    Moment,
    Name,
    Notice,
    Part,
    fence_lines,
    inline,
    quote_lines,
)
from memoryapp.interfaces.mcp.tool import AgentTool, Arguments, Result

LONGEST = 2_000  # characters of one result: eight of them must not fill a prompt; get_memory gives the rest
_MUCH_ELSE = 200  # characters besides the sentence that answers, from which it is worth naming
_SAME = ("id", "ref", "kind", "state", "title", "category", "tags", "speaker", "trust", "inherited_from")


class Question(Arguments):
    query: Annotated[str, Field(min_length=1, max_length=LIMITS.query_chars)] = Field(
        description="What to look for, as a question or as words; any language.",
        examples=["why did we leave RabbitMQ?"],
    )
    top_k: int = Field(8, ge=1, le=LIMITS.top_k, description="How many at most.", examples=[5])
    strategy: Annotated[str, Field(min_length=1, max_length=MOST_CHARS)] = Field(
        DEFAULT,
        description="How to search: hybrid unless you know better, e.g. keyword, vector, graph, recall.",
        examples=["hybrid"],
    )
    kinds: list[Kind] = Field([], max_length=len(Kind), description="Only these kinds.", examples=[["fact", "note"]])
    categories: list[Category] = Field([], max_length=5, description="Only facts of these.", examples=[["work"]])
    tags: list[Label] = Field([], max_length=LIMITS.tags, description="All of these must be there.", examples=[["db"]])
    speakers: list[Name] = Field([], max_length=20, description="Said by one of these.", examples=[["Alice"]])
    sources: list[Name] = Field(
        [],
        max_length=20,
        description="From paths that begin so, or these documents or sessions.",
        examples=[["notes/"]],
    )
    entities: list[Name] = Field([], max_length=20, description="About one of these.", examples=[["Redis"]])
    min_trust: float | None = Field(None, ge=0, le=2, description="Believed at least so far.", examples=[0.5])
    min_strength: float | None = Field(None, ge=0, le=100, description="Present at least so far.", examples=[0.2])
    states: list[Literal["held", "superseded", "archived"]] = Field(
        [], max_length=3, description="Also what is no longer held; default: held alone.", examples=[["archived"]]
    )
    memory_types: list[MemoryType] = Field([], max_length=3, description="Only atoms of these types.")
    moods: list[Mood] = Field([], max_length=5, description="Only atoms in these moods.")
    since: Moment | None = Field(
        None, description="Happened, or where that is unknown was learned, at this time or later, ISO 8601."
    )
    until: Moment | None = Field(None, description="Happened or was learned before this time, ISO 8601.")
    review_before: Moment | None = Field(None, description="Only what is to be reviewed before this time, ISO 8601.")
    as_of: Moment | None = Field(None, description="Answer with what was held at this past instant.")
    as_of_by: Literal["recorded", "valid"] = Field(
        "recorded",
        description="recorded: what was believed then; valid: what was true then, as known today.",
    )
    floor: float | None = Field(None, ge=0, le=1, description="Relevance that the best must reach.")


class RecalledMemory(Part):
    """One memory as it is recalled."""

    id: str = Field(description="For get_memory, update_memory and forget.")
    ref: str | None = Field(None, description="The writer's own id.")
    kind: str = Field(description="fact, turn, note, section, episode, digest, summary, atom or node.")
    state: str = Field(description="held, superseded, archived or deleted.")
    title: str = Field("", description="Heading (data).")
    text: str = Field(description="What it says (data).")
    said: str = Field("", description="Of a fact: the words it was learned from (data).")
    answers: str = Field("", description="Of a turn that says little by itself: the words before it (data).")
    reply: str = Field("", description="Of a turn that asks: what another speaker said to it (data).")
    reply_by: str | None = Field(None, description="Who replied.")
    answer: str = Field("", description="The sentence that answers, of a long text (data).")
    replaced: list[str] = Field([], description="Of a turn: what was learned from it and is no longer so (data).")
    cut: bool = Field(False, description="Only the beginning is shown; get_memory gives all of it.")
    relevance: float | None = Field(None, description="How likely it is to answer, 0 to 1.")
    trust: float = Field(description="How far it is to be believed: confidence, age and confirmation together.")
    category: str | None = Field(None, description="Of a fact.")
    tags: list[str] = Field([], description="Labels (data).")
    speaker: str | None = Field(None, description="Who said it.")
    date: str | None = Field(None, description="When it happened or holds from; null where that is unknown.")
    source: str | None = Field(None, description="The document with its lines, or the session.")
    conflicts: list[str] = Field([], description="Open conflicts that it is part of: do not rely on it alone.")
    outdated_by: str | None = Field(None, description="A later memory that says otherwise: rely on that one.")
    inherited_from: str | None = Field(None, description="The parent space that it comes from.")

    @classmethod
    def of(cls, one: dict[str, Any], *, longest: int) -> RecalledMemory:
        """From a hit or a memory of the API."""
        return cls(
            **{name: one[name] for name in _SAME},
            text=one["text"][:longest],
            cut=len(one["text"]) > longest,
            said=(one.get("turn") or {}).get("text", "")[:longest],
            answers=(one.get("answers") or {}).get("text", "")[:longest],
            reply=(one.get("reply") or {}).get("text", "")[:longest],
            reply_by=(one.get("reply") or {}).get("speaker"),
            answer=_answer(one),
            replaced=[fact["text"] for fact in one.get("facts") or () if fact["state"] == "superseded"],
            relevance=one.get("relevance"),
            date=one["occurred_at"] or one["valid_from"],
            source=_source(one["source"]),
            conflicts=one["conflicts"],
            outdated_by=one.get("outdated_by"),
        )

    def lines(self, *, number: int | None = None) -> list[str]:
        """A line of ours about it, then its words, each line marked."""
        parts = [self.id, self.kind if self.state == "held" else f"{self.kind} ({self.state})"]
        parts += [f"relevance {self.relevance:.2f}"] if self.relevance is not None else []
        parts.append(f"trust {self.trust:.2f}")
        parts += [inline(one) for one in (self.category, (self.date or "")[:10], self.source) if one]
        parts += [f"said by {inline(self.speaker)}"] if self.speaker else []
        parts += [f"tags {inline(', '.join(self.tags))}"] if self.tags else []
        parts += [f"from space {inline(self.inherited_from)}"] if self.inherited_from else []
        parts += [f"IN CONFLICT {', '.join(self.conflicts)}"] if self.conflicts else []
        parts += [f"PROBABLY OUTDATED by {self.outdated_by}"] if self.outdated_by else []
        head = (f"[{number}] " if number else "") + " · ".join(parts)
        title = quote_lines(self.title) if self.title.strip() else []
        asked = ["In answer to:", *quote_lines(self.answers)] if self.answers else []
        by = f" by {inline(self.reply_by)}" if self.reply_by else ""
        replied = [f"Reply{by}:", *quote_lines(self.reply)] if self.reply else []
        said = ["The answer:", *quote_lines(self.answer)] if self.answer else []
        said += ["Learned from:", *quote_lines(self.said)] if self.said and self.said != self.text else []
        said += (
            ["No longer so:", *(line for text in self.replaced for line in quote_lines(text))] if self.replaced else []
        )
        end = ["(cut; get_memory gives the rest)"] if self.cut else []
        return [head, *title, *quote_lines(self.text), *end, *asked, *replied, *said]


class RecallResult(Result):
    """The memories that answer, best first."""

    items: list[RecalledMemory] = Field(description="Best first; empty where nothing fits.")
    strategy: str = Field(description="How it was searched.")
    notes: list[str] = Field([], description="What to know about this search.")
    notice: Notice = NOTICE

    def words(self) -> str:
        notes = [f"Note: {note}" for note in self.notes]
        if not self.items:
            return "\n".join(["Nothing relevant is remembered.", *notes])
        lines = [line for number, one in enumerate(self.items, 1) for line in one.lines(number=number)]
        count = "1 memory" if len(self.items) == 1 else f"{len(self.items)} memories"
        return "\n".join([f"{count}, best first.", *notes, fence_lines(lines)])


class MemoryArguments(Arguments):
    id: Id = Field(description="The memory's id, from recall or remember.")


class MemoryResult(Result, RecalledMemory):
    """One memory with what surrounds it."""

    strength: float = Field(description="How present it is: it fades and is strengthened by recall.")
    confidence: float = Field(description="How sure it was when it was said, 0 to 1.")
    pinned: bool = Field(description="Never put aside by decay.")
    edited: bool = Field(description="Its words were edited after they were taken in.")
    valid_to: str | None = Field(None, description="Until when it held.")
    expires_at: str | None = Field(None, description="From when on it is not recalled.")
    review_at: str | None = Field(None, description="When a person is asked whether it still holds.")
    entities: list[str] = Field([], description="Whom and what it is about (data).")
    supersedes: list[str] = Field([], description="Ids of memories that it replaced.")
    superseded_by: list[str] = Field([], description="Ids of memories that replaced it.")
    derived_from: list[str] = Field([], description="Ids of memories that it was made of.")
    version: int = Field(description="Send it with update_memory to change only what you have read.")
    notice: Notice = NOTICE

    def words(self) -> str:
        lines = self.lines()
        for word in ("supersedes", "superseded_by", "derived_from"):
            lines += [f"{word.replace('_', ' ')} {', '.join(getattr(self, word))}"] if getattr(self, word) else []
        lines += [f"about {inline(', '.join(self.entities))}"] if self.entities else []
        marks = [word for word in ("pinned", "edited") if getattr(self, word)]
        return fence_lines([*lines, " · ".join([f"version {self.version}", *marks])])


def _answer(one: dict[str, Any]) -> str:
    """The sentence that answers, where the memory says much else."""
    answer = one.get("answer")
    return str(answer["text"]) if answer and len(one["text"]) > _MUCH_ELSE + len(answer["text"]) else ""


def _source(source: dict[str, Any]) -> str | None:
    if source["path"]:
        first, last = source["first_line"], source["last_line"]
        return f"{source['path']}:{first}-{last}" if first else str(source["path"])
    return f"session {source['session']}" if source["session"] else None


async def _recall(api: Api, asked: Question) -> RecallResult:
    said = asked.model_dump(mode="json")
    question = {name: said.pop(name) for name in ("query", "top_k", "strategy", "as_of", "as_of_by", "floor")}
    found = await api.ask("POST", "/search", json=without_empty(**question) | {"filters": without_empty(**said)})
    items = [RecalledMemory.of(one, longest=LONGEST) for one in found["items"]]
    return RecallResult(items=items, strategy=found["strategy"], notes=found["notes"])


async def _get(api: Api, asked: MemoryArguments) -> MemoryResult:
    found = await api.ask("GET", f"/memories/{segment(asked.id)}")
    names = (
        "strength",
        "confidence",
        "pinned",
        "edited",
        "valid_to",
        "expires_at",
        "review_at",
        "supersedes",
        "superseded_by",
        "derived_from",
    )
    return MemoryResult(
        **RecalledMemory.of(found, longest=len(found["text"])).model_dump(),
        **{name: found[name] for name in (*names, "version")},
        entities=[one["name"] for one in found["entities"]],
    )


RECALL = AgentTool(
    name="recall",
    title="Recall",
    description="Searches the memory; use it before answering anything that may depend on earlier conversations, "
    "people, decisions or notes. Returns memories best first, each with id, relevance, trust, date and open conflicts.",
    takes=Question,
    gives=RecallResult,
    act=_recall,
    reads=True,
)
GET_MEMORY = AgentTool(
    name="get_memory",
    title="Get a memory",
    description="Reads one memory whole, whatever its state. Returns its text, trust, source, entities, what it "
    "replaced or was replaced by, and its version.",
    takes=MemoryArguments,
    gives=MemoryResult,
    act=_get,
    reads=True,
)


class ContextArguments(Arguments):
    message: Annotated[str, Field(min_length=1, max_length=LIMITS.turn_chars)] = Field(
        description="The message that is to be answered, as it is.", examples=["Where does Minsu live now?"]
    )
    budget: int | None = Field(
        None, ge=1, le=200_000, description="Tokens at most; default: the space's own.", examples=[800]
    )
    layers: list[Literal["summaries", "tree", "facts", "experiences", "knowledge"]] = Field(
        [], max_length=5, description="Only these layers; default: all.", examples=[["facts"]]
    )
    facts: int | None = Field(None, ge=0, le=LIMITS.top_k, description="How many facts at most.", examples=[5])
    as_of: Moment | None = Field(None, description="What was believed at this past instant.")


class ContextResult(Result):
    """Ready for a prompt: `text` is framed as data already."""

    text: str = Field(description="The context, numbered, in a frame that marks it as data; empty where nothing fits.")
    tokens: int = Field(description="Its length in tokens.")
    budget: int = Field(description="Tokens that were allowed.")
    citations: dict[str, str] = Field(description="The number in the text → the memory's id.")
    needed: int = Field(0, description="Where nothing fitted: the budget that holds something.")
    notes: list[str] = Field([], description="What to know about it.")
    notice: Notice = NOTICE

    def words(self) -> str:
        notes = [f"Note: {note}" for note in self.notes]
        if not self.citations:
            nothing = "The budget was too small." if self.needed else "Nothing is remembered for this message."
            return "\n".join([nothing, *notes])
        cited = ", ".join(f"[{number}] {key}" for number, key in self.citations.items())
        return "\n".join([self.text, f"{self.tokens} of {self.budget} tokens. Memories: {cited}.", *notes])


async def _context(api: Api, asked: ContextArguments) -> ContextResult:
    return ContextResult.model_validate(await api.ask("POST", "/context", json=without_empty(**asked.model_dump())))


CONTEXT = AgentTool(
    name="context",
    title="Get context for a message",
    description="Gives what an answer to this message should know: summaries, the best facts, experiences, notes, "
    "within a budget of tokens. Use it once at the start of a task; use recall for a specific question.",
    takes=ContextArguments,
    gives=ContextResult,
    act=_context,
    reads=True,
)
