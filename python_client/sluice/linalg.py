"""Matrices. The last two dimensions are the matrix, those before them are batches."""

import numpy as np

from . import arrays, dtypes, math, raw_ops
from .arrays import concat, expand_dims, fill, reshape, shape, squeeze
from .building import given, shape_tensor, thin, with_names
from .convert import constant, convert_to_tensor
from .differentiate import global_norm


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
           a_is_sparse=False, b_is_sparse=False, name=None):  # fmt: skip
    """Matrix product; with more than two dimensions one for each of the leading indices.

    a_is_sparse, b_is_sparse: many zeros are to be expected (float32 and bfloat16 matrices).
    """
    if not hasattr(a, "graph") and hasattr(b, "graph"):
        a = convert_to_tensor(a, b.dtype)
    a = convert_to_tensor(a)
    b = convert_to_tensor(b, a.dtype)
    if transpose_a and adjoint_a or transpose_b and adjoint_b:
        raise ValueError("a matrix is transposed or its adjoint is taken, not both")
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
    """Matrices [..., n, m] times vectors [..., m]: [..., n]."""
    product = matmul(
        a, expand_dims(b, -1), transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse,
        b_is_sparse=b_is_sparse,
    )  # fmt: skip
    return squeeze(product, [-1], name)


sparse_matmul = thin(
    "SparseMatMul",
    "a b transpose_a=False transpose_b=False a_is_sparse=False b_is_sparse=False",
    "matmul() of dense matrices of which many elements are zero.",
)
_CHOLESKY = "The lower triangle L with L L^H = input. InvalidArgumentError: not positive definite."
cholesky = thin("Cholesky", "input", _CHOLESKY)
det = thin("MatrixDeterminant", "input", "Determinants [...].")
slogdet = thin("LogMatrixDeterminant", "input", "[sign [...], log |determinant| [...]].")
inv = thin(
    "MatrixInverse",
    "input adjoint=False",
    "Inverses (adjoint: of the adjoints). InvalidArgumentError: not invertible.",
)
solve = thin(
    "MatrixSolve",
    "matrix rhs adjoint=False",
    "x with matrix x = rhs [..., n, k]. InvalidArgumentError: not invertible.",
)
triangular_solve = thin("MatrixTriangularSolve", "matrix rhs lower=True adjoint=False",
                        "x with matrix x = rhs; the other triangle is not read.")  # fmt: skip
qr = thin("Qr", "input full_matrices=False", "[q, r]: q has orthonormal columns, r is upper.")
lu = thin("Lu", "input output_idx_type=3", "[lower and upper in one, permutation].")
logm = thin("MatrixLogarithm", "input", "The matrix logarithm, of complex matrices.")
sqrtm = thin("MatrixSquareRoot", "input", "The matrix square root.")
band_part = thin(
    "MatrixBandPart",
    "input num_lower num_upper",
    "The diagonals from num_lower below to num_upper above (-1: all), zeros elsewhere.",
)
tensor_diag = thin("Diag", "diagonal", "[..., ...] with the elements of [...] on its diagonal.")
tensor_diag_part = thin("DiagPart", "input", "The reverse of tensor_diag.")
cross = thin("Cross", "a b", "Cross products of vectors [..., 3].")


def expm(input, name=None):
    """The matrix exponential, by a Pade approximant of order 13 with scaling and squaring.

    N. J. Higham, The scaling and squaring method for the matrix exponential revisited (2005).
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
    from .control_flow import while_loop

    most = math.reduce_max(times)

    def step(i, value):
        go_on = math.less(raw_ops.OnesLike(x=times) * i, times)
        return i + 1, raw_ops.SelectV2(condition=go_on, t=matmul(value, value), e=value)

    zero = constant(0, times.dtype)
    shapes = [zero.shape, x.shape]
    last = while_loop(lambda i, value: i < most, step, [zero, x], shape_invariants=shapes)
    return raw_ops.Identity(input=last[1], name=name)


def logdet(matrix, name=None):
    """log of the determinants of positive definite matrices."""
    factor = diag_part(cholesky(matrix))
    return math.multiply(math.reduce_sum(math.log(math.real(factor)), -1), 2, name)


def cholesky_solve(chol, rhs, name=None):
    """x with A x = rhs, from the Cholesky factor of A."""
    half = triangular_solve(chol, rhs)
    return triangular_solve(chol, half, adjoint=True, name=name)


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """x that makes |matrix x - rhs|^2 + l2_regularizer |x|^2 smallest."""
    return raw_ops.MatrixSolveLs(
        matrix=matrix, rhs=rhs, l2_regularizer=constant(l2_regularizer, dtypes.float64), fast=fast,
        name=name,
    )  # fmt: skip


def eigh(tensor, name=None):
    """[eigenvalues [..., n], ascending, eigenvectors as columns] of self-adjoint matrices."""
    return raw_ops.SelfAdjointEigV2(input=tensor, compute_v=True, name=name)


def eigvalsh(tensor, name=None):
    """The eigenvalues [..., n], ascending, of self-adjoint matrices."""
    return raw_ops.SelfAdjointEigV2(input=tensor, compute_v=False, name=name)[0]


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """[s, u, v] with tensor = u diag(s) v^H, s descending; s alone without compute_uv."""
    parts = raw_ops.Svd(input=tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return parts if compute_uv else parts[0]


def diag(diagonal, name=None, k=0, num_rows=-1, num_cols=-1, padding_value=0):
    """Matrices with these vectors on diagonal k (or a band of them, k = (low, high))."""
    diagonal = convert_to_tensor(diagonal)
    if isinstance(k, int) and (k, num_rows, num_cols) == (0, -1, -1):
        return raw_ops.MatrixDiag(diagonal=diagonal, name=name)
    return raw_ops.MatrixDiagV2(
        diagonal=diagonal, k=k, num_rows=num_rows, num_cols=num_cols,
        padding_value=constant(padding_value, diagonal.dtype), name=name,
    )  # fmt: skip


def diag_part(input, name=None, k=0, padding_value=0):
    """Diagonal k of each matrix (or a band of them, k = (low, high))."""
    input = convert_to_tensor(input)
    if isinstance(k, int) and k == 0:
        return raw_ops.MatrixDiagPart(input=input, name=name)
    return raw_ops.MatrixDiagPartV2(
        input=input, k=k, padding_value=constant(padding_value, input.dtype), name=name
    )


def set_diag(input, diagonal, name=None, k=0):
    """The matrices with diagonal k replaced."""
    if isinstance(k, int) and k == 0:
        return raw_ops.MatrixSetDiag(input=input, diagonal=diagonal, name=name)
    return raw_ops.MatrixSetDiagV2(input=input, diagonal=diagonal, k=k, name=name)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    """Ones on the diagonal, zeros elsewhere: [batch_shape..., num_rows, num_columns]."""
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
    """The sum of each matrix' diagonal."""
    return math.reduce_sum(diag_part(x), [-1], name=name)


def matrix_transpose(a, name=None, conjugate=False):
    """The last two dimensions exchanged."""
    a = convert_to_tensor(a)
    if a.shape.ndims is None:
        raise ValueError("the rank must be known")
    order = list(range(a.shape.ndims))
    order[-2:] = order[:-3:-1]
    if conjugate and a.dtype.is_complex:
        return raw_ops.ConjugateTranspose(x=a, perm=order, name=name)
    return arrays.transpose(a, order, name)


transpose = matrix_transpose


def adjoint(matrix, name=None):
    """The conjugate transpose."""
    return matrix_transpose(matrix, name, conjugate=True)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """The norm over `axis`, a dimension (vectors), a pair (matrices), or None: all elements.

    ord: "euclidean" (of a pair: "fro"), 1, 2, inf or another positive number.
    """
    x, keepdims = convert_to_tensor(tensor), bool(given(keepdims, keep_dims))
    pair = isinstance(axis, (list, tuple)) and len(axis) == 2
    size = math.abs(x)
    if ord in ("euclidean", "fro") or ord == 2 and not pair:
        return math.sqrt(math.reduce_sum(size * size, axis, keepdims), name)
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
    """(tensor / its norm, the norm)."""
    x = convert_to_tensor(tensor)
    length = norm(x, ord, axis, keepdims=True)
    return math.truediv(x, _like(length, x.dtype), name), length


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """x / sqrt(max(sum(x^2), epsilon)) over `axis`."""
    x = convert_to_tensor(x)
    squares = math.reduce_sum(math.square(x), given(axis, dim), True)
    return math.multiply(x, math.rsqrt(math.maximum(squares, epsilon)), name)


def tensordot(a, b, axes, name=None):
    """The sum of products over `axes`: a number of dimensions (a's last, b's first), or two lists
    of dimensions. The static ranks must be known."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    rank_a, rank_b = a.shape.ndims, b.shape.ndims
    if isinstance(axes, int):
        axes = list(range(rank_a - axes, rank_a)), list(range(axes))
    over_a, over_b = ([d] if isinstance(d, int) else list(d) for d in axes)
    over_a, over_b = [d % rank_a for d in over_a], [d % rank_b for d in over_b]
    kept_a = [d for d in range(rank_a) if d not in over_a]
    kept_b = [d for d in range(rank_b) if d not in over_b]
    letters = "abcdefghijklmnopqrstuvwxyz"
    of_a = letters[:rank_a]
    of_b = list(letters[rank_a : rank_a + rank_b])
    for i, j in zip(over_a, over_b):
        of_b[j] = of_a[i]
    out = "".join([of_a[d] for d in kept_a] + [of_b[d] for d in kept_b])
    return einsum(f"{of_a},{''.join(of_b)}->{out}", a, b, name=name)


def einsum(equation, *inputs, name=None):
    """Einstein summation: "ij,jk->ik" is a matrix product. One or two inputs at a time; more are
    contracted from left to right."""
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
    """The Moore-Penrose inverse; singular values below rcond times the largest count as 0.

    rcond: 10 max(n, m) eps when not given. validate_args: accepted; ranks are always checked.
    """
    a = convert_to_tensor(a)
    if rcond is None:
        rcond = 10.0 * max(a.shape.as_list()[-2:]) * np.finfo(a.dtype.as_numpy_dtype).eps
    s, u, v = svd(a)
    small = s <= math.reduce_max(s, -1, True) * rcond
    inverse = raw_ops.SelectV2(condition=small, t=raw_ops.ZerosLike(x=s), e=math.reciprocal(s))
    return matmul(v * _like(inverse, a.dtype)[..., None, :], u, adjoint_b=True, name=name)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """int32 [...]: how many singular values are above tol (eps max(n, m) the largest)."""
    a = convert_to_tensor(a)
    s = svd(a, compute_uv=False)
    if tol is None:
        eps = np.finfo(a.dtype.as_numpy_dtype).eps
        tol = math.reduce_max(s, -1, True) * (eps * max(a.shape.as_list()[-2:]))
    return math.reduce_sum(raw_ops.Cast(x=s > tol, DstT=dtypes.int32), -1, name=name)


def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False,
                      conjugate_rhs=False, name=None, partial_pivoting=True):  # fmt: skip
    """x with the tridiagonal matrix times x = rhs.

    diagonals_format: "compact" [..., 3, n]: upper, main, lower; "sequence": these three; "matrix"
    [..., n, n]. rhs: [..., n, k] (transpose_rhs: [..., k, n]), or vectors [..., n].
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
    """The tridiagonal matrix times rhs [..., n, k]; diagonals: see tridiagonal_solve()."""
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
