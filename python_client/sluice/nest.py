"""Structures: lists, tuples and dictionaries of anything, nested. Dictionaries are taken in the
order of their keys."""


def is_nested(seq):
    """Is it a list, a tuple or a dictionary?"""
    return isinstance(seq, (list, tuple, dict))


def flatten(structure, expand_composites=False):
    """A list of what is in a structure, in order."""
    del expand_composites
    if not is_nested(structure):
        return [structure]
    return [leaf for part in _parts(structure) for leaf in flatten(part)]


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """The structure with other things in it. ValueError: not as many as it has."""
    del expand_composites
    wanted = len(flatten(structure))
    if wanted != len(flat_sequence):
        raise ValueError(f"the structure has {wanted} elements, {len(flat_sequence)} were given")
    return _packed(structure, iter(flat_sequence))


def map_structure(func, *structure, **kwargs):
    """func of the elements of one structure, or of several of the same form, in that form."""
    check_types = kwargs.pop("check_types", True)
    kwargs.pop("expand_composites", None)
    if kwargs or not structure:
        raise ValueError("map_structure takes a function, structures and check_types")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    rows = zip(*(flatten(s) for s in structure))
    return _packed(structure[0], iter([func(*row) for row in rows]))


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """ValueError: they have not the same form; with check_types TypeError for other types."""
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
    for one, other in zip(_parts(nest1), _parts(nest2)):
        assert_same_structure(one, other, check_types)


def _parts(structure):
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
