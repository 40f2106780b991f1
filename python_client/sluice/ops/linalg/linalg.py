"""Matrices. The last two dimensions are the matrix, those before them are batches.

Long because: the docstring of each function stands beside it.
"""

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.graph import name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..array.arrays import concat, expand_dims, fill, reshape, shape, squeeze
from ..building import given, shape_tensor, thin, with_names
from ..math.clipping import global_norm


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
_CHOLESKY = "The lower triangle L with L L^H = input. InvalidArgumentError: not positive definite."
cholesky = thin("Cholesky", "input", _CHOLESKY)
det = thin(
    "MatrixDeterminant",
    "input",
    """Computes the determinants of matrices.

    Returns:
        A tensor [...] of the dtype of `input`, which is [..., n, n].
    """,
)
slogdet = thin(
    "LogMatrixDeterminant",
    "input",
    "Computes the sign and the logarithm of the absolute value of determinants.",
)
inv = thin(
    "MatrixInverse",
    "input adjoint=False",
    """Computes the inverses of matrices.

    Args:
        adjoint: Whether the adjoints of the matrices are inverted. A bool.

    Returns:
        A tensor of the shape and dtype of `input`, which is [..., n, n].

    Raises:
        errors.InvalidArgumentError: In run(): a matrix is not invertible.
    """,
)
solve = thin(
    "MatrixSolve",
    "matrix rhs adjoint=False",
    """Solves systems of linear equations: matrix x = rhs.

    Args:
        rhs: A tensor [..., n, k] of the dtype of `matrix`, which is [..., n, n].
        adjoint: Whether the adjoints of the matrices are used. A bool.

    Returns:
        The tensor x, [..., n, k].

    Raises:
        errors.InvalidArgumentError: In run(): a matrix is not invertible.
    """,
)
triangular_solve = thin(
    "MatrixTriangularSolve",
    "matrix rhs lower=True adjoint=False",
    """Solves systems of linear equations with triangular matrices: matrix x = rhs.

    Args:
        rhs: A tensor [..., n, k] of the dtype of `matrix`, which is [..., n, n].
        lower: Whether the lower triangle is used; the other one is not read. A bool.
        adjoint: Whether the adjoints of the matrices are used. A bool.

    Returns:
        The tensor x, [..., n, k].

    Raises:
        errors.InvalidArgumentError: In run(): a matrix is not invertible.
    """,
)
qr = thin(
    "Qr",
    "input full_matrices=False",
    """Factorises matrices: input = q r. The columns of q are orthonormal, r is upper triangular.

    Args:
        full_matrices: Whether q is square. A bool.
    """,
)
lu = thin(
    "Lu",
    "input output_idx_type=3",
    """Factorises matrices with row exchanges into lower and upper triangular matrices.

    Args:
        output_idx_type: Dtype of the permutation, int32 or int64. Default: int32.

    Returns:
        A named tuple. `lu`: both triangles in one matrix; `p`: the permutation of rows.
    """,
)
logm = thin("MatrixLogarithm", "input", "Computes the matrix logarithm of complex matrices.")
sqrtm = thin("MatrixSquareRoot", "input", "Computes the square root of matrices.")
band_part = thin(
    "MatrixBandPart",
    "input num_lower num_upper",
    """Keeps a band of diagonals of matrices; all other elements become zero.

    Args:
        num_lower: How many diagonals below the main one, an int32 or int64 scalar; -1: all.
        num_upper: How many diagonals above the main one, of the same dtype; -1: all.

    Returns:
        A tensor of the shape and dtype of `input`.
    """,
)
tensor_diag = thin(
    "Diag",
    "diagonal",
    """Makes a tensor with the given elements on its diagonal and zeros elsewhere.

    Returns:
        A tensor with twice as many dimensions: those of `diagonal`, twice.
    """,
)
tensor_diag_part = thin(
    "DiagPart",
    "input",
    """Returns the diagonal of a tensor. It is the reverse of tensor_diag().

    Returns:
        A tensor with half as many dimensions.
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


def expm(input, name=None):
    """Computes the exponential of matrices, by a Pade approximant of order 13 with scaling and
    squaring.

    N. J. Higham, The scaling and squaring method for the matrix exponential revisited (2005).

    Args:
        input: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of input.
    """
    x = convert_to_tensor(input)
    norm = math.reduce_max(math.reduce_sum(math.abs(x), -2), -1)[..., None, None]
    squarings = math.maximum(math.ceil(math.log(math.maximum(norm, 1e-30) / 4.25) / np.log(2)), 0)
    x = x / _like(math.pow(constant(2, norm.dtype), squarings), x.dtype)
    ident = eye(shape(x)[-1], dtype=x.dtype)
    b = [64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
         129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960,
         16380, 182, 1]  # fmt: skip
    b = [v / b[0] for v in b]
    x2 = matmul(x, x)
    x4 = matmul(x2, x2)
    x6 = matmul(x4, x2)
    odd = matmul(x6, x6 * b[13] + x4 * b[11] + x2 * b[9])
    odd = matmul(x, odd + x6 * b[7] + x4 * b[5] + x2 * b[3] + ident * b[1])
    even = matmul(x6, x6 * b[12] + x4 * b[10] + x2 * b[8])
    even = even + x6 * b[6] + x4 * b[4] + x2 * b[2] + ident * b[0]
    result = solve(even - odd, even + odd)
    return _squared(result, squarings, name)


def _like(x, dtype):
    return raw_ops.Cast(x=x, DstT=dtype) if x.dtype != dtype else x


def _squared(x, times, name):
    """Each matrix squared as often as `times` says of it."""
    from ..control_flow.control_flow import while_loop

    most = math.reduce_max(times)

    def step(i, value):
        go_on = math.less(raw_ops.OnesLike(x=times) * i, times)
        return i + 1, raw_ops.SelectV2(condition=go_on, t=matmul(value, value), e=value)

    zero = constant(0, times.dtype)
    shapes = [zero.shape, x.shape]
    last = while_loop(lambda i, value: i < most, step, [zero, x], shape_invariants=shapes)
    return raw_ops.Identity(input=last[1], name=name)


def logdet(matrix, name=None):
    """Computes the logarithm of the determinants of positive definite matrices.

    Args:
        matrix: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A real tensor [...].
    """
    factor = diag_part(cholesky(matrix))
    return math.multiply(math.reduce_sum(math.log(math.real(factor)), -1), 2, name)


def cholesky_solve(chol, rhs, name=None):
    """Solves A x = rhs from the Cholesky factor of A.

    Args:
        chol: A tensor [..., n, n]: what cholesky() returned.
        rhs: A tensor [..., n, k] of the same dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The tensor x, [..., n, k].
    """
    half = triangular_solve(chol, rhs)
    return triangular_solve(chol, half, adjoint=True, name=name)


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """Finds the x that makes |matrix x - rhs|^2 + l2_regularizer |x|^2 smallest.

    Args:
        matrix: A tensor [..., n, m] of dtype float32, float64, complex64 or complex128.
        rhs: A tensor [..., n, k] of the same dtype.
        l2_regularizer: The factor, a float.
        fast: Whether the normal equations are solved, which is less exact. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The tensor x, [..., m, k].
    """
    return raw_ops.MatrixSolveLs(
        matrix=matrix, rhs=rhs, l2_regularizer=constant(l2_regularizer, dtypes.float64), fast=fast,
        name=name,
    )  # fmt: skip


def eigh(tensor, name=None):
    """Computes the eigenvalues and eigenvectors of self-adjoint matrices.

    Args:
        tensor: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple. `e`: the eigenvalues [..., n], ascending; `v`: the eigenvectors as columns.
    """
    return raw_ops.SelfAdjointEigV2(input=tensor, compute_v=True, name=name)


def eigvalsh(tensor, name=None):
    """Computes the eigenvalues of self-adjoint matrices.

    Args:
        tensor: A tensor [..., n, n] of any floating-point or complex dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n], ascending.
    """
    return raw_ops.SelfAdjointEigV2(input=tensor, compute_v=False, name=name)[0]


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """Computes the singular value decomposition: tensor = u diag(s) v^H.

    Args:
        tensor: A tensor [..., n, m] of any floating-point or complex dtype.
        full_matrices: Whether u and v are square. A bool.
        compute_uv: Whether u and v are computed. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple of s [..., min(n, m)], descending, u and v. Without compute_uv: s alone.
    """
    parts = raw_ops.Svd(input=tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return parts if compute_uv else parts[0]


def diag(diagonal, name=None, k=0, num_rows=-1, num_cols=-1, padding_value=0):
    """Makes matrices with the given vectors on a diagonal.

    Args:
        diagonal: A tensor [..., n] of any dtype; for several diagonals [..., diagonals, n].
        name: Name of the operation, a str. None: a default name.
        k: Number of the diagonal, an int: 0 is the main one, positive ones are above. Or a pair
            (lowest, highest).
        num_rows: How many rows, an int; -1: as few as possible.
        num_cols: How many columns, an int; -1: as few as possible.
        padding_value: The value elsewhere, a number.

    Returns:
        A tensor [..., rows, columns].
    """
    diagonal = convert_to_tensor(diagonal)
    if isinstance(k, int) and (k, num_rows, num_cols) == (0, -1, -1):
        return raw_ops.MatrixDiag(diagonal=diagonal, name=name)
    return raw_ops.MatrixDiagV2(
        diagonal=diagonal, k=k, num_rows=num_rows, num_cols=num_cols,
        padding_value=constant(padding_value, diagonal.dtype), name=name,
    )  # fmt: skip


def diag_part(input, name=None, k=0, padding_value=0):
    """Returns a diagonal of matrices.

    Args:
        input: A tensor [..., n, m] of any dtype.
        name: Name of the operation, a str. None: a default name.
        k: Number of the diagonal, an int: 0 is the main one, positive ones are above. Or a pair
            (lowest, highest).
        padding_value: The value that fills up shorter diagonals, a number.

    Returns:
        A tensor [..., elements]; of several diagonals [..., diagonals, elements].
    """
    input = convert_to_tensor(input)
    if isinstance(k, int) and k == 0:
        return raw_ops.MatrixDiagPart(input=input, name=name)
    return raw_ops.MatrixDiagPartV2(
        input=input, k=k, padding_value=constant(padding_value, input.dtype), name=name
    )


def set_diag(input, diagonal, name=None, k=0):
    """Returns matrices with a diagonal replaced.

    Args:
        input: A tensor [..., n, m] of any dtype.
        diagonal: A tensor [..., elements] of the same dtype.
        name: Name of the operation, a str. None: a default name.
        k: Number of the diagonal, an int, or a pair (lowest, highest).

    Returns:
        A tensor of the shape and dtype of input.
    """
    if isinstance(k, int) and k == 0:
        return raw_ops.MatrixSetDiag(input=input, diagonal=diagonal, name=name)
    return raw_ops.MatrixSetDiagV2(input=input, diagonal=diagonal, k=k, name=name)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    """Makes identity matrices.

    Args:
        num_rows: How many rows, an int or an int32 scalar.
        num_columns: How many columns. None: as many as rows.
        batch_shape: Leading dimensions, a list of ints or a vector. None: none.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch_shape..., num_rows, num_columns].

    Example:
        >>> sl.Session().run(sl.eye(2))
        array([[1., 0.],
               [0., 1.]], dtype=float32)
    """
    num_columns = num_rows if num_columns is None else num_columns
    batch = shape_tensor([] if batch_shape is None else batch_shape)
    if isinstance(num_rows, int) and isinstance(num_columns, int):
        length = constant([min(num_rows, num_columns)])
    else:
        length = reshape(math.minimum(num_rows, num_columns), [1])
    ones = fill(concat([batch, length], 0), constant(1, dtype))
    if num_columns is num_rows:
        return raw_ops.MatrixDiag(diagonal=ones, name=name)
    sides = convert_to_tensor([num_rows, num_columns], dtypes.int32)
    zeros = fill(concat([batch, sides], 0), constant(0, dtype))
    return raw_ops.MatrixSetDiag(input=zeros, diagonal=ones, name=name)


def trace(x, name=None):
    """Adds up the main diagonal of matrices.

    Args:
        x: A tensor [..., n, m] of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [...] of the same dtype.
    """
    return math.reduce_sum(diag_part(x), [-1], name=name)


def matrix_transpose(a, name=None, conjugate=False):
    """Exchanges the last two dimensions.

    Args:
        a: A tensor [..., n, m] of any dtype and of known rank.
        name: Name of the operation, a str. None: a default name.
        conjugate: Whether complex numbers become their conjugates. A bool.

    Returns:
        A tensor [..., m, n].

    Raises:
        ValueError: The rank is not known.
    """
    with name_scope(name, "matrix_transpose"):
        a = convert_to_tensor(a, name="a")
        if a.shape.ndims is None:
            raise ValueError("the rank must be known")
        order = list(range(a.shape.ndims))
        order[-2:] = order[:-3:-1]
        return arrays.transpose(a, order, conjugate=conjugate)


transpose = matrix_transpose


def adjoint(matrix, name=None):
    """Computes the conjugate transpose of matrices.

    Args:
        matrix: A tensor [..., n, m] of any dtype and of known rank.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., m, n].

    Raises:
        ValueError: The rank is not known.
    """
    return matrix_transpose(matrix, name, conjugate=True)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """Computes the norm of vectors, matrices, or all elements.

    Args:
        tensor: A tensor of any floating-point or complex dtype.
        ord: "euclidean", 1, 2, inf or another positive number; for matrices "fro", 1 or inf.
        axis: A dimension for vectors, a pair of dimensions for matrices. None: all elements as one
            vector.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.
        keep_dims: Older name of keepdims.

    Returns:
        A real tensor without the reduced dimensions.

    Raises:
        ValueError: Matrices have no such norm here.

    Example:
        >>> sl.Session().run(sl.norm([3.0, 4.0]))
        5.0
    """
    keepdims = bool(given(keepdims, keep_dims))
    with name_scope(name, "norm"):
        return _norm(convert_to_tensor(tensor), ord, axis, keepdims)


def _norm(x, ord, axis, keepdims, name=None):
    pair = isinstance(axis, (list, tuple)) and len(axis) == 2
    if ord in ("euclidean", "fro") or ord == 2 and not pair:
        if x.dtype.is_complex:
            x = math.abs(x)
        result = math.sqrt(math.reduce_sum(x * x, axis, True))
        return result if keepdims else squeeze(result, axis)
    size = math.abs(x)
    if pair and ord in (1, np.inf):
        rows, columns = (a % x.shape.ndims for a in axis)
        inner, outer = (rows, columns) if ord == 1 else (columns, rows)
        result = math.reduce_max(math.reduce_sum(size, inner, True), outer, True)
        return result if keepdims else squeeze(result, [rows, columns], name)
    if pair:
        raise ValueError(f'matrices have no norm "{ord}" here: use "fro", 1 or inf')
    if ord == np.inf:
        return math.reduce_max(size, axis, keepdims, name)
    if ord == 1:
        return math.reduce_sum(size, axis, keepdims, name)
    total = math.reduce_sum(math.pow(size, ord), axis, keepdims)
    return math.pow(total, 1.0 / ord, name)


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """Divides a tensor by its norm.

    Args:
        tensor: A tensor of any floating-point or complex dtype.
        ord: The norm: see norm().
        axis: The dimensions: see norm().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the divided tensor, and the norm.
    """
    x = convert_to_tensor(tensor)
    length = norm(x, ord, axis, keepdims=True)
    return math.truediv(x, _like(length, x.dtype), name), length


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """Divides by the Euclidean norm along a dimension: x / sqrt(max(sum(x^2), epsilon)).

    Args:
        x: A tensor of any floating-point dtype.
        axis: The dimensions, an int or a list of ints. None: all.
        epsilon: Lower limit of the sum, a float.
        name: Name of the operation, a str. None: a default name.
        dim: Older name of axis.

    Returns:
        A tensor of the shape and dtype of x.
    """
    with name_scope(name, "l2_normalize") as scope:
        x = convert_to_tensor(x, name="x")
        squares = math.reduce_sum(math.square(x), given(axis, dim), True)
        return math.multiply(x, math.rsqrt(math.maximum(squares, epsilon)), scope)


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


def pinv(a, rcond=None, validate_args=False, name=None):
    """Computes the Moore-Penrose inverse of matrices.

    Args:
        a: A tensor [..., n, m] of any floating-point or complex dtype.
        rcond: Singular values below rcond times the largest one count as 0, a float. None: 10
            max(n, m) epsilon.
        validate_args: Accepted. Ranks are always checked.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., m, n].
    """
    a = convert_to_tensor(a)
    if rcond is None:
        rcond = 10.0 * max(a.shape.as_list()[-2:]) * np.finfo(a.dtype.as_numpy_dtype).eps
    s, u, v = svd(a)
    small = s <= math.reduce_max(s, -1, True) * rcond
    inverse = raw_ops.SelectV2(condition=small, t=raw_ops.ZerosLike(x=s), e=math.reciprocal(s))
    return matmul(v * _like(inverse, a.dtype)[..., None, :], u, adjoint_b=True, name=name)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """Computes the ranks of matrices: how many singular values are above a limit.

    Args:
        a: A tensor [..., n, m] of any floating-point or complex dtype.
        tol: The limit. None: epsilon max(n, m) times the largest singular value.
        validate_args: Accepted. Ranks are always checked.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 tensor [...].
    """
    a = convert_to_tensor(a)
    s = svd(a, compute_uv=False)
    if tol is None:
        eps = np.finfo(a.dtype.as_numpy_dtype).eps
        tol = math.reduce_max(s, -1, True) * (eps * max(a.shape.as_list()[-2:]))
    return math.reduce_sum(raw_ops.Cast(x=s > tol, DstT=dtypes.int32), -1, name=name)


def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False,
                      conjugate_rhs=False, name=None, partial_pivoting=True):  # fmt: skip
    """Solves systems of linear equations with tridiagonal matrices.

    Args:
        diagonals: The matrices, as diagonals_format says.
        rhs: A tensor [..., n, k], or vectors [..., n].
        diagonals_format: "compact": a tensor [..., 3, n] of the upper, main and lower diagonal;
            "sequence": a list of these three; "matrix": a tensor [..., n, n].
        transpose_rhs: Whether rhs is [..., k, n]. A bool.
        conjugate_rhs: Whether rhs is conjugated. A bool.
        name: Name of the operation, a str. None: a default name.
        partial_pivoting: Whether rows are exchanged, which is more exact. A bool.

    Returns:
        The tensor x, of the shape of rhs.

    Raises:
        ValueError: diagonals_format is unknown.
    """
    rhs = convert_to_tensor(rhs)
    upper, main, lower = _diagonals(diagonals, diagonals_format, rhs.dtype)
    vectors = rhs.shape.ndims == main.shape.ndims
    if transpose_rhs and not vectors:
        rhs = matrix_transpose(rhs, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        rhs = math.conj(rhs)
    x = raw_ops.TridiagonalSolve(
        diagonals=arrays.stack([upper, main, lower], -2),
        rhs=expand_dims(rhs, -1) if vectors else rhs, partial_pivoting=partial_pivoting, name=name,
    )  # fmt: skip
    return squeeze(x, [-1]) if vectors else x


def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """Multiplies tridiagonal matrices by matrices.

    Args:
        diagonals: The tridiagonal matrices: see tridiagonal_solve().
        rhs: A tensor [..., n, k].
        diagonals_format: "compact", "sequence" or "matrix": see tridiagonal_solve().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., n, k].

    Raises:
        ValueError: diagonals_format is unknown.
    """
    rhs = convert_to_tensor(rhs)
    upper, main, lower = _diagonals(diagonals, diagonals_format, rhs.dtype)
    return raw_ops.TridiagonalMatMul(
        superdiag=expand_dims(upper, -2), maindiag=expand_dims(main, -2),
        subdiag=expand_dims(lower, -2), rhs=rhs, name=name,
    )  # fmt: skip


def _diagonals(diagonals, form, dtype):
    """The diagonals [..., n] of a tridiagonal matrix: the upper one ends with a number that does
    not count, the lower one begins with it."""
    if form == "compact":
        return arrays.unstack(convert_to_tensor(diagonals, dtype), 3, -2)
    if form == "sequence":
        upper, main, lower = (convert_to_tensor(d, dtype) for d in diagonals)
        short = int(main.shape[-1] or 0) - 1
        upper = _longer(upper, [0, 1]) if upper.shape[-1] == short else upper
        return upper, main, _longer(lower, [1, 0]) if lower.shape[-1] == short else lower
    if form != "matrix":
        raise ValueError(f'diagonals_format is "compact", "sequence" or "matrix", not "{form}"')
    matrix = convert_to_tensor(diagonals, dtype)
    upper, lower = diag_part(matrix, k=1), diag_part(matrix, k=-1)
    return _longer(upper, [0, 1]), diag_part(matrix), _longer(lower, [1, 0])


def _longer(x, by):
    return arrays.pad(x, [[0, 0]] * (x.shape.ndims - 1) + [by])


__all__ = [*with_names(globals()), "global_norm"]
