"""A verb's form in, its plain form out, for the verbs the rules know: the parser runs without a lemmatizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_IRREGULAR = {
    "be": "am is are was were been being 's 'm 're",
    "become": "became",
    "begin": "began begun beginning",
    "build": "built",
    "buy": "bought",
    "choose": "chose chosen choosing",
    "fly": "flew flown",
    "get": "got gotten getting",
    "go": "goes went gone",
    "grow": "grew grown",
    "have": "has had having 've",
    "hold": "held",
    "keep": "kept",
    "know": "knew known",
    "lead": "led",
    "make": "made",
    "mean": "meant",
    "meet": "met meeting",
    "oversee": "oversaw overseen",
    "quit": "quitting",
    "rewrite": "rewrote rewritten rewriting",
    "run": "ran running",
    "say": "said",
    "set": "setting",
    "speak": "spoke spoken",
    "teach": "taught",
    "tell": "told",
    "think": "thought",
    "understand": "understood",
    "write": "wrote written writing",
}
_DOUBLED = frozenset({"commit", "plan", "prefer", "program", "refer", "ship", "stop", "transfer", "travel"})


def forms(verbs: Iterable[str]) -> dict[str, str]:
    """The plain form by each form of these verbs, itself among them. What is a form of another is none."""
    listed = dict.fromkeys(verbs)
    plain = {form: verb for verb in listed for form in _inflected(verb)}
    return {verb: verb for verb in listed} | plain


def _inflected(verb: str) -> Iterator[str]:
    yield from _IRREGULAR.get(verb, "").split()
    if verb in ("be", "have", "go"):
        return
    stem = verb + verb[-1] if verb in _DOUBLED else verb
    if verb.endswith("e"):
        yield verb + "s"
        yield verb + "d"
        yield (verb if verb.endswith("ee") else verb[:-1]) + "ing"
    elif verb.endswith("y") and verb[-2] not in "aeiou":
        yield verb[:-1] + "ies"
        yield verb[:-1] + "ied"
        yield verb + "ing"
    else:
        yield verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
        yield stem + "ed"
        yield stem + "ing"
