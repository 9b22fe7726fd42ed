"""Tools that write memories: remember, update_memory, forget and give_feedback.

`remember` tells what became of the words, with both texts where they contradict what is held. `update_memory` changes
or pins a memory, `forget` deletes it or erases it for good. `give_feedback` says whether a recalled memory was of use:
ranks are corrected by that, so every agent has it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category
from memoryapp.interfaces.mcp.client import Api, ApiError, segment, without_empty
from memoryapp.interfaces.mcp.shapes import NOTICE, Case, Id, Label, Moment, Name, Notice, Reason, fence_lines
from memoryapp.interfaces.mcp.tool import AgentTool, Arguments, Result, calls, operation
from memoryapp.interfaces.search.tools import RecalledMemory


class UpdateArguments(Arguments):
    id: Id = Field(description="The memory's id.")
    text: Annotated[str, Field(min_length=1, max_length=LIMITS.text_chars)] | None = Field(
        None, description="New words.", examples=["We moved the queue to Redis in May."]
    )
    title: Annotated[str, Field(max_length=300)] | None = Field(None, description="New heading.", examples=["Queue"])
    category: Category | None = Field(None, description="New category of a fact.", examples=["work"])
    tags: list[Label] | None = Field(
        None, max_length=LIMITS.tags, description="All its tags from now on, in place of the present ones."
    )
    confidence: float | None = Field(None, ge=0, le=1, description="How sure it is.", examples=[0.9])
    speaker: Name | None = Field(None, description="Who said it.", examples=["Alice"])
    occurred_at: Moment | None = Field(None, description="When it happened, ISO 8601.")
    valid_from: Moment | None = Field(None, description="From when it holds, ISO 8601.")
    valid_to: Moment | None = Field(None, description="Until when it held, ISO 8601.")
    expires_at: Moment | None = Field(None, description="From then on it is not recalled, ISO 8601.")
    review_at: Moment | None = Field(None, description="When a person is asked whether it still holds, ISO 8601.")
    pinned: bool | None = Field(None, description="true: never put aside by decay; false: let go again.")
    reason: Reason = ""
    version: int | None = Field(
        None, ge=1, description="The version you read: refused if somebody changed it since.", examples=[3]
    )


class UpdateResult(Result):
    """The memory as it now stands."""

    memory: RecalledMemory = Field(description="As it now stands.")
    version: int = Field(description="Its version now.")
    changed: bool = Field(description="false where it was so already.")
    runs: list[str] = Field(description="The runs by which it can be undone.")
    notice: Notice = NOTICE

    def words(self) -> str:
        told = "It was so already."
        if self.changed:
            told = f"Updated, now version {self.version}. It can be undone by run {' and '.join(self.runs)}."
        return f"{told}\n{fence_lines(self.memory.lines())}"


class ForgetArguments(Arguments):
    id: Id = Field(description="The memory's id.")
    purge: bool = Field(
        False, description="true: erase for good, where agents may do that; false: delete, restorable by a person."
    )
    dry_run: bool = Field(False, description="Only say what would happen.")
    reason: Reason = ""


class ForgetResult(Result):
    """What was taken out, or would be."""

    id: str = Field(description="The memory's id.")
    done: bool = Field(description="false on a dry run.")
    purged: bool = Field(description="Erased for good, or would be.")
    run: str | None = Field(None, description="Of a deletion: the run that undoes it.")
    removed: dict[str, int] = Field({}, description="Of a purge: how many rows of each kind.")
    also: list[str] = Field([], description="Of a purge: ids of episodes, summaries and digests that go along.")
    said_by: list[str] = Field([], description="Of a purge: memories that say the same by themselves, and stay.")

    def words(self) -> str:
        if not self.purged and self.done:
            return f"Deleted {self.id}. It can be undone by run {self.run}." if self.run else "It was deleted already."
        if not self.purged:
            return f"{self.id} would leave search and lists; it could be restored."
        rows = ", ".join(f"{count} × {name}" for name, count in self.removed.items() if count)
        told = f"Erased {self.id} for good: {rows}." if self.done else f"{self.id} would be erased for good: {rows}."
        told += f" Along with it: {', '.join(self.also)}." if self.also else ""
        return told + (f" The same is still said by {', '.join(self.said_by)}." if self.said_by else "")


async def _update(api: Api, said: UpdateArguments) -> UpdateResult:
    fields = said.model_dump(mode="json", exclude={"id", "pinned", "reason", "version"})
    changes = {name: value for name, value in fields.items() if value is not None}
    if not changes and said.pinned is None:
        raise ApiError("Nothing is to be changed: send text, category, pinned or another field.", status=422)
    where = f"/memories/{segment(said.id)}"
    done: list[dict[str, Any]] = []
    if changes:
        body = changes | without_empty(reason=said.reason or None)
        done.append(await api.ask("PATCH", where, json=body, version=said.version))
    if said.pinned is not None:
        read = None if changes else said.version  # the change before it made a new version
        done.append(await api.ask("POST", f"{where}/pin", json={"pinned": said.pinned}, version=read))
    memory = done[-1]["memory"]
    runs = [one["run"] for one in done if one["run"]]
    return UpdateResult(
        memory=RecalledMemory.of(memory, longest=len(memory["text"])),
        version=memory["version"],
        changed=bool(runs),
        runs=runs,
    )


async def _forget(api: Api, said: ForgetArguments) -> ForgetResult:
    where = f"/memories/{segment(said.id)}"
    if not said.purge:
        asked = {"dry_run": "true" if said.dry_run else "false"} | without_empty(reason=said.reason or None)
        done = await api.ask("DELETE", where, params=asked)
        told = {"id": said.id, "done": not said.dry_run, "purged": False, "run": done["run"]}
        return ForgetResult.model_validate(told)
    if not api.purges and not said.dry_run:
        raise ApiError(
            "Agents may not erase for good here; a person can, on the memory's page.",
            status=403,
            advice="Delete it without purge: it leaves every search, and a person can restore or erase it.",
        )
    receipt = await api.ask("POST", f"{where}/purge", json={"reason": said.reason, "dry_run": said.dry_run})
    told = {"id": said.id, "done": not receipt["dry_run"], "purged": True, "removed": receipt["removed"]}
    told |= {"also": [one["id"] for one in receipt["also"]], "said_by": receipt["said_by"]}
    return ForgetResult.model_validate(told)


UPDATE_MEMORY = AgentTool(
    name="update_memory",
    title="Update a memory",
    description="Corrects fields of one memory, or pins it; needs a curator's key. For something that has changed in "
    "the world remember the new fact instead; returns the memory as it now stands and the runs that undo it.",
    takes=UpdateArguments,
    gives=UpdateResult,
    act=_update,
    destroys=True,
    repeats=True,
)
FORGET = AgentTool(
    name="forget",
    title="Forget a memory",
    description="Deletes one memory, restorable, or with purge erases it for good; needs a curator's key. Use it only "
    "when the user asks for it, and dry_run before a purge; returns what was removed.",
    takes=ForgetArguments,
    gives=ForgetResult,
    act=_forget,
    destroys=True,
    repeats=True,
)


WHAT_TO_DO = (
    "Both stay until it is decided. Settle it with resolve_conflict if the user has said which holds; otherwise ask, "
    "or leave it waiting."
)


class RememberArguments(Arguments):
    text: Annotated[str, Field(min_length=1, max_length=LIMITS.text_chars)] = Field(
        description="What to remember: one statement that makes sense by itself, with names instead of “he” or “here”.",
        examples=["Alice prefers Python over Go for services."],
    )
    kind: Literal["note", "fact", "atom"] = Field(
        "fact",
        description="fact: a statement, compared with what is held. note: longer words, kept as they are and compared "
        "with nothing. atom: text is PENMAN.",
    )
    category: Category | None = Field(None, description="Of a fact, what it is about.", examples=["preferences"])
    title: Annotated[str, Field(max_length=300)] | None = Field(None, description="A heading.", examples=["Queue"])
    tags: list[Label] = Field([], max_length=LIMITS.tags, description="Labels to filter by.", examples=[["decision"]])
    ref: Name | None = Field(
        None, description="Your own id, unique here: written again it updates instead of adding.", examples=["D1:3"]
    )
    occurred_at: Moment | None = Field(
        None, description="When it happened or was said, ISO 8601; 2023 or 2023-11 will do. Default: unknown."
    )
    expires_at: Moment | None = Field(None, description="From then on it is not recalled, ISO 8601; default: never.")
    review_at: Moment | None = Field(None, description="When a person is asked whether it still holds, ISO 8601.")
    session: Name | None = Field(None, description="The conversation it belongs to.", examples=["standup-42"])
    speaker: Name | None = Field(None, description="Who said it.", examples=["Alice"])
    confidence: float | None = Field(
        None, ge=0, le=1, description="Of a fact: stated .9 (default), implied .7, inferred .5, the least."
    )


class RememberResult(Result):
    """What became of it."""

    outcome: Literal["written", "reinforced", "conflict", "unchanged"] = Field(
        description="written: new. reinforced: known already. conflict: contradicts what is held. unchanged: same ref."
    )
    id: str = Field(description="Id of the memory that now holds it.")
    ref: str | None = Field(None, description="Your own id.")
    kind: str = Field(description="note, fact or atom.")
    text: str = Field(description="What is held (data).")
    trust: float = Field(description="How far it is to be believed.")
    occurred_at: str | None = Field(None, description="When it happened, as it was understood.")
    conflict: Case | None = Field(None, description="The conflict that it caused, with both sides.")
    what_to_do: str | None = Field(None, description="Of a conflict: how to go on.")
    more: list[str] = Field([], description="Ids of further memories, where there were several atoms.")
    notice: Notice = NOTICE

    def words(self) -> str:
        told = {
            "written": f"Remembered as {self.kind} {self.id}.",
            "reinforced": f"Known already: {self.kind} {self.id} is reinforced, trust {self.trust:.2f}.",
            "unchanged": f"Unchanged: {self.kind} {self.id} says so already.",
            "conflict": f"Written as {self.kind} {self.id}, but it contradicts what is held.",
        }[self.outcome]
        if self.occurred_at:
            told += f" It happened at {self.occurred_at}."
        if self.more:
            told += f" Also written: {', '.join(self.more)}."
        if self.conflict is None:
            return told
        return f"{told}\n{fence_lines(self.conflict.lines())}\n{self.what_to_do}"


async def _remember(api: Api, said: RememberArguments) -> RememberResult:
    written: dict[str, Any] = await api.ask("POST", "/memories", json=without_empty(**said.model_dump(mode="json")))
    case = None
    if written["conflict"]:
        case = Case.of(await api.ask("GET", f"/conflicts/{segment(written['conflict'])}"))
    return RememberResult(
        **{name: written[name] for name in ("outcome", "id", "ref", "kind", "text", "trust", "occurred_at")},
        conflict=case,
        what_to_do=WHAT_TO_DO if case else None,
        more=[one["id"] for one in written["more"]],
    )


REMEMBER = AgentTool(
    name="remember",
    title="Remember",
    description="Writes one memory; use it for what will matter in later conversations: facts, preferences, decisions, "
    "results. Returns whether it was written, reinforced, unchanged or contradicts something, then with both sides.",
    takes=RememberArguments,
    gives=RememberResult,
    act=_remember,
)


class Useful(Arguments):
    id: Id = Field(description="The memory that was recalled.")
    used: bool = Field(description="true: it helped to answer. false: it was of no use.")
    query: Annotated[str, Field(max_length=300)] = Field("", description="The question it was recalled for.")


GIVE_FEEDBACK = operation(
    "give_feedback",
    "Give feedback",
    "Says whether a recalled memory was of use, which moves its rank by up to 20 %. Returns the counts.",
    Useful,
    calls("POST", "/memories/{id}/feedback"),
)
