"""The product's own settings on a data folder that goes away again, and with the encoder that needs no model."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

_FOLDER = tempfile.mkdtemp(prefix="palimpsest-tests-")
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
for _name in [name for name in os.environ if name.startswith(("MEMORY_", "CELERY_")) or name == "DATABASE_URL"]:
    # But for public data sets, which a few tests read where they are there, and what is meant for the tests alone.
    if _name != "MEMORY_BENCH_DIR" and not _name.startswith("MEMORY_TEST_"):
        del os.environ[_name]  # what a developer has set must not decide whether a test passes
os.environ["MEMORY_DATA_DIR"] = _FOLDER
os.environ["MEMORY_ENCODER"] = "hashing"
os.environ["MEMORY_STORE_URL"] = "mem://migrated"  # see migrated.py

from memoryapp.settings import *  # noqa: E402, F403 - after the environment is set

# A file, as in the product: threads of one process do not share an in-memory SQLite without locking each other out.
DATABASES["default"]["TEST"] = {"NAME": f"{_FOLDER}/tests.sqlite3"}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one is slow on purpose
SERVESTATIC_USE_FINDERS = False  # every test client would walk all static files once more; none of them asks for one
