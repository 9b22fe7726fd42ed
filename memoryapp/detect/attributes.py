"""Nouns that name an attribute, and whether there is one of it; nouns that name an occupation. Data only."""

from __future__ import annotations

from memoryapp.detect.wordlist import wordset

# Nouns of which there is one: “the N of S is V”, “S's N is V”, “the S N is V”. One name for each.
_NOUNS = """
    name, surname, first name, last name, nickname, username
    age
    birthday, birth date, birthdate, date of birth
    works at: employer, company, workplace
    job: occupation, profession, job title, title, position
    manager: boss, supervisor, line manager
    married to: spouse, wife, husband
    partner, girlfriend, boyfriend, fiancé, fiancée
    lives in: home, residence, city, home city, place of residence, town
    from: hometown, home town, birthplace
    address, home address
    capital; currency; population; president; prime minister; king; queen; mayor; chancellor
    ceo, chief executive officer, chief executive
    cto; cfo; coo; director; chair, chairman, chairperson; captain; coach, head coach; landlord
    author, writer; composer; singer; owner; maintainer; founder
    lead, leader, team lead
    editor, code editor, ide, text editor
    shell; terminal; font; keyboard layout, layout; theme; browser
    os, operating system
    stored in: database, db, data store, datastore
    broker, message broker; cache
    branch; port; version; status, state; region; cloud; host, hosting provider; url; domain, domain name
    licence, license
    deadline, due date, target date, delivery date, release date, launch date, ship date
    time zone, timezone
    email, email address, e-mail; phone number, number, mobile number
    timeout; limit; budget; price; cost; rent; salary; rate; interval; frequency; threshold
    retention, retention period, ttl
    colour, color; size; weight; height; width; depth; length, duration; speed; capacity
    location, venue; room; floor; date; time; start, start date, start time; end, end date, end time
    language; native language, mother tongue, first language; nationality; religion; gender; pronouns
    blood type, blood group; star sign, zodiac sign
    major; degree; school; university, college; thesis topic, topic
    team size, headcount; encoding; format; framework; provider; plan, subscription; model; tier
    priority; severity; rating; score; rank; grade; level
    password; passphrase; licence plate, license plate; wifi password
    goalkeeper; sponsor; head; head of state; headquarters; broadcaster, original broadcaster; publisher; developer
    sport; religion; continent; sex
    cause of death; genre; type of music; university where he studied; company that produced
    contact, contact person, point of contact; on-call; reviewer; assignee
    doctor, gp; dentist; optician; therapist; accountant; lawyer
    diet; commute; dosage, dose; meeting day; day; schedule; shift; gate; seat
    car; bike; phone; laptop; keyboard; phone model; computer
"""
NOUNS: dict[str, str] = {}
for _line in _NOUNS.strip().splitlines():
    for _group in _line.split(";"):
        _head, _, _rest = _group.rpartition(":")
        _names = [name.strip() for name in _rest.split(",")]
        for _name in _names:
            NOUNS[_name] = _head.strip() or _names[0]
ONLY = wordset(
    "biggest largest smallest best worst closest nearest oldest youngest newest latest top strongest greatest "
    "favourite favorite preferred default primary main current official minimum maximum min max native original sole "
    "usual regular daily weekly monthly yearly total"
)
MANY = wordset(
    "hobby hobbies friend friends sister brother son daughter colleague cat dog pet skill "
    "strength weakness goal interest part "
    "reason example problem issue idea point thing one purpose advantage use member kind aim plan side feature"
)
# What somebody is to somebody, or an animal: a name behind it is the one meant (“the user's daughter Ines”).
KIN = wordset(
    "son daughter child baby brother sister twin mother father mom mum dad wife husband spouse partner girlfriend "
    "boyfriend fiancé fiancée aunt uncle cousin niece nephew grandmother grandfather grandson granddaughter grandma "
    "grandpa friend flatmate roommate neighbour neighbor colleague coworker boss manager mentor teacher dog cat puppy "
    "kitten horse rabbit hamster parrot"
)
JOBS = wordset("""
    accountant actor actress administrator advisor agent analyst anthropologist architect artist astronaut author baker
    banker barber barista biologist blogger builder butcher carpenter cashier chef chemist clerk coach composer
    consultant contractor cook copywriter counsellor curator dancer dentist designer developer dietitian director
    doctor driver economist editor electrician engineer entrepreneur farmer filmmaker firefighter florist freelancer
    gardener geologist hairdresser historian housewife illustrator instructor interpreter investor jeweller journalist
    judge lawyer lecturer librarian manager marketer mathematician mechanic midwife musician nanny novelist nurse
    nutritionist officer optician painter paramedic pharmacist philosopher photographer physicist physiotherapist pilot
    plumber poet policeman politician porter postman producer professor programmer psychiatrist psychologist publisher
    realtor receptionist recruiter reporter researcher retiree salesman salesperson scientist secretary servant singer
    soldier solicitor statistician student sculptor supervisor surgeon surveyor tailor teacher technician therapist
    tester trader trainer translator tutor vet veterinarian waiter waitress welder writer yoga-teacher intern
    apprentice postdoc sre devops admin physician attorney bartender ceo cto
    """)
