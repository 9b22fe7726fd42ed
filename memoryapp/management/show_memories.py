"""Memories, facts, conflicts, changes, sessions and episodes as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from memoryapp.management.show import shorten_text
from memoryapp.program import program_name

Answer = dict[str, Any]
BECOMES = {
    "written": "new",
    "reinforced": "confirms",
    "conflict": "contradicts",
    "unchanged": "known",
}


def fact_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        marks = [one["category"] or "other", one["trust_parts"]["word"]]
        marks += ["decision"] if one["decision_point"] else []
        marks += ["disputed"] if one["conflicts"] else []
        yield f"{one['trust']:.2f}  {shorten_text(one['text'])}  ({', '.join(marks)})  [{one['id']}]"
    if not page["items"]:
        yield "No facts."
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all"


def preview_lines(found: Answer) -> Iterator[str]:
    """Each candidate with what it would become, then what was passed over and why."""
    for item in found["items"]:
        if item["problem"]:
            yield f"read by {item['extractor']}: {item['problem']}"
        for fact in item["facts"]:
            yield f"+ {shorten_text(fact['text'])}"
            yield f"    {_fact_text(fact)}"
            if fact["wording"]:
                yield f"    {fact['wording']}"
        for passed in item["passed_over"]:
            yield f"- {shorten_text(passed['quote'])}  ({passed['reason']})"
    if not any(item["facts"] for item in found["items"]):
        yield "Nothing would be learned."
    cost = found["cost"]
    if cost["calls"]:
        yield f"{cost['calls']} calls, {cost['tokens_in'] + cost['tokens_out']:,} tokens, {cost['seconds']:.1f} s"


def _fact_text(fact: Answer) -> str:
    parts = [BECOMES[fact["would"]] + (f" “{shorten_text(fact['near']['text'])}”" if fact["near"] else "")]
    parts += [fact["category"], f"confidence {fact['confidence']:.1f}"]
    parts += ["decision"] if fact["decision_point"] else []
    parts += ["emotion"] if fact["emotional_signal"] else []
    parts += [fact["when"]] if fact["when"] else []
    parts += [", ".join(fact["entities"])] if fact["entities"] else []
    return " · ".join(parts)


def memory_lines(memory: Answer) -> Iterator[str]:
    parts = memory["trust_parts"]
    yield memory["text"]
    yield ""
    yield f"{memory['kind']}, {memory['state']}, version {memory['version']}  [{memory['id']}]"
    product = f"confidence {parts['confidence']:.2f} × recency {parts['recency']:.3f} × boost {parts['boost']:.3f}"
    ceiling = f", at most {parts['ceiling']:.3f} as what it was made of" if parts["ceiling"] is not None else ""
    yield f"trust {memory['trust']:.3f} ({parts['word']}) = {product}{ceiling}"
    turn = memory["turn"]
    if turn:
        yield f"said by {turn['speaker'] or turn['role']}, turn {turn['number']} of {turn['session']}: {turn['text']}"
    elif memory["source"]["path"]:
        yield f"from {memory['source']['path']}, lines {memory['source']['first_line']}–{memory['source']['last_line']}"
    for name in ("valid_from", "valid_to", "expires_at", "review_at", "inherited_from"):
        if memory[name]:
            yield f"{name.replace('_', ' ')}: {memory[name]}"
    for name in ("conflicts", "supersedes", "superseded_by", "derived_from", "derived_into"):
        if memory[name]:
            yield f"{name.replace('_', ' ')}: {', '.join(memory[name])}"


def history_lines(found: Answer) -> Iterator[str]:
    for layer in found["items"]:
        why = f" ({layer['reason']})" if layer["reason"] else ""
        yield f"{layer['at']:.19}  {layer['actor']}  {layer['act']}{why}  [{layer['id']}]"
        yield f"     {layer['state']}: {shorten_text(layer['text'])}"


def act_lines(done: Answer) -> Iterator[str]:
    memory = done["memory"]
    if done["dry_run"]:
        yield f"It would be {memory['state']} (dry run: nothing was changed)."
    elif done["run"] is None:
        yield f"Nothing changed: it is {memory['state']}."
    else:
        yield f"{memory['state']}, version {memory['version']}. `{program_name()} undo {done['run']}` takes it back."


def receipt_lines(receipt: Answer) -> Iterator[str]:
    counted = ", ".join(f"{n:,} {place}" for place, n in receipt["removed"].items() if n) or "nothing"
    yield f"Would erase {counted}." if receipt["dry_run"] else f"Erased {counted}."
    yield from (f"with it the {one['kind']} that tells it  [{one['id']}]" for one in receipt["also"])
    yield from (f"left as it is, though it says the same  [{key}]" for key in receipt["said_by"])
    if receipt["dry_run"]:
        return
    left = {place: n for place, n in receipt["left"].items() if n}
    yield f"Left behind: {left}" if left else "Nothing of it is left."


def conflict_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        yield f"{one['proposal']['outcome']:<8} {one['proposal']['confidence']:.2f}  {one['detector']}  [{one['id']}]"
        yield f"    held:     {shorten_text(one['existing']['text'])}"
        yield f"    incoming: {shorten_text(one['incoming']['text'])}"
        if one["decision"]:
            yield f"    decided:  {_decision_text(one['decision'])}"
    if not page["items"]:
        yield "No conflicts."
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all"


def case_lines(one: Answer) -> Iterator[str]:
    """Both sides, the proposal and its reason, what was decided before, what each outcome would change."""
    yield f"held:     {shorten_text(one['existing']['text'])}{_trust_text(one['existing'])}"
    yield f"incoming: {shorten_text(one['incoming']['text'])}{_trust_text(one['incoming']['memory'])}"
    proposal = one["proposal"]
    yield f"proposed: {proposal['outcome']} ({proposal['confidence']:.2f}, {one['detector']}): {proposal['reason']}"
    if one["gate"]:
        yield f"trust:    {one['gate']}"
    for suggested in one["proposals"]:
        why = f": {suggested['reason']}" if suggested.get("reason") else ""
        yield f"{suggested['by']} suggests {suggested['outcome']}{why}"
    if one["decision"]:
        yield f"decided:  {_decision_text(one['decision'])}"
    for outcome, changes in one["impact"].items():
        yield f"{outcome}:"
        yield from (f"    {line}" for line in changes)


def change_lines(page: Answer) -> Iterator[str]:
    """One line a change: when, who, what, why, and the run that it can be undone with."""
    for one in page["items"]:
        changed = ", ".join(one["after"]) or one["act"]
        why = f": {one['reason']}" if one["reason"] else ""
        yield (
            f"{one['at']:.19}  {one['actor']}  {one['act']} {one['record']} {one['record_id']} ({changed}){why}"
            f"  [run {one['run']}]"
        )
    if not page["items"]:
        yield "No changes."


def _trust_text(side: Answer | None) -> str:
    return f"  (trust {side['trust']:.2f})" if side else ""


def _decision_text(decision: Answer) -> str:
    why = f" ({decision['reason']})" if decision.get("reason") else ""
    return f"{decision.get('outcome')} by {decision.get('by')}{why}"


def session_lines(session: Answer, episode: Answer | None = None) -> Iterator[str]:
    ended = f", ended {session['ended_at']:.16}" if session["ended_at"] else ""
    private = ", private" if session["private"] else ""
    begun = f"begun {session['started_at']:.16}{ended}{private}"
    yield f"{session['name']}: {session['turns']:,} turns, {begun}  [{session['id']}]"
    if episode:
        yield from _episode_lines(episode)


def turn_lines(turns: Sequence[Answer]) -> Iterator[str]:
    """What was said and, under it, what became of it."""
    for turn in turns:
        yield f"{turn['number']:>4}  {turn['speaker'] or turn['role']}: {shorten_text(turn['text'])}"
        yield f"      {_read(turn['reading'])}"


def _read(reading: Answer) -> str:
    if reading["status"] == "waiting":
        return "waiting to be read"
    if reading["status"] == "skipped":
        return "not read"
    learned = [f"{one['outcome']} [{one['memory']}]" for one in reading["learned"]]
    told = f"{reading['extractor']}: " + (", ".join(learned) or "nothing learned")
    return f"{told} ({reading['problem']})" if reading["problem"] else told


def episode_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        yield from _episode_lines(one)
        yield ""
    if not page["items"]:
        yield "No episodes."


def _episode_lines(episode: Answer) -> Iterator[str]:
    day = f"{episode['ended_at'] or episode['created_at']:.10}"
    yield f"{day}  {episode['title'] or episode['session'] or ''}  [{episode['id']}]"
    yield f"     {episode['text']}"
    if episode["decision"]:
        yield f"     Decision: {episode['decision']}"
