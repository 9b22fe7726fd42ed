"""Names that are known to be one thing, and short forms of first names."""

from __future__ import annotations

import re
import unicodedata

_KEPT = re.compile(r"[^\w+#]|_")


def loose(name: str) -> str:
    """Small letters and digits alone, with + and # that tell C from C++ and C#. "Neo-vim" → "neovim". "" where there
    are none."""
    return _KEPT.sub("", unicodedata.normalize("NFKC", name).casefold())


# The name that stays, then other names of the same thing. Left out: what may mean two (tf, sf, node, us, who).
_SAME = """
Kubernetes: k8s, kube, 쿠버네티스
Neovim: nvim
PostgreSQL: postgres, psql, pgsql
JavaScript: js, 자바스크립트
TypeScript: ts, 타입스크립트
Visual Studio Code: vscode, vs code
GitHub: gh, 깃허브
GitLab: 깃랩
Docker: 도커
Python: 파이썬
Go: golang
Rust: rustlang
C++: cpp, cplusplus
C#: csharp, c sharp
F#: fsharp
Objective-C: objc
React: reactjs
Vue: vuejs
Svelte: sveltejs
Ruby on Rails: rails, ror
Django: 장고
MongoDB: mongo
RabbitMQ: rmq
GraphQL: gql
Protocol Buffers: protobuf, protobufs
WebAssembly: wasm
scikit-learn: sklearn
regular expression: regex, regexp, regular expressions
large language model: llm, llms, large language models
natural language processing: nlp
artificial intelligence: ai
machine learning: ml
internationalization: i18n, internationalisation
localization: l10n, localisation
accessibility: a11y
observability: o11y
continuous integration: ci
JSON Web Token: jwt
single sign-on: sso
user interface: ui
user experience: ux
command line interface: cli
virtual private network: vpn
Amazon Web Services: aws
Amazon S3: s3
Amazon EC2: ec2
Google Cloud Platform: gcp, google cloud
Google Kubernetes Engine: gke
Microsoft Azure: azure
macOS: os x, osx
Windows Subsystem for Linux: wsl
Red Hat Enterprise Linux: rhel
Oh My Zsh: omz
IntelliJ IDEA: intellij
Hacker News: hn
YouTube: yt, 유튜브
Google: 구글
Massachusetts Institute of Technology: mit
New York City: nyc
Los Angeles: 로스앤젤레스
United Kingdom: uk
United States: usa, united states of america, 미국
European Union: eu
South Korea: republic of korea, 대한민국, 한국
Seoul: 서울
Busan: 부산
Tokyo: 도쿄
"""


def _read() -> dict[str, str]:
    named: dict[str, str] = {}
    for line in _SAME.strip().splitlines():
        stays, _, others = line.partition(": ")
        for name in (stays, *others.split(", ")):
            named[loose(name)] = stays
    return named


# Any of these names in its loose form → the one that stays.
KNOWN_AS = _read()
SPELLINGS: dict[str, tuple[str, ...]] = {}
for _line in _SAME.strip().splitlines():
    _stays, _, _others = _line.partition(": ")
    SPELLINGS[_stays] = (_stays, *_others.split(", "))

_NICKNAMES = """
alexander alex sasha
alexandra alex sasha sandra
andrew andy drew
anthony tony
benjamin ben
catherine cathy kate katie
charles charlie chuck
christina chris tina
christopher chris
daniel dan danny
david dave
deborah debbie deb
edward ed eddie ted
elizabeth liz beth lizzie betty eliza
frederick fred
gregory greg
henry harry hank
jacob jake
james jim jimmy jamie
jennifer jen jenny
jonathan jon
joseph joe joey
joshua josh
katherine kate kathy katie
kenneth ken
lawrence larry
margaret maggie meg peggy
matthew matt
michael mike mick
nicholas nick
patricia pat trish
patrick pat
peter pete
rebecca becky
richard rick dick rich
robert bob bobby rob
ronald ron
samantha sam
samuel sam
stephen steve
steven steve
susan sue
theodore ted theo
thomas tom tommy
timothy tim
victoria vicky
william bill will billy
"""
# A short first name → the full ones it may stand for.
FULL_NAMES: dict[str, frozenset[str]] = {}
for _line in _NICKNAMES.strip().splitlines():
    _full, *_shorts = _line.split()
    for _short in _shorts:
        FULL_NAMES[_short] = FULL_NAMES.get(_short, frozenset()) | {_full}
