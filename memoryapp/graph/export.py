"""A scene as GraphML, which yEd, Gephi and Cytoscape read."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from memoryapp.domain.scene import Community, Edge, Node, Scene

_KEYS = (
    ("node", "name", "string"),
    ("node", "type", "string"),
    ("node", "trust", "double"),
    ("node", "memories", "int"),
    ("node", "x", "double"),
    ("node", "y", "double"),
    ("edge", "type", "string"),
    ("edge", "label", "string"),
    ("edge", "state", "string"),
    ("edge", "hint", "boolean"),
    ("edge", "weight", "double"),
    ("edge", "trust", "double"),
)
# What XML 1.0 has no way to write, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"

Value = str | int | float | bool | None


def graphml(scene: Scene) -> str:
    """A GraphML document of the scene's nodes and edges; of an overview, of its communities."""
    keys = (
        f'<key id="{whose}_{name}" for="{whose}" attr.name="{name}" attr.type="{kind}"/>' for whose, name, kind in _KEYS
    )
    nodes = [_node(node) for node in scene.nodes] or [_community(one) for one in scene.communities]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<graphml xmlns="{_NAMESPACE}">',
        *keys,
        '<graph id="scene" edgedefault="directed">',
        *nodes,
        *(_edge(edge) for edge in scene.edges),
        "</graph>",
        "</graphml>",
    ]
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    values = {"name": node.name, "type": node.type, "trust": node.trust, "memories": node.memories}
    return f"<node id={_attribute(node.id)}>{_data('node', values | {'x': node.x, 'y': node.y})}</node>"


def _community(one: Community) -> str:
    values: dict[str, Value] = {"name": ", ".join(one.names), "type": "community", "memories": one.size}
    return f"<node id={_attribute(str(one.number))}>{_data('node', values | {'x': one.x, 'y': one.y})}</node>"


def _edge(edge: Edge) -> str:
    directed = "false" if edge.kind == "together" else "true"
    ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)} directed={_attribute(directed)}"
    values: dict[str, Value] = {
        "type": edge.type,
        "label": edge.label,
        "state": edge.state.value,
        "hint": edge.hint,
        "weight": edge.weight,
        "trust": edge.trust,
    }
    return f"<edge id={_attribute(edge.id)} {ends}>{_data('edge', values)}</edge>"


def _data(whose: str, values: dict[str, Value]) -> str:
    return "".join(
        f'<data key="{whose}_{name}">{escape(_text(value))}</data>'
        for name, value in values.items()
        if value is not None
    )


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else _NOT_XML.sub("\ufffd", str(value))


def _attribute(text: str) -> str:
    return quoteattr(_text(text))
