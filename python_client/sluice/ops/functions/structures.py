# SPDX-License-Identifier: Apache-2.0
"""Nested lists, tuples and dicts of tensors, TensorArrays and operations."""

from ...graph.elements import Operation
from ..list.tensor_array import TensorArray, with_flow


def is_array(item):
    """Is it a TensorArray? Its flow is what functions take and give."""
    return isinstance(item, TensorArray)


def flatten(structure):
    """The tensors of nested lists, tuples, dicts and TensorArrays, in order."""
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in flatten(structure[key])]
    if isinstance(structure, (list, tuple)):
        return [leaf for part in structure for leaf in flatten(part)]
    return [structure.flow if is_array(structure) else structure]


def pack_as(structure, leaves):
    """`leaves`, an iterator, in the shape of nested lists, tuples, dicts and TensorArrays."""
    if isinstance(structure, dict):
        return type(structure)((key, pack_as(structure[key], leaves)) for key in sorted(structure))
    if not isinstance(structure, (list, tuple)):
        leaf = next(leaves)
        return with_flow(structure, leaf) if is_array(structure) else leaf
    parts = [pack_as(part, leaves) for part in structure]
    if hasattr(structure, "_fields"):
        return type(structure)(*parts)
    return type(structure)(parts)


def arrays_of(structure):
    """The TensorArrays of a structure, in order."""
    if isinstance(structure, dict):
        return [a for key in sorted(structure) for a in arrays_of(structure[key])]
    if isinstance(structure, (list, tuple)):
        return [a for part in structure for a in arrays_of(part)]
    return [structure] if is_array(structure) else []


def without_operations(structure):
    """A structure whose operations, which give nothing, are left out."""
    if not isinstance(structure, (list, tuple)) or hasattr(structure, "_fields"):
        return structure
    kept = [without_operations(s) for s in structure if not isinstance(s, Operation)]
    return type(structure)(kept)
