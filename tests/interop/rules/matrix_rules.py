# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for matrices: products by labels, solvers, diagonals, transforms."""

import numpy as np

from interop.cases.case import Case, between, i32, nonzero, normal, of, positive
from interop.rules.draws import full, pick, shape_of, table, whole

FLOATS = ("float32", "float64")


def einsum(op, rng):
    """Labels drawn for one or two operands, now and then repeated or under an ellipsis."""
    sizes = {label: whole(rng, 1, 2, 3, 4) for label in "abcdeXYZ"}
    hidden = full(rng, 0, 2)
    operands, shapes = [], []
    for _ in range(whole(rng, 1, 2, 2)):
        labels = [pick(rng, *sizes) for _ in range(whole(rng, 0, 1, 2, 3))]
        if rng.rand() < 0.8:
            labels = list(dict.fromkeys(labels))
        shape = [sizes[label] for label in labels]
        if rng.rand() < 0.4:
            at, under = rng.randint(len(labels) + 1), hidden[whole(rng, 0, len(hidden)) :]
            shape[at:at] = [1 if rng.rand() < 0.2 else n for n in under]
            labels.insert(at, "...")
        operands.append(labels)
        shapes.append(shape)
    every = list(dict.fromkeys(label for labels in operands for label in labels))
    output = [label for label in every if label == "..." or rng.rand() < 0.5]
    rng.shuffle(output)
    equation = ",".join("".join(labels) for labels in operands) + "->" + "".join(output)
    return Case(op, [normal(*shape) for shape in shapes], equation=equation, rtol=1e-3, atol=1e-3)


def regular(rng, *shape):
    """Matrices far from singular."""
    n = shape[-1]
    return of(rng.uniform(-1, 1, size=shape) + 3 * n * np.eye(shape[-2], n))


def definite(rng, *shape):
    values = rng.uniform(-1, 1, size=shape)
    return of(values @ np.swapaxes(values, -1, -2) + shape[-1] * np.eye(shape[-1]))


def square(op, rng):
    n, outer = whole(rng, 0, 1, 2, 3, 5), shape_of(rng, 0, 2)
    make = (
        definite if "Cholesky" in op or op in ("MatrixLogarithm", "MatrixSquareRoot") else regular
    )
    matrix = make(rng, *outer, n, n) if n else normal(*outer, 0, 0)
    attrs = dict(adjoint=bool(rng.randint(2))) if op.endswith("Inverse") else {}
    return Case(op, matrix, types=FLOATS, rtol=1e-3, atol=1e-4, **attrs)


def solve(op, rng):
    n, outer, columns = whole(rng, 1, 2, 3, 5), shape_of(rng, 0, 2), whole(rng, 0, 1, 2, 4)
    flags = dict(adjoint=bool(rng.randint(2)))
    inputs = [regular(rng, *outer, n, n) if np.prod(outer) else normal(*outer, n, n)]
    inputs.append(normal(*outer, n, columns))
    if "Triangular" in op:
        flags["lower"] = bool(rng.randint(2))
    return Case(op, *inputs, types=FLOATS, rtol=1e-3, atol=1e-4, **flags)


def tridiagonal(op, rng):
    n, outer, columns = whole(rng, 1, 2, 3, 6), shape_of(rng, 0, 1, (1, 2, 3)), whole(rng, 1, 2)
    right = normal(*outer, n, columns)
    if op == "TridiagonalMatMul":
        return Case(op, *(normal(*outer, 1, n) for _ in range(3)), right, types=FLOATS)
    diagonals = rng.uniform(-1, 1, size=(*outer, 3, n))
    diagonals[..., 1, :] += 3
    pivoted = bool(rng.randint(2))
    return Case(op, of(diagonals), right, partial_pivoting=pivoted, types=FLOATS, rtol=1e-3)


def bands(op, rng):
    """The V2 ops: diagonals low..high of matrices."""
    outer, rows, columns = shape_of(rng, 0, 2), whole(rng, 1, 2, 3, 5), whole(rng, 1, 2, 4)
    low, high = sorted(int(k) for k in rng.randint(1 - rows, columns, size=2))
    k = i32(low) if low == high and rng.rand() < 0.5 else i32([low, high])
    width = min(rows + min(high, 0), columns - max(low, 0))
    diagonal = normal(*outer, *([high - low + 1] if high > low else []), width)
    inputs = {
        "MatrixDiagPartV2": [normal(*outer, rows, columns), k, normal()],
        "MatrixDiagV2": [diagonal, k, i32(rows), i32(columns), normal()],
        "MatrixSetDiagV2": [normal(*outer, rows, columns), diagonal, k],
    }[op]
    return Case(op, *inputs)


def set_diagonal(op, rng):
    shape = shape_of(rng, 2, 4)
    return Case(op, normal(*shape), normal(*shape[:-2], min(shape[-2:])))


def diagonals(op, rng):
    half = full(rng, 1, 3)
    return Case(op, normal(*(half if op == "Diag" else half + half)))


def transform(op, rng):
    """FFTs of several dimensions, and those of real numbers, cut or padded to a length."""
    rank = int(op[-2]) if op[-2].isdigit() else 1
    shape = full(rng, rank, rank + 1)
    if "RFFT" not in op:
        return Case(op, normal(*shape), types=("complex64", "complex128"), rtol=1e-3, atol=1e-3)
    lengths = i32([whole(rng, 1, 2, 3, n) for n in shape[-rank:]])
    dtype = "complex64" if op.startswith("I") else "float32"
    return Case(op, normal(*shape, dtype=dtype), lengths, rtol=1e-3, atol=1e-3)


def cross(op, rng):
    shape = shape_of(rng, 0, 3) + [3]
    return Case(op, normal(*shape), normal(*shape))


def recurrent(op, rng):
    """One step, or several, of a block of cells."""
    batch, inputs, units = (whole(rng, 1, 2, 3) for _ in range(3))
    state = normal(batch, units)
    if op == "GRUBlockCell":
        gates, both = normal(inputs + units, 2 * units), normal(inputs + units, units)
        biases = [normal(2 * units), normal(units)]
        return Case(op, normal(batch, inputs), state, gates, both, *biases)
    kernel, peep = normal(inputs + units, 4 * units), normal(units)
    rest = [state, state, kernel, peep, peep, peep, normal(4 * units)]
    flags = dict(use_peephole=bool(rng.randint(2)), cell_clip=pick(rng, 0.0, 1.5, 3.0))
    if "BlockLSTM" not in op:
        return Case(op, normal(batch, inputs), *rest, rtol=1e-3, **flags)
    steps = whole(rng, 1, 2, 4)
    most = of(whole(rng, 0, 1, steps), "int64")
    return Case(op, most, normal(steps, batch, inputs), *rest, rtol=1e-3, **flags)


def beta(op, rng):
    shape = shape_of(rng, 0, 2)
    inputs = [positive(*shape), positive(*shape), between(0, 1, *shape)]
    if rng.rand() < 0.3:
        inputs[rng.randint(3)] = of(0.75)
    return Case(op, *inputs, types=FLOATS, rtol=1e-3)


def steps(op, rng):
    """Evenly spaced numbers."""
    if op == "LinSpace":
        return Case(op, normal(), normal(), i32(whole(rng, 1, 2, 5, 9)), types=FLOATS)
    if op == "RaggedRange":
        count = whole(rng, 0, 1, 3)
        inputs = [between(-5, 5, count), between(-5, 9, count), nonzero(count)]
        return Case(op, *inputs, types=("int32", "int64", "float32"))
    return Case(op, normal(), normal(), nonzero(), types=("int32", "int64", "float32", "float64"))


RULES = table(
    (einsum, "Einsum"),
    (square, "Cholesky BatchCholesky MatrixInverse BatchMatrixInverse MatrixDeterminant Lu"),
    (square, "BatchMatrixDeterminant LogMatrixDeterminant MatrixExponential MatrixLogarithm"),
    (square, "MatrixSquareRoot"),
    (solve, "MatrixSolve BatchMatrixSolve MatrixTriangularSolve BatchMatrixTriangularSolve"),
    (tridiagonal, "TridiagonalMatMul TridiagonalSolve"),
    (bands, "MatrixDiagPartV2 MatrixDiagV2 MatrixSetDiagV2"),
    (set_diagonal, "BatchMatrixSetDiag MatrixSetDiag"),
    (diagonals, "Diag DiagPart"),
    (transform, "FFT2D IFFT2D FFT3D IFFT3D RFFT RFFT2D RFFT3D IRFFT IRFFT2D IRFFT3D"),
    (cross, "Cross"),
    (recurrent, "BlockLSTM BlockLSTMV2 LSTMBlockCell GRUBlockCell"),
    (beta, "Betainc"),
    (steps, "LinSpace Range RaggedRange"),
)
