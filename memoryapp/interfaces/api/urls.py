"""The addresses of the JSON door: the API, what it says of itself, and other makers' shapes where their clients look:
OpenAI's embeddings, mem0's memories."""

from __future__ import annotations

from django.urls import include, path

from memoryapp.interfaces.api.agent_calls import llms
from memoryapp.interfaces.api.assembly import api, openai_api
from memoryapp.interfaces.api.docs import front, openapi_json, subject
from memoryapp.interfaces.mem0.api import urlpatterns as mem0

urlpatterns = [
    path("llms.txt", llms, name="llms"),
    path("api/docs", front, name="api-docs"),
    path("api/docs/<slug:name>", subject, name="api-docs-subject"),
    path("", include(mem0)),  # before the APIs below, which answer for all that is not there
    path("api/v1/openapi.json", openapi_json, name="openapi"),
    path("api/v1/openapi-agent.json", openapi_json, {"for_agents": True}, name="openapi-agent"),
    path("api/v1/", api.urls),
    path("v1/", openai_api.urls),
]
