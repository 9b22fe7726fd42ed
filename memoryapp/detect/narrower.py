"""What falls under a word: an espresso under coffee, bacon under pork, Osaka under Japan. Whoever denies the wide word
denies the narrow one. Data only, from general knowledge.
"""

from __future__ import annotations

from memoryapp.detect.kinds import KIND_OF
from memoryapp.detect.places import country_of
from memoryapp.detect.related import RELATED
from memoryapp.detect.words import stem

_UNDER = {
    "coffee caffeine": "espresso cappuccino latte americano macchiato mocha cortado coffee",
    "tea": "earl-grey oolong matcha chai sencha",
    "alcohol drink booze": "beer wine whisky whiskey vodka gin rum cocktail champagne cider prosecco ale lager pint "
    "tequila aperitif sherry port brandy alcohol soju sake",
    "pork": "bacon ham sausage prosciutto chorizo salami pork ribs",
    "meat": "chicken beef pork steak bacon ham lamb turkey sausage duck burger brisket veal ribs meatballs salami "
    "kebab mince schnitzel roast",
    "fish seafood": "salmon tuna cod trout sardines anchovies herring mackerel prawns shrimp crab lobster "
    "mussels squid "
    "oysters sushi",
    "dairy lactose": "milk cheese yoghurt yogurt butter cream custard ice-cream mozzarella feta cheddar latte",
    "gluten wheat": "bread pasta wheat spaghetti noodles baguette croissant bagel pizza beer couscous",
    "sugar sweet sweets dessert": "chocolate cake candy cookie ice-cream pie pudding doughnut pastry brownie",
    "fruit": "apple banana orange grape mango strawberry pear peach melon kiwi plum cherry",
    "nut nuts": "peanut almond cashew walnut hazelnut pistachio pecan",
    "pet animal": "cat dog rabbit hamster parrot puppy kitten guinea-pig goldfish tortoise budgie canary ferret snake "
    "labrador retriever spaniel poodle terrier beagle horse parakeet gecko",
    "dog": "labrador retriever spaniel poodle terrier beagle collie dachshund puppy husky greyhound whippet corgi "
    "shepherd dalmatian pug mastiff boxer chihuahua schnauzer",
    "cat": "kitten tabby siamese persian tomcat ragdoll bengal shorthair coon",
    "child kid": "son daughter toddler baby twins girl boy",
    "sibling": "brother sister twin",
    "family relative": "brother sister uncle aunt cousin nephew niece grandmother grandfather mother father son "
    "daughter",
    "partner spouse": "girlfriend boyfriend wife husband fiance fiancée fiancé",
    "car vehicle": "tesla volvo bmw audi toyota honda ford hyundai kia volkswagen mercedes fiat renault peugeot skoda "
    "mazda nissan opel seat citroen citroën subaru suv hatchback estate golf passat yaris corolla civic van "
    "octavia clio polo car",
    "volkswagen vw": "golf polo passat tiguan touran caddy",
    "toyota": "corolla yaris prius rav4 aygo auris camry",
    "renault": "clio twingo megane zoe captur kangoo",
    "fiat": "panda punto tipo",
    "ford": "fiesta focus mondeo kuga mustang",
    "opel": "corsa astra insignia zafira",
    "honda": "civic accord jazz",
    "skoda škoda": "octavia fabia superb kodiaq",
    "hyundai": "i10 i20 i30 kona tucson ioniq",
    "apple": "iphone ipad macbook imac airpods",
    "google": "pixel chromebook",
    "samsung": "galaxy",
    "lenovo": "thinkpad ideapad yoga",
    "dell": "xps latitude inspiron",
    "bike bicycle": "cargo-bike e-bike mountain-bike",
    "transport": "bus train tram ferry plane bike car coach subway taxi",
    "body": "ear tooth teeth knee shoulder ankle back hand wrist arm leg eye hip foot elbow neck finger toe nose "
    "throat stomach head",
    "bone": "arm wrist ankle leg rib collarbone finger toe elbow shoulder foot hip nose skull",
    "debt": "loan mortgage overdraft",
    "insurance": "policy insurer cover",
    "smartwatch watch": "garmin fitbit",
    "phone smartphone": "iphone pixel samsung galaxy nokia fairphone oneplus xiaomi",
    "iphone apple": "iphone ipad macbook",
    "stock share": "shares apple tesla nvidia amazon",
    "computer laptop": "macbook thinkpad desktop imac chromebook pc",
    "instrument": "piano guitar violin cello flute clarinet saxophone trumpet trombone harp accordion drums oboe "
    "viola ukulele bass banjo organ mandolin recorder",
    "sport exercise": "tennis football soccer basketball judo karate swimming climbing golf boxing rugby hockey "
    "volleyball badminton running cycling rowing gym yoga squash cricket handball pilates",
    "martial": "judo karate taekwondo aikido jiu-jitsu kendo boxing",
    "university college": "degree campus bachelor master phd undergraduate",
    "fly plane": "flight flew flying plane",
    "social": "facebook instagram tiktok twitter",
    "medication medicine drug": "tablet pill insulin antibiotics ibuprofen paracetamol inhaler statin dose",
    "dependency": "depend",
    "association club": "society club association",
    "garden": "lawn vegetable-patch flowerbed",
    "newspaper": "guardian times tribune gazette",
    "book novel": "novel biography paperback",
    "screen": "tv tablet ipad television",
    "glasses": "spectacles",
    "vegetable": "tomato potato carrot onion spinach broccoli cabbage lettuce leek courgette aubergine",
    "shellfish": "prawns shrimp crab lobster mussels oysters clams scallops",
    "egg": "omelette frittata scrambled",
    "music": "guitar piano violin band choir orchestra",
    "religion religious": "mosque church synagogue temple mass prays bible",
    "abroad": "overseas",
    "test tests": "test tests coverage",
    "access": "access reads view see",
    "discount": "off cheaper reduced discount",
    "cigarette": "cigarettes pack",
    "staging": "staging",
    "qualification": "diploma degree certificate",
    "holiday vacation": "holiday trip fortnight",
    "garage parking": "garage driveway carport",
    "tv television": "netflix telly",
    "heating": "radiator boiler stove",
    "pool": "pool",
}
_OF_KIND = {
    "instrument": "instrument", "language": "language", "programming": "language", "vegetable": "vegetable",
    "database": "database", "editor": "editor", "country": "country", "messenger": "messenger",
}  # fmt: skip
_CONTINENTS = {
    "africa": "kenya egypt morocco nigeria ghana ethiopia tanzania uganda senegal tunisia algeria namibia "
    "botswana zambia "
    "zimbabwe rwanda madagascar mozambique angola cameroon",
    "asia": "japan china india thailand vietnam korea indonesia malaysia singapore taiwan nepal philippines "
    "cambodia laos "
    "mongolia pakistan bangladesh",
    "europe": "france germany spain italy portugal greece poland austria switzerland belgium netherlands norway sweden "
    "denmark finland iceland ireland hungary croatia czechia romania england scotland wales britain",
    "america": "canada mexico brazil argentina chile peru colombia ecuador bolivia usa uruguay cuba",
    "scandinavia": "norway sweden denmark",
}
_ABOVE: dict[str, frozenset[str]] = {}
_NONE: frozenset[str] = frozenset()
for _wide, _narrow in (*_UNDER.items(), *_CONTINENTS.items()):
    for _word in _narrow.split():
        _ABOVE[stem(_word)] = _ABOVE.get(stem(_word), frozenset()) | {stem(name) for name in _wide.split()}
for _word, _kinds in KIND_OF.items():
    if " " not in _word:
        _names = {stem(_OF_KIND[_kind]) for _kind in _kinds if _kind in _OF_KIND}
        _ABOVE[stem(_word)] = _ABOVE.get(stem(_word), frozenset()) | _names


def under(narrow: str, wide: str) -> bool:
    """Whether what a word names falls under another: a city under its country and that country's continent, too."""
    a, b = stem(narrow), stem(wide)
    country = country_of(narrow)
    return b in _ABOVE.get(a, ()) or bool(country) and (stem(country) == b or b in _ABOVE.get(stem(country), ()))


def siblings(one: str, other: str) -> bool:
    """Whether two words name two kinds of one wider thing: a dog and a cat, a son and a daughter; not a son and a boy,
    who may be one."""
    a, b = stem(one), stem(other)
    wider = _ABOVE.get(a, _NONE) & _ABOVE.get(b, _NONE)
    if a == b or not wider or under(one, other) or under(other, one):
        return False
    shared = RELATED.get(a, frozenset()) & RELATED.get(b, frozenset())
    return not shared or any(matter in RELATED.get(name, frozenset()) for matter in shared for name in wider)
