"""Words of one matter and words that exclude each other, loosely: for weighing two statements, not for sure rules.
Data only, from general knowledge.
"""

from __future__ import annotations

from memoryapp.detect.words import meaning, stem

_MATTERS = """
lease tenancy rental rent landlord tenant
dentist dental teeth tooth dentistry
doctor gp physician medic
certificate qualification certification licence diploma degree
choir sing singing sings singer
weekday workday weeknight
glasses spectacles lenses
car vehicle automobile van
boy son lad
girl daughter
father dad daddy
mother mum mom
child kid children kids twins
cigarette smoke smoking smoker tobacco
alcohol wine beer drink drinks drinking booze
wedding marry married marriage ceremony spouse wife husband bachelor
engaged engagement fiance fiancée fiancé
wage salary pay paid earn payday income raise
suite tests test testing
deploy deployment ship shipping release rollout
own owner ownership belong belongs owned
store stored storage keep live lives sits stay
write written rewritten rewrote writes program
host hosted hosting
talk speak speaks talks chat chats conversation say says said
learn learning study studies studying lesson lessons school class course
meeting gather meet meets gathers session
flight fly flies plane aeroplane flying
send sent deliver delivers delivered delivery sends
policy insurance insured insurer
animal pet cat dog cats dogs pets
internet broadband wifi
stairs staircase stair
post letter mail letters
bug error defect
pager on-call oncall
session login
pr pull-request merge merged
comment comments
cost costs charge price pay pays fee sets bill
expire expires valid lapse lapsed runs expiry renewal due
retain retained retention kept erased erasure purge purged deleted disappears
start starts begin begins kicks sets leaves
finish finishes end ends complete completes takes done over
wake wakes getting alarm up rise
sleep sleeps asleep bed night spends
allow allowed allows permits lets may welcome permitted
approve approval approves approvals go-ahead sign-off
book booked rebooked reservation reserve
appointment check-up checkup visit
swim swims swimming
walk walks walking
run runs running jog
bike bicycle cycle cycles cycling
train railway rail
bus coach
shop store storefront
client customer customers clients
boss manager manage manages managed answers lead
employee staff assistant assistants payroll workforce
job work works working employed employment
house home place
flat apartment studio
move moves moved relocate relocated emigrated
exam test
email e-mail mail
shower wash washing bath
baby pregnant expecting
vaccine vaccines jab jabs vaccination
run suite
limit limited cap capped allowance maximum up
rebuild rebuilds rebuilt
backup backups backed
upload uploads uploaded
service services
endpoint api route
logging logs log
review reviews reviewed reviewing
track tracks tracking tracker
docs documentation handbook wiki
mock-ups mockups design designs designer
generate generates
laptop computer machine
phone mobile
domain dns
instance instances server machine box
cluster kubernetes
database db
deadline due hand handed
refund refunds
party gala celebration
member belongs membership join joined
degree university graduate attended
board trustee
shift rota
course programme
newspaper paper
roof roofers roofing
heat heated heating warm thermostat radiator
beard shaven shave shaved
allergy allergic
church chapel
hotel pensión inn hostel
practice rehearsal rehearse rehearses practises
treasurer treasury
surgery operation operated operate
lodger tenant
fear afraid terrified scared
hair head
cake baking bake
clinic surgery hospital
market stall
neighbour door
internship intern
contract permanent
office workplace
wiki confluence
prefer prefers favourite preferred likes best
editor ide
order ordering ordered
groceries food
kubernetes k8s
accountant accounts
primary secondary school kindergarten
memory ram
handwriting writes write handed left-handed right-handed
pronoun pronouns
bedtime bed asleep midnight
loan mortgage
launch release ships
reply replies explanation explanations answer answers response
nickname name called call address
wine alcohol beer spirits
unemployed jobless work job post
husband wife spouse married single divorced
tram bus train bike commute car transport
goal striker front goalkeeper position
vegan vegetarian meat diet
sugar sweet sweetened
finished unfinished completed complete done handed
see seen watch watched saw
lesson lessons class school starts
headquarters head office hq
favourite favorite loves best
author writer book
begin begins starts start work
commute office work
debt debts owe owes loan
dependency dependencies depends depend
access reads sees view visible
trip travel journey flight travelling
renovation redesign conversion extension
bill invoice payment charge
reply replies respond answer answers
minimum least lowest
maximum most highest upper cap capped
phone iphone galaxy pixel
insured insurer insurance
bank account banks
headcount employs employees people staff
guests people attendees participants coming
rows records entries
password passphrase
region zone
timeout times time-out
requests request calls call
allergy allergies allergic avoid
inactive inactivity idle
signed sign signature
birthday turns born year
age old turned
ticket tickets issue issues
error-budget errors
nickname called
sprint sprints iteration
build pipeline ci
reception guests
licence license
sister brother sibling
"""
_EXCLUDING = """
allow allowed allows permit permitted welcome lets can | ban banned forbid forbidden forbids prohibit \
prohibited reject rejects refuse refuses cannot disallow blocked
accept accepted accepts approve approved granted | reject rejected refuse refused refuses decline declined deny \
denied turned
valid current | lapsed expired expire invalid
permanent | temporary fixed-term
own owns owned belongs bought mortgage | rent rents renting rented lease leases tenant
free unpaid included volunteer gratis | paid pays pay costs charge charged charges salary euros dollars pounds
unpaid outstanding owed open | paid settled settle cleared
include includes included covers cover covered | exclude excluded excludes excepted
pass passed passes passing succeeded | fail failed fails failing
employed job works working | unemployed jobless fired redundant retired laid
love loves enjoy enjoys like likes adores fond keen praises happy | hate hates dislike dislikes loathes detests \
can't bored boring terrible waste avoids
full sold taken occupied booked | empty vacant free room spare available
open opened opens public | closed shut private restricted
single bachelor unmarried | married wife husband spouse
alive thriving well | dead died buried passed
finished done completed complete fixed closed resolved | unfinished ongoing open pending half started unresolved
started begun launched | stopped ended finished cancelled
manual manually hand | automatic automatically script automated
remote home | office onsite on-site
early morning dawn noon breakfast | evening night late dark afternoon bed
indoor indoors inside | outdoor outdoors outside roams
vegetarian vegan veggie plant-based kosher halal | meat chicken beef lamb pork steak bacon ham fish prawns sausage
always | never rarely seldom
everyone anyone anybody all everybody | nobody none only
enabled on live active | disabled off inactive dormant
high above raised | low below normal
knows aware helping | unaware surprise nothing
terrified afraid scared fear fears | fearless unafraid no hold
alone himself herself | together shared with live-in carer split
permits | forbids
secret surprise | knew known
cancelled abandoned off scrapped | going strong ahead running
blocked waiting stuck | unblocked cleared
increase increased rise raised grew | decrease decreased fell dropped cut halved lowered
return round | one-way
long | short
atheist | catholic christian muslim jewish religious devout believer
swollen | healed
works working functions | broken defective
forget forgets | remember remembers
glasses spectacles | unaided without
quiet silence | noise radio loud music
synced sync | async
married | divorced separated
pregnant expecting | not
install installed | uninstalled removed
add added gained | removed dropped lost deleted
keeps keep kept | lost sold gave threw discarded
join joined | left quit resigned
win won | lost
"""
RELATED: dict[str, frozenset[int]] = {}  # stem → the matters it belongs to
for _n, _line in enumerate(_MATTERS.strip().splitlines()):
    for _word in _line.split():
        RELATED[stem(_word)] = RELATED.get(stem(_word), frozenset()) | {_n}
EXCLUDING: dict[str, tuple[tuple[int, int], ...]] = {}  # stem → (scale, side)
for _n, _line in enumerate(_EXCLUDING.strip().splitlines()):
    for _side, _words in enumerate(_line.split("|")):
        for _word in _words.split():
            EXCLUDING[stem(_word)] = (*EXCLUDING.get(stem(_word), ()), (_n, _side))


def one_word(one: str, other: str) -> bool:
    """Whether they are forms of one word, or of one matter."""
    if one == other or stem(one) == stem(other) or (len(one) > 4 and one[:5] == other[:5]):
        return True
    if meaning(one) and meaning(one) == meaning(other):
        return True
    return bool(RELATED.get(stem(one), frozenset()) & RELATED.get(stem(other), frozenset()))
