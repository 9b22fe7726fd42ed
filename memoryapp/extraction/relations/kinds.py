"""A guess of an entity's type by what is known of its name, by lists, by its form, by the parser's labels; "" where
nothing tells. A person can change it."""

from __future__ import annotations

import re

from memoryapp.domain.entity import EntityType
from memoryapp.extraction.entities.stoplists import LINK_WORDS
from memoryapp.extraction.facts.words import KIN, LIGHT, PERSONAL, TRADES, WORK
from memoryapp.text.wording import word_set

TOOLS = word_set(
    """
    airflow angular ansible anthropic apache arduino asana asyncio aws azure bash bazel bigquery blender bootstrap
    brew c++ c# cassandra celery chatgpt chrome chromium claude clickhouse cloudflare clojure cmake confluence consul
    css cuda curl cypress dagger dart datadog debian deno discord django docker dynamodb duckdb ebpf elasticsearch
    elixir elm emacs erlang eslint excel express fastapi fedora ffmpeg figma firebase firefox flask flink flutter
    fortran gcc gcp gdb gin git github gitlab gmail go golang gradle grafana graphql grpc hadoop haskell helm heroku
    hive homebrew html htmx hugo influxdb ios java jax javascript jenkins jest jira jq julia jupyter k8s kafka keras
    kibana kotlin kubernetes langchain laravel latex linux llvm lua macos makefile mariadb matplotlib maven memcached
    mercurial milvus mongodb mypy mysql neo4j neovim netlify next.js nextjs nginx nix nixos node node.js nodejs npm
    numpy nvim obsidian ocaml ollama openai opencv opentelemetry oracle pandas perl photoshop php pinecone playwright
    pnpm podman postgres postgresql poetry powershell pgvector prisma prometheus pulumi puppet pydantic pytest python
    pytorch qdrant rabbitmq rails react redis redshift rspec ruby ruff rust rustc sass scala scikit-learn scipy
    selenium sentry slack snowflake spacy spark splunk spring sqlalchemy sqlite sqlite3 stripe sublime supabase
    surrealdb svelte swift tailwind tcl telegram temporal tensorflow terminal terraform tmux torch trello typescript
    ubuntu unity uvicorn vagrant vault vercel vim vite vitest vscode vue wasm webassembly webpack windows wireshark
    wordpress xcode yarn zed zig zoom zsh
    """
)
# Those of them that in small letters are mostly something else.
DOUBTFUL_TOOLS = word_set(
    """
    angular apache arduino bash blender bootstrap brew chrome claude confluence dagger dart discord django elm excel
    express flask flink gin gradle hive hugo julia maven node nix obsidian oracle pandas pinecone playwright poetry
    puppet rails react ruby ruff rust salt sass scala selenium sentry slack snowflake spark spring stripe sublime
    swift temporal terminal torch unity vault vercel vitest vite vue windows wireshark yarn zed zig zoom helm go jest
    html css
    """
)
# Given names, which the model misses in short sentences: English-speaking and South Asian ones above all.
GIVEN_NAMES = word_set(
    """
    aaron abby adam adrian aisha akash alan alex alexander alice alicia amanda amelia amir amit amy ana ananya andrea
    andrew andy angela anita anjali ann anna anne anthony antonio arjun arthur asha audrey barbara ben benjamin beth
    bob brandon brenda brian bruno caleb calvin camila carl carla carlos carol caroline catherine charles charlie
    charlotte chloe chris christian christina christine christopher claire clara connor craig cynthia daisy dan dana
    daniel daniela david deborah deepak derek diana diego dmitri donald donna dorothy doug dylan edward elena eli
    elijah elizabeth ella ellen emily emma eric erik erin ethan eva evan eve felix fiona frank fred gabriel gary
    george gina grace greg hannah harry heather helen henry holly hugo ian igor isaac isabel isabella ivan jack
    jackson jacob jake james jamie jan jane janet jasmine jason jay jean jeff jennifer jenny jeremy jerry jesse
    jessica jill jim joan joanna joe joel john jolene jon jonas jonathan jordi jorge jose joseph josh joshua juan judy
    julia julian julie justin karen karl kate katherine kathy katie kavya keith kelly ken kenji kevin kim kiran kyle
    larry laura lauren leah leo leon leonard lena liam lily linda lisa liz lucas lucia lucy luis luke maggie manuel
    marco marcus margaret maria marie mario marta martin mary matt matthew max maya meera megan mei melanie melissa
    mia michael michelle miguel mike mina miriam mohamed molly monica nadia nancy natalie natasha nate nathan neha
    neil nick nicole nikhil nina nisha noah nora oliver olivia omar oscar pablo pamela patricia patrick paul paula
    pedro peter phil philip pooja pranav priya rachel rahul raj rajesh ralph ravi ray rebecca richard rita rob robert
    roberto robin roger rohan ron rosa rose roy ruth ryan sally sam samantha samuel sandra sanjay sara sarah scott
    sean sharon shreya simon sofia sonia sophia sophie stan stefan stella stephanie stephen steve steven sue suresh
    susan tara ted teresa terry theo thomas tim tina toby todd tom tony tracy vera veronica victor victoria vijay
    vikram vincent walter wendy will william yuki yusuf zach zoe
    """
)
# Places whose names sound like given names, and the larger cities.
KOREAN_PLACES = word_set(
    """
    seoul busan daegu incheon gwangju daejeon ulsan sejong suwon jeju seongsu gangnam hongdae pangyo bundang yeosu
    pohang jeonju gangneung sokcho itaewon jamsil yongsan mapo songpa haeundae
    서울 부산 대구 인천 광주 대전 울산 세종 수원 제주 제주도 강남 판교 분당 여수 포항 전주 강릉 속초
    """
)
FAMILY_NAMES = word_set(
    "kim lee park choi jung jeong kang cho yoon jang lim han oh seo shin kwon hwang ahn song"
)  # of Korea
# Adjectives that judge, count or point: they are no part of what a thing is called.
NOT_PART = word_set(
    """
    able actual additional amazing amusing another awesome bad beautiful best better big bigger biggest brand-new
    certain cheap clean clear common complete cool current cute different difficult easy entire exact excellent
    existing fantastic fast favorite favourite few final fine first following former fresh full fun funny further
    general good great hard high huge important initial interesting large larger last latest least less little local
    long lot lots lovely low main major many minor more most much necessary new newer newest next nice old older only
    original other overall own particular perfect popular possible powerful present pretty previous proper quick real
    recent relevant right same second separate serious several short similar simple single slow small smaller solid
    special specific strong such super terrible third tiny top total tough typical unique upcoming useful usual
    various very weird whole wonderful worth wrong young
    """
)
# Nouns that name nothing to hold on to, whatever stands before them.
LIGHT_HEADS = LIGHT | word_set(
    """
    amount area aspect background bottom case change choice code couple day days decade discussion end example
    experience fact feeling goal group half hand hour hours issue issues item job life list look majority minute
    minutes mistake month months morning afternoon evening night none note notes number opinion option order others
    pair percent place places plan plans problem problems progress question questions quick rest result results reason
    reasons round rule season second seconds set side size solution space spot start state step steps story summer
    talk task tasks term terms today tomorrow topic try turn type version view week weekend weeks winter word words
    work world year years yesterday improvement improvements decision decisions conversation hello success
    """
)
PETS = word_set(
    """
    dog dogs puppy pup cat cats kitten kitty pet pets turtle turtles snake fish bird rabbit hamster horse parrot
    tortoise retriever terrier poodle shepherd labrador corgi beagle
    """
)
EVERYDAY = LIGHT | KIN | WORK - TOOLS | PERSONAL | TRADES | LINK_WORDS


PERSON, TOOL, PLACE = EntityType.PERSON.value, EntityType.TOOL.value, EntityType.PLACE.value
ORGANIZATION, PROJECT, CONCEPT = (
    EntityType.ORGANIZATION.value,
    EntityType.PROJECT.value,
    EntityType.CONCEPT.value,
)

# What the small model calls names. Its labels are right of people and places mostly, of tools hardly ever.
_LABELS = {
    "PERSON": PERSON,
    "ORG": ORGANIZATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "PRODUCT": TOOL,
}

_SPACED_TOOLS = frozenset(
    {"vs code", "visual studio code", "google docs", "arch linux", "spring boot", "github actions"}
)

# Given names of Korea as they are romanised: two syllables of the usual few dozen.
_SYLLABLE = (
    r"(?:a|ah|bin|bo|chae|chan|da|do|dong|eui|eun|ga|gi|gun|gyu|ha|hae|hee|ho|hoon|hun|hui|hwan|hye|hyeon|hyo|hyuk|hyun|"
    r"i|il|in|ja|jae|jeong|ji|jin|jo|joo|joon|ju|jun|jung|ki|kwang|kyu|kyung|mi|min|mo|myung|na|nam|ra|ri|rin|sang|se|seo|"
    r"seok|seong|seul|seung|si|so|soo|sol|su|sun|sung|tae|u|un|uk|won|woo|ye|yeon|yeong|yi|yo|yong|yoo|yoon|young|yu|"
    r"yul|yun)"
)
_KOREAN_GIVEN = re.compile(rf"{_SYLLABLE}-?{_SYLLABLE}", re.IGNORECASE)
_SYLLABIC_LEAST = 4  # letters; “Hana” and “Java” would both pass a shorter one
_NOT_GIVEN = word_set("java kaja hana soda yoga juju sari mono haha mini gin")
FIRM = re.compile(
    r"\b(?:Inc|Ltd|GmbH|Corp|Corporation|LLC|Company|University|Institute|Foundation|Labs?|Bank|School|College|Studios?|"
    r"Group|Agency|Hospital|Ministry|Team|Club|Choir|Society|Association|Analytics|Technologies|Electronics)\.?$"
)
SITE = re.compile(r"\b(?:City|Street|River|Park|Bridge|Island|Mountain|Lake|Station|Airport|Valley|Beach|Palace)$")
_ODD = re.compile(r"[A-Z].*[a-z][A-Z]|[a-z][A-Z]|\d|[.+#_/]")


def kind_of(name: str, *, label: str = "", known: str = "") -> str:
    """`label`: the model's (“PERSON”); `known`: the entity's own type, which is no guess."""
    if known:
        return known
    small = name.lower()
    if small in TOOLS or small in _SPACED_TOOLS:
        return TOOL
    if FIRM.search(name):
        return ORGANIZATION
    if small in KOREAN_PLACES or (SITE.search(name) and " " in name):
        return PLACE
    if _LABELS.get(label) == PLACE and name[:1].isupper() and small.split()[0] not in GIVEN_NAMES:
        return PLACE
    if is_given(name):
        return PERSON
    first, _, more = small.partition(" ")
    if more and first in TOOLS:  # “Kafka Connect”
        return TOOL
    if first == "project" and more:
        return PROJECT
    if _ODD.search(name):
        return TOOL
    # In small letters the model labels by chance; and one word that it takes for a firm may as well be a tool.
    guess = "" if name.islower() else _LABELS.get(label, "")
    return "" if guess == ORGANIZATION and " " not in name else guess


def is_given(name: str) -> bool:
    """Whether it opens with a given name, or is a Korean one: “Priya”, “Adam Kim”, “Kim Minsu”, “Jiwon”."""
    words = name.split()
    if not words or len(words) > 3 or not all(word[:1].isupper() for word in words):
        return False
    if words[0].lower() in GIVEN_NAMES:
        return True
    given = words[1] if len(words) == 2 and words[0].lower() in FAMILY_NAMES else words[0]
    small = given.lower()
    return len(small) >= _SYLLABIC_LEAST and small not in _NOT_GIVEN and bool(_KOREAN_GIVEN.fullmatch(given))
