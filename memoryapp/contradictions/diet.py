"""What one does not eat or drink, against what one is said to like: “vegan” and “roast chicken”."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryapp.contradictions.clause import Clause
from memoryapp.contradictions.kinds import KIN
from memoryapp.contradictions.slots import subject
from memoryapp.contradictions.verdicts import Finding
from memoryapp.contradictions.words import words
from memoryapp.text.wording import word_set

_FOODS = {
    "meat": """
        meat chicken beef pork steak steaks bacon ham lamb turkey sausage sausages duck ribs brisket
        prosciutto salami
        pepperoni veal venison mutton meatballs burger burgers bulgogi samgyeopsal galbi kebab schnitzel hotdog chorizo
        barbecue bbq""",
    "fish": "fish salmon tuna shrimp shrimps prawns oysters seafood anchovies cod squid octopus crab lobster "
    "sashimi mussels",
    "dairy": "cheese milk butter yogurt yoghurt cream ice-cream mozzarella parmesan cheddar latte cappuccino custard",
    "egg": "egg eggs omelette omelettes frittata mayonnaise",
    "honey": "honey",
    "alcohol": "alcohol beer beers wine whisky whiskey vodka gin cocktail cocktails soju rum tequila champagne "
    "cider sake",
    "gluten": "gluten bread pasta wheat spaghetti noodles baguette croissant croissants bagel bagels pizza",
    "pork": "pork bacon ham sausage prosciutto salami pepperoni chorizo samgyeopsal",
    "nut": "nut nuts peanut peanuts almond almonds cashew cashews walnut walnuts hazelnut hazelnuts pistachio",
    "peanut": "peanut peanuts",
    "shellfish": "shellfish shrimp shrimps prawns crab lobster oysters mussels",
    "caffeine": "caffeine coffee espresso latte cappuccino",
    "sugar": "sugar candy sweets chocolate soda",
}
_CLASSES = {name: frozenset(text.split()) for name, text in _FOODS.items()}
_FORBIDDEN = {
    "vegan": ("meat", "fish", "dairy", "egg", "honey"),
    "vegetarian": ("meat", "fish"),
    "pescatarian": ("meat",),
    "pescetarian": ("meat",),
    "lactose": ("dairy",),
    "dairy-free": ("dairy",),
    "gluten-free": ("gluten",),
    "coeliac": ("gluten",),
    "celiac": ("gluten",),
    "teetotal": ("alcohol",),
    "teetotaller": ("alcohol",),
    "sober": ("alcohol",),
    "halal": ("pork", "alcohol"),
    "kosher": ("pork", "shellfish"),
}
_INSTEAD = word_set(
    "vegan vegetarian plant-based plant oat soy soya almond rice coconut meatless meat-free dairy-free lactose-free "
    "gluten-free non-alcoholic alcohol-free mushroom veggie tofu seitan mock fake decaf cashew free bean lentil "
    "cauliflower dark pumpkin"
)
_LIKES = re.compile(
    r"\b(?:eats?|eating|loves?|likes?|enjoys?|favou?rite|prefers?|drinks?|orders?|craves?|cooks?|has|have|grills?|"
    r"snacks? on|"
    r"fond of|fan of|can not resist|usual|cannot live without)\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"\b(?:allergic to|allergy to|intolerant to|intolerance to|(?:does|do) not (?:eat|drink|touch|consume)|"
    r"never (?:eats?|drinks?|touches)|"
    r"avoids?|stopped (?:eating|drinking)|gave up|quit|no longer (?:eats?|drinks?)|cuts? out|free of|can not (?:eat|"
    r"drink))"
    r" (?:any |all )?(?P<what>[\w-]+)",
    re.IGNORECASE,
)


_FOR_OTHERS = re.compile(  # “cooks chicken for the children” eats none
    r"\b(?:cook|bak|grill|fr[iy]|roast|order|buy|bought|made|mak|prepar|serv)\w* .*\bfor (?!breakfast|brunch|lunch|"
    r"dinner|supper|me\b|himself|herself|themselves|myself|the first|\d)",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:cook|bak|season)\w* with\b", re.IGNORECASE)  # “cooks with wine” drinks none
_MEAL = re.compile(  # of late: what was eaten as a child rules out nothing
    r"\b(?:ate|drank|had) .*\b(?:for (?:breakfast|brunch|lunch|dinner|supper|dessert)|yesterday|this \w+|"
    r"last (?:night|week|weekend|\w+day)|on \w+day)\b|\b(?:ate|had|ordered) (?:the|an?|some) (?:\w+ ){0,2}(?:lamb|duck|"
    r"steak|beef|burger|salmon|tuna|trout|veal|venison|schnitzel|ribs|kebab)\b",
    re.IGNORECASE,
)
_CANNOT_WORDS = re.compile(r"\b(?:allerg|intoleran)", re.IGNORECASE)


def compare(one: Clause, other: Clause) -> Iterator[Finding]:
    """Where one says what somebody does not eat, and the other that they ate it."""
    for diet, meal in ((one, other), (other, one)):
        if not diet.asserts or not _is_meal(meal):
            continue
        shunned = forbidden(diet)
        if not shunned:
            continue
        eaten = [word for word in _eaten_foods(meal) if word in shunned]
        if eaten and _diet_subject(diet) == _diet_subject(meal):
            values = (diet.predicate, meal.predicate) if diet is one else (meal.predicate, diet.predicate)
            yield Finding("diet", "diet", *values, sure=False, confidence=0.7)
            return


def _is_meal(clause: Clause) -> bool:
    """Whether it says what somebody eats himself, or has eaten of late."""
    if clause.negative or clause.question or clause.planned or _CANNOT_WORDS.search(clause.text):
        return False
    eaten = _MEAL.search(clause.text) or (not clause.past and _LIKES.search(clause.text))
    return bool(eaten) and not (_FOR_OTHERS.search(clause.text) or _WITH.search(clause.text))


def forbidden(clause: Clause) -> frozenset[str]:
    """The foods a clause rules out."""
    found: set[str] = set()
    low = words(clause.text)
    if not clause.negative:
        for name in low:
            for kind in _FORBIDDEN.get(name, ()):
                found |= _CLASSES[kind]
        if _LIKES.search(clause.text) and not re.search(r"\b(?:is|am|are|became|went|diet|follows?)\b", clause.text):
            found.clear()  # “likes vegan food” is no diet
    if cannot := _CANNOT.search(clause.text):
        what = cannot["what"].casefold()
        for kind, members in _CLASSES.items():
            if what.rstrip("s") == kind or what == kind:
                found |= members
        found.add(what)
    return frozenset(found)


def _eaten_foods(clause: Clause) -> list[str]:
    return without_substitutes(clause.text)


def without_substitutes(text: str) -> list[str]:
    """The words but for foods that are named as a substitute: “oat milk”, “vegan cheese”."""
    tokens = words(text)
    return [word for n, word in enumerate(tokens) if not (n and _INSTEAD & {tokens[n - 1], word})]


def _diet_subject(clause: Clause) -> str:
    """“Mina's favourite dinner” is Mina's, what her brother eats is not."""
    name, *owned = re.split(r"'s\b", clause.subject)
    if KIN & set(words(name)):  # “my husband eats meat”
        return subject(clause.subject)
    if owned and KIN & set(words(owned[-1])):
        return subject(clause.subject)
    return subject("I" if re.match(r"my\b", name, re.IGNORECASE) else name)
