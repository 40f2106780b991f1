# SPDX-License-Identifier: Apache-2.0
"""Structures of elements: nested tuples and dicts. Unlike those of sluice.nest, lists are not part
of a structure: a list is a value that becomes one tensor."""

from ..graph.elements import IndexedSlicesValue
from ..nest import parts
from ..ops.sparse.sparse_tensor import SparseTensorValue


def is_nested(item):
    """Whether an item is a tuple or dict of parts."""
    return isinstance(item, (tuple, dict)) and not isinstance(
        item, (SparseTensorValue, IndexedSlicesValue)
    )


def leaves(structure):
    """The leaves in order; dicts are in the order of their keys."""
    if not is_nested(structure):
        return [structure]
    return [leaf for part in parts(structure) for leaf in leaves(part)]


def pack(structure, flat):
    """The structure with other leaves, a list of as many."""
    return _packed(structure, iter(flat))


def _packed(structure, flat):
    if not is_nested(structure):
        return next(flat)
    found = [_packed(part, flat) for part in parts(structure)]
    if isinstance(structure, dict):
        by_key = dict(zip(sorted(structure), found))
        made = structure.copy()  # a defaultdict keeps its default
        made.update((key, by_key[key]) for key in structure)
        return made
    return type(structure)(*found) if hasattr(structure, "_fields") else tuple(found)


def mapped(function, structure, *others):
    """The structure of what the function gives for the leaves of structures of one form."""
    return pack(structure, [function(*row) for row in zip(*map(leaves, (structure, *others)))])


def leaves_up_to(shallow, deep):
    """The parts of `deep` that stand where `shallow` has leaves.

    Raises:
        TypeError: `deep` is of another kind than `shallow`.
        ValueError: `deep` has other keys, or another number of parts.
    """
    if not is_nested(shallow):
        return [deep]
    if not is_nested(deep):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. Input has type:"
            f" {type(deep)}."
        )
    if isinstance(shallow, dict) != isinstance(deep, dict):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type"
            f" {type(deep)}, while shallow structure has type {type(shallow)}."
        )
    both = isinstance(shallow, dict)
    if len(shallow) != len(deep):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length"
            f" {len(deep)}, while shallow structure has length {len(shallow)}."
        )
    if both and set(shallow) != set(deep):
        raise ValueError(
            "The two structures don't have the same keys. Input structure has keys"
            f" {list(deep)}, while shallow structure has keys {list(shallow)}."
        )
    rows = zip(parts(shallow), parts(deep))
    return [leaf for one, other in rows for leaf in leaves_up_to(one, other)]


def mapped_up_to(function, shallow, deep):
    """The structure of `shallow` with what the function gives for the parts of `deep`."""
    return pack(shallow, [function(part) for part in leaves_up_to(shallow, deep)])


def assert_same(one, other):
    """Checks that two structures have one form.

    Raises:
        TypeError: A tuple stands where the other has a dict.
        ValueError: The forms differ otherwise.
    """
    if is_nested(one) != is_nested(other):
        raise ValueError(_DIFFER.format(one, other))
    if not is_nested(one):
        return
    if isinstance(one, dict) != isinstance(other, dict):
        raise TypeError(_DIFFER.format(one, other))
    if len(one) != len(other) or isinstance(one, dict) and set(one) != set(other):
        raise ValueError(_DIFFER.format(one, other))
    for pair in zip(parts(one), parts(other)):
        assert_same(*pair)


_DIFFER = (
    "The two structures don't have the same nested structure.\n\nFirst structure: {!r}\n\nSecond"
    " structure: {!r}"
)
