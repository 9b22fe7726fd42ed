"""What can be so or otherwise with somebody or something, and the phrases that tell which: whether one smokes, lives
alone, is paid. Data only, from general knowledge, loosely: for weighing two statements, not for sure rules.

One facet a line, “name: side | side …”, phrases parted by commas. Words are matched by their stems; “a/b” is either
word, “…” up to four words between. “~” marks a phrase that is turned to the other side by a denial before it.
"""

from __future__ import annotations

# Facets that say themselves what they are of: whoever is the same on both sides cannot be on two of them.
OF_SOMEBODY = """
hand: is/am left-handed, is/am left handed, lefty | is/am right-handed, is/am right handed
smoking: ~smoke, ~smoker, cigarettes a day, pack a day, lights up, tobacco | quit/gave/stopped/given up smoke, \
quit/stopped/gave smoke, gave up cigarette, quit cigarette, non-smoker, nonsmoker, ex-smoker, smoke-free, never \
smoked
alcohol: glass of wine/red/white, ~drink alcohol, ~drink beer/wine/whisky, have/has a beer, a beer or, pint of, \
pints, beers, few drinks, drinks socially, nightcap, wine with dinner | teetotal, teetotaller, sober, alcohol-free, \
quit/stopped drink, gave up drink/alcohol, abstains, non-drinker, given up alcohol, drink no alcohol, dry january
marriage: ~married, ~husband, ~wife, ~spouse, wed, newlywed, tied the knot | single, bachelor, divorced, unmarried, \
widow, widower, separated from, split up, never married, divorce came/is/was, broke up, unattached
dating: ~seeing someone, ~dating, ~girlfriend, ~boyfriend, ~in a relationship, ~partner, fiance, fiancée, fiancé, \
engaged to | single, broke up, split up, unattached, dumped, on the dating apps, not seeing anyone
engagement: ~engaged to, fiance, fiancée, fiancé, proposed to | called/broke off … engagement, engagement is off
children: ~children, ~kids, ~child, ~son, ~daughter, ~toddler, twins, father of, mother of, dad of, mum of, parent \
of | childless, child-free, childfree, no kids, no children
siblings: ~sister, ~brother, ~siblings | only child
driving: drive to work, ~drive to, drives, behind the wheel, passed driving/my/his/her driving test, got licence, \
driving licence was, ~driving licence, ~drivers license, drive every | never learned to drive, failed driving test, \
never passed driving test, non-driver, no licence
car: ~own a car, ~has a car, drives a, drives an, car is parked, bought a car | car-free, sold car/the car, no car, \
gave up car, carless, got rid of car
home ownership: ~own house/home/flat/apartment, bought house/flat/apartment/home/a … house, homeowner, mortgage, own \
place | rent/rents/rented/renting/rental, tenant, landlord, lease
living together: live with, lives with, shares a flat/house/apartment, flatmate, roommate, housemate, moved in with, \
live together, house share | live alone, lives alone, lived alone, on own, by myself, by herself, by himself, own \
flat across, lives by, live separately, live apart
working: ~works as, ~works at/for/in, works full time, works full-time, ~full-time job, ~employed, ~has a job, \
started a job, new job, joined … as, shifts a week | unemployed, between jobs, out of work, \
jobless, retired, laid off, looking for \
work/job, job hunting, lost job, made redundant, job seeker, stay-at-home
own boss: self-employed, freelance, freelancer, own business, sole trader, own boss, runs own company | employee, on \
the staff, permanent contract, salaried, permanent position, works for a company, permanent employee, in-house
hours: full-time, full time, five days, all five weekdays, 40 hours, forty hours | part-time, part time, four days a \
week, three days a week, half days, 20 hours, reduced hours
place of work: ~work from home, ~fully remote, ~remote, home office, ~remotely, telecommutes | ~in the office, ~to \
the office, on-site, onsite, in person, office-based, at the office
shift: night shift, works nights, nights, graveyard shift | day shift, works days, early shift, daytime
chronotype: morning person, early bird, early riser, up at dawn, lark, up before sunrise, up early, wake early | \
night owl, sleeps until noon, hates mornings, late at night, night person, sleeps in, sleep until, sleeps late, \
stays up late
sleep: sleeps well, sleeps like a log, sound sleeper, sleeps soundly, sleeps through the night, sleep through the \
night, asleep within minutes, good sleeper | insomnia, trouble sleeping, lies awake, lie awake, sleeps badly, barely \
sleeps, wakes up … times, light sleeper, sleepless, awake half the night, can not sleep
diet: vegan, vegetarian, plant-based, meat-free, meatless | ~eat meat, ~eats everything, eat chicken/beef/pork/lamb, \
steak, bacon, meat eater, carnivore, omnivore, meat lover, burgers, sausage, eats meat
dairy: dairy-free, lactose intolerant, lactose-intolerant, vegan | cow milk, cheese, yoghurt, yogurt, glass of … \
milk, drinks milk
gluten: gluten-free, gluten intolerant, gluten-intolerant, coeliac, celiac | ordinary bread, wheat bread, pasta \
every, normal bread, regular pasta, croissant, beer
coffee: ~drink coffee, espresso, coffee a day, coffees a day, cup of coffee, cappuccino, flat white, latte | off \
coffee, caffeine-free, gave/given up coffee, quit coffee, stopped drinking coffee, no caffeine, avoids caffeine
coffee taken: black, without milk, no milk | with milk, oat milk in, milk in, latte, cappuccino, with cream, splash \
of milk
sugar taken: two/2 sugars, with sugar, spoonful of sugar, sweet tooth, sugars in | no sugar, unsweetened, without \
sugar, sugar-free
breakfast: skips breakfast, no breakfast, skip breakfast, never eats breakfast | proper breakfast, big breakfast, \
eats breakfast, has breakfast, porridge every, breakfast every
religion: catholic, muslim, christian, jewish, hindu, buddhist, believer, devout, religious, prays, goes to church, \
goes to mass, protestant | atheist, agnostic, not religious, non-religious, secular, not a believer, left the \
church, lost faith
eyesight: ~wear glasses, ~glasses, contact lenses, short-sighted, nearsighted, spectacles | perfect eyesight, \
perfect vision, 20/20, laser surgery, no glasses, sees perfectly, without glasses, good eyesight
beard: ~beard, bearded, moustache | clean-shaven, shaved off beard, shaves every
hair: long hair, waist-length, ponytail, hair down to | short hair, shaved head, bald, buzz cut, cut hair short, \
pixie cut, bob
living: alive, doing well, still with us | died, dead, passed away, funeral, deceased, late father, late mother, put \
to sleep, put down, buried, in memory of, lost battle
birth: pregnant, expecting, due in, is due, baby is due | was born, gave birth, newborn, had the baby, welcomed a \
baby
swimming: swims, swim every, swimmer, swims a | can not swim, never learned to swim, non-swimmer, afraid of water
cooking: cooks, home-cooked, cooks every, loves cooking | can not cook, never cooks, takeaway every, hates cooking, \
cannot boil an egg, eats out every
flying: loves flying, frequent flyer, flies | afraid of flying, fear of flying, never flown, refuses to fly, \
terrified of flying, never been on a plane
diabetes: ~diabetes, diabetic, insulin | no diabetes, not diabetic
pain: in pain, constant pain, hurts, aches, injured, injury, sprained, is broken | fine now, healed, pain-free, \
recovered, fully recovered, as good as new, back to normal, symptom-free
illness: sick, ill, in hospital, hospitalised, has the flu, is unwell | recovered, fully recovered, healthy again, \
discharged, back on feet
medication: on tablets, takes medication, on medication, takes … daily, ~takes tablets, on … tablets, prescribed | \
without medication, off medication, no medication, medication-free, stopped taking
spending: frugal, saves every, thrifty, careful with money | spendthrift, splurges, bad with money, overspends
debt: ~debt, ~loan, ~in debt, owes, paying off, overdraft | debt-free, paid off all, no debts, no debt, owes nothing
study: ~student, studying, doing a degree, doing a master, undergraduate, at university, at college, enrolled | \
graduated, finished degree/studies/master/university, dropped out, left university, left college, never went to \
university, finished … master
degree: has a degree, holds a degree, degree in, graduated in, phd in, master in, bachelor in | never went to \
university, no degree, left school at, dropped out of university, did not go to university
citizenship: dual citizen, two passports, dual nationality, both passports | one passport, only passport, passport \
only, sole citizenship
pets kept: ~dog, ~cat, ~pet, ~rabbit, ~hamster, ~parrot, ~puppy, ~kitten | no pets, pet-free, petless, rehomed, \
rehome, never have a pet, does not want a pet, no dog now, no animals
where the pet is: indoor cat, never goes outside, stays indoors, indoors only, house cat | outdoors, hunting in, \
roams, outside all day, cat flap, goes outside
heat: loves the heat, loves hot, loves warm weather, above thirty degrees, above 30 degrees, hot weather is, loves \
summer | hates the heat, cannot stand the heat, hates hot weather, can not stand heat, hates summer
dogs feared: afraid of dogs, scared of dogs, terrified of dogs, fear of dogs | walks dog, walks the … dog, loves \
dogs, adores dogs, dog lover
mood at work: loves job, happy at work, enjoys work, enjoys job | hates job, miserable at work, burnt out, burned \
out, wants to quit
fitness: works out, gym … times, goes to the gym, runs every, exercises, runs marathons, jogs | no exercise, never \
exercises, couch potato, gave up running, stopped running, haven't been to the gym, gym membership lapse, does not \
exercise, sedentary
tea or coffee: prefers tea to, tea over coffee, tea person, tea drinker, prefer tea | prefers coffee to, coffee over \
tea, coffee person, coffee drinker, prefer coffee
cats or dogs: cat person, prefers cats | dog person, prefers dogs
town or country: city centre, downtown, middle of the city, big city | countryside, on a farm, rural, remote \
village, in a village, out in the country
drinks at table: still water | sparkling water
temper: introvert, shy, introverted, quiet | extrovert, outgoing, extroverted, life of the party
party life: hates parties, avoids parties, stays in | loves parties, parties every, goes clubbing
social media: posts on, active on, on instagram, on facebook, on twitter | off social media, deleted account, no \
social media, deleted accounts, left facebook
reads: paper books, printed books, hardbacks, physical books | e-reader, kindle, ebooks, e-books, kobo
fiction: only … non-fiction, only nonfiction, no novels, no fiction | novels, fiction, mostly … novels
shy of needles: faints at needles, afraid of needles, scared of needles | blood donor, donates blood, gives blood
age group: youngest | oldest, older than, eldest
"""
# Facets that are of whatever the rest of the statement speaks of.
OF_SOMETHING = """
company wanted: alone, solo, on own, by myself, by herself, by himself | with friends, with colleague, with group, \
in a group, with boss, with my boss, with his boss, with her boss, with family, with husband, with wife, together with
exam: passed the exam, passed … exam, passed the test, got certified, passed | failed the exam, failed … exam, \
failed the test, resit, retake, sit it again, did not pass, failed
handedness: left-handed, lefty, left handed | right-handed, right handed
term: is permanent, permanent contract, permanent post, open-ended | fixed-term, fixed term, temporary contract, \
temporary post
command: fluent, fluently, native speaker, bilingual, mother tongue | not understand a word, not … word of, speaks no, \
not speak any, barely speak
limited: no limit, unlimited, without limit | limited to, capped at, not a minute more, maximum of, no more than
bill paid: ~paid in full, ~has been paid, ~was paid, ~is paid, ~settled, ~paid off | unpaid, outstanding, still open, \
overdue, not been paid, not paid, still owe
working order: ~works perfectly, works again, works fine, fixed, repaired, is back up, up and running, running \
again, working again, operational, is stable, working normally, back online | broken, out of order, ~defective, \
crashed, is down, ~not working, stopped working, does not work, needs repair, still fails, keeps crashing, flaky, \
still broken, leaks, ~faulty, conked out
tightness: leaks, leaking, leaky, damp | dry, sealed, watertight, no longer leaks
done: finished, complete, completed, done, submitted, delivered, fully tiled, handed in, wrapped up, is live, in \
place, is over, merged | still … do, unfinished, still writing, still working on, half the, half of, in progress, \
still waiting, not yet, yet to, under way, underway, incomplete, pending, is being, hasn't started, not started, \
ongoing, outstanding, remains to be, still to be
begun: under way, underway, halfway, in full swing, begun, has started, kicked off, well into, ongoing | not \
started, ~has not begun, yet to start, hasn't begun, on hold, has not started, not begun, paused, shelved
settled: paid, settled, cleared, reimbursed, refunded | unpaid, outstanding, overdue, not been paid, still owes, \
hasn't been paid, open invoice, not paid, has not been paid
arrived: arrived, delivered, was delivered, came last, picked up | still waiting for, not arrived, on its way, \
backordered, in transit, not been delivered, delayed delivery, held up
signed: signed, countersigned | not been signed, unsigned, not signed, awaiting signature, refuses to sign, waiting \
for signature
approved: approved, granted, accepted, given the go-ahead, green light, greenlit, signed off, got permission | \
rejected, refused, turned down, denied, declined, blocked, vetoed, turned … down, not approved
accepted: accepted, took the, said yes | turned down, turned … down, declined, rejected, said no, refused
open: open, opened, reopened, unlocked, open all | closed, shut, shuttered, locked
case: still open, unresolved, reopened, is open | resolved, closed, fixed, solved
held: going ahead, is on, takes place, rain or shine, still happening, booked, scheduled, confirmed, planned for | \
called off, cancelled, scrapped, fell through, abandoned, off the table, canned, axed
on time: on schedule, on time, on track, ahead of schedule | behind schedule, delayed, late, weeks behind, slipped, \
overdue, months behind, days behind, running late, behind
on budget: under budget, within budget, on budget | over budget, overspent, blew the budget, cost overrun, exceeded \
the budget
public: public, open to everyone, open to all, anyone, anybody, everyone, visible to all, without … login, freely \
available, publicly, no login | private, invitation only, invited, members only, need an account, only admins, \
restricted, internal only, confidential, behind a login, requires login, password-protected, only … invited, admins \
only, need to log in, by invitation
needed: required, mandatory, compulsory, must, has to, have to, is needed, obligatory, essential, requires, need, \
needs | optional, voluntary, not required, no … required, not … required, unnecessary, without, no longer need, no \
need, not needed, not necessary, is not mandatory, waived, without asking
permission: allowed, permitted, welcome, can bring, may bring, may watch, may have, may stay, lets, is fine with, \
are fine with, okay with, tolerated | forbidden, not allowed, banned, prohibited, not permitted, no animals, not \
welcome, off limits, is not okay, strictly no, not tolerated, no pets, frowned upon, smoke-free
price: free, free of charge, no charge, at no cost, gratis, costs nothing, complimentary | costs, fee, charge, \
euros, dollars, pounds, per month, charged, priced
covered: covers, covered, included, includes, comes with, pays for | excluded, not covered, excludes, extra charge, \
does not cover, separately, exempt, accepts no liability
liability: is liable, liable, is responsible, accepts responsibility | no liability, not liable, accepts no, \
disclaims
live: live, in production, released, launched, is out, went live, shipped, generally available | rolled back, \
reverted, withdrawn, not released, not live, unreleased, not yet released, still in beta, pulled
supported: supported, maintained, still available, actively maintained, works with | deprecated, switched off, \
discontinued, unsupported, retired, end of life, sunset, dropped support, no longer supported, unmaintained, \
archived, removed, taken down
switched on: enabled, turned on, switched on, activated | disabled, turned off, switched off, deactivated
automatic: automatically, automatic, automated, by itself, on its own, script, cron, scheduled job, sprinkler | \
manually, by hand, manual, somebody has to, person has to, in person by
together: jointly, joint, together, shared, in common, communal | separately, separate, individually, each … own, \
own room
split: monolith, monolithic, single service, one service | microservices, split into, broken up into
layout: open-plan, open plan, shared office | own room, room of … own, private office, separate offices, own office, \
individual offices
venue: in person, on-site, in the building, face to face, takes place in, at our place | online, virtual, remote, \
video call, over zoom, via zoom, livestream, by video, webinar
number of them: ~only one, just the one, just one | two, three, several, both, multiple, many, 2, 3, 4, second, \
another
state kept: stateless | stateful, keeps … in memory, keeps … session, sticky sessions
writing: read-only, readonly, read access, read rights, only read, view only | write access, admin rights, edit, \
full access, read-write, can write, can edit
encryption: encrypted, https | unencrypted, plain text, plaintext, cleartext
offline: offline, without internet, without a connection, no connection needed | needs a connection, needs a \
network, internet connection, online only, network connection, requires internet, always online
compared: passes, passed, green, passing, found nothing, clean, no issues, no findings, all clear | fails, failing, \
failed, red, turned up, found … holes, critical, vulnerabilities, found … issues, breaking
staff: understaffed, short-staffed, vacancies, hiring | fully staffed, hiring freeze, no vacancies, overstaffed
growth: growing, expanding, rising, grew | shrinking, shrunk, declining, falling, cut
fuel: petrol, diesel, gasoline | electric, charge, charging, ev, plug-in | hybrid
heating: gas | induction, electric, heat pump | oil | wood | pellet
gears: automatic gearbox, automatic transmission | manual gearbox, stick shift, manual transmission
power: no electricity, off-grid, off the grid, without electricity, candles | electric radiators, electricity, \
mains, power socket, wired
floor: ground floor | first floor, second floor, third floor, fourth floor, fifth floor, top floor, sixth floor, \
attic, penthouse | basement
lift: without a lift, no lift, no elevator | lift to, elevator to, with a lift, with an elevator, has a lift, has an \
elevator
furnished: furnished, comes furnished | unfurnished, empty, no furniture
freshness: brand-new, brand new | second-hand, vintage, refurbished
supply: in stock, plenty, available | sold out, out of stock, unavailable, run out, ran out
seats: fully booked, full, sold out, no seats | seats left, places left, tickets left, still available, free places, \
spaces left
crowd: deserted | packed, crowded, full, busy
contract kind: permanent, indefinite, open-ended | temporary, fixed-term, temp, interim, limited to
rate of interest: fixed at, fixed rate, fixed | variable, variable rate, tracker, floating
payment: by the hour, hourly, hourly rate, per hour, day rate | fixed monthly fee, flat fee, monthly fee, fixed \
price, retainer, lump sum
plan kind: family plan, family account, shared plan | one person, individual plan, single plan, for one
card or cash: cash only, no cards | card only, cards accepted, contactless, no cash, cashless
sex: male, boy, tomcat | female, girl
travelling class: ~window seat, seat/sits/sit by/at the window | ~aisle seat, seat/sits/sit on/by the aisle
weather: never snows, no snow, snow-free | snow, shovels snow, snowy, heavy snow
knowledge: knows nothing about, unaware of, surprise, secret, has no idea | knows about, aware of, was told, found \
out, helping to plan, no surprise
opinion: supports the, in favour, in favor, favours, pro, backs | opposes, against, opposed, objects to, campaigning \
against
like: ~love, ~enjoy, ~like, adores, fond of, favourite, favorite, big fan, keen on, can not get enough, passion, \
thrilled, ~fan of | ~hate, ~dislike, can not stand, detest, loathe, not something, bores, dull, boring, can not \
bear, allergic to the idea, not a fan, no fan, not fond, hates, sick of, finds … boring, finds … dull, cannot stand, \
can not watch, tedious, does nothing for, not … cup of tea
skill: good at, expert at, fluent, excellent, master of, proficient, strong at, knows how | hopeless at, bad at, \
terrible at, never played, no idea how, cannot, can not, not know how, never learned, beginner, clueless
fear: afraid, scared, terrified, fear, frightened, phobia | loves, fearless, not afraid, unafraid, no fear, \
comfortable with, conquered, overcame
membership: ~member, ~belongs to, joined, signed up | not a member, left the, resigned from, cancelled membership, \
quit the, lapsed, let … lapse, terminated
trust in: reliable, never fails, rock solid | unreliable, keeps failing, fails, flaky
distance: walking distance, next door, around the corner, minutes away, nearby | far, too far, other side of, hours \
away, miles away, across the country
use: every day, all the time, daily, constantly | never uses, gathers dust, hardly ever, unused, stopped using
contact: talk every, calls every, close to, on good terms | not speaking, fell out, estranged, lost touch, no \
contact, not on speaking terms
"""
# Facets of how somebody wants to be answered, and things to be written.
OF_WRITING = """
formality: formal, suit and tie, formally, polite, suits, business attire | casual, informal, relaxed, jeans, \
laid-back, trainers, slang, chatty, easygoing, smart casual
length: brief, short, concise, succinct, to the point, one sentence, terse, no preamble | long, detailed, thorough, \
in depth, lengthy, extensive, at length, comprehensive, fully explained, elaborate
bullet points: bullet points, bulleted, lists, bullets | prose, paragraphs, full sentences, no bullet, flowing text
emoji: ~emoji, ~emojis | no emoji, without emoji, emoji-free
comments: ~with comments, commented, comments in code, inline comments | without comments, no comments, uncommented
sources: cite sources, with sources, with links, cite | no sources, not … sources, without sources, no citations
code first: code first, only code, just the code | explanation first, explain before
humour: jokes, humour, funny | no jokes, serious, no humour
units of length: miles, feet, inches, imperial, yards, foot | kilometres, metres, metric, centimetres, km, \
kilometers, meters
units of heat: celsius, centigrade | fahrenheit
units of weight: pounds, stone, stones, ounces, lbs | kilograms, kilos, grams, kg
clock: 12-hour, am/pm, 12 hour | 24-hour, 24 hour, military time
date order: day first, dd/mm, day before | month first, mm/dd, month before, year first, iso
spelling: british, british english, uk english | american, american english, us english
theme: dark mode, dark theme | light mode, light theme, bright theme
indent: tabs | spaces
"""
