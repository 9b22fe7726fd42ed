"""Files of other programs, read into one shape: which form a path has (`recognise`), and what it holds (`read`)."""

from __future__ import annotations

from memoryapp.transfer.foreign.pipeline import FORMS, Form, read, recognise

__all__ = ["FORMS", "Form", "read", "recognise"]
