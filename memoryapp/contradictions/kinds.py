"""General knowledge as data: closed kinds of values (editors, colours, towns …), nouns that name an attribute or a
job, what falls under what, and which country a city lies in.
"""

from __future__ import annotations

from collections import defaultdict

from memoryapp.contradictions.words import clean, meaning
from memoryapp.text.wording import word_set

_KINDS: dict[str, str] = {
    "colour": """red orange yellow green blue purple pink brown black white grey gray silver gold violet turquoise beige
        maroon navy teal cyan magenta crimson scarlet lavender indigo olive tan blonde blond brunette""",
    "language": """english korean japanese chinese mandarin cantonese french german spanish italian portuguese russian
        arabic hindi dutch swedish norwegian danish finnish polish turkish greek hebrew thai vietnamese indonesian
        ukrainian czech hungarian romanian bulgarian latin esperanto""",
    "country": """afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas
        bahrain bangladesh barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil brunei bulgaria
        burundi cambodia cameroon canada chad chile china colombia congo costa_rica croatia cuba cyprus czechia
        czech_republic denmark djibouti dominican_republic ecuador egypt el_salvador england eritrea estonia ethiopia
        fiji finland france gabon gambia georgia germany ghana greece greenland grenada guatemala guinea guyana haiti
        holland honduras hungary iceland india indonesia iran iraq ireland israel italy ivory_coast jamaica japan jordan
        kazakhstan kenya kosovo kuwait kyrgyzstan laos latvia lebanon lesotho liberia libya liechtenstein lithuania
        luxembourg macedonia madagascar malawi malaysia maldives mali malta mauritania mauritius mexico moldova monaco
        mongolia montenegro morocco mozambique myanmar burma namibia nepal netherlands new_zealand nicaragua niger
        nigeria north_korea norway oman pakistan palestine panama paraguay peru philippines poland portugal qatar
        romania russia rwanda saudi_arabia scotland senegal serbia singapore slovakia slovenia somalia south_africa
        south_korea korea spain sri_lanka sudan suriname sweden switzerland syria taiwan tajikistan tanzania thailand
        tibet togo tunisia turkey turkmenistan uganda ukraine united_arab_emirates united_kingdom united_states uruguay
        usa uzbekistan venezuela vietnam wales yemen zambia zimbabwe""",
    "nationality": """afghan albanian algerian american argentinian argentine armenian australian austrian azerbaijani
        bangladeshi belarusian belgian bolivian bosnian brazilian british bulgarian burmese cambodian canadian chilean
        chinese colombian croatian cuban czech danish dutch ecuadorian egyptian english estonian ethiopian filipino
        finnish french georgian german ghanaian greek guatemalan haitian hungarian icelandic indian indonesian iranian
        iraqi irish israeli italian jamaican japanese jordanian kazakh kenyan korean kuwaiti laotian latvian lebanese
        libyan lithuanian malaysian maltese mexican mongolian moroccan nepalese nepali nigerian north_korean norwegian
        pakistani palestinian panamanian peruvian polish portuguese qatari romanian russian rwandan saudi scottish
        senegalese serbian singaporean slovak slovenian somali south_african south_korean spanish sri_lankan sudanese
        swedish swiss syrian taiwanese tanzanian thai tibetan tunisian turkish ugandan ukrainian uruguayan uzbek
        venezuelan vietnamese welsh zambian zimbabwean""",
    "continent": "africa asia europe north_america south_america oceania antarctica australia",
    "planet": "mercury venus earth mars jupiter saturn uranus neptune pluto",
    "material": """wood wooden metal stone brick glass plastic paper leather steel iron bronze copper concrete cement
        marble sand rubber ceramic cardboard clay ice granite silk cotton wool velvet bamboo aluminium aluminum tin""",
    "instrument": """piano guitar violin cello flute clarinet saxophone trumpet trombone tuba harp harmonica accordion
        drums oboe bassoon banjo mandolin ukulele viola french_horn xylophone bagpipes tambourine organ bass""",
    "room": """kitchen bathroom bedroom living_room dining_room garage lounge basement attic cellar hallway prison_cell
        classroom office library laundry_room nursery study cafeteria gym""",
    "drink": """water coffee tea milk juice beer wine vodka gin whisky whiskey rum tequila champagne cider lemonade soda
        cola brandy sake soju cognac cocoa bourbon""",
    "vegetable": """tomato potato carrot onion cucumber celery zucchini eggplant pumpkin broccoli cauliflower cabbage
        lettuce spinach pepper radish turnip leek garlic asparagus artichoke beetroot avocado corn""",
    "season": "spring summer autumn winter",
    "database": """postgresql postgres mysql mariadb sqlite mongodb redis cassandra dynamodb oracle surrealdb neo4j
        couchdb cockroachdb clickhouse duckdb bigquery snowflake firestore elasticsearch""",
    "editor": """vim neovim nvim emacs vscode vs_code visual_studio_code visual_studio sublime sublime_text intellij
        pycharm webstorm atom nano helix zed cursor xcode eclipse notepad++ jetbrains rider goland""",
    "os": """ubuntu debian fedora arch arch_linux macos windows windows_10 windows_11 nixos linux_mint centos alpine
        opensuse freebsd manjaro gentoo popos chromeos android ios""",
    "shell": "bash zsh fish powershell nushell tcsh",
    "format": "json xml yaml csv toml protobuf parquet msgpack markdown html pdf docx word excel",
    "licence": """mit apache apache_2.0 gpl gplv2 gplv3 agpl lgpl bsd mpl proprietary unlicense isc cc0 mit_license
        apache_license gpl-3.0 agpl-3.0 mit-licensed""",
    "cloud": "aws azure gcp google_cloud heroku hetzner digitalocean vercel netlify fly.io on-premises on-prem",
    "forge": "github gitlab bitbucket gitea codeberg",
    "ci": "jenkins circleci github_actions gitlab_ci travis travis_ci buildkite teamcity drone",
    "packages": "npm yarn pnpm bun pip poetry uv pipenv conda",
    "programming": """python javascript typescript rust go golang java kotlin ruby php c# c++ scala elixir haskell swift
        perl clojure julia lua erlang""",
    "framework": "django flask fastapi rails laravel spring_boot express nestjs react vue angular svelte next.js nuxt",
    "browser": "firefox chrome chromium safari edge brave opera vivaldi arc",
    "messenger": "slack teams microsoft_teams discord mattermost zulip telegram whatsapp signal kakaotalk",
    "tracker": "jira linear trello asana notion youtrack shortcut basecamp github_issues",
    "video": "zoom google_meet meet webex jitsi skype",
    "blood": "o+ o- a+ a- b+ b- ab+ ab-",
    "star sign": "aries taurus cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces gemini",
    "severity": "p0 p1 p2 p3 p4",
}
KIND_OF: dict[str, tuple[str, ...]] = {}
for _kind, _list in _KINDS.items():
    for _entry in _list.split():
        _name = _entry.replace("_", " ")
        KIND_OF[_name] = (*KIND_OF.get(_name, ()), _kind)
LONGEST = max(len(name.split()) for name in KIND_OF)

# The same thing under other names; both sides are written as the second.
ALIASES = {
    "postgres": "postgresql", "nvim": "neovim", "vs code": "vscode", "visual studio code": "vscode", "gray": "grey",
    "golang": "go", "blond": "blonde", "whiskey": "whisky", "wooden": "wood", "usa": "united states", "korea":
    "south korea", "korean": "south korean", "holland": "netherlands", "burma": "myanmar", "mandarin": "chinese",
    "arch linux": "arch", "apache license": "apache", "apache 2.0": "apache", "mit license": "mit", "mit-licensed":
    "mit", "gplv3": "gpl-3.0", "sublime text": "sublime", "czech republic": "czechia", "aluminum": "aluminium",
    "meet": "google meet", "teams": "microsoft teams", "on-prem": "on-premises", "on premises": "on-premises",
    "premises": "on-premises", "travis ci": "travis", "gpl v3": "gpl-3.0",
    "agpl": "agpl-3.0", "nepali": "nepalese", "google cloud": "gcp",
     "tomatoes": "tomato", "potatoes":
    "potato",
}  # fmt: skip
# Kinds of which one person or project may well have several: they tell apart only where the frame says there is one.
SEVERAL = word_set(
    "language programming drink vegetable instrument framework browser messenger database packages country tracker "
    "material cloud room host email"
)
# Plain words too: taken for a name only where they are written as one.
AMBIGUOUS = word_set(
    "word excel go swift rust fish arc meet teams atom ruby express rider edge signal bass "
    "leo cancer turkey china georgia opera "
    "chrome oracle notion linear shortcut discord safari brave ant rust julia perl crystal c r mercury mars earth "
    "apache eclipse alpine gentoo zoom cursor helix nano express flask rails spring fall drone travis polish latin "
    "guinea chad jordan jersey"
)
FIRST_WORDS = frozenset(name.split()[0] for name in (*KIND_OF, *ALIASES))


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
ONLY = word_set(
    "biggest largest smallest best worst closest nearest oldest youngest newest latest top strongest greatest "
    "favourite favorite preferred default primary main current official minimum maximum min max native original sole "
    "usual regular daily weekly monthly yearly total"
)
MANY = word_set(
    "hobby hobbies friend friends sister brother son daughter colleague cat dog pet skill "
    "strength weakness goal interest part "
    "reason example problem issue idea point thing one purpose advantage use member kind aim plan side feature"
)
# What somebody is to somebody, or an animal: a name behind it is the one meant (“the user's daughter Ines”).
KIN = word_set(
    "son daughter child baby brother sister twin mother father mom mum dad wife husband spouse partner girlfriend "
    "boyfriend fiancé fiancée aunt uncle cousin niece nephew grandmother grandfather grandson granddaughter grandma "
    "grandpa friend flatmate roommate neighbour neighbor colleague coworker boss manager mentor teacher dog cat puppy "
    "kitten horse rabbit hamster parrot"
)
JOBS = word_set("""
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


# Which general word a word falls under: denying “pets” denies “a cat”. More comes from the closed kinds.

_UNDER = {
    "pet animal": "cat dog rabbit hamster parrot puppy kitten guinea-pig goldfish tortoise budgie canary ferret "
    "horse snake",
    "sibling": "brother sister twin",
    "child": "son daughter baby toddler",
    "relative family": "brother sister uncle aunt cousin nephew niece grandmother grandfather mother father",
    "sport": "tennis football soccer basketball judo karate swimming climbing golf boxing rugby hockey "
    "volleyball badminton",
    "martial-art": "judo karate taekwondo aikido jiu-jitsu kendo boxing",
    "car vehicle": "tesla volvo bmw audi toyota honda ford hyundai kia volkswagen mercedes fiat renault",
    "meat": "chicken beef pork steak bacon ham lamb turkey sausage duck",
    "seafood fish": "salmon tuna shrimp prawn oyster cod crab lobster squid",
    "alcohol": "beer wine whisky vodka gin rum cocktail soju champagne cider",
    "fruit": "apple banana orange grape mango strawberry pear peach melon kiwi",
    "sweet dessert": "chocolate cake candy cookie ice-cream",
    "social-media": "facebook instagram tiktok twitter",
    "glasses": "spectacles",
    "partner": "girlfriend boyfriend wife husband",
}
_KIND_NAMES = {
    "instrument": "instrument", "language": "language", "programming": "language", "vegetable": "vegetable",
    "database": "db", "editor": "editor", "os": "os", "drink": "purchase", "messenger": "messenger",
}  # fmt: skip


def _general_words() -> dict[str, frozenset[str]]:
    """The general words that each word falls under, as stems."""
    pairs = [
        (member, name) for names, members in _UNDER.items() for member in members.split() for name in names.split()
    ]
    pairs += [
        (member, _KIND_NAMES[kind])
        for member, kinds in KIND_OF.items()
        for kind in kinds
        if kind in _KIND_NAMES and kind != "drink"
    ]
    general: dict[str, set[str]] = defaultdict(set)
    for member, name in pairs:
        general[meaning(member)].add(meaning(name))
    return {member: frozenset(names) for member, names in general.items()}


ABOVE = _general_words()


def with_general(found: frozenset[str]) -> frozenset[str]:
    """The words together with the general ones they fall under."""
    return found.union(*(ABOVE[word] for word in found if word in ABOVE))


# Which country a well-known city lies in: one who lives in Berlin lives in Germany.

_CITIES = {
    "argentina": "buenos_aires córdoba rosario", "australia": "sydney melbourne brisbane perth adelaide canberra",
    "austria": "vienna graz linz salzburg innsbruck", "belgium": "brussels antwerp ghent bruges",
    "brazil": "são_paulo sao_paulo rio_de_janeiro brasília salvador recife", "canada":
    "toronto vancouver montreal ottawa calgary quebec", "chile": "santiago valparaíso", "china":
    "beijing shanghai shenzhen guangzhou chengdu hangzhou", "colombia": "bogotá bogota medellín medellin cali",
    "croatia": "zagreb split dubrovnik", "czechia": "prague brno", "denmark": "copenhagen aarhus odense", "egypt":
    "cairo alexandria", "estonia": "tallinn tartu", "finland": "helsinki tampere turku", "france":
    "paris lyon marseille toulouse nice nantes bordeaux lille strasbourg", "germany":
    "berlin hamburg munich cologne frankfurt stuttgart leipzig dresden düsseldorf bremen hanover freiburg", "ghana":
    "accra kumasi", "greece": "athens thessaloniki", "hungary": "budapest debrecen", "india":
    "mumbai delhi new_delhi bangalore bengaluru chennai hyderabad pune kolkata", "indonesia": "jakarta bandung",
    "iran": "tehran isfahan", "ireland": "dublin cork galway limerick", "israel": "tel_aviv jerusalem haifa", "italy":
    "rome milan naples turin florence bologna venice genoa", "japan": "tokyo osaka kyoto nagoya sapporo fukuoka",
    "kenya": "nairobi mombasa", "latvia": "riga", "lithuania": "vilnius kaunas", "mexico":
    "mexico_city guadalajara monterrey", "morocco": "casablanca rabat marrakesh", "netherlands":
    "amsterdam rotterdam utrecht eindhoven groningen the_hague", "new zealand": "auckland wellington christchurch",
    "nigeria": "lagos abuja ibadan", "norway": "oslo bergen trondheim stavanger", "pakistan":
    "karachi lahore islamabad", "peru": "lima cusco", "philippines": "manila cebu", "poland":
    "warsaw krakow kraków gdańsk gdansk wrocław wroclaw poznań łódź", "portugal": "lisbon porto coimbra braga évora",
    "romania": "bucharest cluj iași", "russia": "moscow saint_petersburg", "serbia": "belgrade novi_sad", "south korea":
    "seoul busan incheon daegu daejeon gwangju suwon ulsan jeju", "south africa":
    "cape_town johannesburg durban pretoria", "spain": "madrid barcelona valencia seville bilbao málaga granada cádiz",
    "sweden": "stockholm gothenburg malmö uppsala", "switzerland": "zurich zürich geneva basel bern lausanne",
    "taiwan": "taipei kaohsiung", "thailand": "bangkok chiang_mai", "turkey": "istanbul ankara izmir", "ukraine":
    "kyiv lviv odesa kharkiv", "united kingdom":
    "london manchester birmingham leeds liverpool bristol edinburgh glasgow cardiff belfast sheffield", "united states":
    "new_york boston chicago seattle austin denver portland san_francisco los_angeles miami dallas houston atlanta "
    "philadelphia", "vietnam": "hanoi saigon da_nang",
}  # fmt: skip
_COUNTRY_OF = {city.replace("_", " "): country for country, cities in _CITIES.items() for city in cities.split()}
_PARTS = {"england": "united kingdom", "scotland": "united kingdom", "wales": "united kingdom"}


def may_be_within(one: str, other: str) -> bool:
    """Whether one is a country, and the other a place that lies in it, or in none that is known here."""
    a, b = (_normalize_value(value) for value in (one, other))
    if _is_country(a) == _is_country(b):
        return _PARTS.get(a) == b or _PARTS.get(b) == a
    country, place = (a, b) if _is_country(a) else (b, a)
    return _COUNTRY_OF.get(place, country) in (country, _PARTS.get(country))


def _is_country(value: str) -> bool:
    return "country" in KIND_OF.get(value, ())


def _normalize_value(value: str) -> str:
    low = clean(value).casefold().strip(" .,").removeprefix("the ")
    return ALIASES.get(low, low)
