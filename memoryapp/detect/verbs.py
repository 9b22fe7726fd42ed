"""Verb forms by which a clause is parted into who and what, and which of them tell of a single event. Data only."""

from __future__ import annotations

from memoryapp.detect.wordlist import wordset

AUXILIARY = wordset("""
    is are am was were be been has have had will would can could may might must shall should do does did cannot gets got
    became becomes become remains stays seems
    """)
_BASES = """
    have accept add agree allow answer arrive ask attend avoid bake become begin belong bike block book borrow bring
    build
    buy call care carry change charge choose clean close code collect come commute consist contain contribute cook cost
    cover create cycle dance decide deliver deny depend deploy design develop die direct dislike do draw dream drink
    drive earn eat edit employ enable end enjoy enter expect expire explain fail feel fetch find finish fix fly follow
    forget found get give go grow handle happen hate have head help hike hold host include install invest join keep
    know last lead learn leave lie like listen live log look lose love maintain make manage marry mean measure meet
    mentor migrate miss move need notify offer open order own paint park pass pay persist pick plan play practise
    practice prefer produce program promise propose pull push put quit read receive recommend refuse reject relocate
    rely remain rent reply report require reside rest retire return ride run save say see sell send serve share ship
    show sing sit sleep smoke speak spend spread stand start stay stop store study subscribe supervise support swim
    switch take talk teach tell think tolerate track train translate travel treat try turn understand upgrade use visit
    volunteer wait wake walk want watch wear weigh win wish work write cache listen return release compile crash sync
    approve conduct hurt heal
    replace swap raise reduce lower increase postpone reschedule extend downgrade occur persist appear disappear
    depart land board launch conclude vote rank commute prepare admire suffer accept rate reach belong
    adore crave loathe favour detest stream retain purge rotate renew delay defer shift bump slip rebook
"""
_IRREGULAR = {
    "became": "become", "began": "begin", "bought": "buy", "brought": "bring", "built": "build", "came": "come",
    "chose": "choose", "did": "do", "died": "die", "drank": "drink", "drew": "draw", "drove": "drive", "ate": "eat",
    "felt": "feel", "found": "find", "flew": "fly", "forgot": "forget", "got": "get", "gave": "give", "went": "go",
    "grew": "grow", "had": "have", "held": "hold", "kept": "keep", "knew": "know", "led": "lead", "left": "leave",
    "lost": "lose", "made": "make", "met": "meet", "paid": "pay", "put": "put", "read": "read", "rode": "ride", "ran":
    "run", "said": "say", "saw": "see", "sold": "sell", "sent": "send", "sang": "sing", "sat": "sit", "slept": "sleep",
    "spoke": "speak", "spent": "spend", "stood": "stand", "took": "take", "taught": "teach", "told": "tell", "thought":
    "think", "understood": "understand", "woke": "wake", "wore": "wear", "won": "win", "wrote": "write", "quit": "quit",
    "hurt": "hurt",
    "swam": "swim",
}  # fmt: skip


def _third(base: str) -> str:
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    return base[:-1] + "ies" if base.endswith("y") and base[-2] not in "aeiou" else base + "s"


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    return base[:-1] + "ied" if base.endswith("y") and base[-2] not in "aeiou" else base + "ed"


BASES = frozenset(_BASES.split())
THIRD = {_third(base): base for base in BASES} | {"has": "have"}
PAST = {_past(base): base for base in BASES} | _IRREGULAR | {"planned": "plan", "stopped": "stop", "shipped": "ship"}
DOING = {
    base[:-1] + "ing" if base.endswith("e") and not base.endswith("ee") else base + "ing": base for base in BASES
} | {base + base[-1] + "ing": base for base in BASES if base[-1] in "bdgmnpt" and base[-2:-1] in tuple("aeiou")}
# Done once and again: two of them at different times or of different things are two events.
EVENTS = wordset("""
    attend bake book borrow bring buy call cook create draw drive eat fetch find finish fix fly get give go hike invest
    join learn lose meet order paint park pay read receive return ride run see sell send ship show sing spend start stop
    swim take talk teach tell think travel try visit wait walk watch win write drink play sleep speak talk cycle sit
    stand add ask make hold
    """)
