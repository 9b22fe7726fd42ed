"""The graph as it is looked at and asked: scenes, paths, an export, recall along relations; and its refreshing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpResponse
from ninja import Query as Params

from memoryapp import graph, search
from memoryapp.accounts.roles import Role
from memoryapp.domain.filters import Filters
from memoryapp.domain.results import Query
from memoryapp.domain.scene import Scene
from memoryapp.graph.canonical import canonical
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.inheritance import space_to_read
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.entities.schemas import show_entity
from memoryapp.interfaces.graph.schemas import (
    GraphRefreshIn,
    PathOut,
    PathQuery,
    RecallIn,
    SceneOut,
    SceneQuery,
    show_scene,
    show_step,
)
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.interfaces.search.api import filters_of
from memoryapp.interfaces.search.schemas import AnswerOut, show_answer
from memoryapp.jobs.graphing import submit_graph
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
def scene(request: ApiRequest, asked: Params[SceneQuery]) -> SceneOut:
    """Entities and what joins them: around some of them, around what a text is about, a community, or the whole graph
    from far. Nodes come with their places."""
    return show_scene(_scene(space_to_read(request, asked.inherited_from)[0], asked))


@router.get("/graph/path", needs=Role.READER, response=PathOut, errors=(404,), summary="Find a path")
def path(request: ApiRequest, asked: Params[PathQuery]) -> PathOut:
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
def export(request: ApiRequest, asked: Params[SceneQuery]) -> HttpResponse:
    """The same scene as GET /graph, for another program."""
    found = graph.graphml(_scene(space_to_read(request, asked.inherited_from)[0], asked))
    answer = HttpResponse(found, content_type="application/graphml+xml; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="graph.graphml"'
    return answer


@router.post(
    "/graph-recall", needs=Role.READER, reads=True, response=AnswerOut, errors=(413,), summary="Recall along relations"
)
def recall(request: ApiRequest, body: RecallIn) -> AnswerOut:
    """The strategy `recall`: from the nearest memories and the entities that the question names along their relations,
    up and down the hierarchy and to what came before and after. `evidence.path` of each result tells how it was
    reached."""
    space = the_space(request)
    if body.hops is not None:
        space = replace(space, tuning=replace(space.tuning, recall_hops=body.hops))
    asked = Query(
        text=body.query,
        strategy="recall",
        top_k=body.top_k,
        filters=replace(filters_of(body.filters), as_of=body.as_of),
        trace=body.trace,
    )
    began = time.perf_counter()
    answer = search.search(space, asked)
    narrowed = asked.filters != Filters()
    search.trace_search(space, answer, request.auth.asker, began=began, narrowed=narrowed)
    return show_answer(answer)


@router.post("/graph/refresh", needs=Role.CURATOR, response={202: JobStarted}, summary="Bring the graph up to date")
def refresh(request: ApiRequest, body: GraphRefreshIn = GraphRefreshIn()) -> Reply:
    """Begins the job that reads what waits for relations, embeds names and looks for those that may be one, as a space
    does by itself after five new facts. With `layout` the map is drawn anew as well."""
    name, actor = request.auth.space.name, request.auth.actor
    the_space(request)
    return job_reply(submit_graph(name, actor=actor, force=True, layout=body.layout))


def _scene(space: Space, asked: SceneQuery) -> Scene:
    if asked.start or asked.q:
        starts: Sequence[str] = asked.start or _about(space, asked)
        if not starts:
            return replace(_nothing(space), notes=(f"Nothing is known of “{asked.q}”.",))
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


def _about(space: Space, asked: SceneQuery) -> tuple[str, ...]:
    filters = replace(Query(asked.q).filters, as_of=asked.as_of)
    found = search.search(space, Query(asked.q, top_k=HITS, filters=filters))
    return graph.around_query(space, asked.q, hits=[hit.memory.id for hit in found.hits])


def _nothing(space: Space) -> Scene:
    return Scene(nodes=(), edges=(), total=graph.listing(space, limit=1).total)
