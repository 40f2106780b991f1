# SPDX-License-Identifier: Apache-2.0
"""Products of matrices and vectors."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..array import expand_dims, squeeze
from ..building import thin, with_names
from .complex_numbers import conj


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
           a_is_sparse=False, b_is_sparse=False, name=None):  # fmt: skip
    """Multiplies matrices. With more than two dimensions, the last two are the matrices.

    Args:
        a: A tensor [..., n, m] of any floating-point or complex dtype, int32 or int64.
        b: A tensor [..., m, k] of the dtype of a.
        transpose_a: Whether a is transposed first. A bool.
        transpose_b: Whether b is transposed first. A bool.
        adjoint_a: Whether a is conjugated and transposed first. A bool.
        adjoint_b: Whether b is conjugated and transposed first. A bool.
        a_is_sparse: Whether many elements of a are zero; for float32 and bfloat16 matrices. A bool.
        b_is_sparse: Whether many elements of b are zero; for float32 and bfloat16 matrices. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n, k] of the same dtype.

    Raises:
        ValueError: A matrix is to be transposed and its adjoint to be taken, or the dtypes differ.
        errors.InvalidArgumentError: The shapes do not fit.

    Example:
        >>> sl.Session().run(sl.matmul([[1, 2], [3, 4]], [[5], [6]]))
        array([[17],
               [39]], dtype=int32)
    """
    if transpose_a and adjoint_a or transpose_b and adjoint_b:
        raise ValueError("a matrix is transposed or its adjoint is taken, not both")
    with name_scope(name, "MatMul") as scope:
        dtype = b.dtype if not hasattr(a, "graph") and hasattr(b, "graph") else None
        a = convert_to_tensor(a, dtype, "a")
        b = convert_to_tensor(b, a.dtype, "b")
        return _product(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b,
                        a_is_sparse, b_is_sparse, scope)  # fmt: skip


def _product(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse, name):
    unknown = 2 if a_is_sparse or b_is_sparse else 3  # TensorFlow's guess of a rank
    if any((unknown if x.shape.ndims is None else x.shape.ndims) > 2 for x in (a, b)):
        if transpose_a:
            a, adjoint_a = conj(a), True
        if transpose_b:
            b, adjoint_b = conj(b), True
        return raw_ops.BatchMatMulV2(x=a, y=b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
    if adjoint_a:
        a, transpose_a = conj(a), True
    if adjoint_b:
        b, transpose_b = conj(b), True
    sides = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    if a_is_sparse or b_is_sparse:
        return raw_ops.SparseMatMul(
            a=a, b=b, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse, name=name, **sides
        )
    return raw_ops.MatMul(a=a, b=b, name=name, **sides)


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False,
           name=None):  # fmt: skip
    """Multiplies matrices by vectors.

    Args:
        a: A tensor [..., n, m] of any floating-point or complex dtype, int32 or int64.
        b: A tensor [..., m] of the dtype of a.
        transpose_a: Whether a is transposed first. A bool.
        adjoint_a: Whether a is conjugated and transposed first. A bool.
        a_is_sparse: Whether many elements of a are zero. A bool.
        b_is_sparse: Whether many elements of b are zero. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n] of the same dtype.
    """
    product = matmul(
        a, expand_dims(b, -1), transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse,
        b_is_sparse=b_is_sparse,
    )  # fmt: skip
    return squeeze(product, [-1], name)


sparse_matmul = thin(
    "SparseMatMul",
    "a b transpose_a=False transpose_b=False a_is_sparse=False b_is_sparse=False",
    """Multiplies dense matrices of which many elements are zero.

    Args:
        a_is_sparse: Whether many elements of a are zero. A bool.
        b_is_sparse: Whether many elements of b are zero. A bool.

    Returns:
        A float32 matrix.
    """,
)


cross = thin(
    "Cross",
    "a b",
    """Computes the cross products of vectors.

    Args:
        a: A tensor [..., 3] of any real dtype.
        b: A tensor of the shape and dtype of `a`.

    Returns:
        A tensor of the shape and dtype of `a`.
    """,
)


__all__ = with_names(globals())
