"""How long each reader of texts takes over shapes that tire patterns out: `python -m tests.security.probe CHARACTERS`.

Goes out: a line of JSON a reader: by shape the least processor times in seconds for n/4, n/2 and n characters."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

SHAPES = {
    "letters": "a",
    "spaces": " ",
    "spaces and a letter": " " * 39 + "x",
    "lines": "\n",
    "tabs": "\t",
    "digits": "1",
    "dots": ".",
    "commas": "a, ",
    "digits and dots": "1.2",
    "dashes": "-",
    "open brackets": "[",
    "open links": "[[a",
    "links": "[[a]]",
    "open link targets": "[a](",
    "nested links": "[a](b[",
    "images": "![[",
    "parentheses": "(",
    "both parentheses": "()",
    "stars": "*",
    "stars and letters": "*a_",
    "underscores": "_a",
    "backticks": "`",
    "odd backticks": "``a`",
    "fences": "```\n",
    "tildes": "~~",
    "quotes": "> ",
    "quotes and lines": ">\n",
    "lists": "- a\n",
    "nested lists": "- ",
    "numbers of lists": "1. ",
    "headings": "# a\n",
    "open headings": "#",
    "tables": "|a",
    "tables of rows": "|a|b|\n",
    "tags": "<a ",
    "open comments": "<!--",
    "entities": "&",
    "entities of names": "&amp",
    "backslashes": "\\",
    "colons": ":a ",
    "mails": "a@",
    "addresses": "http://a.",
    "quotation marks": '"a',
    "apostrophes": "a's ",
    "capitals": "Aa ",
    "capitals in a row": "A",
    "names with of": "Bank of ",
    "sentences": "Minsu lives in Seoul. ",
    "sentences without an end": "Minsu lives in ",
    "and": "and ",
    "so": "so, ",
    "please do not": "please, don't ",
    "not": "not not ",
    "dates": "2026-01-01 ",
    "yaml keys": "a: b\n",
    "yaml anchors": "&a [*a, ",
    "yaml braces": "{a: ",
    "hangul": "가",
    "hangul words": "민수는 서울에 산다. ",
    "marks on a letter": "a\u0301",
    "joined signs": "👩‍",
    "no width": "\u200b",
    "right to left": "א",
}


def _cut(text: str) -> object:
    from memoryapp.ingest.cut import cut
    from memoryapp.ingest.split import Window

    return cut(text, key="k", name="n", window=Window(400, lambda part: len(part) // 4))


def _front_matter(text: str) -> object:
    from memoryapp.ingest.frontmatter import front_matter

    return front_matter(f"---\n{text}\n---\n"), front_matter(f"---\n{text}")


def _shown(text: str) -> object:
    from memoryapp.domain.redaction import redact_phrases, telling
    from memoryapp.ingest.control_characters import without_control_characters
    from memoryapp.interfaces.sessions.presenter import blocks_of

    return blocks_of(text, [text[:200]]), without_control_characters(text), redact_phrases(text, telling([text[:200]]))


def _asked(text: str) -> object:
    from memoryapp.search.dates import dates_in
    from memoryapp.search.quoted import quotations

    return dates_in(text, now=datetime(2026, 11, 22, tzinfo=UTC)), quotations(text)


def _atoms(text: str) -> object:
    from memoryapp.domain.errors import BadInput
    from memoryapp.extraction.atoms.grammar import nodes

    try:
        return list(nodes(text))
    except BadInput as error:
        return error


def _heard(text: str) -> object:
    from memoryapp.domain.fact import SpokenTurn
    from memoryapp.extraction.facts.filter import heard, talks

    return [heard(talk) for talk in talks([SpokenTurn(text, speaker="Mina")])]


def _named(text: str) -> object:
    from memoryapp.extraction.entities.candidates import candidates, inline_tags

    return candidates(text), inline_tags(text)


def _mentioned(text: str) -> object:
    from memoryapp.extraction.entities.mentions import names_of

    return names_of([("e1", ["Minsu", "a", "Bank of a"]), ("e2", ["가", "민수"])]).find(text)


def _indexed(text: str) -> object:
    from memoryapp.index.tokens import spans, tokens

    return tokens(text), spans(text)


def _drawn(text: str) -> object:
    from memoryapp.interfaces.pages.markdown import render_markdown

    return render_markdown(text)


READERS: dict[str, Callable[[str], object]] = {
    "markdown as HTML": _drawn,
    "words as a page shows them": _shown,
    "front matter": _front_matter,
    "sections": _cut,
    "names in notes": _named,
    "known names": _mentioned,
    "terms of the index": _indexed,
    "dates and quotations of a question": _asked,
    "atoms": _atoms,
    "what a turn says": _heard,
}


def main(most: int) -> None:
    """`most`: characters of the longest text. Each reader's line is printed as soon as it is known."""
    for name, read in READERS.items():
        read("Words to begin with. ")
        told = {shape: [_least(read, unit, most // part) for part in (4, 2, 1)] for shape, unit in SHAPES.items()}
        print(json.dumps({name: told}), flush=True)


def _least(read: Callable[[str], object], unit: str, size: int) -> float:
    text = (unit * (size // len(unit) + 1))[:size]
    times = []
    for _ in range(3):
        began = time.process_time()
        read(text)
        times.append(time.process_time() - began)
        if times[-1] < 0.01:
            break
    return min(times)


if __name__ == "__main__":
    main(int(sys.argv[1]))
