"""The text of a section in, names that may be entities out (`candidates`): wiki-links, code names, link texts,
repositories, capitalised terms. ingest proposes them; a second sighting makes them known. Tags and folders sort notes
and name nothing by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memoryapp.domain.entity import EntityType, normal_form
from memoryapp.extract.capitals import capitalised, lower_counts
from memoryapp.extract.relations.kinds import kind_of
from memoryapp.extract.stoplists import DATE_WORDS, LINK_WORDS, OPENERS, is_common

NAME_CHARS = 60
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_WIKI = re.compile(r"!?\[\[([^\[\]\n]{1,200})\]\]")
_CODE = re.compile(r"(`+)([^`\n]{1,80})\1(?!`)")
_LINK = re.compile(r"(!?)\[([^\[\]\n]{1,200})\]\(<?([^()\s<>]{0,500})>?(?:\s[^()\n]*)?\)")
_URL = re.compile(r"https?://[^\s<>()\"'`]{1,500}")
_REPOSITORY = re.compile(r"https?://(?:www\.)?(?:github|gitlab|codeberg)\.(?:com|org)/([\w.-]{1,60})/([\w.-]{1,100})")
_TAG = re.compile(r"(?<![\w&/#.\]\[])(?<!\]\()#([^\W\d_][\w/-]{0,60}|\d+[\w/-]*[^\W\d_][\w/-]{0,60})")
_HEX_COLOUR = re.compile(r"(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
# A name in code: letters first, then what package, tool and file-less identifiers are made of. No calls, paths, flags.
_CODE_NAME = re.compile(r"[A-Za-z\uac00-\ud7a3][\w.+#-]{1,38}[\w+#]")
_CODE_FILE = re.compile(
    r"\.(?:md|txt|py|js|jsx|ts|tsx|rb|json|ya?ml|toml|lock|conf|cfg|ini|sh|zsh|bash|css|s?html?|csv|sql|exs?|erl|rs|go|c"
    r"|h|lua|vim|log|env|png|jpe?g|gif|svg|pdf|zip|gz|local|com|org|net|io|dev)$"
)
# Words in small letters that end so are verbs and nouns of English, and hardly ever the name of a program.
_ENDINGS = ("ing", "ed", "tion", "tions", "ment", "ments", "ness", "able", "ies", "ity", "ly", "ance", "ence")
_FILE = re.compile(r"\.(?:md|markdown|txt|py|json|ya?ml|toml|html?|css|sh|sql|pdf)$")  # “Next.js” is no file
_KEY_CHORD = re.compile(r"(?:ctrl|control|shift|alt|cmd|command|meta|opt|option|fn|super|esc)[-+]", re.IGNORECASE)
_ATTACHMENT = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|pdf|mp[34]|mov|zip|canvas|csv|xlsx?|docx?)$", re.IGNORECASE)
_DATED = re.compile(r"\d{4}(?:[-./]\d{1,2}){0,2}|\d+")


class How(StrEnum):
    """What gave a name away."""

    WIKI_LINK = "wiki-link"
    READ = "read"
    CODE = "code"
    LINK = "link"
    REPOSITORY = "repository"
    CAPITALS = "capitals"


@dataclass(frozen=True, slots=True)
class Candidate:
    """`surface` as written, `normal` as looked up. `how`: every way it was seen, most telling first."""

    surface: str
    normal: str
    type: EntityType
    how: tuple[How, ...]


def candidates(text: str, *, context: str | None = None, named: Iterable[str] = ()) -> tuple[Candidate, ...]:
    """Names that may be entities, each once, in order of first appearance by way.

    `context`: the whole document, where `text` is a part of it: tells names from words that start sentences.
    `named`: names that whoever read the text found in it.
    """
    prose, code = masked(text)
    seen: dict[str, tuple[str, list[How]]] = {}
    for how, surface in _sightings(text, prose, code, context, named):
        normal = _normal(surface)
        if normal:
            seen.setdefault(normal, (" ".join(surface.split()), []))[1].append(how)
    return tuple(
        Candidate(surface, normal, _type(surface, how), tuple(dict.fromkeys(how)))
        for normal, (surface, how) in seen.items()
    )


def _sightings(
    text: str, prose: str, code: list[str], context: str | None, named: Iterable[str]
) -> Iterator[tuple[How, str]]:
    for inside in _WIKI.findall(prose):
        target = inside.split("|")[0].split("#")[0].removesuffix(".md").rstrip("/").rsplit("/", 1)[-1].strip()
        if target and not _ATTACHMENT.search(target) and not _DATED.match(target):
            yield How.WIKI_LINK, target
    for name in named:
        yield How.READ, name
    for owner, name in _REPOSITORY.findall(text):
        if owner.lower() not in ("orgs", "topics", "features", "sponsors", "settings"):
            yield How.REPOSITORY, name.removesuffix(".git").rstrip(".")
    around = _lower_counts(context) if context is not None else lower_counts(prose)
    for span in code:
        if _is_code_name(span) and not _is_word(span, around):
            yield How.CODE, span
    for image, words, target in _LINK.findall(prose):
        name = words.strip("`*_ ").removesuffix("'s").removesuffix("’s")
        if not image and _is_link_name(name) and not _is_page(words, target):
            yield How.LINK, name
    plain = _URL.sub(" ", _LINK.sub(_words_of_link, _WIKI.sub(" ", prose)))
    for name in capitalised(plain, lower=around):
        yield How.CAPITALS, name


def inline_tags(text: str) -> tuple[str, ...]:
    """`#tags` in prose: at a word's start, with a letter in them, no colours and no headings."""
    return tuple(
        dict.fromkeys(tag.rstrip("/-") for tag in _TAG.findall(_URL.sub(" ", text)) if not _HEX_COLOUR.fullmatch(tag))
    )


def masked(text: str) -> tuple[str, list[str]]:
    """Prose without code blocks and code spans, and the spans. Linear, where a parser would say nothing more."""
    prose = without_blocks(text)
    return _CODE.sub(" ` ", prose), [span.strip() for _, span in _CODE.findall(prose)]


def without_blocks(text: str) -> str:
    """The text without fenced and indented code, line by line."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            kept.append("")
        elif mark:
            fence = mark.group(1)
            kept.append("")
        else:
            kept.append("" if line.startswith(("    ", "\t")) and _is_after_blank(kept) else line)
    return "\n".join(kept)


def named_words(text: str) -> str:
    """Where known names are looked for: prose and code spans. Not in code blocks, whose words are those of a language
    and its libraries, nor in addresses."""
    return _URL.sub(" ", _LINK.sub(r" \2 ", without_blocks(text)))


def _is_after_blank(kept: list[str]) -> bool:
    return not kept or not kept[-1].strip()


def _is_code_name(span: str) -> bool:
    if not _CODE_NAME.fullmatch(span) or _CODE_FILE.search(span.lower()):
        return False
    # `user_id`, `string_agg`, `SELECT`, `foo.bar`: columns, functions, keywords and attributes, not things.
    if "_" in span or is_common(span) or span.isupper() or _KEY_CHORD.match(span):
        return False
    return not re.search(r"\.(?!js\b|NET\b)", span)


def _is_word(span: str, lower: Mapping[str, int]) -> bool:
    """Whether a code span is a word of the language: in small letters it has an ending of one, or the same document
    writes it, or another form of it, as plain prose. A tool that is known by name is none."""
    if not (span.isascii() and span.isalpha() and span.islower()) or kind_of(span):
        return False
    return span.endswith(_ENDINGS) or any(lower.get(form, 0) for form in _forms(span))


def _forms(word: str) -> tuple[str, ...]:
    return (word, f"{word}s", f"{word}ed", f"{word}d", word.removesuffix("s"), word.removesuffix("e") + "ing")


def _words_of_link(link: re.Match[str]) -> str:
    return " . " if _is_page(link[2], link[3]) else f" {link[2]} "


def _is_page(words: str, target: str) -> bool:
    """Whether a link within the notes gives the title of a page: “[Resume A Session](resume.md)”. One or two words may
    be a name all the same."""
    return len(words.split()) > 2 and not _URL.match(target)


def _is_link_name(words: str) -> bool:
    parts = words.split()
    if not 1 <= len(parts) <= 4 or len(words) > NAME_CHARS or "://" in words or "`" in words:
        return False
    if parts[0].lower() in OPENERS or all(part.lower() in LINK_WORDS or part.lower() in OPENERS for part in parts):
        return False
    return all(part[0].isupper() or not part[0].isalpha() or part in ("of", "the", "and", "for") for part in parts)


@lru_cache(maxsize=64)
def _lower_counts(context: str) -> dict[str, int]:
    return lower_counts(masked(context)[0])


def _normal(surface: str) -> str:
    """The look-up form, or nothing where it cannot be a name: too short, too long, a date, a common word."""
    normal = normal_form(surface)
    if len(normal) < 2 or len(normal) > NAME_CHARS or _DATED.fullmatch(normal) or not any(c.isalpha() for c in normal):
        return ""
    if " " not in normal and _FILE.search(normal):
        return ""
    return "" if normal in DATE_WORDS or normal in LINK_WORDS or normal in OPENERS else normal


def guessed_type(name: str) -> EntityType:
    """What the form of a name alone tells of its type; unknown where it tells nothing."""
    guess = kind_of(name) if "/" not in name else ""
    return EntityType(guess) if guess else EntityType.UNKNOWN


def _type(surface: str, how: list[How]) -> EntityType:
    """A guess that a person can change: a repository is a tool, the others what their own form tells."""
    return EntityType.TOOL if How.REPOSITORY in how else guessed_type(surface)
