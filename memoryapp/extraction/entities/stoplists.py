"""Words that look like names and are not: lists for `concepts`, each with the place where it misled."""

from __future__ import annotations

from memoryapp.text.wording import word_set

# Link texts and folder names that say what a page is, not what it is about.
LINK_WORDS = word_set(
    """
    archive archives article assets blog click code daily details diary doc docs documentation drafts example
    examples execute files guide here home image images img inbox index info issue journal journals link location
    log logs manual memories memory misc more note notebook notes official output page pages post posts private
    products project projects public read readme reference repo repository resources site source source-code src
    template templates test tests the this tips tmp todo tutorial update video website wiki 기록 노트 링크 메모
    문서 여기 일기 일지 자료 폴더
    """
)

# Words of computing and of every day: in code spans, in menus, at the head of sentences. Not names by themselves.
COMMON_WORDS = word_set(
    """
    abort action actions active added admin age alias allow alt amount analyze and any app append application apply
    apps area arg args argument arguments array arrays article assert assign assuming attributes author authors auto
    avg backend bar base basename basic baz begin between bin binary binding black block blue body book books bool
    boolean bottom box branch break build bundle button byte callback cancel capture case catch category change
    chapter char character check child children choice class click client clipboard close code collection color
    column columns combine command comment commit component compute computer condition config configure connect
    connection console const constraint constraints container content context continue control convert cookies copy
    core cost count create creating credential credentials current cursor customer cut dark data date day debug
    decimal def default defaults del delete deleted demo dependencies depends deploy describe description design
    destination destroy detail detect dev developer development device dict diff digest dir directory dirs disable
    disabled discounts dispatch display div do document double down drop dump each echo edit editor element elif
    else email enable enabled end engine ensure enter entry enum env environment equals err error event events every
    example exception executable exit expand expect expected explain export extend extends fail false feature fetch
    fi field fields figure file filename filter final finally find first fix flex float folder followers foo for
    form format free from frontend func function fuzzy get global goal goto green group guests handle hash head
    header headers height help hidden history hit hitting home hook host hour id idea identifier identify if ignore
    image import in inactive increment indent index indexes init initialize inner input insert install instance int
    integer interface internal internet interval into is issue item items job join joins kernel key keys kill kind
    lambda language last layer layout leading left legacy length less lesson let level library license lighten limit
    line lines link links list listen lists live load loader loading local locals location lock log login long loop
    lower machine mail main man map mark master match max measure members memory menu merge message meta metadata
    method methods microseconds min minute minutes mode model modify module moment month move multiple name named
    naming nan navigate network new next night nil node none normal not note notify null num number object of off
    offset oid old on one opacity open option options or order ordering origin outer output outputs owner package
    page param params parse parser part parts pass password patch path paths pattern peer pending people person
    phase picture pipe place plan plugin point pop port ports position post prepare presence preserve previous
    primary print private problem process product production profile program project prop property props protected
    proxy public publish pull push put query question quick quote raise rand random range read reading reason rebase
    received record records red redirect reduce reductions ref reference release reload remote remove rename render
    repeat replace replica report reporting req request require res rescue reservations reset resp response rest
    restart restore result results retry return returning rev reverse review right ring role roles rollback root
    rotate router routes row rows rule run sample save scale schedule schema scope score screen script scripts
    search seconds secret secrets section seed seen select self send separator seq sequence serial serializer server
    service session set setting setup shape short shortcut show side sign signal size skill sleep slices slug solve
    some sort sorted source space span specify spell split sql stack stage staging start started state statement
    static stats status stderr stdin stdout step stop store str strategy string strip struct structure style subject
    substring sum summary super support switch symbol syntax system tab table tag tags tail target task team teams
    temp test text textarea then thing this three throw ticket time timeout timestamp title to token tokens tool top
    topic track trailing trap tree trick trim true truncate try tuple tuples turn type types typing undefined
    underline union unique unit unsigned until up update upper url usage use user username users using val valid
    value values var variables verbose version view views virtual visible void wait walk warning water web week when
    where while wide width window with word work worker workflow world write year yellow yes yield zero zip
    """
)

# Capitalised at the head of a sentence or in a heading, but no names.
OPENERS = word_set(
    """
    a about above according actually add added adding additionally after afterwards again ah all along also
    alternatively although always an and another any anyway are as ask at awesome basically be because before below
    besides blocked both btw bug bugs but by bye call called calling can cannot change changed changes changing
    check choose clearly click congrats congratulations consequently consider cool could create currently customize
    day days decided decision decisions despite did do docs does done during each either eventually ever every
    everyone everything exactly example examples except execute feel few finally find first firstly fix fixed fixes
    fixing follow following for fortunately from further furthermore generally get getting give given go going good
    got great had haha happy has have having he hello hence her here here's hey hi him his hope how however i i'd
    i'll i'm i've idea ideas if imagine important in include including indeed initially inside instead interestingly
    into is it it's its just keep lastly later learned least let let's lets like likewise look looking luckily make
    many maybe me meanwhile meeting might mine more moreover morning most moved much must my namely need never
    nevertheless new next nice no none nope nor not note notes notice now of off often oh ok okay on once one only
    open optional or other others otherwise our out over overall overview own per perfect perhaps please pretty
    previously probably problem problems provided put question questions rather read really recall recently
    regardless related remember result results right run running said same say second secondly see seems set several
    shall she shipped should show similarly simply since so some someone something sometimes soon sorry sounds
    source specifically start step steps still stop such summary sure surely take tell test than thank thankfully
    thanks that that's the their them then there thereby therefore these they thing things think third this those
    though through thus tip to today todo together tomorrow tonight too totally true try two type typically
    ultimately unfortunately unless unlike until up update updated updates use used useful using usually version
    very via wait want was watch way we welcome well were what what's whatever when whenever where whereas wherever
    whether which while who whoever whole whom whose why will wish with within without wonder would wow yeah yep yes
    yesterday yet you your yours
    """
)

# What counts and dates: units and days.
DATE_WORDS = word_set(
    """
    gb gbps ghz gib hz kb kbps khz kib mb mbps mhz mib tb tib
    am apr april aug august dec december feb february fri friday fridays gmt jan january jul july jun june kst mar march
    may mon monday mondays nov november oct october pm q1 q2 q3 q4 sat saturday saturdays sep sept september sun sunday
    sundays thu thur thurs thursday thursdays tue tues tuesday tuesdays utc wed wednesday wednesdays
    """
)

TITLES = word_set("mr mrs ms dr prof sir dame")


def is_common(word: str) -> bool:
    """One of COMMON_WORDS or OPENERS, or a plain inflection of one."""
    small = word.lower()
    if small in COMMON_WORDS or small in OPENERS:
        return True
    for ending, put in (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e")):
        if len(small) > len(ending) + 2 and small.endswith(ending):
            stem = small[: -len(ending)] + put
            if stem in COMMON_WORDS or stem in OPENERS or (stem[:-1] + "" in COMMON_WORDS and stem[-1:] == stem[-2:-1]):
                return True
    return False
