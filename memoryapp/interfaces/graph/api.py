"""The graph as it is looked at: scenes, paths, an export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpResponse
from ninja import Query as Params

from memoryapp import graph, search
from memoryapp.accounts.roles import Role
from memoryapp.domain.results import Query
from memoryapp.domain.scene import Scene
from memoryapp.graph.canonical import canonical
from memoryapp.interfaces.api.caller import ApiRequest
from memoryapp.interfaces.api.inheritance import space_to_read
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.entities.schemas import show_entity
from memoryapp.interfaces.graph.schemas import (
    PathOut,
    PathQuery,
    SceneOut,
    SceneQuery,
    show_scene,
    show_step,
)
from memoryapp.spaces import Space

router = Routes("Graph")
HITS = 5  # of a search whose entities a scene may begin at
A_GRAPH = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">…</graphml>\n'
AS_GRAPHML = {
    "responses": {
        200: {
            "description": "GraphML, which yEd, Gephi and Cytoscape read.",
            "content": {"application/graphml+xml": {"schema": {"type": "string"}, "example": A_GRAPH}},
        }
    }
}


@router.get("/graph", needs=Role.READER, response=SceneOut, errors=(404,), summary="Look at the graph")
def get_graph(request: ApiRequest, asked: Params[SceneQuery]) -> SceneOut:
    """Entities and what joins them: around some of them, around what a text is about, a community, or the whole graph
    from far. Nodes come with their places."""
    return show_scene(_scene(space_to_read(request, asked.inherited_from)[0], asked))


@router.get("/graph/path", needs=Role.READER, response=PathOut, errors=(404,), summary="Find a path")
def find_path(request: ApiRequest, asked: Params[PathQuery]) -> PathOut:
    """How two entities hang together: the surest way, by relations rather than by being named together, and past few
    hubs."""
    space, _ = space_to_read(request, asked.inherited_from)
    steps = graph.path(space, asked.start, asked.end, longest=asked.longest, as_of=asked.as_of)
    return PathOut(
        start=show_entity(canonical(space.db, asked.start)),
        end=show_entity(canonical(space.db, asked.end)),
        steps=[show_step(step) for step in steps],
    )


@router.get(
    "/graph/export.graphml",
    needs=Role.READER,
    response={200: None},
    errors=(404,),
    openapi_extra=AS_GRAPHML,
    summary="Export a scene as GraphML",
)
def export_graph(request: ApiRequest, asked: Params[SceneQuery]) -> HttpResponse:
    """The same scene as GET /graph, for another program."""
    found = graph.graphml(_scene(space_to_read(request, asked.inherited_from)[0], asked))
    answer = HttpResponse(found, content_type="application/graphml+xml; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="graph.graphml"'
    return answer


def _scene(space: Space, asked: SceneQuery) -> Scene:
    if asked.start or asked.q:
        starts: Sequence[str] = asked.start or _entities_about(space, asked)
        if not starts:
            return replace(_empty_scene(space), notes=(f"Nothing is known of “{asked.q}”.",))
        return graph.neighbourhood(
            space,
            starts,
            steps=asked.steps,
            limit=asked.limit,
            as_of=asked.as_of,
            types=asked.types,
            relations=asked.relations,
            min_trust=asked.trust,
            seen_once=asked.seen_once,
        )
    if asked.community is not None:
        return graph.community(space, asked.community, limit=asked.limit, as_of=asked.as_of, seen_once=asked.seen_once)
    return graph.overview(space, as_of=asked.as_of, seen_once=asked.seen_once)


def _entities_about(space: Space, asked: SceneQuery) -> tuple[str, ...]:
    filters = replace(Query(asked.q).filters, as_of=asked.as_of)
    found = search.search(space, Query(asked.q, top_k=HITS, filters=filters))
    return graph.around_query(space, asked.q, hits=[hit.memory.id for hit in found.hits])


def _empty_scene(space: Space) -> Scene:
    return Scene(nodes=(), edges=(), total=graph.listing(space, limit=1).total)
