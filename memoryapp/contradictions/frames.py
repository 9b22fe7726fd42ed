"""Many phrasings, one attribute: what each slot is called, whether it holds one value, how people say it. Data only.

In a pattern `S` is the subject and `V` the value; both are cut to size by `slots`. A frame is tried only where one of
its words occurs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

NOBODY = "none"  # the value of a slot that is left empty: unemployed, no allergies


@dataclass(frozen=True, slots=True)
class Frame:
    """`guard`: what a value must look like (name: a capital; time; number; any). `turn`: says that it was otherwise."""

    attribute: str
    words: frozenset[str]
    pattern: re.Pattern[str]
    functional: bool = True
    guard: str = "any"
    positive: bool = True
    turn: bool = False
    value: str | None = None


_S = r"(?P<s>.{1,60}?)"
_V = r"(?P<v>.{1,80}?)"
_IS = r"(?:is|are|am|was|were)"
_WHEN = (  # lately, so that the age is still the same
    r"(?:yesterday|(?:last|this) (?!year)\w+|on (?!.*\d{4}).{3,30}|\d+ (?:days?|weeks?) ago|in (?:january|february|"
    r"march|april|may|june|july|august|september|october|november|december))"
)
_HOME = r"(?:flat|apartment|house|room|place|studio|condo|home|loft)"
_SHORT = {"HOME": _HOME, "IS": _IS, "WHEN": _WHEN, "NAME": r"(?-i:[A-Z]|i[A-Z])[\w.+#]*"}


def _frame(attribute: str, words: str, pattern: str, **more: Any) -> tuple[Frame, ...]:
    """One frame for each phrasing of `pattern`, parted by “ || ”."""
    return tuple(
        Frame(attribute, frozenset(words.split()), _compile_frame(way), **more) for way in pattern.split(" || ")
    )


def _compile_frame(way: str) -> re.Pattern[str]:
    text = re.sub(r"\bS\b", lambda _: _S, way)
    text = re.sub(r"\bV\b", lambda _: _V, text)
    return re.compile(re.sub(r"\b(?:HOME|IS|WHEN|NAME)\b", lambda word: _SHORT[word.group()], text), re.IGNORECASE)


_ROLE = (
    r"(?:ceo|cto|cfo|coo|cpo|ciso|chief [\w ]{3,25}|president|vice president|prime minister|chancellor|mayor|king|"
    r"queen|"
    r"director|managing director|head of [\w ]{2,25}|(?:team |tech |technical |project |engineering |design |"
    r"product )?lead|"
    r"(?:team |tech )leader|(?:engineering|product|project|office|release|account) manager|product owner|scrum master|"
    r"(?:lead |main |primary |sole )?maintainer|owner|captain|coach|chair|chairman|chairwoman|treasurer|secretary|"
    r"(?:point of )?contact|on-call(?: engineer)?|landlord|principal|editor-in-chief|goalkeeper|first author)"
)
_ALL: tuple[tuple[Frame, ...], ...] = (
    # where somebody lives
    _frame("lives in", "live lives reside resides living residing based dwell dwells",
           r"S (?:IS )?(?:live|lives|reside|resides|living|residing|dwells?|based)(?: alone| together)?"
           r"(?: with .{1,30}?)? (?:in|at|near|out of) V", guard="place"),
    _frame("address", "live lives living resides residing moved relocated",
           r"S (?:IS |has |have )?(?:lives?|living|resides?|residing|moved|relocated)(?: (?:in|into|to) (?:an?|the|his|"
           r"her|their)(?: new)? HOME)? (?:on|at|to|into|in) V", guard="address"),
    _frame("lives in", "moved relocated relocating moving settled emigrated",
           r"S (?:(?:has|have|IS) )?(?:moved|relocated|relocating|moving|settled down|settled|emigrated|moved house) "
           r"(?:over |back |away |down |up )?(?:from .{2,30}? )?(?:to|into) V || S (?:has |"
           r"have )?settled(?: down)? in V", guard="place", turn=True),
    _frame("lives in", "rent rents renting bought owns shares",
           r"S (?:IS )?(?:rents?|renting|bought|has bought|owns|shares|purchased) (?:a|an|the|his|her|"
           r"their)(?: \w+)? HOME in V",
           guard="name"),
    _frame("lives in", "home", r"S (?:calls|call|made|makes) V (?:my|his|her|their )?home", guard="name"),
    _frame("lives in", "home", r"S (?:has|have) (?:my|his|her|their) (?:(?:1|one) and only |only )?home in V",
           guard="name"),
    _frame("lives in", "home", r"home for S is V || S's home is (?:in )?V", guard="name"),
    _frame("lives in", "resident", r"S IS a (?:permanent )?resident of V", guard="name"),
    _frame("lives in", "away out live lives",
           r"S (?:(?:has |have )?moved (?:away from|out of)|(?:does|do) not live in|"
           r"no longer lives? in) V", guard="name",
           positive=False, turn=True),
    # where somebody works
    _frame("works at", "work works working employed interns job",
           r"S (?:IS )?(?:works?|working|employed|interns?|has a job|have a job|works full-time|works part-time) "
           r"(?:as (?:an? )?[\w -]{2,40} )?(?:at|for|by|with) V", guard="name"),
    _frame("works at", "joined starts started hired accepted job offer",
           r"S (?:(?:has|have) )?(?:joined|starts at|started at|started working at|started working for|"
           r"started a new job at|"
           r"(?:was |got )?hired by|got a job at|found a job at|took a job at|accepted (?:a job|an offer|"
           r"a position) (?:at|from)|"
           r"has a new job at|have a new job at) V", guard="name", turn=True),
    _frame("works at", "left quit resigned laid fired longer work stopped",
           r"S (?:(?:has|have) )?(?:left|quit|resigned from|stopped working (?:at|for)|no longer works? (?:at|for)|"
           r"(?:does|do) not work (?:at|for)|(?:was |got )?(?:laid off|fired|let go) (?:from|by)) V", guard="name",
           positive=False, turn=True),
    _frame("works at", "retired unemployed jobless redundant lost between",
           r"S (?:IS |has |have |got )?(?:retired|unemployed|jobless|made redundant|lost (?:his|her|their|my) job|"
           r"between jobs|out of work)(?: .*)?", value=NOBODY, turn=True),
    # what somebody is
    _frame("job", "works work working job promoted became trained",
           r"S (?:(?:IS )?(?:works?|working|employed)|(?:was |got )?promoted to|became|retrained|switched to being|"
           r"has a job|have a job) (?:as )?(?:an?|the)? ?V", guard="job"),
    _frame("job", "is am are became", r"S (?:IS|became) an? V", guard="job"),
    _frame("married to", "married wed", r"S (?:IS |got |has been |has |just )?(?:married|wed)(?: to)? V", guard="name"),
    _frame("married to", "wife husband spouse", r"V IS S's (?:wife|husband|spouse) || V IS the (?:wife|husband|"
        r"spouse) of S",
           guard="name"),
    _frame("marital status", "single bachelor dating girlfriend boyfriend broke married engaged divorced widowed wife "
        "husband "
           "separated unmarried fiancé fiancée relationship",
           r"S (?:IS |got |has been |have been |became |has |have |broke |seeing )?(?:happily |newly |in )?"
           r"(?P<v>single|a bachelor|unmarried|married|engaged|divorced|widowed|a widow|a widower|separated|dating|"
           r"a (?:serious |long-term )?relationship|a girlfriend|a boyfriend|a wife|a husband|a fiancée?|up with|"
           r"(?:his |her |my )(?:wife|husband))(?: .*)?", guard="marital"),
    # names, ages, births
    _frame("name", "named called goes nicknamed renamed",
           r"S (?:IS |was )?(?:named|called|nicknamed|renamed(?: to| as)?|goes by)(?: the name)? V", guard="name"),
    _frame("name", "call called", r"(?:please )?(?:just )?call (?P<s>me) V || S (?:wants?|prefers?|likes?|"
        r"would like) to be called V", guard="name"),
    _frame("nickname", "call", r"S's friends call (?:him|her|them) V", guard="name"),
    _frame("birthday", "born birthday", r"S IS born on V || S's birthday (?:IS|falls)(?: on)? V || "
        r"S celebrates? (?:his|her|their|my) birthday on V",
           guard="date"),
    _frame("born in", "born", r"S (?:IS|was) born (?:in the (?:city|country|town) of|in|at) V"),
    _frame("died in", "died", r"S died (?:in the (?:city|country) of|in|on) V"),
    _frame("age", "years old turned aged is am birthday", r"S (?:IS|turned|has turned|aged) (?P<v>\d{1,3})"
           r"(?: years? old| years of age)? || S (?:has )?turned (?P<v>\d{1,3})(?: years? old)? WHEN || "
           r"S (?:celebrated|had) (?:his|her|their|my) (?P<v>\d{1,3})(?:st|nd|rd|th) birthday(?: WHEN)?", guard="age"),
    _frame("from", "from native hails", r"S (?:IS from|comes from|hails from|is a native of|grew up in|"
        r"was raised in) V",
           guard="name"),
    _frame("speaks", "speak speaks fluent", r"S (?:(?:can )?speaks?|IS fluent in|IS a native speaker of)(?: \w+ly| "
           r"fluent| some| good| native| a little)? V", guard="language", functional=False),
    _frame("speaks", "speak speaks", r"S (?:speaks? no|(?:does|do|can) not speak(?: any)?) V", guard="language",
           functional=False, positive=False),
    _frame("speaks natively", "native mother", r"S's (?:native language|mother tongue|first language) IS V"),
    # who does what in a project
    _frame("role", "is became took named acts leads", rf"V (?:IS|became|took over as|was named|acts as|serves as|"
        rf"has become|will be) "
           rf"(?:the|our|my|their)?(?: new| current| acting)? ?(?P<role>{_ROLE})(?: (?:of|for|at|in|"
           rf"on) S)?", guard="name"),
    _frame("lives in", "is are", r"(?P<s>(?:the|our) .{1,50}?) IS (?:located |situated )?in V", guard="place"),
    *(
        ways
        for role, active, passive in (
            ("lead", "leads heads runs", "led headed run"), ("manager", "manages", "managed"),
            ("maintainer", "maintains", "maintained"), ("owner", "owns", "owned"), ("chair", "chairs", "chaired"),
            ("captain", "captains", "captained"), ("author", "authored", "authored"),
        )
        for ways in (
            _frame(role, active, rf"V (?:{active.replace(' ', '|')}) (?:the|our) S", guard="name"),
            _frame(role, passive, rf"S IS (?:{passive.replace(' ', '|')}) by V", guard="name"),
        )
    ),
    _frame("manager", "reports report reporting", r"S (?:IS )?(?:reports?|reporting)(?: directly)? to V", guard="name"),
    _frame("manager", "boss manager supervisor supervises manages", r"V IS S's (?:boss|manager|supervisor|"
        r"line manager) || V (?:manages|supervises) S",
           guard="name"),
    # things of a project
    _frame("licence", "licensed licence license released relicensed published under",
           r"(?:we |they )?(?:IS )?(?:release|released|relicense|relicensed|publish|published|license|licensed|"
           r"distribute|moved|switched|put) S "
           r"(?:under|to)(?: the| an?)? V(?: licen[cs]e)?", guard="licence"),
    _frame("licence", "licensed license licence released available published distributed under",
           r"S (?:IS |uses |has |comes )?(?:dual-)?(?:licensed|released|available|published|distributed|relicensed|"
           r"open-sourced)?"
           r"(?: under| with)?(?: the| an?)? ?V(?: licen[cs]ed?)?", guard="licence"),
    _frame("stored in", "stores store keeps saves persists stored kept data database",
           r"S (?:IS )?(?:stores?|keeps?|saves?|persists?|stored|kept|saved|persisted)(?: (?:its|all|our|the|their|"
           r"user|all its|all our))*"
           r"(?: data)? in V", guard="database"),
    _frame("stored in", "moved migrated switched", r"S (?:was |has |have |has been )?(?:moved|migrated|switched)"
           r"(?: over)?(?: from .{2,30}?)? to V", guard="database", turn=True),
    _frame("stored in", "database backed powered moved migrated ported",
           r"(?:the |our )?(?:main |primary )?database (?:of|for|behind) S IS V || "
           r"(?:we|they|i|the team) (?:have )?(?:moved|migrated|ported) (?!from )S(?: from .{2,30}?)? to V || "
           r"S IS backed by V || S (?:runs on|has) (?:an? )?V (?:as (?:its |the )?)?(?:database|"
           r"backend)", guard="database"),
    _frame("editor", "editor ide code codes programs edits programming editing",
           r"S (?:IS )?(?:writes? code|codes?|programs?|edits?|does (?:his|her|their|all) (?:coding|editing|"
           r"programming)|"
           r"edits? code|programming|coding|develops?) (?:in|with|using) V", guard="editor"),
    _frame("editor", "editor ide", r"S (?:uses?|IS using|switched to|moved to) V (?:as|for) (?:(?:his|her|their|my|"
        r"an?|the) )?"
           r"(?:main |default |primary )?(?:editor|ide|coding|editing|programming)", guard="editor"),
    _frame("os", "runs run running uses use installed have", r"[^ ]+(?: [^ ]+)? (?:IS )?(?:runs?|running|uses?|have|"
        r"has|installed)(?: installed)? V on S", guard="os"),
    _frame("os", "runs run running uses installed boots ubuntu", r"S (?:IS )?(?:runs?|running|boots?|"
        r"is on)(?: on)? V", guard="os"),
    _frame("port", "port", r"S (?:IS )?(?:runs?|running|listens?|listening|served|serves|reachable|exposed|"
        r"available|accessible|is|binds?|bound)?"
           r" ?(?:on|at|to|via|over|uses|has)? ?(?:the )?port (?:number )?(?P<v>\d{2,5})"),
    _frame("branch", "branch merged merge goes go targets", r"S (?:IS )?(?:merged|merge|go|goes|target|targets|"
        r"opened|land|lands) "
           r"(?:into|to|against|on|in)?(?: the)? ?(?P<v>main|master|develop|dev|trunk|staging|release|"
           r"next)(?: branch)?(?: .*)?"),
    _frame("time zone", "zone timezone", r"S (?:IS|lives?|works?) (?:in|on) (?:the )?V (?:time ?zone|time)"),
    _frame("runs on", "runs hosted deployed hosting migrated stored kept", r"S (?:IS )?(?:hosted|deployed|runs?|"
        r"running|lives|stored|kept) (?:on |in |at |with )?V", guard="cloud"),
    _frame("runs on", "migrated moved", r"S (?:was |has |have |has been )?(?:migrated|"
        r"moved)(?: over)?(?: from .{2,30})? to V", guard="cloud", turn=True),
    # numbers of things
    _frame("number of", "has have employs employ owns consists comprises got contains there",
           r"S (?:has|have|employs?|owns?|consists? of|comprises?|contains?|has got|have got|includes?|keeps?) "
           r"(?:exactly |about |around |roughly |at least |over |some |approximately |only )?(?P<v>\d[\d,.]*k?|"
           r"no) (?P<n>[a-z][\w-]*(?: [a-z][\w-]*)?)"
           r"(?: (?:in|at|on|who|that|with|from|named|called|and) .*)?", guard="count"),
    _frame("number of staff", "employs employ work works", r"S (?:employs?|has|have) (?:about |around |roughly |"
        r"over |some )?"
           r"(?P<v>\d[\d,.]*k?) (?:people|staff|workers)(?: .*)? || (?P<v>\d[\d,.]*k?) people work (?:at|for|"
           r"in) S", guard="count"),
    _frame("number of", "there", r"there (?:is|are) (?:about |around |roughly |"
        r"only )?(?P<v>\d[\d,.]*k?) (?P<n>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:in|on|at|of) S",
           guard="count"),
    # as fact bases phrase it
    _frame("citizen of", "citizen", r"S IS an? citizen of V"),
    _frame("", "associated", r"S IS (?P<a>associated with the [\w ]{3,20}? of) V"),
    _frame("", "affiliated", r"S IS (?P<a>affiliated with the [\w ]{3,20}? of) V"),
    _frame("", "located", r"S IS (?P<a>located in the [\w ]{3,20}? of) V"),
    _frame("", "position speaks works plays", r"S (?P<a>plays the position of|speaks the language of|"
        r"works in the field of|plays for) V"),
    _frame("", "created founded written performed developed produced composed directed designed invented discovered "
           "formed established published built painted",
           r"S (?:IS|was) (?P<a>(?:created|founded|written|performed|developed|produced|composed|directed|designed|"
           r"invented|"
           r"discovered|formed|established|published|built|painted)(?: (?:by|in(?: the [\w ]{3,20}? of)?))) V"),
    _frame("famous for", "famous", r"S IS (?:most )?famous for V", guard="name"),
    _frame("", "headquartered", r"S IS (?P<a>headquartered in) V", guard="name"),
    # what is done one way at a time
    _frame("commutes by", "commutes commute work office school",
           r"S (?:commutes?|goes to (?:work|school|the office)|gets to (?:work|school|the office)|travels to work|"
           r"comes to work|comes to the office) "
           r"(?:by|on|via|with) (?:an? |the |his |her |their )?V", guard="transport"),
    _frame("commutes by", "takes rides drives walks cycles bikes take ride drive walk cycle bike",
           r"S (?P<v>takes? the (?:bus|train|subway|metro|tram|car)|rides? (?:a|the|his|her|their) bike|drives?|"
           r"walks?|cycles?|bikes?) to (?:work|school|the office|campus)",
           guard="transport"),
    _frame("answers in", "answer answers reply replies respond responses answered written write messages "
        "communicate language",
           r"S (?:wants?|prefers?|expects?|likes?|asks? for|asked for|would like) (?:all |the |my |its |to get |"
           r"to receive |short |long )*(?:answers?|replies|responses|messages|to be answered|explanations?|output)"
           r"(?: to be)?(?: written)? in V || (?:please |always )*(?:answer|reply|respond|write)(?: to)? (?P<s>me|"
           r"the user|him|her|them)? ?in V || "
           r"(?:answers?|replies|responses|messages) (?:for|to) S (?:IS|should be|must be)(?: written)? in V || "
           r"S prefers? V for (?:answers|replies|responses|chat|conversation)", guard="language"),
    _frame("written in", "written implemented coded programmed rewritten ported rewrote built",
           r"S IS (?:mostly |mainly |entirely )?(?:written|implemented|coded|programmed|"
           r"built) in V", guard="programming"),
    *(
        ways
        for attribute, kind in (("written in", "programming"), ("built with", "framework"))
        for ways in (
            _frame(attribute, "rewritten ported migrated moved converted switched",
                   r"S (?:IS |has been |have been |has |have )?(?:rewritten|ported|migrated|moved|converted|switched)"
                   r"(?: over)?(?: from .{2,30}?)? (?:in|to) V", guard=kind, turn=True),
            _frame(attribute, "rewrote ported migrated moved converted switched",
                   r"[^ ]+(?: [^ ]+)? (?:rewrote|ported|migrated|moved|converted|switched) (?!from )S(?: over)?"
                   r"(?: from .{2,30}?)? (?:in|to) V", guard=kind, turn=True),
        )
    ),
    _frame("built with", "written implemented coded built based", r"S IS (?:mostly |mainly |entirely )?(?:written|"
           r"implemented|coded|built|based) (?:in|with|on|using) V", guard="framework"),
    _frame("minimum", "requires require needs need supports support runs minimum",
           r"S (?:requires?|needs?|supports?|runs on) (?:a )?minimum (?:of )?(?P<n>NAME) (?:version )?V || "
           r"S requires? (?P<n>NAME) (?:version )?V || S (?:requires?|needs?|supports?|runs on) (?P<n>NAME) "
           r"(?:version )?V (?:or|and) (?:later|newer|above|higher|up|greater)", guard="version"),
    _frame("", "deploys deployed deploy hosts hosted authenticates authenticated logs sends sent backed "
        "studies study studied belongs "
           "graduated majors tracked monitored managed handled processed built tested styled "
               "published live lives backs meets meet sleeps",
           r"S (?:IS )?(?P<a>(?:deploys?|deployed|pushes|pushed) to|hosted (?:on|by|at|with)|authenticates? (?:with|"
           r"via|through|against)|logs? to|"
           r"sent (?:via|through|with|by)|(?:sends?|delivers?) (?:\w+ )?(?:via|through|over)|backed up (?:to|on|in)|"
           r"study at|studies at|studying at|"
           r"belongs? to|majors? in|(?:tracked|monitored|managed|handled|processed|built|tested|styled|"
           r"published) (?:in|with|by|via|on|through|using)|"
           r"backs? up to|sleeps? (?:in|on)) (?:the |an? |our )?V", guard="name"),
    _frame("", "use uses using", r"S (?:IS )?(?:uses?|using|chose|picked|adopted) V (?P<a>(?:for|"
        r"as) [^,]{3,40})", guard="name"),
    _frame("", "used", r"V IS (?:used|chosen) (?P<a>(?:for|as) .{3,40})", guard="name"),
    _frame("kept in", "kept stored keep store stores keeps saved hosted", r"S IS (?:kept|stored|saved|located|"
        r"hosted) (?:in|at|on) V || "
           r"(?:we|they|i) (?:keep|store|save|host) S (?:in|at|on) V", guard="name"),
    _frame("height", "tall", r"S IS V tall"),
    _frame("costs", "free", r"S IS (?:completely |entirely )?free(?: of charge| to use)?", value="0"),
    _frame("weighs", "weigh weighs", r"S weighs? (?:about |around )?V", guard="any"),
    _frame("costs", "costs cost", r"S costs? (?:about |around )?V", guard="any"),
    _frame("pays", "pays pay", r"S pays? V (?:in |as |for )?rent", guard="any"),
    # what one may have several of: only the opposite of the same is a contradiction
    _frame("prefers over", "prefer prefers", r"S prefers? (?P<v>.+? (?:over|to|rather than|"
        r"instead of) .+)", guard="over"),
    _frame("likes", "like likes love loves enjoy enjoys adore adores prefer prefers fond fan into favours keen",
           r"S (?:IS )?(?:likes?|loves?|enjoys?|adores?|prefers?|fond of|(?:a |a big |a huge )?fan of|into|keen on|"
           r"crazy about)"
           r"(?: to)? V", functional=False),
    _frame("likes", "dislike dislikes hate hates stand loathe detest detests avoid avoids like love enjoy "
        "want fan into averse bear handle tolerate",
           r"S (?:IS |does |do |can )?(?:dislikes?|hates?|not (?:stand|bear|handle|tolerate)|loathes?|detests?|"
           r"avoids?|averse to|"
           r"not (?:like|love|enjoy|want|prefer)|not (?:a |a big |much of a )?fan of|not (?:fond of|into|keen on)|"
           r"no longer (?:likes?|loves?|enjoys?|into|fond of)|never (?:liked|enjoys?|likes?))(?: to)? V",
           functional=False, positive=False),
    _frame("allergic to", "allergic allergy allergies intolerant",
           r"S (?:IS|has|have) (?:severely |very |badly )?(?:allergic to|an? (?:\w+ )?allergy to|intolerant (?:to|"
           r"of)) V", functional=False),
    _frame("allergic to", "allergies allergy allergic",
           r"S (?:has|have|IS|does not have|do not have) (?:no|any|no known|not|"
           r"allergic to nothing)(?: any)? ?(?:allergies|allergy|allergic(?: to anything)?|)",
           functional=False, positive=False, value=NOBODY),
    _frame("uses", "use uses using relies works adopted chose built", r"S (?:IS )?(?:uses?|using|relies on|rely on|"
        r"works with|adopted|chose|built (?:with|on)) V", functional=False),
    _frame("uses", "replaced swapped", r"(?:we|they|i) (?:have )?(?:replaced|swapped) V (?:with|by|"
        r"for) .+? in S", functional=False, positive=False, turn=True),
    _frame("uses", "switched moved migrated replaced replaces instead swapped",
           r"S (?:has |have )?(?:switched|migrated|changed) from V to .+ || S (?:has |have )?(?:replaced|"
           r"swapped) V (?:with|by|for) .+ || "
           r"S (?:uses?|using|runs?) .+ instead of V", functional=False, positive=False, turn=True),
    _frame("uses", "switched migrated replaced swapped", r"S (?:has |have )?(?:switched|"
        r"migrated)(?: over)?(?: from .{2,30})? to V || "
           r"S (?:has |have )?(?:replaced|swapped) .+ (?:with|by|for) V", functional=False, turn=True, guard="name"),
    _frame("has", "has have owns own got keeps adopted bought drives rides drive ride", r"S (?:has|have|owns|got|"
        r"has got|keeps|adopted|bought|drives?|rides?) (?:an? |some |\d+ |the )?V", functional=False),
    _frame("has", "has have own owns sold lost gave rid", r"S (?:has no|have no|(?:does|do) not (?:have|own)(?: any|"
        r" an?)?|owns? no|(?:has |have )?sold(?: his| her| their| my)?|gave away(?: his| her| their| my)?|"
           r"(?:has |have )?(?:got|gotten) rid of(?: his| her| their| my)?|no longer (?:has|have|"
           r"owns?)(?: an?)?) V", functional=False, positive=False),
    _frame("has", "own", r"(?P<s>i|we|they|you) own (?:an? |some |the )?V", functional=False),
    _frame("number of sibling", "only", r"S IS an only child", value="0"),
    _frame("number of child", "childless", r"S IS childless", value="0"),
    _frame("drinks", "teetotal teetotaller sober", r"S IS (?:a )?(?:teetotal(?:ler)?|"
        r"sober)", functional=False, positive=False, value="alcohol"),
    _frame("drinks", "drink drinks", r"S (?:IS )?(?:drinks?) V", functional=False),
    _frame("drinks", "drink drinks quit stopped gave", r"S (?:(?:does|do) not drink|never drinks?|quit drinking|"
        r"stopped drinking|gave up drinking) V", functional=False, positive=False),
    _frame("uses", "use uses using stopped dropped", r"S (?:does not use|do not use|no longer uses?|stopped using|"
        r"never uses?|dropped|has dropped|got rid of) V(?: for .+| in favou?r of .+)?",
           functional=False, positive=False, turn=True),
)  # fmt: skip
FRAMES = tuple(frame for ways in _ALL for frame in ways)
