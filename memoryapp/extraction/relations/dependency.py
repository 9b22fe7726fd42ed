"""Relations that verbs state: subject, verb with particle and preposition, object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memoryapp.domain.relation import RelationType as T
from memoryapp.domain.relation import StatedRelation
from memoryapp.extraction.relations.ends import end_at, ends_at, opens_clause, speaker_of
from memoryapp.extraction.relations.sentences import End, Sentence
from memoryapp.extraction.relations.settle import fit_ends, settle_type
from memoryapp.extraction.relations.taxonomy import FORMS, Encode, TypeMatch, forms, looked_up, type_of
from memoryapp.extraction.relations.wishes import Status, is_over, status_of
from memoryapp.text.wording import word_set

CLEAN, USUAL, LEAST = 0.7, 0.6, 0.5
# “deployed the API to Kubernetes”: it is the API that runs there.
_OF_THE_OBJECT = frozenset({T.RUNS_ON, T.DEPENDS_ON, T.LOCATED_IN, T.PART_OF})
_RELATIVE = word_set("who which that")
# Verbs that say too little, or something about the saying.
_NOTHING_SAID = forms(
    word_set(
        """
        be have do go get give take come see say tell ask think want let put keep become seem look feel find show hear
        try need mean call talk speak thank hope wish wonder bring send leave remind remember forget mention help read
        watch expect believe guess suppose suggest recommend consider discuss compare choose pick hate dislike avoid
        drop introduce
        """
    )
)


@dataclass(frozen=True, slots=True)
class _Object:
    """`phrase`: verb, particle, preposition, the verb in its plain form; `label`: as it was said."""

    place: int
    phrase: str
    label: str
    direct: bool


def by_verbs(sentence: Sentence, *, encode: Encode | None = None) -> Iterator[StatedRelation]:
    """`encode`: for verbs that the table of synonyms does not hold."""
    for verb, word in enumerate(sentence.words):
        if word.tag.startswith("VB") and word.dep not in ("aux", "auxpass"):
            yield from _of_verb(sentence, verb, encode)


def _of_verb(sentence: Sentence, verb: int, encode: Encode | None) -> Iterator[StatedRelation]:
    objects = list(_objects(sentence, verb))
    status = status_of(sentence, verb) if objects else Status.NOT_SO
    if status is Status.NOT_SO:
        return
    passive = is_passive(sentence, verb)
    subjects = _subjects(sentence, verb)
    direct = [end for one in objects if one.direct for end in ends_at(sentence, one.place)]
    for one in objects:
        if not passive and is_over(sentence, verb, one.phrase):
            continue
        typed = (
            _preference_type(sentence, verb, one)
            or looked_up(one.phrase)
            or _unlisted_type(sentence, verb, one, passive=passive, encode=encode)
        )
        if typed is None or (passive and one.direct):
            continue
        holders = direct if not one.direct and direct and typed.type in _OF_THE_OBJECT else subjects
        for subject in holders:
            for end in ends_at(sentence, one.place):
                yield from _stated_relations(sentence, verb, subject, one, end, typed=typed, status=status)


def _stated_relations(
    sentence: Sentence, verb: int, subject: End, by: _Object, end: End, *, typed: TypeMatch, status: Status
) -> Iterator[StatedRelation]:
    ends = (end, subject) if typed.turned else (subject, end)
    going_on = sentence.words[verb].tag in ("VBG", "VBZ", "VBP") and not is_passive(sentence, verb)
    ends = fit_ends(typed.type, *ends) if typed.sure else ends
    kind = (
        settle_type(typed.type, by.phrase, *ends, going_on=going_on)
        if typed.sure
        else _between_names(typed.type, *ends)
    )
    if kind is None or ends[0].named.name.lower() == ends[1].named.name.lower():
        return
    passive_by = by.phrase.endswith(" by")
    label = by.label.removesuffix(" by") if passive_by else "" if typed.turned else by.label
    names = ends[0].is_name and ends[1].is_name
    confidence = LEAST if status is not Status.SO or not typed.sure else CLEAN if names else USUAL
    yield StatedRelation(ends[0].named, kind, ends[1].named, confidence, label, planned=status is Status.PLANNED)


def _between_names(kind: T, subject: End, object: End) -> T | None:
    return kind if subject.is_name and object.is_name else None


def _unlisted_type(
    sentence: Sentence, verb: int, by: _Object, *, passive: bool, encode: Encode | None
) -> TypeMatch | None:
    """The type of a verb the table does not hold, by its meaning; only for what it does directly to something."""
    if (
        not by.direct
        or passive
        or sentence.words[verb].lower in _NOTHING_SAID
        or sentence.words[verb].dep in ("acl", "relcl", "advcl")
    ):
        return None
    return type_of(by.label, encode=encode)._replace(sure=False)


def _preference_type(sentence: Sentence, verb: int, by: _Object) -> TypeMatch | None:
    """“chose SurrealDB over PostgreSQL”."""
    over = any(sentence.words[one].lower == "over" for one in sentence.children[verb])
    return TypeMatch(T.PREFERS) if by.direct and by.phrase in ("choose", "pick") and over else None


def is_passive(sentence: Sentence, verb: int) -> bool:
    """Whether the subject has it done to it; “managed and hosted” is so throughout."""
    word = sentence.words[verb]
    below = {sentence.words[child].dep for child in sentence.children[verb]}
    if below & {"auxpass", "nsubjpass", "agent"}:
        return True
    if word.dep == "conj" and word.tag in ("VBN", "VBD") and not below & {"nsubj", "dobj", "aux"}:
        return is_passive(sentence, word.head)  # “is managed by Adam and hosted on AWS”
    return word.dep == "acl" and word.tag == "VBN"


def _objects(sentence: Sentence, verb: int) -> Iterator[_Object]:
    children = sentence.children[verb]
    parts = [verb, *(child for child in children if sentence.words[child].dep == "prt")]
    said = " ".join(sentence.words[one].lower for one in parts)
    plain = " ".join(FORMS.get(sentence.words[one].lower, sentence.words[one].lower) for one in parts)
    for child in children:
        dep = sentence.words[child].dep
        if dep == "dobj":
            yield _Object(child, plain, said, direct=True)
            for below in sentence.children[child]:  # the parser hangs “with Terraform” on “the pipeline”
                if sentence.words[below].dep == "prep":
                    yield from _prepositional_objects(sentence, below, plain, said)
        elif dep in ("prep", "agent"):
            yield from _prepositional_objects(sentence, child, plain, said)


def _prepositional_objects(sentence: Sentence, preposition: int, plain: str, said: str) -> Iterator[_Object]:
    """What stands after a preposition, “on top of” and the like taken together."""
    small = sentence.words[preposition].lower
    for child in sentence.children[preposition]:
        word = sentence.words[child]
        if word.dep == "pobj":
            yield _Object(child, f"{plain} {small}", f"{said} {small}", direct=False)
            for below in sentence.children[child]:  # “the flow with Jiwon”
                if sentence.words[below].dep == "prep" and sentence.words[below].lower == "with":
                    yield from _prepositional_objects(sentence, below, plain, said)
            if word.lower in ("top", "behalf", "front", "charge"):
                for below in sentence.children[child]:
                    if sentence.words[below].dep == "prep":
                        more = f"{small} {word.lower}"
                        yield from _prepositional_objects(sentence, below, f"{plain} {more}", f"{said} {more}")
        elif word.dep == "prep":
            yield from _prepositional_objects(sentence, child, f"{plain} {small}", f"{said} {small}")


def _subjects(sentence: Sentence, verb: int) -> list[End]:
    """Who does it: its own subject, the one of the verb it is joined to or depends on, or the speaker left out."""
    seen: set[int] = set()
    while verb not in seen:
        seen.add(verb)
        own = sentence.subject_of(verb)
        word = sentence.words[verb]
        if own is not None:
            relative = word.dep == "relcl" and sentence.words[own].lower in _RELATIVE
            return _end_list(end_at(sentence, word.head)) if relative else ends_at(sentence, own)
        if verb and opens_clause(sentence, verb - 1):
            return _end_list(end_at(sentence, verb - 1))
        above = sentence.words[word.head]
        asked = [one for one in sentence.children[word.head] if sentence.words[one].dep == "dobj" and one < verb]
        if word.dep == "xcomp" and asked:  # “asked Adam to use Nix”
            return ends_at(sentence, asked[0])
        if word.head == verb:
            return _left_out(sentence, verb)
        if word.dep == "acl":
            # “X is a database written in Rust”
            if above.dep != "attr" and not (word.lower == "using" and above.dep == "dobj"):
                return _end_list(end_at(sentence, word.head))
            verb = above.head
        elif word.dep == "pcomp" or (word.dep == "xcomp" and not above.is_verb):
            verb = above.head
        elif word.dep in ("conj", "xcomp") or (word.dep == "advcl" and word.lower == "using"):
            verb = word.head
        else:
            return []
    return []


def _left_out(sentence: Sentence, verb: int) -> list[End]:
    """“Worked on Terraform with Adam”: the speaker, where only adverbs stand before."""
    if sentence.words[verb].tag not in ("VBD", "VBN", "VBG"):
        return []
    if any(word.tag != "RB" and word.lower != "been" for word in sentence.words[:verb]):
        return []
    return _end_list(speaker_of(sentence, verb))


def _end_list(end: End | None) -> list[End]:
    return [end] if end else []
