"""Doors: the pages, the JSON API and the agent tools, a folder a subject.

In a subject: `presenter.py` (what is shown of it), `pages.py` (its pages), `api.py` and `schemas.py` (its operations
and their shapes), `tools.py` (its MCP tools). What all subjects share lies in `pages/`, `api/` and `mcp/`; `mem0/`
speaks in the shapes of mem0's client.
"""
