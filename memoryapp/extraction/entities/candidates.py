"""The text of a section in, names that may be entities out (`candidates`): wiki-links, code names, link texts,
repositories, capitalised terms. ingest proposes them; a second sighting makes them known. Tags and folders sort notes
and name nothing by themselves.

Prose in, runs of capitalised words that look like names out. For `concepts`.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from memoryapp.domain.entity import EntityType, normal_form
from memoryapp.extraction.entities.entity_judge import SURE, Array, entity_judge, likely
from memoryapp.extraction.entities.stoplists import DATE_WORDS, LINK_WORDS, OPENERS, TITLES, is_common
from memoryapp.extraction.relations.kinds import kind_of
from memoryapp.extraction.relations.taxonomy import FORMS

_MOSTLY_LOWER = 0.35
_INNER = frozenset({"of", "the", "and", "for"})
# One word, or what may stand between two words of a run. Anything else (a full stop above all) ends the run.
_WORD = re.compile(r"[^\W\d_](?:[^\W_]|[+#]|['’.-](?=[^\W_]))*")
_TOKEN = re.compile(_WORD.pattern + r"|\d+(?![\w.,])|\S")
_SENTENCE_END = re.compile(r"[.!?:;•*_>|\"“”()\[\]{}#—–-]")
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_LINE_OPENER = re.compile(r"\s*(?:[-*+>#|]|\d+[.)])")
_LEAST_LETTERS = 3
_MOST_WORDS = 5
_PARTICLE = re.compile(r"(?<=[A-Za-z0-9])[가-힣]+$")  # “Redis를”: the name ends where the script changes
# “RTX 5070 Ti”: what stands between two capitalised words as a part of one name, and no year.
_MODEL = re.compile(r"(?!(?:19|20)\d\d\b)\d{3,5}")


def lower_counts(prose: str) -> dict[str, int]:
    """How often each word begins with a small letter: names hardly ever do."""
    return Counter(word for word in _WORD.findall(prose) if word[0].islower())


def capitalised_names(prose: str, *, lower: Mapping[str, int]) -> Iterator[str]:
    """Names by their capitals, one for each place. Rules, in order:

    a run may hold of/the/and/for inside, never crosses a full stop or a line's end mark; a word that opens a sentence
    stays only when another capitalised word follows it or it is capitalised elsewhere too and never small; "A and B"
    are two; greetings, days, months, connectives and words mostly written small are cut off both ends. Of a title, in
    which every word has its capital, only words with capitals inside tell something.
    """
    runs = list(_runs(prose))
    upper = Counter(word.lower() for words, _ in runs if not _is_title(words) for word in words if word[0].isupper())
    for words, opens in runs:
        if _is_title(words):
            yield from (
                name for word in words if _is_odd(word) and (name := _clean_single_word(word, lower=lower, upper=upper))
            )
            continue
        for part in _split_names(words):
            name = _clean_name(part, lower=lower, upper=upper, opens=opens and part[0] == words[0])
            if name:
                yield name


def _runs(prose: str) -> Iterator[tuple[list[str], bool]]:  # noqa: C901 - one pass, whose state is the run
    """Runs of capitalised words with their inner small ones, and whether a run opens a sentence."""
    run: list[str] = []
    opens = fresh = True
    for line in prose.split("\n"):
        if not line.strip() or _LINE_OPENER.match(line):
            if run:
                yield run, opens
                run = []
            fresh = True
        tokens = _TOKEN.findall(line)
        heading = bool(_HEADING.match(line))
        if heading and _is_title_case(tokens):
            # Every word has its capital here, so only capitals inside a word still tell something.
            yield from ((_model(tokens, at), False) for at, token in enumerate(tokens) if _is_odd(token))
            continue
        for at, token in enumerate(tokens):
            if token[0].isupper() or (run and (token in _INNER or _is_model(tokens, at))):
                opens = fresh if not run else opens
                run.append(token)
                fresh = False
                continue
            if run:
                yield run, opens
                run = []
            fresh = bool(_SENTENCE_END.fullmatch(token)) or (fresh and not token[0].isalnum())
        if heading:  # which has no full stop, and ends all the same
            if run:
                yield run, opens
            run, fresh = [], True
    if run:
        yield run, opens


def _split_names(words: list[str]) -> Iterator[list[str]]:
    """ "A and B" of two capitalised words are two names; small words at the end belong to none."""
    while words and words[-1] in _INNER:
        words = words[:-1]
    if len(words) == 3 and words[1] == "and":
        yield words[:1]
        yield words[2:]
    elif words:
        yield words


def _clean_name(words: list[str], *, lower: Mapping[str, int], upper: Mapping[str, int], opens: bool) -> str:
    words = [_PARTICLE.sub("", word.removesuffix("'s").removesuffix("’s")) for word in words]
    if opens and not _stands_alone(words, lower=lower, upper=upper):
        words = words[1:]
    while words and _is_no_name(words[0], lower=lower, upper=upper):
        words = words[1:]
    while words and _is_no_name(words[-1], lower=lower, upper=upper):
        words = words[:-1]
    if not words or len(words) > _MOST_WORDS:
        return ""
    if len(words) == 1 and (len(words[0]) < _LEAST_LETTERS or "'" in words[0] or "’" in words[0]):
        return ""
    if all(is_common(word) or word in _INNER for word in words):
        return ""
    return " ".join(words)


def _clean_single_word(word: str, *, lower: Mapping[str, int], upper: Mapping[str, int]) -> str:
    return _clean_name([word], lower=lower, upper=upper, opens=False)


def _stands_alone(words: list[str], *, lower: Mapping[str, int], upper: Mapping[str, int]) -> bool:
    first = words[0]
    small = first.lower()
    if FORMS.get(small, small) != small and not _is_odd(first):
        return False  # “Speaks Portuguese”, “Rented H100”
    if len(words) > 1 and words[1][0].isupper() and not _is_no_name(first, lower=lower, upper=upper):
        return True
    if _is_odd(first):
        return True
    # A verb or adverb that opens two sentences is no name yet.
    return upper[small] >= 2 and not lower.get(small) and not first.endswith(("ing", "ly", "ed"))


def _is_odd(word: str) -> bool:
    """Capitals inside a word ("PostgreSQL", "AWS"): a name wherever it stands. In "Built-In" they begin one."""
    return word[0].isupper() and any(letter.isupper() for before, letter in itertools.pairwise(word) if before != "-")


def _is_title_case(tokens: list[str]) -> bool:
    words = [token for token in tokens if token[0].isalpha()]
    return len(words) > 2 and sum(word[0].isupper() for word in words) * 2 > len(words)


def _is_title(words: list[str]) -> bool:
    """“Argument Requirements For A Function”: what is small inside a name has its capital here."""
    return len(words) > 2 and any(word.lower() in OPENERS and word not in _INNER for word in words[1:-1])


def _model(tokens: list[str], at: int) -> list[str]:
    """The word at a place, with what tells which one it is."""
    return tokens[at : at + 3] if at + 1 < len(tokens) and _is_model(tokens, at + 1) else tokens[at : at + 1]


def _is_model(tokens: list[str], at: int) -> bool:
    return bool(_MODEL.fullmatch(tokens[at])) and at + 1 < len(tokens) and tokens[at + 1][0].isupper()


def _is_no_name(word: str, *, lower: Mapping[str, int], upper: Mapping[str, int]) -> bool:
    small = word.lower()
    if small in _INNER or small in OPENERS or small in DATE_WORDS or small in TITLES:
        return True
    return lower.get(small, 0) >= _MOSTLY_LOWER * max(upper[small], 1)


NAME_CHARS = 60
_WORTH = 0.6  # probability from which code, and what somebody has, make an entity
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_WIKI = re.compile(r"!?\[\[([^\[\]\n]{1,200})\]\]")
_CODE = re.compile(r"(`+)([^`\n]{1,80})\1(?!`)")
_LINK = re.compile(r"(!?)\[([^\[\]\n]{1,200})\]\(<?([^()\s<>]{0,500})>?(?:\s[^()\n]*)?\)")
_URL = re.compile(r"https?://[^\s<>()\"'`]{1,500}")
_REPOSITORY = re.compile(r"https?://(?:www\.)?(?:github|gitlab|codeberg)\.(?:com|org)/([\w.-]{1,60})/([\w.-]{1,100})")
_MARKUP = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>|<!--.{0,2000}?-->", re.DOTALL)
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


class NameClue(StrEnum):
    """What gave a name away. The first three are exact: somebody stated it."""

    WIKI_LINK = "wiki-link"
    READ = "read"
    REPOSITORY = "repository"
    CODE = "code"
    LINK = "link"
    CAPITALS = "capitals"
    SMALL = "small"
    HAD = "had"


EXACT = frozenset({NameClue.WIKI_LINK, NameClue.READ, NameClue.REPOSITORY})


@dataclass(frozen=True, slots=True)
class Candidate:
    """`surface` as written, `normal` as looked up. `how`: every way it was seen, most telling first."""

    surface: str
    normal: str
    type: EntityType
    how: tuple[NameClue, ...]
    weights: Array | None = field(default=None, compare=False)  # logits of `entity_judge.KINDS`, where it was judged

    @property
    def is_weak(self) -> bool:
        """Whether it is code or something that somebody has, and not worth an entity by itself: where there is one of
        that name it is meant all the same (“lent me her bike”)."""
        if self.weights is None or self.how[0] not in (NameClue.HAD, NameClue.CODE):
            return False
        return likely(self.weights) < _WORTH

    @property
    def is_sure(self) -> bool:
        """Whether a second sighting of this kind makes a name known."""
        return self.is_exact or self.is_weak or self.weights is None or likely(self.weights) >= SURE

    @property
    def is_exact(self) -> bool:
        """Whether somebody stated it as a name, whatever the judge says."""
        return not EXACT.isdisjoint(self.how)


def entities_in(
    text: str, *, context: str | None = None, named: Iterable[str] = (), speaker: str = ""
) -> tuple[Candidate, ...]:
    """Who and what a text names that a reader would look up, each once: what is stated (wiki links, repositories,
    `named`), and what the judge takes for an entity. Where the judge does not load, what is stated alone.

    `context`: the whole document, where `text` is a part of it. `speaker`: who says “my bike”.
    """
    judge = entity_judge()
    found: dict[str, Candidate] = {}
    for how, surface in _stated_names(text, mask_code(text)[0], named):
        is_word = judge is not None and how is NameClue.REPOSITORY and not judge.words.is_rare(surface)
        if (normal := _normal_name(surface)) and not is_word:
            before = found.get(normal)
            ways = (*before.how, how) if before else (how,)
            found[normal] = Candidate(" ".join(surface.split()), normal, _type(surface, list(ways)), ways)
    if judge is None:
        return tuple(found.values())
    prose = _read(text)
    stated = list(found.values())
    for one, judged in zip(stated, judge.judge(prose, [one.surface for one in stated]), strict=True):
        if judged is not None:
            kind = judged.kind if one.type is EntityType.UNKNOWN else one.type  # what its own form tells is sure
            found[one.normal] = replace(one, type=kind, weights=judged.weights)
    around = _read(context) if context is not None else None
    for name in judge.names(prose, context=around, speaker=speaker):
        normal = _normal_name(name.surface)
        if normal and normal not in found:
            found[normal] = Candidate(name.surface, normal, name.kind, (NameClue(name.way),), name.weights)
    return tuple(found.values())


@lru_cache(maxsize=64)
def _read(text: str) -> str:
    """What the judge reads: prose and code spans, links as their words in brackets; no code blocks, addresses, HTML."""
    prose = _LINK.sub(r"[\2]", _WIKI.sub(lambda link: f"[{link[1].split('|')[-1]}]", without_blocks(text)))
    return _MARKUP.sub(" ", _URL.sub(" ", prose))


def candidates(text: str, *, context: str | None = None, named: Iterable[str] = ()) -> tuple[Candidate, ...]:
    """Names that may be entities, each once, in order of first appearance by way.

    `context`: the whole document, where `text` is a part of it: tells names from words that start sentences.
    `named`: names that whoever read the text found in it.
    """
    prose, code = mask_code(text)
    seen: dict[str, tuple[str, list[NameClue]]] = {}
    for how, surface in _sightings(text, prose, code, context, named):
        normal = _normal_name(surface)
        if normal:
            seen.setdefault(normal, (" ".join(surface.split()), []))[1].append(how)
    return tuple(
        Candidate(surface, normal, _type(surface, how), tuple(dict.fromkeys(how)))
        for normal, (surface, how) in seen.items()
    )


def _sightings(
    text: str, prose: str, code: list[str], context: str | None, named: Iterable[str]
) -> Iterator[tuple[NameClue, str]]:
    yield from _stated_names(text, prose, named)
    around = _lower_counts(context) if context is not None else lower_counts(prose)
    for span in code:
        if _is_code_name(span) and not _is_word(span, around):
            yield NameClue.CODE, span
    for image, words, target in _LINK.findall(prose):
        name = words.strip("`*_ ").removesuffix("'s").removesuffix("’s")
        if not image and _is_link_name(name) and not _is_page(words, target):
            yield NameClue.LINK, name
    plain = _URL.sub(" ", _LINK.sub(_words_of_link, _WIKI.sub(" ", prose)))
    for name in capitalised_names(plain, lower=around):
        yield NameClue.CAPITALS, name


def _stated_names(text: str, prose: str, named: Iterable[str]) -> Iterator[tuple[NameClue, str]]:
    for inside in _WIKI.findall(prose):
        target = inside.split("|")[0].split("#")[0].removesuffix(".md").rstrip("/").rsplit("/", 1)[-1].strip()
        if target and not _ATTACHMENT.search(target) and not _DATED.match(target):
            yield NameClue.WIKI_LINK, target
    for name in named:
        yield NameClue.READ, name
    for owner, name in _REPOSITORY.findall(text):
        if owner.lower() not in ("orgs", "topics", "features", "sponsors", "settings"):
            yield NameClue.REPOSITORY, name.removesuffix(".git").rstrip(".")


def inline_tags(text: str) -> tuple[str, ...]:
    """`#tags` in prose: at a word's start, with a letter in them, no colours and no headings."""
    return tuple(
        dict.fromkeys(tag.rstrip("/-") for tag in _TAG.findall(_URL.sub(" ", text)) if not _HEX_COLOUR.fullmatch(tag))
    )


def mask_code(text: str) -> tuple[str, list[str]]:
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
    return lower_counts(mask_code(context)[0])


def _normal_name(surface: str) -> str:
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


def _type(surface: str, how: list[NameClue]) -> EntityType:
    """A guess that a person can change: a repository is a tool, the others what their own form tells."""
    return EntityType.TOOL if NameClue.REPOSITORY in how else guessed_type(surface)
