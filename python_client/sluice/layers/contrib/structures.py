# SPDX-License-Identifier: Apache-2.0
"""Structures whose leaves another structure, the shallow one, determines."""

from ... import nest


def assert_shallow_structure(shallow_tree, input_tree, check_types=True):
    """Checks that a structure begins as a shallow one.

    Args:
        shallow_tree: The shallow structure.
        input_tree: The structure, which has anything where the shallow one has a leaf.
        check_types: Whether the types of lists, tuples and dicts must be equal. A bool.

    Raises:
        TypeError: A list, tuple or dict of the shallow one is something else in the other.
        ValueError: Lengths or keys differ.
    """
    if not nest.is_nested(shallow_tree):
        return
    if not nest.is_nested(input_tree):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. Input has type: "
            f"{type(input_tree)}."
        )
    both = isinstance(shallow_tree, dict) and isinstance(input_tree, dict)
    if check_types and not isinstance(input_tree, type(shallow_tree)) and not both:
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(input_tree)}, while shallow structure has type {type(shallow_tree)}."
        )
    if len(input_tree) != len(shallow_tree):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(input_tree)}, while shallow structure has length {len(shallow_tree)}."
        )
    if both and set(shallow_tree) - set(input_tree):
        absent = sorted(set(shallow_tree) - set(input_tree))
        raise ValueError(
            "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree "
            f"has the following keys that are not in the input_tree: {absent}."
        )
    for one, other in zip(nest.parts(shallow_tree), nest.parts(input_tree)):
        assert_shallow_structure(one, other, check_types)


def flatten_up_to(shallow_tree, input_tree, check_types=True):
    """Returns the parts of a structure where a shallow one has leaves, in order.

    Args:
        shallow_tree: The shallow structure.
        input_tree: The structure.
        check_types: Whether the types of lists, tuples and dicts must be equal. A bool.

    Returns:
        A list.

    Raises:
        TypeError: A list, tuple or dict of the shallow one is something else in the other.
        ValueError: Lengths or keys differ.
    """
    assert_shallow_structure(shallow_tree, input_tree, check_types)
    return _up_to(shallow_tree, input_tree)


def _up_to(shallow, structure):
    if not nest.is_nested(shallow):
        return [structure]
    pairs = zip(nest.parts(shallow), nest.parts(structure))
    return [leaf for one, other in pairs for leaf in _up_to(one, other)]


def map_structure_up_to(shallow_tree, func, *inputs, **kwargs):
    """Applies a function to the parts of structures where a shallow one has leaves.

    Args:
        shallow_tree: The shallow structure.
        func: A function of as many arguments as there are structures.
        *inputs: The structures.
        **kwargs: check_types: whether the types of lists, tuples and dicts must be equal. Default:
            True.

    Returns:
        The results, in the form of the shallow structure.

    Raises:
        TypeError: A list, tuple or dict of the shallow one is something else in another.
        ValueError: Lengths or keys differ, or there are no structures.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.get("check_types", True)
    rows = zip(*(flatten_up_to(shallow_tree, tree, check_types) for tree in inputs))
    return nest.pack_sequence_as(shallow_tree, [func(*row) for row in rows])


def flatten_dict_items(dictionary):
    """Returns a dict with one entry for each leaf of its keys.

    Args:
        dictionary: A dict of structures: each key has the form of its value.

    Returns:
        A dict.

    Raises:
        TypeError: It is not a dict.
        ValueError: A key and its value have different forms, or a leaf occurs twice.
    """
    if not isinstance(dictionary, dict):
        raise TypeError("input must be a dictionary")
    found = {}
    for key, value in dictionary.items():
        keys, values = nest.flatten(key), nest.flatten(value)
        if len(keys) != len(values):
            raise ValueError(f"Could not flatten dictionary: {key} has not the form of {value}")
        for one, other in zip(keys, values):
            if one in found:
                raise ValueError(f"Could not flatten dictionary: key {one} is not unique.")
            found[one] = other
    return found


__all__ = [
    "assert_shallow_structure", "flatten_dict_items", "flatten_up_to", "map_structure_up_to",
]  # fmt: skip
