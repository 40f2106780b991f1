# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py: linear algebra, Fourier transforms, special functions.

Vectors whose signs a decomposition leaves open are in linalg_test.py.
"""

import numpy as np

from interop.cases.case import (
    COMPLEX,
    F64,
    INF,
    INVALID,
    NAN,
    REALS,
    Case,
    Value,
    between,
    i32,
    normal,
    of,
    positive,
)

TYPES = F64 + COMPLEX
LOOSE = 5e-4
NO = of(0.0, "float64")


def matrix(draw, *shape):
    """Matrices made by `draw` from standard normal ones."""

    def make(rng, dtype):
        values = rng.randn(*shape)
        return draw(values + 1j * rng.randn(*shape) if "complex" in dtype else values)

    return Value(make)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def definite(*shape):
    eye = np.eye(shape[-1])
    return matrix(lambda a: np.matmul(a, adjoint(a)) + eye, *shape)


def plain(*shape):
    return matrix(lambda a: a, *shape)


def regular(*shape):
    """Far from singular, whatever is drawn: single precision keeps most of its digits."""
    return matrix(lambda a: a + (3 + shape[-1]) * np.eye(shape[-1]), *shape)


def lower(*shape):
    return matrix(lambda a: np.tril(a) + 3 * np.eye(shape[-1]), *shape)


SHAPES = ((1, 1), (5, 5), (3, 4, 4), (2, 1, 3, 2, 2), (33, 33), (0, 0), (2, 0, 0), (0, 3, 3))


def decompositions():
    for shape in SHAPES:
        yield Case("Cholesky", definite(*shape), types=TYPES, rtol=LOOSE)
        yield Case("MatrixInverse", regular(*shape), types=TYPES, rtol=5e-3)
        yield Case("MatrixInverse", regular(*shape), adjoint=True, types=TYPES, rtol=5e-3)
        yield Case("MatrixDeterminant", plain(*shape), types=TYPES, rtol=2e-3)
        yield Case("LogMatrixDeterminant", plain(*shape), types=TYPES, rtol=2e-3)
        yield Case("Lu", regular(*shape), types=TYPES, rtol=LOOSE)
        yield Case("Lu", regular(*shape), output_idx_type=np.int64, types=("float64",), rtol=LOOSE)
    for shape in ((3, 2), (2, 3), (2, 4, 4), (2, 5, 3), (0, 2), (2, 0), (1, 3), (30, 20)):
        like = None if min(shape) else 2  # TensorFlow 1.15 dies
        for full in (False, True):
            yield Case("Qr", plain(*shape), full_matrices=full, types=TYPES, rtol=2e-3, like=like)
    for shape in ((3, 3), (2, 4, 4)):
        yield Case("BatchCholesky", definite(*shape), types=F64, rtol=LOOSE)
        yield Case("BatchMatrixDeterminant", plain(*shape), types=F64, rtol=LOOSE)
        yield Case("BatchMatrixInverse", regular(*shape), types=F64, rtol=LOOSE)
        yield Case("CholeskyGrad", lower(*shape), plain(*shape), types=F64, rtol=LOOSE)
        yield Case("BatchCholeskyGrad", lower(*shape), plain(*shape), types=F64, rtol=LOOSE)
    yield Case("CholeskyGrad", lower(40, 40), plain(40, 40), types=F64, rtol=2e-2)
    singular = of([[1.0, 2.0], [2.0, 4.0]])
    nan = of([[NAN, 1.0], [1.0, 2.0]])
    yield Case("MatrixDeterminant", singular, types=TYPES)
    yield Case("LogMatrixDeterminant", singular, types=TYPES)
    yield Case("MatrixDeterminant", nan, types=TYPES, like=2)
    yield Case("MatrixInverse", singular, error=INVALID, text="Input is not invertible.")
    yield Case("Lu", singular, error=INVALID, text="Input is not invertible.")
    for op in ("Cholesky", "MatrixInverse", "MatrixDeterminant", "SelfAdjointEigV2", "Lu"):
        yield Case(op, plain(2, 3), error=INVALID, text="Input matrix must be square")
        yield Case(op, plain(3), error=INVALID, text="must have rank >= 2", like=2)
    for op in ("Svd", "Qr"):
        yield Case(op, plain(3), error=INVALID, text="must have rank >= 2", like=2)


def solutions():
    for shape, rhs in (
        ((1, 1), (1, 1)),
        ((4, 4), (4, 3)),
        ((2, 3, 3), (2, 3, 5)),
        ((2, 0, 3, 3), (2, 0, 3, 1)),
        ((3, 3), (3, 0)),
        ((0, 0), (0, 2)),
        ((35, 35), (35, 2)),
    ):
        for flag in (False, True):
            yield Case(
                "MatrixSolve", regular(*shape), plain(*rhs), adjoint=flag, types=TYPES, rtol=LOOSE
            )
            for low in (False, True):
                yield Case(
                    "MatrixTriangularSolve",
                    matrix(lambda a: a / 4 + 3 * np.eye(a.shape[-1]), *shape),
                    plain(*rhs),
                    lower=low,
                    adjoint=flag,
                    types=TYPES,
                    rtol=LOOSE,
                )
    yield Case("BatchMatrixSolve", regular(2, 3, 3), plain(2, 3, 1), types=F64, rtol=LOOSE)
    yield Case(
        "BatchMatrixTriangularSolve", regular(2, 3, 3), plain(2, 3, 1), types=F64, rtol=LOOSE
    )
    yield Case(
        "MatrixTriangularSolve", lower(2, 1, 3, 3), plain(4, 3, 2), types=F64, like=2, rtol=LOOSE
    )
    singular = of([[1.0, 2.0], [2.0, 4.0]])
    text = "Input matrix is not invertible."
    yield Case("MatrixSolve", singular, plain(2, 1), error=INVALID, text=text)
    yield Case(
        "MatrixTriangularSolve",
        of([[1.0, 2.0], [2.0, 0.0]]),
        plain(2, 1),
        error=INVALID,
        text=text,
        like=1,
    )
    for op in ("MatrixSolve", "MatrixTriangularSolve"):
        yield Case(op, plain(2, 3), plain(2, 1), error=INVALID, like=2)
        yield Case(op, plain(2, 2), plain(3, 1), error=INVALID, like=2)
        yield Case(op, plain(2), plain(3, 1), error=INVALID, like=2)
    yield Case("MatrixSolve", plain(2, 2, 2), plain(3, 2, 1), error=INVALID, like=2)


def least_squares():
    for shape, rhs in (((5, 3), (5, 2)), ((3, 5), (3, 2)), ((2, 4, 4), (2, 4, 1))):
        for l2 in (0.0, 0.3):
            args = (plain(*shape), plain(*rhs), of(l2, "float64"))
            yield Case("MatrixSolveLs", *args, types=F64, rtol=5e-3)
        yield Case(
            "MatrixSolveLs", plain(*shape), plain(*rhs), NO, fast=False, types=TYPES, rtol=5e-3
        )
    yield Case("MatrixSolveLs", plain(0, 3), plain(0, 2), NO, ours="TensorFlow leaves it as it is")
    yield Case("MatrixSolveLs", plain(3, 2), plain(3, 2), of(-1.0, "float64"), error=INVALID)
    yield Case("MatrixSolveLs", plain(3, 2), plain(2, 2), NO, error=INVALID)
    yield Case(
        "MatrixSolveLs",
        of([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]),
        plain(3, 1),
        NO,
        error=INVALID,
        ours="where rounding decides",
        types=("float64",),
    )


def tridiagonals():
    for shape, rhs in (
        ((3, 5), (5, 2)),
        ((2, 3, 4), (2, 4, 3)),
        ((3, 1), (1, 1)),
        ((3, 2), (2, 1)),
    ):
        for pivoting in (False, True):
            yield Case(
                "TridiagonalSolve",
                plain(*shape) if pivoting else positive(*shape),
                plain(*rhs),
                partial_pivoting=pivoting,
                types=TYPES,
                rtol=5e-3,
            )
        row = shape[:-2] + (1,) + shape[-1:]
        yield Case(
            "TridiagonalMatMul",
            plain(*row),
            plain(*row),
            plain(*row),
            plain(*rhs),
            types=TYPES,
            rtol=LOOSE,
        )
    zero = of([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    yield Case("TridiagonalSolve", zero, plain(2, 1), error=INVALID, like=1)
    yield Case("TridiagonalSolve", zero, plain(2, 1), partial_pivoting=False, error=INVALID, like=1)
    yield Case("TridiagonalSolve", plain(2, 2), plain(2, 1), error=INVALID)
    yield Case("TridiagonalSolve", plain(3, 3), plain(2, 1), error=INVALID)
    yield Case(
        "TridiagonalMatMul", plain(1, 3), plain(1, 3), plain(1, 2), plain(3, 1), error=INVALID
    )


def functions_of_matrices():
    small = matrix(lambda a: a / 2, 2, 4, 4)
    for shape in ((1, 1), (4, 4), (2, 3, 3), (0, 0), (0, 2, 2)):
        yield Case("MatrixExponential", plain(*shape), types=TYPES, rtol=2e-3)
        like = None if min(shape) else 2  # TensorFlow 1.15 writes beyond them
        yield Case("MatrixLogarithm", definite(*shape), types=COMPLEX, rtol=5e-3, like=like)
        yield Case("MatrixSquareRoot", definite(*shape), types=TYPES, rtol=5e-3, like=like)
    yield Case("MatrixExponential", small, types=TYPES, rtol=LOOSE)
    for op in ("MatrixExponential", "MatrixSquareRoot"):
        yield Case(op, plain(2, 3), error=INVALID, like=2)
    yield Case("MatrixLogarithm", plain(2, 3), types=("complex64",), error=INVALID, like=2)
    yield Case("MatrixLogarithm", plain(3), types=("complex64",), error=INVALID, like=2)


def einsums():
    for equation, *shapes in (
        ("ab,bc->ac", (3, 4), (4, 5)),
        ("ab,cb->ca", (3, 4), (5, 4)),
        ("abc,abd->adc", (2, 3, 4), (2, 3, 5)),
        ("abc->cab", (2, 3, 4)),
        ("abc->b", (2, 3, 4)),
        ("abc->", (2, 3, 4)),
        ("aab->ab", (3, 3, 4)),
        ("aa->", (3, 3)),
        ("a->aa", (3,)),
        ("ab,ab->", (3, 4), (3, 4)),
        ("a,b->ab", (3,), (4,)),
        ("a,b->", (3,), (4,)),
        ("aab,bcc->ac", (2, 2, 3), (3, 4, 4)),
        ("...ab,...bc->...ac", (2, 1, 3, 4), (5, 4, 2)),
        ("...ab,bc->...ca", (6, 2, 3, 4), (4, 2)),
        ("...a->a...", (2, 3, 4)),
        ("...a->...", (2, 3, 4)),
        ("...->...", (2, 3)),
        ("...,...->...", (2, 3), (3,)),
        ("a...b,b...->a...", (2, 3, 4), (4, 3)),
        ("ab,b->a", (0, 3), (3,)),
        ("ab,bc->ac", (2, 0), (0, 3)),
        ("->", ()),
        (",->", (), ()),
        ("abcde,edfg->abcfg", (2, 2, 2, 3, 2), (2, 3, 2, 2)),
    ):
        yield Case(
            "Einsum", [normal(*s) for s in shapes], equation=equation, types=TYPES, rtol=2e-3
        )
    for equation, *shapes in (
        ("ab,bc->ac", (3, 4), (5, 5)),
        ("ab->a", (3,)),
        ("a...->a", ()),
        ("aa->a", (3, 4)),
        ("ab,bc", (3, 4), (4, 5)),
        ("ab,bc->ad", (3, 4), (4, 5)),
        ("ab,bc,cd->ad", (3, 4), (4, 5), (5, 2)),
        ("ab,bc->ac", (3, 4)),
        ("a.b->a", (3, 4)),
        ("...a,...a->...", (2, 3), (4, 3)),
        ("a...->a", (2, 3)),
    ):
        yield Case("Einsum", [normal(*s) for s in shapes], equation=equation, error=INVALID)


def transforms():
    loose = dict(rtol=2e-3)
    for n in (1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 30, 49, 64, 67, 97, 100, 128, 243, 254, 1000):
        for op in ("FFT", "IFFT"):
            yield Case(op, between(-1, 1, 2, n), types=COMPLEX, **loose)
        yield Case("RFFT", between(-1, 1, 2, n), i32([n]), **loose)
        yield Case("IRFFT", between(-1, 1, 2, n // 2 + 1, dtype="complex64"), i32([n]), **loose)
    for shape in ((19, 67), (9, 30), (3, 997)):  # many lines, and long ones of a prime length
        yield Case("FFT", between(-1, 1, *shape), types=COMPLEX, **loose)
    for op in ("FFT2D", "IFFT2D", "FFT3D", "IFFT3D"):
        yield Case(op, between(-1, 1, 2, 3, 5, 8), types=COMPLEX, **loose)
        yield Case(op, between(-1, 1, 4, 1, 7), types=COMPLEX, **loose)
        yield Case(op, between(-1, 1, 0, 4, 1, 7), types=COMPLEX)
        yield Case(op, between(-1, 1, 3), types=("complex64",), error=INVALID)
    yield Case("FFT", between(-1, 1), types=("complex64",), error=INVALID)
    yield Case("BatchFFT", between(-1, 1, 2, 3), types=("complex64",), ours="deprecated")
    for shape, length in (
        ((4, 6), [4, 6]),
        ((2, 5, 7), [5, 7]),
        ((5, 7), [3, 4]),
        ((2, 2, 9, 9), [8, 1]),
    ):
        yield Case("RFFT2D", normal(*shape), i32(length), **loose)
        half = shape[:-1] + (shape[-1] // 2 + 1,)
        yield Case("IRFFT2D", normal(*half, dtype="complex64"), i32(length), **loose)
    for shape, length in (((3, 4, 6), [3, 4, 6]), ((2, 5, 4, 7), [3, 4, 5])):
        yield Case("RFFT3D", normal(*shape), i32(length), **loose)
        half = shape[:-1] + (shape[-1] // 2 + 1,)
        yield Case("IRFFT3D", normal(*half, dtype="complex64"), i32(length), **loose)
    yield Case("RFFT", normal(2, 8), i32([5]), **loose)
    yield Case("IRFFT", normal(2, 8, dtype="complex64"), i32([7]), **loose)
    for shape in ((2, 0), (0, 8)):
        yield Case("RFFT", normal(*shape), i32([0]))
        yield Case("IRFFT", normal(*shape, dtype="complex64"), i32([0]))
    yield Case("RFFT", normal(2, 0), i32([8]), ours="TensorFlow leaves memory as it is")
    yield Case("RFFT", normal(0, 8), i32([9]), error=INVALID)
    yield Case("RFFT", normal(2, 8), i32([9]), error=INVALID, text="must have length of at least 9")
    yield Case("RFFT", normal(2, 8), i32([-1]), error=INVALID)
    yield Case("RFFT", normal(2, 8), i32([8, 8]), error=INVALID)
    yield Case("RFFT2D", normal(8), i32([8, 8]), error=INVALID)
    yield Case("IRFFT", normal(2, 4, dtype="complex64"), i32([8]), error=INVALID)


def special_functions():
    edges = of([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 1e-3, 40.0, 700.0])
    rough = dict(rtol=3e-4)
    for op in ("Ndtri", "Erfinv"):
        yield Case(op, of(np.linspace(0.001, 0.999, 200)), types=F64, rtol=3e-5)
        yield Case(op, of([0.0, 1e-30, 1e-12, 0.5, 0.99, 1.0, -1.0, 1.5, -2.0, NAN]), types=F64)
    yield Case("Erfinv", of(np.linspace(-0.999, 0.999, 200)), types=F64, rtol=3e-5)
    for op in ("BesselI0", "BesselI0e", "BesselI1", "BesselI1e"):
        yield Case(op, between(-40, 40, 200), types=F64, rtol=2e-5)
        yield Case(op, between(-9, 9, 20), types=("float16",), rtol=1e-2)
        yield Case(op, edges, types=F64, rtol=2e-5)
    for op in ("Igamma", "Igammac"):
        yield Case(op, positive(5, 7), positive(7), types=F64, **rough)
        yield Case(op, positive(20), between(0, 40, 20), types=F64, **rough)
        yield Case(op, between(10, 60, 40), between(10, 60, 40), types=F64, **rough)
        yield Case(op, of([1.0, 2.0, -1.0, 0.0, 3.0]), of([0.0, 1.0, 1.0, 1.0, -1.0]), types=F64)
        yield Case(op, normal(2), normal(3), error=INVALID)
    for op in ("IgammaGradA", "RandomGammaGrad"):
        yield Case(op, positive(5, 7), positive(7), types=F64, rtol=2e-3)
        yield Case(op, positive(30), between(0.01, 20, 30), types=F64, rtol=2e-3)
    yield Case("Betainc", positive(30), positive(30), between(0.01, 0.99, 30), types=F64, **rough)
    yield Case("Betainc", positive(30), of(2.0), between(0.01, 0.99, 30), types=F64, **rough)
    yield Case("Betainc", of(0.5), of(2.0), between(0.01, 0.99, 3, 4), types=F64, **rough)
    yield Case("Betainc", of([1.0, 2.0, -1.0, 3.0]), of(2.0), of([0.0, 1.0, 0.5, 2.0]), types=F64)
    yield Case("Betainc", positive(3), positive(4), of(0.5), error=INVALID)
    yield Case("Zeta", between(1.1, 9, 30), positive(30), types=F64, rtol=2e-5)
    yield Case(
        "Zeta",
        of([2.0, 3.0, 2.0, 0.5, 1.0]),
        of([-0.5, -2.25, 0.0, 1.0, 1.0]),
        types=F64,
        rtol=2e-5,
    )
    poles = of([2.5, 2.0, 3.0, 2.5, 4.0]), of([0.0, 0.0, 0.0, -1.0, -2.0])
    yield Case("Zeta", *poles, types=F64, like=2)
    yield Case("Polygamma", of([0.0, 1.0, 2.0, 3.0, 7.0]), positive(4, 5), types=F64, rtol=2e-5)
    yield Case(
        "Polygamma", of([-1.0, 0.5, 1.0, 2.0]), of([1.0, 1.0, -0.5, -1.5]), types=F64, rtol=2e-5
    )
    yield Case("NextAfter", edges, edges, types=F64)
    yield Case("NextAfter", normal(3, 1), normal(4), types=F64)
    types = tuple(t for t in REALS if t not in ("uint32", "uint64"))
    yield Case("Cross", normal(4, 3), normal(4, 3), types=types)
    yield Case("Cross", normal(3), normal(3), types=types)
    yield Case("Cross", normal(0, 3), normal(0, 3))
    yield Case("Cross", normal(2, 3), normal(3, 3), error=INVALID)
    for flags in ({}, dict(exclusive=True), dict(reverse=True), dict(exclusive=True, reverse=True)):
        yield Case(
            "CumulativeLogsumexp",
            normal(3, 4, 2),
            i32(1),
            types=("float16",) + F64,
            like=1 if "exclusive" in flags else None,  # a later TensorFlow starts from -inf
            **flags,
        )
    yield Case("CumulativeLogsumexp", of([-INF, 1.0, INF, 2.0]), i32(0), types=F64, like=1)
    yield Case("CumulativeLogsumexp", normal(3), i32(1), error=INVALID)


FAMILIES = (
    decompositions,
    solutions,
    least_squares,
    tridiagonals,
    functions_of_matrices,
    einsums,
    transforms,
    special_functions,
)
