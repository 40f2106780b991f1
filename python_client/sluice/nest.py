# SPDX-License-Identifier: Apache-2.0
"""Structures: lists, tuples and dictionaries of anything, nested. Dictionaries are taken in the
order of their keys."""


def is_nested(seq):
    """Tests whether a value is a list, a tuple or a dict.

    Args:
        seq: The value.

    Returns:
        A bool.
    """
    return isinstance(seq, (list, tuple, dict))


def flatten(structure, expand_composites=False):
    """Returns the elements of a structure in order. Dicts are in the order of their keys.

    Args:
        structure: A list, tuple or dict, nested, or a single element.
        expand_composites: Accepted. It has no effect.

    Returns:
        A list.

    Example:
        >>> sl.nest.flatten([1, (2, {"b": 4, "a": 3})])
        [1, 2, 3, 4]
    """
    del expand_composites
    if not is_nested(structure):
        return [structure]
    return [leaf for part in parts(structure) for leaf in flatten(part)]


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """Returns a structure with other elements.

    Args:
        structure: A list, tuple or dict, nested, or a single element.
        flat_sequence: The elements in order, a list.
        expand_composites: Accepted. It has no effect.

    Returns:
        The structure.

    Raises:
        ValueError: The number of elements differs.
    """
    del expand_composites
    wanted = len(flatten(structure))
    if wanted != len(flat_sequence):
        raise ValueError(f"the structure has {wanted} elements, {len(flat_sequence)} were given")
    return _packed(structure, iter(flat_sequence))


def map_structure(func, *structure, **kwargs):
    """Applies a function to the elements of structures of one form.

    Args:
        func: A function of as many arguments as there are structures.
        *structure: A list, tuple or dict, nested, or a single element.
        **kwargs: check_types: whether the types of lists, tuples and dicts must be equal. Default:
            True.

    Returns:
        A structure of the results.

    Raises:
        ValueError: The forms differ.
    """
    check_types = kwargs.pop("check_types", True)
    kwargs.pop("expand_composites", None)
    if kwargs or not structure:
        raise ValueError("map_structure takes a function, structures and check_types")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    rows = zip(*(flatten(s) for s in structure))
    return _packed(structure[0], iter([func(*row) for row in rows]))


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """Checks that two structures have the same form.

    Args:
        nest1: The first structure.
        nest2: The second structure.
        check_types: Whether the types of lists, tuples and dicts must be equal. A bool.
        expand_composites: Accepted. It has no effect.

    Raises:
        ValueError: The forms differ.
        TypeError: The types differ.
    """
    del expand_composites
    if is_nested(nest1) != is_nested(nest2):
        raise ValueError(f"not the same structure: {nest1!r} and {nest2!r}")
    if not is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(f"{type(nest1).__name__} and {type(nest2).__name__}: {nest1!r}, {nest2!r}")
    both = isinstance(nest1, dict) and isinstance(nest2, dict)
    if len(nest1) != len(nest2) or both and set(nest1) != set(nest2):
        raise ValueError(f"not the same structure: {nest1!r} and {nest2!r}")
    for one, other in zip(parts(nest1), parts(nest2)):
        assert_same_structure(one, other, check_types)


def parts(structure):
    """The parts of a structure; those of a dict in the order of its keys."""
    if isinstance(structure, dict):
        return [structure[key] for key in sorted(structure)]
    return list(structure)


def _packed(structure, leaves):
    if not is_nested(structure):
        return next(leaves)
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], leaves) for key in sorted(structure)}
        return type(structure)((key, found[key]) for key in structure)
    parts = [_packed(part, leaves) for part in structure]
    return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)


__all__ = [
    "assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as",
]  # fmt: skip
