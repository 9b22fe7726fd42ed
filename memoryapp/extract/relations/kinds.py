"""A name in, a guess of its entity type out: by what is known of it, by lists, by its form, by the model's labels. A
guess that a person can change; "" where nothing tells."""

from __future__ import annotations

import re

from memoryapp.domain.entity import EntityType
from memoryapp.extract.facts.words import words
from memoryapp.extract.relations.lists import FAMILY_NAMES, GIVEN_NAMES, KOREAN_PLACES, TOOLS

PERSON, TOOL, PLACE = EntityType.PERSON.value, EntityType.TOOL.value, EntityType.PLACE.value
ORGANIZATION, PROJECT, CONCEPT = (
    EntityType.ORGANIZATION.value,
    EntityType.PROJECT.value,
    EntityType.CONCEPT.value,
)

# What the small model calls names. Its labels are right of people and places mostly, of tools hardly ever.
_LABELS = {
    "PERSON": PERSON,
    "ORG": ORGANIZATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "PRODUCT": TOOL,
}

_SPACED_TOOLS = frozenset(
    {"vs code", "visual studio code", "google docs", "arch linux", "spring boot", "github actions"}
)

# Given names of Korea as they are romanised: two syllables of the usual few dozen.
_SYLLABLE = (
    r"(?:a|ah|bin|bo|chae|chan|da|do|dong|eui|eun|ga|gi|gun|gyu|ha|hae|hee|ho|hoon|hun|hui|hwan|hye|hyeon|hyo|hyuk|hyun|"
    r"i|il|in|ja|jae|jeong|ji|jin|jo|joo|joon|ju|jun|jung|ki|kwang|kyu|kyung|mi|min|mo|myung|na|nam|ra|ri|rin|sang|se|seo|"
    r"seok|seong|seul|seung|si|so|soo|sol|su|sun|sung|tae|u|un|uk|won|woo|ye|yeon|yeong|yi|yo|yong|yoo|yoon|young|yu|"
    r"yul|yun)"
)
_KOREAN_GIVEN = re.compile(rf"{_SYLLABLE}-?{_SYLLABLE}", re.IGNORECASE)
_SYLLABIC_LEAST = 4  # letters; “Hana” and “Java” would both pass a shorter one
_NOT_GIVEN = words("java kaja hana soda yoga juju sari mono haha mini gin")
_FIRM = re.compile(
    r"\b(?:Inc|Ltd|GmbH|Corp|Corporation|LLC|Company|University|Institute|Foundation|Labs?|Bank|School|College|Studios?|"
    r"Group|Agency|Hospital|Ministry|Team|Club|Choir|Society|Association|Analytics|Technologies|Electronics)\.?$"
)
_SITE = re.compile(r"\b(?:City|Street|River|Park|Bridge|Island|Mountain|Lake|Station|Airport|Valley|Beach|Palace)$")
_ODD = re.compile(r"[A-Z].*[a-z][A-Z]|[a-z][A-Z]|\d|[.+#_/]")


def kind_of(name: str, *, label: str = "", known: str = "") -> str:
    """`label`: the model's (“PERSON”); `known`: the entity's own type, which is no guess."""
    if known:
        return known
    small = name.lower()
    if small in TOOLS or small in _SPACED_TOOLS:
        return TOOL
    if _FIRM.search(name):
        return ORGANIZATION
    if small in KOREAN_PLACES or (_SITE.search(name) and " " in name):
        return PLACE
    if _LABELS.get(label) == PLACE and name[:1].isupper() and small.split()[0] not in GIVEN_NAMES:
        return PLACE
    if is_given(name):
        return PERSON
    first, _, more = small.partition(" ")
    if more and first in TOOLS:  # “Kafka Connect”
        return TOOL
    if first == "project" and more:
        return PROJECT
    if _ODD.search(name):
        return TOOL
    # In small letters the model labels by chance; and one word that it takes for a firm may as well be a tool.
    guess = "" if name.islower() else _LABELS.get(label, "")
    return "" if guess == ORGANIZATION and " " not in name else guess


def is_given(name: str) -> bool:
    """Whether it opens with a given name, or is a Korean one: “Priya”, “Adam Kim”, “Kim Minsu”, “Jiwon”."""
    words = name.split()
    if not words or len(words) > 3 or not all(word[:1].isupper() for word in words):
        return False
    if words[0].lower() in GIVEN_NAMES:
        return True
    given = words[1] if len(words) == 2 and words[0].lower() in FAMILY_NAMES else words[0]
    small = given.lower()
    return len(small) >= _SYLLABIC_LEAST and small not in _NOT_GIVEN and bool(_KOREAN_GIVEN.fullmatch(given))
