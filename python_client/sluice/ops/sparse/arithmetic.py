# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of sparse tensors."""

from .. import raw_ops
from ..building import given, with_names
from .parts import parts_of
from .sparse_tensor import SparseTensor, SparseTensorValue


def _reduction(op, sparse):
    def function(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None,
                 name=None):  # fmt: skip
        axis, keepdims = given(axis, reduction_axes), bool(given(keepdims, keep_dims))
        rank = sp_input.dense_shape.shape[0]
        axis = list(range(rank)) if axis is None else [axis] if isinstance(axis, int) else axis
        result = raw_ops.apply_op(
            op, name, reduction_axes=axis, keep_dims=keepdims, **parts_of(sp_input, "input_")
        )
        return SparseTensor(*result) if sparse else result

    does = "Adds up" if "Sum" in op else "Returns the largest of"
    function.__doc__ = f"""{does} the elements that are present along dimensions.

    Args:
        sp_input: A SparseTensor.
        axis: The dimensions to reduce, an int or a list of ints. None: all.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        reduction_axes: Older name of axis.
        keep_dims: Older name of keepdims.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A {"SparseTensor" if sparse else "dense tensor"} without the reduced dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.
    """
    return function


reduce_sum = _reduction("SparseReduceSum", False)


reduce_max = _reduction("SparseReduceMax", False)


reduce_sum_sparse = _reduction("SparseReduceSumSparse", True)


reduce_max_sparse = _reduction("SparseReduceMaxSparse", True)


def _larger(op):
    def function(sp_a, sp_b, name=None):
        indices, values = raw_ops.apply_op(op, name, **parts_of(sp_a, "a_"), **parts_of(sp_b, "b_"))
        return SparseTensor(indices, values, sp_a.dense_shape)

    function.__doc__ = f"""Returns the {op[12:].lower()} of two SparseTensors, element by element.

    Elements that are not present count as 0.

    Args:
        sp_a: A SparseTensor of any real dtype.
        sp_b: A SparseTensor of the same dtype and shape.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor with the places that either has.
    """
    return function


maximum = _larger("SparseSparseMaximum")


minimum = _larger("SparseSparseMinimum")


def softmax(sp_input, name=None):
    """Computes softmax() over the stored elements of the last dimension.

    Args:
        sp_input: A SparseTensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor.
    """
    values = raw_ops.SparseSoftmax(name=name, **parts_of(sp_input, "sp_"))
    return SparseTensor(sp_input.indices, values, sp_input.dense_shape)


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """Multiplies a sparse matrix by a dense one.

    Args:
        sp_a: A SparseTensor, a matrix.
        b: A matrix of the same dtype.
        adjoint_a: Whether sp_a is conjugated and transposed first. A bool.
        adjoint_b: Whether b is conjugated and transposed first. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A matrix.
    """
    return raw_ops.SparseTensorDenseMatMul(
        b=b, adjoint_a=adjoint_a, adjoint_b=adjoint_b, name=name, **parts_of(sp_a, "a_")
    )


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    """Counts the insertions, deletions and replacements that make one sequence another.

    Args:
        hypothesis: A SparseTensor or SparseTensorValue [..., length].
        truth: A SparseTensor or SparseTensorValue [..., length].
        normalize: Whether counts are divided by the length of truth. A bool.
        name: Name of the operation, a str.

    Returns:
        A float32 tensor [...].

    Raises:
        TypeError: An argument is not sparse.
    """
    for given_ in (hypothesis, truth):
        if not isinstance(given_, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"edit_distance is of SparseTensors, not {given_!r}")
    return raw_ops.EditDistance(
        normalize=normalize, name=name,
        **parts_of(SparseTensor(*_triple(hypothesis)), "hypothesis_"),
        **parts_of(SparseTensor(*_triple(truth)), "truth_"),
    )  # fmt: skip


def _triple(value):
    return value.indices, value.values, value.dense_shape


__all__ = with_names(globals())
