"""English words as data: verb forms, words without a topic, synonyms, and opposites of one scale."""

from __future__ import annotations

from memoryapp.text.wording import word_set

# Verb forms by which a clause is parted into who and what, and which of them tell of a single event.

AUXILIARY = word_set("""
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


def _third_person(base: str) -> str:
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    return base[:-1] + "ies" if base.endswith("y") and base[-2] not in "aeiou" else base + "s"


def _past_tense(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    return base[:-1] + "ied" if base.endswith("y") and base[-2] not in "aeiou" else base + "ed"


BASES = frozenset(_BASES.split())
THIRD = {_third_person(base): base for base in BASES} | {"has": "have"}
PAST = (
    {_past_tense(base): base for base in BASES} | _IRREGULAR | {"planned": "plan", "stopped": "stop", "shipped": "ship"}
)
DOING = {
    base[:-1] + "ing" if base.endswith("e") and not base.endswith("ee") else base + "ing": base for base in BASES
} | {base + base[-1] + "ing": base for base in BASES if base[-1] in "bdgmnpt" and base[-2:-1] in tuple("aeiou")}
# Done once and again: two of them at different times or of different things are two events.
EVENTS = word_set("""
    attend bake book borrow bring buy call cook create draw drive eat fetch find finish fix fly get give go hike invest
    join learn lose meet order paint park pay read receive return ride run see sell send ship show sing spend start stop
    swim take talk teach tell think travel try visit wait walk watch win write drink play sleep speak talk cycle sit
    stand add ask make hold
    """)


# Words by what they mean: those without a topic, groups of synonyms, and opposites of one scale.

STOP = word_set("""
    a an and are as at be been being but by for if in into is it its of on or such that the their then there these they
    this those to was were will with i me my mine myself we us our ours you your yours he him his she her hers them what
    which who whom whose when where why how do does did doing done have has had having am would could should can may
    might must shall so than too very just from up down out over under again here all any both each few more most
    some only also still now currently already really actually already since while during per via about around
    approximately roughly nearly almost usually normally generally mainly mostly often sometimes no not never neither
    nor none cannot without except rather than please nobody nothing one ones thing things yesterday tomorrow
    today lately recently nowadays days moment present anymore longer
    instead always every back new old whole entire quite rather pretty etc
    """)
# Words that fill a frame and tell no two topics apart: “the backup job runs at” and “the backup starts at”.
LIGHT = word_set("""
    use using used uses get got go goes going make made take takes taken give set sets kept keep keeps put become
    became run runs running start starts begin begins happen happens held hold place occur take job process service
    system tool app application project team company name named call called value number amount type kind sort way
    level mode theme option setting settings policy rule size limit time date day month year located location based
    main primary default
    current official preferred favourite favorite person turned turn switch switched change changed
    move moved update updated schedule scheduled plan planned decide decided prefer prefers like likes want wants ask
    asks asked need
    needs allow allowed support supported work works working possible suite run every all available within after
    before until valid last lasts long length
    duration expire expires take taking cost costs priced price equal total contain contains consist include includes
    answer answers reachable accessible listen listens serve serves served exposed
    write writes written store stores stored save saves saved data information due deadline per up
    """)
_GROUPS = """
    small little tiny wee
    return respond response reply
    pull-request pr pullrequest
    big large huge
    happy joyful delighted glad cheerful
    sad unhappy
    near close nearby
    mother mom mum mommy
    father dad daddy
    child kid children kids
    man men
    woman women
    person persons
    foot feet
    tooth teeth
    mouse mice
    begin start commence
    couch sofa
    car automobile auto
    bicycle bike
    picture photo photograph image
    film movie
    phone telephone mobile cellphone smartphone
    flat apartment
    home house
    laptop notebook macbook
    pc computer desktop
    holiday vacation
    shop store
    doctor physician
    boss manager supervisor
    spouse wife husband
    colleague coworker co-worker
    employer company firm
    job occupation profession
    salary pay wage income
    meeting call sync
    standup stand-up
    cli command-line commandline
    repository repo
    documentation docs
    database db
    postgres postgresql
    kubernetes k8s
    javascript js
    typescript ts
    organisation organization org
    colour color
    licence license licensed licenced
    favourite favorite
    quick fast rapid
    sick ill
    error bug
    deploy deployment deployed release released ship rollout
    budget spend spending
    staff employee
    host hosting hosted
    require requirement required mandatory
    town city
    present gift
    trousers pants
    autumn fall
    film movie
    exam test
    error failure
    talk speak chat
    mobile cell
    sea ocean
    street road
    eat consume
    like love enjoy adore handle stand tolerate bear relish
    study learn
    have own possess
    do practise practice
    smoke smoker
    swim swimmer
    paint painter
    drive driver
    dance dancer
    teach teacher
    drink drinker
    height tall
    owner own
    leave depart
    biggest largest
    movie film
    job position
    subway metro underground
    bike bicycle
    purchase buy bought
    drink beverage
    email e-mail mail
    tv television
    login sign-in signin
    passwd password
    config configuration
    env environment
    prod production
    dev development
    doc document
    minute min
    second sec
    hour hr
"""
GROUP_OF = {word: line.split()[0] for line in _GROUPS.strip().splitlines() for word in line.split()}

# One scale a line: words of different poles (parted by “|”) cannot both be true of one thing at one time.
_SCALES = """
    enabled, on, turned on, switched on, activated, active | disabled, off, turned off, switched off, deactivated, \
    inactive
    passing, passes, pass, green, succeeding, succeeds | failing, fails, fail, red, broken
    works fine, operational, functional, fixed, works fine | broken, out of order, not working
    open, opened | closed, shut
    public | private
    dark, dark mode, dark theme | light, light mode, light theme, bright
    morning person, early bird, early riser | night owl, night person, evening person
    required, mandatory, compulsory, obligatory | optional, voluntary
    allowed, permitted, legal, welcome | forbidden, banned, prohibited, not allowed, illegal
    available, free | unavailable, busy, occupied, booked
    online, up, up and running, healthy, running, back up | offline, down, crashed, unreachable
    full-time, full time | part-time, part time
    remote, remotely, from home, works from home | on-site, onsite, in the office, in person, in-person, to the \
    office, on site
    alive, living | dead, deceased
    married | single, unmarried, divorced, widowed
    vegetarian, vegan | carnivore, meat eater
    left-handed | right-handed
    introvert, introverted | extrovert, extroverted
    formal | informal, casual
    short, brief, concise | long, detailed, verbose, lengthy, in depth
    synchronous, sync | asynchronous, async
    automatic, automatically, automated | manual, manually, by hand
    paid, commercial | free of charge, gratis
    open source, open-source | closed source, closed-source, proprietary
    full | empty
    hot | cold
    warm | cool
    wet | dry
    clean | dirty
    rich | poor
    young | old, senior, elderly
    tall | short
    fast, quick, quickly | slow, slowly
    heavy | lightweight
    hard, difficult | easy
    strong | weak
    loud, noisy | quiet, silent
    near, close to, next to | far, far from, far away from
    inside, indoors, indoor | outside, outdoors, outdoor
    above | below
    first | last
    always | never
    everyone, everybody | nobody, no one
    asleep, sleeping | awake
    standing, stands, stand | sitting, sits, sit, seated | lying
    walking, walks | running, runs
    happy | sad, unhappy
    guilty | innocent, innocent-looking
    male | female
    man | woman
    men | women
    boy | girl
    boys | girls
    left | right
    north | south | east | west
    summer | winter | spring | autumn
    early | late
    true | false
    accepted, approved | rejected, declined, denied
    pregnant | not pregnant
    finished, done, completed, complete, shipped | unfinished, in progress, incomplete, not started, ongoing, pending
    blocked | unblocked
    merged | unmerged
    increase, increases, increased, rises, rising | decrease, decreases, decreased, falls, falling
    on leave, on parental leave, on maternity leave, on sick leave, on vacation, on holiday | back at work, back \
    in the office, back from leave, back from vacation, back from holiday
    cash | card
    metric | imperial
    tabs | spaces
    upper case, uppercase | lower case, lowercase
    healthy | sick, ill, unwell
    employed | unemployed
    safe | dangerous, unsafe
    expensive | cheap
    alone | together
    same | different
    thick | thin
    wide | narrow
    smooth | rough
    sharp | blunt, flat
    deep | shallow
    soft | hard
    sweet | bitter, sour
    beautiful, pretty | ugly
    small, little, tiny | big, large, huge, massive, enormous, giant
    comfortable, rich, wealthy | poor
    new | old
    near | distant
    inside | outside
    indoors | outdoors
    whole | half
    beginner | expert, advanced
    horizontal | vertical
    monolith, monolithic | microservices
    mac | pc
    city | countryside
    vegan | meat lover
    cat person | dog person
    tea drinker | coffee drinker
    with milk | without milk, black
    window seat | aisle seat, aisle
    odd | even
    weekdays | weekends
    in the morning, mornings, morning | in the evening, evenings, in the afternoon, afternoons, at night
    confirmed | cancelled, canceled, called off
    on track, on schedule | delayed, late, behind schedule
    active, ongoing | archived, discontinued, deprecated, abandoned
    encrypted | unencrypted, plain text, plaintext
    signed | unsigned
    stable | unstable, flaky, experimental
    static | dynamic
    strict | lenient, relaxed
    vertical | horizontal
    retired | employed
    insured | uninsured
    vaccinated | unvaccinated
    licensed | unlicensed
    verified | unverified
    read-only | writable, read-write
    centralised, centralized | decentralised, decentralized
    single-tenant | multi-tenant
    mutable | immutable
    stateless | stateful
    compiled | interpreted
    visible | hidden
    locked | unlocked
    installed | uninstalled, removed
    present | absent
    ascending | descending
    inclusive | exclusive
    ios | android
    owner, owns | renter, tenant, rents
    believes | doubts
    agrees | disagrees
    solved, resolved, fixed | unsolved, unresolved, persists, occurs, still there, reproducible
    formally | informally, casually
    won | lost
    succeeded | failed
    started | not started
    hired | fired
    optimistic | pessimistic
    good at | bad at
    daily, every day, each day, once a day | weekly, every week, once a week | monthly, every month, once a month \
    | hourly, every hour | yearly, annually, every year | quarterly, every quarter | biweekly, fortnightly, every \
    other week
"""
SCALES: dict[str, tuple[tuple[int, int], ...]] = {}
for _n, _line in enumerate(_SCALES.strip().splitlines()):
    for _pole, _words in enumerate(_line.split("|")):
        for _listed in _words.split(","):
            _word = " ".join(_listed.split())
            SCALES[_word] = (*SCALES.get(_word, ()), (_n, _pole))
FIRST_OF_OPPOSITES = frozenset(word.split()[0] for word in SCALES)
LONGEST_OPPOSITE = max(len(word.split()) for word in SCALES)
# Two ends of one thing: values of the one say nothing about the other.
CONTRASTS = tuple(
    (frozenset(left.split()), frozenset(right.split()))
    for left, right in (
        (
            "start starts started begin begins began opens open opened from",
            "end ends ended finish finishes finished closes close until expires over renewal renewed renews",
        ),
        ("minimum least lowest lower", "maximum most highest upper"),
        ("arrives arrival arrive arrived lands landed gets reaches", "departs departure depart departed leaves takes"),
        ("earns earn earned salary income wage wages", "pays pay costs rent rents spends bill"),
        ("check-in", "check-out checkout"),
        ("in-laws", "parents"),
        ("read reads reading", "write writes writing"),
        ("buy buys buying price", "sell sells selling"),
        ("monthly month", "yearly year annual annually"),
        ("upload uploads", "download downloads"),
        ("input inputs", "output outputs"),
        ("wake", "sleep bed"),
    )
)
