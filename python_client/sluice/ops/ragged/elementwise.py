# SPDX-License-Identifier: Apache-2.0
"""Functions of the elements of ragged tensors, and their operators."""

from ...graph.default_graph import control_dependencies
from .. import math
from ..building import with_names
from ..debug.assertions import assert_equal
from .ragged_tensor import RaggedTensor


def map_flat_values(op, *args, **kwargs):
    """Calls a function with the innermost values of ragged tensors.

    Args:
        op: The function of tensors.
        *args: Its arguments; RaggedTensors must have rows of the same lengths.
        **kwargs: Further ones.

    Returns:
        A RaggedTensor; without RaggedTensors among the arguments, what op returns.
    """
    ragged = [a for a in (*args, *kwargs.values()) if isinstance(a, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)
    if len({r.ragged_rank for r in ragged}) > 1:
        raise ValueError("the ragged tensors have different ragged ranks")

    def flat(value):
        return value.flat_values if isinstance(value, RaggedTensor) else value

    checks = [
        assert_equal(mine, its)
        for other in ragged[1:]
        for mine, its in zip(ragged[0].nested_row_splits, other.nested_row_splits)
        if mine is not its
    ]
    with control_dependencies(checks):
        values = op(*map(flat, args), **{key: flat(value) for key, value in kwargs.items()})
    return ragged[0].with_flat_values(values)


def _operator(name):
    function = getattr(math, name)
    return lambda x, y: map_flat_values(function, x, y)


for _own, _name in {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "truediv",
    "floordiv": "floordiv", "pow": "pow", "mod": "floormod", "lt": "less", "le": "less_equal",
    "gt": "greater", "ge": "greater_equal", "and": "logical_and", "or": "logical_or",
}.items():  # fmt: skip
    setattr(RaggedTensor, f"__{_own}__", _operator(_name))
    if _own not in ("lt", "le", "gt", "ge"):
        _reversed = _operator(_name)
        setattr(RaggedTensor, f"__r{_own}__", lambda x, y, f=_reversed: f(y, x))
RaggedTensor.__neg__ = lambda x: map_flat_values(math.negative, x)
RaggedTensor.__abs__ = lambda x: map_flat_values(math.abs, x)
RaggedTensor.__invert__ = lambda x: map_flat_values(math.logical_not, x)


__all__ = with_names(globals())
