"""Words the steps of the rule extractor look up: who is meant, what carries no meaning, what kind of thing is said."""

from __future__ import annotations

import re

from memoryapp.text.wording import word_set


def any_of(listed: str, *, opening: bool = False) -> re.Pattern[str]:
    """A pattern of any of the expressions, which are parted by two spaces or a line's end; whole words, whatever the
    case. `opening`: for `match`, at the start of a text."""
    parts = [part.strip() for line in listed.split("\n") for part in line.split("  ") if part.strip()]
    return re.compile(rf"{'' if opening else chr(92) + 'b'}(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)


FIRST = word_set("i me my mine myself we us our ours ourselves")
SECOND = word_set("you your yours yourself yourselves ya u")
THIRD = word_set("he she it they him her them his hers its their theirs this that these those there one")

# Carry a sentence without saying anything: never counted as nouns or content.
LIGHT = word_set(
    """
    thing things stuff time times lot lots way ways bit kind kinds sort sorts one ones something anything nothing
    everything someone anyone everyone everybody anybody nobody people folks guys guy man day today now part point
    idea chance fact moment moments sense course love deal ton tons bunch pic pics picture pictures photo photos
    thanks thank sure here there
    great good nice cool awesome amazing wonderful fantastic incredible lovely beautiful happy glad proud excited
    super really much many more most such own able real true right
    be is am are was were been being 's 'm 're have has had having 've 'd do does did done doing get gets got getting
    gotten make makes made making go goes going went gone come comes came see seen know knew think thought say said
    let lets look looks looked feel feels felt want wants mean means keep keeps take takes took give gives gave
    can could will would shall should may might must 'll
    """
)

LIKING = word_set("like likes liked love loves loved enjoy enjoys enjoyed enjoying adore adores")
KIN = word_set(
    """
    mom mum mother dad father parent parents son sons daughter daughters child children kid kids baby brother brothers
    sister sisters sibling siblings husband wife partner spouse boyfriend girlfriend fiance fiancee fiancé fiancée
    grandma grandmother grandpa grandfather grandparents aunt uncle cousin cousins niece nephew family families
    friend friends buddy roommate roommates neighbor neighbour neighbors neighbours colleague colleagues coworker
    coworkers boss manager teammate teammates mentor
    dog dogs puppy puppies pup pups cat cats kitten kitty pet pets turtle turtles snake fish bird birds rabbit hamster
    """
)

# What a person feels, outside the everyday words of liking.
FEELINGS = word_set(
    """
    afraid angry annoyed anxious anxiety ashamed burnout burned confused crushed depressed depressing depression
    devastated devastating disappointed disappointing disappointment discouraged drained ecstatic embarrassed exhausted
    exhausting fear frustrated frustrating frustration furious grateful gratitude grief grieve grieving guilty
    heartbroken heartbreaking helpless hopeful hopeless hurt insecure isolated jealous joyful lonely loneliness mourn
    mourning nervous overjoyed overwhelmed overwhelming panic panicked proud relieved sad sadness scared scary stress
    stressed stressful struggle struggled struggling terrified thrilled tears upset upsetting worried worry
    excited delighted
    """
)


WORK = word_set(
    """
    api app backend bug build career class classes client clients code codebase college colleague colleagues company
    conference course courses coworker coworkers customer customers database deadline deadlines degree deploy deployed
    deployment deploys design developer devops employer employee engineer engineering exam exams frontend graduate
    graduated graduation hire hired homework incident infrastructure internship interview interviews job jobs launch
    lecture manager meeting meetings migration office onboarding paper pipeline presentation product production
    professor project projects promoted promotion release repo repository research resume review salary school server
    servers service sprint staging standup startup student studies study studying team teams test tests thesis
    university volunteer volunteered volunteering work worked working workplace workshop
    postgres postgresql mysql redis docker kubernetes python rust javascript typescript django react linux git github
    ci cd branch config cluster endpoint library framework token tokens schema query queries merge commit commits
    """
)

PERSONAL = KIN | word_set(
    """
    adopt adopted apartment art bake baked baking band beach bike birthday book books breakfast camping cancer church
    concert cook cooked cooking dance dancing date diet dinner doctor exercise festival film flight food game games
    garden gardening guitar gym health hike hiking hobby hobbies holiday home hospital hotel house injury instrument
    kitchen lunch marriage married meal meals meditation movie movies museum music novel paint painted painting park
    party photography piano picnic pottery recipe restaurant road-trip run running sick sleep song songs surgery
    therapy tour travel traveled traveling travelled trip trips vacation violin visit visited volleyball walk walks
    wedding weekend workout yoga
    """
)

TRADES = word_set(
    """
    accountant analyst architect artist chef designer developer doctor engineer freelancer lawyer manager musician nurse
    photographer professor programmer researcher scientist student teacher veteran writer
    """
)
