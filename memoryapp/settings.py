"""Django's settings, and the few of our own. Everything that may differ between two installations is an environment
variable, named beside its use; the table of them all is in docs/CONFIGURATION.md."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import dj_database_url

from memoryapp.accounts.secret import private_folder, secret_key
from memoryapp.program import FILES, data_folder


def env(name: str, default: str = "") -> str:
    """An empty variable counts as not set: `NAME= ./run` means the default."""
    return os.environ.get(name, "").strip() or default


def secret(name: str) -> str:
    """A variable, or the content of the file that NAME_FILE names: how containers hand secrets in."""
    file = env(f"{name}_FILE")
    return Path(file).read_text(encoding="utf-8").strip() if file else env(name)


def number(name: str, default: str) -> float:
    """Ends the program with a sentence where it is none: a stack of Python tells nobody which variable is wrong."""
    try:
        return float(env(name, default))
    except ValueError:
        raise SystemExit(f"{name} is “{env(name)}”, and takes a number, such as {default}.") from None


def env_choice(name: str, default: str, *known: str) -> str:
    """One of the known words, in lower case; anything else ends the program with a sentence."""
    said = env(name, default).lower()
    if said not in known:
        raise SystemExit(f"{name} is “{said}”, and takes one of {', '.join(known)}.")
    return said


def split_list(text: str, separator: str) -> list[str]:
    """The parts that hold something, without the blanks around them."""
    return [part.strip() for part in text.split(separator) if part.strip()]


# --- Where things are ---------------------------------------------------------------------------------------------
BASE_DIR = FILES
DATA_DIR = private_folder(data_folder())
STORE_URL = env("MEMORY_STORE_URL", f"surrealkv://{DATA_DIR / 'spaces'}")
SERVER_MODE = STORE_URL.startswith(("ws://", "wss://", "http://", "https://"))
STORE_USER = env("MEMORY_STORE_USER")
STORE_PASSWORD = secret("MEMORY_STORE_PASSWORD")
UPLOAD_DIR = DATA_DIR / "uploads"
BACKUP_DIR = Path(env("MEMORY_BACKUP_DIR", str(DATA_DIR / "backups"))).expanduser().absolute()  # a folder each space
# On one's own machine the home folder may be read (never its dot-folders: ingest refuses those); a server reads
# nothing until somebody says what. The example's notes are the program's own: those of the default space, and those of
# others, each in a folder of the space's name.
_ROOTS = split_list(env("MEMORY_INGEST_ROOTS", "" if SERVER_MODE else str(Path.home())), ":")
DEMO_DIR, SAMPLES_DIR = DATA_DIR / "demo", DATA_DIR / "samples"
INGEST_ROOTS = (DEMO_DIR, SAMPLES_DIR, *(Path(root).expanduser().absolute() for root in _ROOTS))
ENCODER = env("MEMORY_ENCODER", "all-MiniLM-L6-v2")
MODELS_DIR = Path(env("MEMORY_MODELS_DIR")).expanduser() if env("MEMORY_MODELS_DIR") else None
ENCODER_SERVERS = split_list(
    env("MEMORY_ENCODER_SERVERS"), ","
)  # beside MEMORY_ENCODER's own: see accounts/encoders.py
SEARCH_ENGINE = env("MEMORY_SEARCH_ENGINE", "local")
# The chat model, if there is one: any OpenAI-compatible endpoint. What memoryapp.inference.llm.chat_model takes.
LLM = {
    "url": env("MEMORY_LLM_URL"),
    "name": env("MEMORY_LLM_MODEL"),
    "key": secret("MEMORY_LLM_KEY"),
    "timeout": number("MEMORY_LLM_TIMEOUT", "60"),  # seconds for one answer, all tries together
    "price_in": number("MEMORY_LLM_PRICE_IN", "0"),  # for a million tokens
    "price_out": number("MEMORY_LLM_PRICE_OUT", "0"),
}
JUDGE = env("MEMORY_JUDGE")  # on or off: whether facts are read together by the network that comes with the app
NLI_MODEL = env("MEMORY_NLI_MODEL")  # folder of a cross-encoder that judges pairs of facts, if there is one

# --- Safety -------------------------------------------------------------------------------------------------------
DEBUG = env("MEMORY_DEBUG") == "1"
SECRET_KEY = secret_key(Path(env("MEMORY_SECRET_KEY_FILE", str(DATA_DIR / "secret.key"))).expanduser())
# Only names of this machine by default: a page elsewhere that points its own name at 127.0.0.1 is turned away.
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", *split_list(env("MEMORY_ALLOWED_HOSTS"), ",")]
CSRF_TRUSTED_ORIGINS = [
    f"https://{host.lstrip('.')}" for host in split_list(env("MEMORY_ALLOWED_HOSTS"), ",") if host != "*"
]
if env("MEMORY_BEHIND_PROXY") == "1":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
# Browsers do not tell ports apart in cookies: two instances on one machine must not log each other out.
_INSTANCE = "" if SERVER_MODE else "_" + hashlib.sha256(str(DATA_DIR).encode()).hexdigest()[:8]
SESSION_COOKIE_NAME = f"palimpsest_session{_INSTANCE}"
CSRF_COOKIE_NAME = f"palimpsest_csrf{_INSTANCE}"
SESSION_COOKIE_AGE = 30 * 24 * 3600
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"  # `Secure` is added per answer, where the request came by https
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
RATE_LIMIT = number("MEMORY_RATE_LIMIT", "300")  # API requests a second and caller; 0 = no limit
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024  # a JSON body: a full batch of long notes; uploads are not counted
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
DATA_UPLOAD_MAX_NUMBER_FILES = 5_000  # a Context Tree sent as its folder

# --- Django -------------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "template_partials",
    "lucide",
    "memoryapp",
    "memoryapp.accounts",
    "memoryapp.jobs",
    "memoryapp.interfaces.api",
    "memoryapp.interfaces.pages",
]
MIDDLEWARE = [
    "memoryapp.accounts.request_id.name_every_request",
    "memoryapp.accounts.headers.guard_every_answer",
    "django.middleware.security.SecurityMiddleware",
    "memoryapp.interfaces.pages.handler.static_files",
    "memoryapp.interfaces.pages.handler.tell_wrong_methods",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "memoryapp.urls"
ASGI_APPLICATION = "memoryapp.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["template_partials.templatetags.partials"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False

# --- People, roles, keys and jobs (memories are in the store, never here) -----------------------------------------
if env("DATABASE_URL"):
    try:
        DATABASES = {"default": dj_database_url.parse(env("DATABASE_URL"), conn_max_age=60, conn_health_checks=True)}
        if password := secret("DATABASE_PASSWORD"):  # apart from the address, so that no process list shows it
            DATABASES["default"]["PASSWORD"] = password
    except (dj_database_url.ParseError, dj_database_url.UnknownSchemeError):
        raise SystemExit(
            "DATABASE_URL cannot be read. It is like postgres://user:password@host:5432/name, or empty for SQLite."
        ) from None
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(DATA_DIR / "people.sqlite3"),
            "CONN_MAX_AGE": None,  # opening one takes longer than what most requests ask of it
            # IMMEDIATE: a transaction that will write waits at its start, where SQLite can wait, not in its middle.
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    }

# --- Static files -------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env("MEMORY_STATIC_ROOT", str(DATA_DIR / "static"))).expanduser()
# "collected": hashed names and compressed twins (`up`, images); "found": straight from static/ (tests, commands).
_COLLECTED = env("MEMORY_STATIC", "found") == "collected"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"
        if _COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = not _COLLECTED
SERVESTATIC_ALLOW_ALL_ORIGINS = False

# --- Jobs ---------------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env("CELERY_BROKER_URL", "memory://localhost/")
if CELERY_BROKER_URL.startswith("memory:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.1}  # seconds; the default of 1 is felt at every job
else:
    # Nobody waits for a queue that is away or hangs: the job's row is written, and the next tick queues it.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 2}  # seconds
    CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1}
CELERY_TASK_IGNORE_RESULT = True  # a job's row is its result
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {"tick": {"task": "memoryapp.jobs.tasks.tick", "schedule": 60.0, "options": {"expires": 55}}}

# "json": one object a line, for whatever collects logs; "plain": short lines for people. With requests on, each
# request answered and each job ended is a line.
LOG_FORMAT = env_choice("MEMORY_LOG_FORMAT", "plain", "plain", "json")
LOG_REQUESTS = env_choice("MEMORY_LOG_REQUESTS", "on" if LOG_FORMAT == "json" else "off", "on", "off") == "on"
LOG_LEVEL = env_choice("MEMORY_LOG_LEVEL", "info", "debug", "info", "warning", "error", "critical").upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "memoryapp.observability.lines.ShortLines"},
        "json": {"()": "memoryapp.observability.lines.JsonLines"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "json" if LOG_FORMAT == "json" else "plain"}
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "memoryapp": {"level": LOG_LEVEL},
        "django.request": {"level": "ERROR"},  # a refusal is the caller's business
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # anybody can send a wrong name; no stack for each
    },
}
