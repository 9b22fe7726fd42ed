"""The door of the Model Context Protocol: a few tools over the JSON API, by HTTP and over stdio."""

from memoryapp.mcp.http import http_door
from memoryapp.mcp.stdio import Where, serve_stdio

__all__ = ["Where", "http_door", "serve_stdio"]
