# SPDX-License-Identifier: Apache-2.0
"""Nested lists, tuples and dicts of tensors, TensorArrays and operations."""

from ...graph.elements import IndexedSlices, Operation
from ..list.tensor_array import TensorArray, with_flow


def is_array(item):
    """Is it a TensorArray? Its flow is what functions take and give."""
    return isinstance(item, TensorArray)


_composites = {}  # a class of several tensors -> (function that gives them, one that joins them)


def register_composite(cls, tensors_of, joined):
    """Lets objects of several tensors go in and out of functions.

    Args:
        cls: Their class.
        tensors_of: A function of the object that returns its tensors, a list.
        joined: A function of the object and of a list of other tensors that returns such an object.
    """
    _composites[cls] = tensors_of, joined


def _slices_of(slices):
    return [t for t in (slices.values, slices.indices, slices.dense_shape) if t is not None]


register_composite(IndexedSlices, _slices_of, lambda slices, tensors: IndexedSlices(*tensors))


def flatten(structure, composites=False):
    """The tensors of nested lists, tuples, dicts and TensorArrays, in order. composites: Whether
    those of SparseTensors and the like are among them."""
    if isinstance(structure, dict):
        keys = sorted(structure)
        return [leaf for key in keys for leaf in flatten(structure[key], composites)]
    if isinstance(structure, (list, tuple)):
        return [leaf for part in structure for leaf in flatten(part, composites)]
    if composites and structure.__class__ in _composites:
        return flatten(_composites[structure.__class__][0](structure), True)
    return [structure.flow if is_array(structure) else structure]


def pack_as(structure, leaves, composites=False):
    """`leaves`, an iterator, in the shape of nested lists, tuples, dicts and TensorArrays."""
    if isinstance(structure, dict):
        items = ((key, pack_as(structure[key], leaves, composites)) for key in sorted(structure))
        return type(structure)(items)
    if not isinstance(structure, (list, tuple)):
        if composites and structure.__class__ in _composites:
            tensors_of, joined = _composites[structure.__class__]
            return joined(structure, pack_as(tensors_of(structure), leaves, True))
        leaf = next(leaves)
        return with_flow(structure, leaf) if is_array(structure) else leaf
    parts = [pack_as(part, leaves, composites) for part in structure]
    if hasattr(structure, "_fields"):
        return type(structure)(*parts)
    return type(structure)(parts)


def shape_of_structure(structure):
    """A structure with None for every leaf, by which two structures are compared."""
    if isinstance(structure, dict):
        return {key: shape_of_structure(value) for key, value in structure.items()}
    if isinstance(structure, (list, tuple)):
        return [shape_of_structure(part) for part in structure]
    return None


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
