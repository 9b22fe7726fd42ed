"""The derived search indexes: words, vectors and entity incidence, fed by the changefeed of the database."""

from memoryapp.index.engine import IndexStatus, SearchIndex, View
from memoryapp.index.opening import open_index
from memoryapp.index.tokens import spans, stem, tokens

__all__ = ["IndexStatus", "SearchIndex", "View", "open_index", "spans", "stem", "tokens"]
