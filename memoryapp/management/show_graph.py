"""Entities, relations and paths as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.management.show import shorten_text
from memoryapp.program import program_name
from memoryapp.text.wording import count_text

Answer = dict[str, Any]
_MARKS = {"planned": "planned", "superseded": "no longer", "conflict": "disputed"}


def entity_lines(page: Answer) -> Iterator[str]:
    for one in page["items"]:
        also = f"  also {', '.join(one['aliases'])}" if one["aliases"] else ""
        counts = f"{count_text(one['memories'], 'memory', 'memories')}, {count_text(one['links'], 'link', 'links')}"
        state = "" if one["state"] == "known" else f", {one['state']}"
        yield f"{one['name']}  ({one['type']}{state})  {counts}{also}  [{one['id']}]"
    if not page["items"]:
        yield "No entities."
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all"


def card_lines(card: Answer) -> Iterator[str]:
    """One entity: what it is, what it is joined to, and what was said of it."""
    yield f"{card['name']}  ({card['type']}, {card['state']})  [{card['id']}]"
    if card["aliases"]:
        yield f"also called {', '.join(card['aliases'])}"
    for name, said in (("merged", "merged into it"), ("parents", "is"), ("children", "of it there are")):
        if card[name]:
            yield f"{said}: {', '.join((one.get('entity') or one)['name'] for one in card[name])}"
    known = {node["id"]: node["name"] for node in card["neighbours"]} | {card["id"]: card["name"]}
    for edge in card["edges"]:
        yield f"  {edge_line(edge, known)}"
    for one in card["memories"]:
        yield f"{one['trust']:.2f}  {shorten_text(one['text'])}  ({one['role']})  [{one['id']}]"
    if card["memories_in_all"] > len(card["memories"]):
        yield f"… {card['memories_in_all']:,} memories in all"
    for pair in card["alike"]:
        other = pair["other"] if pair["one"]["id"] == card["id"] else pair["one"]
        yield f"perhaps the same as {other['name']}: {pair['reason']}  [{other['id']}]"


def alike_lines(page: Answer) -> Iterator[str]:
    for pair in page["items"]:
        one, other = pair["one"], pair["other"]
        yield f"{pair['score']:.2f}  {one['name']} [{one['id']}]  =  {other['name']} [{other['id']}]"
        yield f"      {pair['reason']}"
    if not page["items"]:
        yield "No two names wait to be looked at."


def merge_lines(done: Answer) -> Iterator[str]:
    preview = done["preview"]
    names = ", ".join(preview["names"])
    verb = "would be" if done["dry_run"] else "are"
    yield f"{names} {verb} one: {preview['name']} ({preview['type']})."
    for part in preview["parts"]:
        own = part["entity"]
        yield (
            f"  {own['name']}: {count_text(part['memories'], 'memory', 'memories')} ({part['shared']} shared), "
            f"{count_text(part['relations'], 'relation', 'relations')}  [{own['id']}]"
        )
    yield from (f"would close a circle: {circle}" for circle in preview["circles"])
    if done["run"]:
        program = program_name()
        yield f"`{program} undo {done['run']}` takes it back, `{program} entities part NAME` parts one again."


def act_lines(done: Answer) -> Iterator[str]:
    one = done["entity"]
    also = f", also called {', '.join(one['aliases'])}" if one["aliases"] else ""
    yield f"{one['name']} ({one['type']}){also}  [{one['id']}]"
    yield f"`{program_name()} undo {done['run']}` takes it back." if done["run"] else "Nothing changed."


def added_lines(done: Answer) -> Iterator[str]:
    yield from act_lines(done)
    yield f"Memories linked to it: {done['linked']:,}"


def scene_lines(scene: Answer) -> Iterator[str]:
    """What is joined to what, or the communities of a large graph."""
    for one in () if scene["nodes"] else scene["communities"]:
        yield f"{one['size']:>6}  {', '.join(one['names'])}  (community {one['number']})"
    known = {node["id"]: node["name"] for node in scene["nodes"]}
    yield from (edge_line(edge, known) for edge in scene["edges"] if edge["source"] in known)
    joined = {end for edge in scene["edges"] for end in (edge["source"], edge["target"])}
    yield from (node["name"] for node in scene["nodes"] if node["id"] not in joined)
    hidden = sum(node["hidden"] for node in scene["nodes"])
    yield from scene["notes"]
    shown = len(scene["nodes"])
    if shown or not scene["notes"]:
        more = f", {hidden:,} neighbours are not shown" if hidden else ""
        yield f"{shown:,} of {count_text(scene['total'], 'entity', 'entities')}{more}."


def path_lines(found: Answer) -> Iterator[str]:
    here = found["start"]
    if not found["steps"]:
        yield f"Nothing leads from {here['name']} to {found['end']['name']}."
    for step in found["steps"]:
        edge, node = step["edge"], step["node"]
        known = {here["id"]: here["name"], node["id"]: node["name"]}
        yield edge_line(edge, known) + (f"  “{shorten_text(edge['text'])}”" if edge["text"] else "")
        here = node


def graph_job_lines(job: Answer) -> Iterator[str]:
    report = job["report"]
    if job["kind"] == "layout":
        yield (
            f"{report.get('entities', 0):,} entities drawn, {report.get('communities', 0):,} communities, "
            f"{report.get('alone', 0):,} alone."
        )
        return
    counted = ", ".join(
        count_text(report.get(name, 0), one, many)
        for name, one, many in (
            ("read", "memory read", "memories read"),
            ("relations", "relation", "relations"),
            ("entities", "new entity", "new entities"),
            ("names", "name embedded", "names embedded"),
            ("proposals", "pair to look at", "pairs to look at"),
        )
    )
    yield f"{counted} (by {report.get('reader', 'rules')})"
    if report.get("problem"):
        yield report["problem"]


def edge_line(edge: Answer, known: dict[str, str]) -> str:
    """ "Adam —uses→ Terraform (hint)"."""
    one, other = known.get(edge["source"], "?"), known.get(edge["target"], "?")
    if edge["kind"] == "together":
        return f"{one} — together with — {other}"
    said = edge["label"] or edge["type"].replace("_", " ")
    marks = [_MARKS[edge["state"]]] if edge["state"] in _MARKS else []
    marks += ["hint"] if edge["hint"] else []
    return f"{one} —{said}→ {other}" + (f" ({', '.join(marks)})" if marks else "")
