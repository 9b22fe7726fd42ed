"""The space's embedding model for other local tools, in the shape that OpenAI's clients speak."""

from __future__ import annotations

import base64
from typing import Annotated, Literal

import numpy as np
from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, EncodingFailed, NotFound
from memoryapp.inference.embedding import encode_in_batches
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import FullName, Response, words

Passage = Annotated[str, words(200_000, least=1)]


class EmbeddingsIn(Response):
    """OpenAI's shape. `model` is one that GET /models lists; texts are embedded as documents."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={"examples": [{"model": "all-MiniLM-L6-v2", "input": ["We moved the queue to Redis."]}]},
    )

    input: Passage | Annotated[list[Passage], Field(min_length=1, max_length=256)]
    model: FullName | None = None
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, ge=1, le=100_000, description="Only the model's own number is possible.")


class EmbeddingOut(Response):
    object: Literal["embedding"] = "embedding"
    index: int = Field(examples=[0])
    embedding: list[float] | str = Field(examples=[[0.031, -0.052, 0.118]])


class TokensOut(Response):
    prompt_tokens: int = Field(examples=[9])
    total_tokens: int = Field(examples=[9])


class EmbeddingsOut(Response):
    object: Literal["list"] = "list"
    data: list[EmbeddingOut]
    model: str = Field(examples=["all-MiniLM-L6-v2"])
    usage: TokensOut


class ModelOut(Response):
    id: str = Field(examples=["all-MiniLM-L6-v2"])
    object: Literal["model"] = "model"
    created: int = Field(examples=[0])
    owned_by: str = Field(examples=["palimpsest"])


class ModelsOut(Response):
    object: Literal["list"] = "list"
    data: list[ModelOut]


router = Routes("Embeddings")
PATIENCE = 30.0  # seconds for a model that is still loading


@router.post(
    "/embeddings", needs=Role.READER, reads=True, response=EmbeddingsOut, errors=(404, 413, 503), summary="Embed texts"
)
def embed_texts(request: ApiRequest, body: EmbeddingsIn) -> EmbeddingsOut:
    """Vectors of unit length, by the model of the space. Also at /v1/embeddings, where OpenAI's clients look."""
    slot = the_space(request).encoder
    if body.model not in (None, slot.name):
        raise NotFound(f"There is no model “{body.model}” here. This space has {slot.name}.", field="/model")
    encoder = slot.get(PATIENCE)
    if body.dimensions not in (None, encoder.dimension):
        raise BadInput(f"{slot.name} has {encoder.dimension} dimensions, and no other number.", field="/dimensions")
    texts = [body.input] if isinstance(body.input, str) else body.input
    encoded = encode_in_batches(encoder, texts)
    if encoded.failed:
        row, reason = encoded.failed[0]
        raise EncodingFailed(f"Text {row} could not be embedded: {reason}.", field=f"/input/{row}")
    tokens = sum(encoder.count_tokens(text) for text in texts)
    data = [
        EmbeddingOut(index=n, embedding=_format_vector(vector, body.encoding_format))
        for n, vector in enumerate(encoded.vectors)
    ]
    return EmbeddingsOut(data=data, model=slot.name, usage=TokensOut(prompt_tokens=tokens, total_tokens=tokens))


@router.get("/models", needs=Role.READER, response=ModelsOut, summary="List models")
def list_models(request: ApiRequest) -> ModelsOut:
    """The model that embeds the space's memories."""
    return ModelsOut(data=[ModelOut(id=the_space(request).encoder.name, created=0, owned_by="palimpsest")])


def _format_vector(vector: np.ndarray, form: str) -> list[float] | str:
    """Numbers or, as OpenAI's own client asks for it, base64 of little-endian float32."""
    if form == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
    return [float(value) for value in vector]
