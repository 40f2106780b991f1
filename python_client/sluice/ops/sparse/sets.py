# SPDX-License-Identifier: Apache-2.0
"""Sets: the rows of a tensor's last dimension. Results are SparseTensors of sorted rows."""

from ...graph.convert import convert_to_tensor
from .. import raw_ops
from ..building import with_names
from .sparse_tensor import SparseTensor


def size(a, validate_indices=True):
    """Counts the different elements of each set.

    Args:
        a: A SparseTensor [..., elements].
        validate_indices: Whether indices out of order or repeated are refused. A bool.

    Returns:
        An int32 tensor [...].
    """
    return raw_ops.SetSize(
        set_indices=a.indices, set_values=a.values, set_shape=a.dense_shape,
        validate_indices=validate_indices,
    )  # fmt: skip


def _operation(a, b, operation, validate_indices):
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        if operation == "a-b":
            return _operation(b, a, "b-a", validate_indices)
        if operation == "b-a":
            return _operation(b, a, "a-b", validate_indices)
        return _operation(b, a, operation, validate_indices)
    common = {"set_operation": operation, "validate_indices": validate_indices}
    if isinstance(a, SparseTensor):
        parts = raw_ops.SparseToSparseSetOperation(
            set1_indices=a.indices, set1_values=a.values, set1_shape=a.dense_shape,
            set2_indices=b.indices, set2_values=b.values, set2_shape=b.dense_shape, **common,
        )  # fmt: skip
    elif isinstance(b, SparseTensor):
        parts = raw_ops.DenseToSparseSetOperation(
            set1=convert_to_tensor(a, b.dtype), set2_indices=b.indices, set2_values=b.values,
            set2_shape=b.dense_shape, **common,
        )  # fmt: skip
    else:
        parts = raw_ops.DenseToDenseSetOperation(set1=a, set2=b, **common)
    return SparseTensor(*parts)


def intersection(a, b, validate_indices=True):
    """Returns the elements that both sets have.

    Args:
        a: A tensor or SparseTensor [..., elements] of sets.
        b: A tensor or SparseTensor [..., elements] of sets, of the same leading dimensions.
        validate_indices: Whether indices out of order or repeated are refused. A bool.

    Returns:
        A SparseTensor of sorted elements.
    """
    return _operation(a, b, "intersection", validate_indices)


def difference(a, b, aminusb=True, validate_indices=True):
    """Returns the elements that one set has and the other has not.

    Args:
        a: A tensor or SparseTensor [..., elements] of sets.
        b: A tensor or SparseTensor [..., elements] of sets, of the same leading dimensions.
        aminusb: Whether elements of a without those of b are returned. A bool. False: the other way
            round.
        validate_indices: Whether indices out of order or repeated are refused. A bool.

    Returns:
        A SparseTensor of sorted elements.
    """
    return _operation(a, b, "a-b" if aminusb else "b-a", validate_indices)


def union(a, b, validate_indices=True):
    """Returns the elements that either set has.

    Args:
        a: A tensor or SparseTensor [..., elements] of sets.
        b: A tensor or SparseTensor [..., elements] of sets, of the same leading dimensions.
        validate_indices: Whether indices out of order or repeated are refused. A bool.

    Returns:
        A SparseTensor of sorted elements.
    """
    return _operation(a, b, "union", validate_indices)


__all__ = with_names(globals())
set_size, set_intersection, set_difference, set_union = size, intersection, difference, union
