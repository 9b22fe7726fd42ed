"""What only one fills at a time: a dentist, a boss, a favourite author, the provider of payments; and brands
of one kind.
Data only, from general knowledge, loosely: for weighing two statements, not for sure rules.
"""

from __future__ import annotations

from memoryapp.detect.words import stem

_ROLES = """
teacher teaches taught
dentist
doctor gp gps physician practice
cardiologist
dermatologist
physiotherapist physio
optician
orthodontist
lawyer represented attorney solicitor
boss manager reports supervisor manages managing managed
tutor
thesis supervisor adviser advisor
treasurer
secretary
chair chairs chaired chairman chairwoman
president presides
director directs
ceo
cto
cfo
lead leads led head heads leading runs run charge
responsible charge handles looks
owner owns owned ownership
maintainer maintains maintained
insurer insured insurance insures
bank banks banking account
payment payments
contractor builder hired
caterer catering
coach coaches coached trainer
captain
landlord landlady
accountant accounting bookkeeping
agent agency
hairdresser barber
vet
author writer wrote written
composed composer
designed architect
painted painter
founded founder
built builder
invented inventor
discovered
cause caused
band
hotel staying stay stays booked villa apartment
venue held takes hold place rehearses rehearsal rehearse practice meets
wedding marrying married ceremony
school attends kindergarten nursery goes primary year
breed
employer works work job company
headquarters headquarter hq head-office based
host hosts hosting hosted
editor edits
capital
supports fan supporter club
therapist therapy
nanny babysitter childminder
cleaner cleans
mechanic garage
sponsor sponsors sponsored
publisher published publishes
supplier supplies supplied
courier delivers delivery
printing printer prints printed
mentor mentors
contact
dating seeing girlfriend boyfriend partner
wife husband married marries spouse
fiancé fiancée engaged
called name named known address addressed goes
bike rides ride
camera pictures photos
blood
drums drummer
approves approved approval
supervises supervised
cleans cleaned cleaning
surname
on-call pager call
reading pick picked read
topic about subject
provider provided provides
broker queue talk
electricity power
internet broadband connection
airline fly flying flies flight
drives car
phone
laptop computer
watch
plays position
votes vote voted voting
majoring major
studies studying degree
born birthplace
lives living moved home flat house resides
library module written built build builds framework
editor ide
wiki documentation docs
tracker tickets tracked
chat chats messenger
deployed deploy runs hosted cloud region
database stored stores data
monitoring alerts dashboards metrics
logo colour color painted
designer designs designed
backup backups
favourite favorite best loves
moderator moderates facilitates facilitator
scrum
pastor priest rabbi imam
goalkeeper goal
drummer drums
singer sings vocals
winner won win wins champion
organiser organises organizes organising runs
"""
ROLES: dict[str, frozenset[int]] = {}  # stem → the roles it may tell of
for _n, _line in enumerate(_ROLES.strip().splitlines()):
    for _word in _line.split():
        ROLES[stem(_word)] = ROLES.get(stem(_word), frozenset()) | {_n}

_BRANDS = {
    "car": "volvo bmw audi toyota honda ford hyundai kia volkswagen vw mercedes fiat renault peugeot skoda "
    "mazda nissan "
    "opel seat citroën tesla subaru suzuki mini jeep dacia lexus porsche",
    "phone": "iphone pixel samsung galaxy nokia fairphone oneplus xiaomi motorola huawei",
    "bank": "ing bunq triodos revolut n26 barclays hsbc santander monzo chase lloyds natwest rabobank abn wise "
    "starling "
    "commerzbank sparkasse ubs nordea danske swedbank",
    "payments": "stripe adyen paypal mollie klarna braintree square worldpay sumup",
    "insurer": "allianz axa zurich aviva generali ergo huk admiral aegon",
    "browser tests": "cypress playwright selenium puppeteer testcafe nightwatch webdriverio",
    "unit tests": "pytest unittest jest vitest mocha jasmine junit testng rspec",
    "queue": "rabbitmq kafka sqs nats activemq pulsar celery zeromq mqtt",
    "state": "redux zustand mobx recoil pinia vuex jotai ngrx",
    "mobile": "flutter swift kotlin swiftui xamarin ionic cordova expo",
    "frontend": "react vue angular svelte solid ember jquery htmx preact elm",
    "backend": "django flask fastapi rails laravel express nestjs spring symfony phoenix gin",
    "meta": "next.js nuxt remix gatsby astro hugo jekyll eleventy sveltekit",
    "club": "ajax feyenoord psv arsenal chelsea liverpool tottenham spurs everton barcelona bayern dortmund "
    "juventus milan "
    "inter roma napoli celtic rangers benfica sporting porto leeds",
    "monitoring": "datadog grafana prometheus newrelic splunk dynatrace honeycomb zabbix nagios",
    "errors": "sentry rollbar bugsnag",
    "video": "zoom webex meet jitsi skype",
    "chat": "slack discord mattermost zulip teams telegram whatsapp signal",
    "documents": "sharepoint dropbox onedrive box nextcloud confluence",
    "notes": "evernote obsidian notion onenote bear roam logseq joplin",
    "tracker": "jira linear trello asana youtrack shortcut basecamp clickup monday redmine",
    "design": "figma sketch penpot canva",
    "passwords": "1password bitwarden lastpass keepass dashlane",
    "mail": "gmail outlook proton fastmail thunderbird",
    "flags": "launchdarkly unleash flagsmith growthbook",
    "warehouse": "snowflake bigquery redshift databricks clickhouse",
    "identity": "auth0 okta keycloak cognito",
    "hosting": "aws azure gcp hetzner heroku digitalocean vercel netlify linode ovh render",
    "registry": "npm yarn pnpm bun pip poetry uv conda pipenv",
    "bundler": "webpack vite esbuild rollup parcel turbopack",
    "provisioning": "terraform pulumi ansible chef puppet cloudformation salt",
    "infrastructure": "kubernetes nomad ecs swarm",
    "music": "spotify tidal deezer qobuz",
    "streaming": "netflix hulu disney hbo prime",
    "supermarket": "aldi lidl tesco sainsbury waitrose rewe edeka carrefour asda morrisons jumbo",
    "airline": "lufthansa ryanair klm easyjet delta emirates finnair sas",
    "courier": "dhl ups fedex dpd hermes usps gls",
    "telecom": "vodafone telekom o2 orange verizon swisscom telia kpn telenor",
    "newspaper": "guardian times telegraph economist",
    "editor": "vim neovim emacs vscode pycharm intellij sublime helix zed cursor webstorm xcode eclipse nano",
    "shell": "bash zsh fish powershell nushell tcsh",
    "system": "ubuntu debian fedora arch macos windows nixos centos alpine freebsd linux",
    "proxy": "nginx apache caddy traefik haproxy envoy",
    "search": "elasticsearch opensearch solr meilisearch typesense algolia",
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo cassandra dynamodb oracle cockroachdb",
    "language": "python javascript typescript rust go golang java kotlin ruby php scala elixir haskell clojure "
    "perl c++ c#",
    "protocol": "rest graphql grpc soap",
    "format": "json xml yaml csv toml protobuf parquet avro",
    "diet": "vegan vegetarian pescatarian omnivore",
    "faith": "catholic muslim jewish hindu buddhist atheist protestant anglican lutheran orthodox agnostic",
    "party": "labour conservatives conservative greens liberals democrats republican republicans "
    "social-democrats tory green",
}
BRANDS: dict[str, frozenset[str]] = {}  # word → the kinds of which it is one
for _kind, _members in _BRANDS.items():
    for _word in _members.split():
        BRANDS[_word] = BRANDS.get(_word, frozenset()) | {_kind}
