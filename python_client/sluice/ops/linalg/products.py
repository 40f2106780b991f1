# SPDX-License-Identifier: Apache-2.0
"""Products of matrices and tensors."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import math, raw_ops
from ..array import expand_dims, squeeze
from ..building import thin, with_names


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
    if (a.shape.ndims or 2) > 2 or (b.shape.ndims or 2) > 2:
        if transpose_a:
            a, adjoint_a = math.conj(a), True
        if transpose_b:
            b, adjoint_b = math.conj(b), True
        return raw_ops.BatchMatMulV2(x=a, y=b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
    if adjoint_a:
        a, transpose_a = math.conj(a), True
    if adjoint_b:
        b, transpose_b = math.conj(b), True
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


def tensordot(a, b, axes, name=None):
    """Adds up products over dimensions of two tensors of known rank.

    Args:
        a: A tensor of any floating-point or complex dtype, int32 or int64.
        b: A tensor of the same dtype.
        axes: How many dimensions, an int: the last ones of a and the first ones of b. Or two lists
            of dimensions.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the other dimensions of a, then those of b.
    """
    with name_scope(name, "Tensordot"):
        a, b = convert_to_tensor(a, name="a"), convert_to_tensor(b, name="b")
        return _contracted(a, b, axes)


def _contracted(a, b, axes):
    rank_a, rank_b = a.shape.ndims, b.shape.ndims
    if isinstance(axes, int):
        axes = list(range(rank_a - axes, rank_a)), list(range(axes))
    over_a, over_b = ([d] if isinstance(d, int) else list(d) for d in axes)
    if len(over_a) != len(over_b):
        raise ValueError(f"tensordot() over {len(over_a)} axes of a and {len(over_b)} of b")
    over_a, over_b = [d % rank_a for d in over_a], [d % rank_b for d in over_b]
    kept_a = [d for d in range(rank_a) if d not in over_a]
    kept_b = [d for d in range(rank_b) if d not in over_b]
    letters = "abcdefghijklmnopqrstuvwxyz"
    of_a = letters[:rank_a]
    of_b = list(letters[rank_a : rank_a + rank_b])
    for i, j in zip(over_a, over_b):
        of_b[j] = of_a[i]
    out = "".join([of_a[d] for d in kept_a] + [of_b[d] for d in kept_b])
    return einsum(f"{of_a},{''.join(of_b)}->{out}", a, b)


def einsum(equation, *inputs, name=None):
    """Adds up products by Einstein's summation convention.

    Args:
        equation: The indices of each input and of the result, a str: "ij,jk->ik" is a matrix
            product.
        *inputs: Tensors of one dtype, or one list of them. More than two are contracted from left
            to right.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        ValueError: The equation is for another number of inputs.

    Example:
        >>> sl.Session().run(sl.einsum("i,i->", [1.0, 2.0], [3.0, 4.0]))
        11.0
    """
    inputs = list(inputs[0]) if len(inputs) == 1 and isinstance(inputs[0], list) else list(inputs)
    equation = equation.replace(" ", "")
    left, arrow, out = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(inputs):
        raise ValueError(f"{equation} is for {len(terms)} inputs, {len(inputs)} were given")
    if not arrow:
        out = "".join(sorted(c for c in set(left) - {","} if left.count(c) == 1))
    while len(inputs) > 2:
        needed = set(out).union(*terms[2:])
        between = "".join(c for c in dict.fromkeys(terms[0] + terms[1]) if c in needed)
        pair = f"{terms[0]},{terms[1]}->{between}"
        inputs[:2] = [raw_ops.Einsum(inputs=inputs[:2], equation=pair)]
        terms[:2] = [between]
    return raw_ops.Einsum(inputs=inputs, equation=f"{','.join(terms)}->{out}", name=name)


__all__ = with_names(globals())
