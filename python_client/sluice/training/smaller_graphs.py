# SPDX-License-Identifier: Apache-2.0
"""What a meta graph can do without: default attributes, and the nodes of other Savers."""

import numpy as np

from ..graph.registry import OPS

_FIELDS = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type"}
_SAVER_OPS = ("SaveV2", "RestoreV2", "SaveSlices", "RestoreSlice", "Save", "Restore")


def strip_default_attrs(graph_def):
    """Removes attributes that have the default value of their op, in functions too. An older
    runtime, whose op lacks such an attribute, can then read the graph.

    Args:
        graph_def: The GraphDef that changes.
    """
    bodies = [function.node_def for function in graph_def.library.function]
    for nodes in [graph_def.node, *bodies]:
        for node in nodes:
            for attr in OPS.get(node.op, {"attrs": ()})["attrs"]:
                name = attr["name"]
                if attr["optional"] and name in node.attr and _is_default(node.attr[name], attr):
                    del node.attr[name]


def _is_default(value, attr):
    kind, default = attr["type"], attr["default"]
    if kind == "shape":
        return default is None and value.shape.unknown_rank
    in_list = kind.startswith("list(")
    field = _FIELDS.get(kind[5:-1] if in_list else kind)
    if field is None or (default is None and not in_list):
        return False
    if in_list:
        found, default = list(getattr(value.list, field)), list(default or ())
        return value.HasField("list") and found == default
    if field == "f":
        default = float(np.float32(default))
    return value.WhichOneof("value") == field and getattr(value, field) == default


def nodes_of_other_savers(graph_def, saver_def):
    """Finds the nodes of the Savers of a graph but one. Each has a name scope of its own.

    Args:
        graph_def: The GraphDef.
        saver_def: The SaverDef of the Saver that is kept. None: no Saver is.

    Returns:
        A set of names.
    """
    kept = () if saver_def is None else (saver_def.save_tensor_name, saver_def.restore_op_name)
    scopes = {_scope(n.name) for n in graph_def.node if n.op in _SAVER_OPS}
    others = tuple(scopes - {_scope(name) for name in kept} - {""})
    return {n.name for n in graph_def.node if others and n.name.startswith(others)}


def _scope(name):
    scope, slash, _ = name.rpartition("/")
    return scope + slash
