# SPDX-License-Identifier: Apache-2.0
"""Gradients of linear algebra, transforms, special functions and of ops that move elements."""

import numpy as np
import sluice as sl
from gradients_test import cases
from sluice import raw_ops as raw


def ints(*values):
    return np.array(values, np.int32)


def positive_definite(x):
    return raw.BatchMatMulV2(x=x, y=x, adj_y=True) + 2.0 * np.eye(3)


def symmetric(x):
    return x + raw.Transpose(x=x, perm=ints(*range(len(x.shape) - 2), *_last(x)))


def _last(x):
    rank = len(x.shape)
    return rank - 1, rank - 2


def test_elementary():
    for op in "Asin Acos Atan Asinh Atanh Tan Sinh Cosh Erfc BesselI0e BesselI1e".split():
        cases((op, lambda x, op=op: getattr(raw, op)(x=x), (5,)), low=-0.9, high=0.9)
    for op in "Acosh Lgamma Digamma".split():
        cases((op, lambda x, op=op: getattr(raw, op)(x=x), (5,)), low=1.2, high=4.0)
    cases(
        ("atan2", lambda y, x: raw.Atan2(y=y, x=x), (2, 3), (3,)),
        ("xdivy", lambda x, y: raw.Xdivy(x=x, y=y), (2, 3), (3,)),
        ("xlogy", lambda x, y: raw.Xlogy(x=x, y=y), (3,), (2, 1)),
        ("xlog1py", lambda x, y: raw.Xlog1py(x=x, y=y), (3,), (2, 1)),
        ("mul_no_nan", lambda x, y: raw.MulNoNan(x=x, y=y), (3,), (2, 1)),
        ("igamma", lambda a, x: raw.Igamma(a=a, x=x), (2, 3), (3,)),
        ("igammac", lambda a, x: raw.Igammac(a=a, x=x), (2, 3), (3,)),
        ("zeta", lambda q: raw.Zeta(x=np.array(2.5), q=q), (3,)),
        ("polygamma", lambda x: raw.Polygamma(a=np.array(2.0), x=x), (3,)),
        ("reciprocal twice", lambda y, d: raw.ReciprocalGrad(y=y, dy=d), (3,), (3,)),
        low=0.3,
        high=3.0,
    )
    cases(
        ("betainc", lambda x: raw.Betainc(a=np.array(2.0), b=np.array(0.7), x=x), (4,)),
        low=0.1,
        high=0.9,
    )


def test_running_log_sums():
    for exclusive in (False, True):
        for reverse in (False, True):
            cases(
                (
                    f"{exclusive} {reverse}",
                    lambda x, e=exclusive, r=reverse: sl.exp(
                        raw.CumulativeLogsumexp(x=x, axis=np.int32(1), exclusive=e, reverse=r)
                    ),
                    (2, 4),
                )
            )


def test_complex_parts():
    def wave(x, y):
        z = raw.Complex(real=x, imag=y, Tout=sl.complex128)
        z = raw.Mul(x=z, y=z)
        parts = [f(input=z, Tout=sl.float64) for f in (raw.Real, raw.Imag, raw.Angle)]
        return sl.add_n([*parts, raw.ComplexAbs(x=z, Tout=sl.float64)])

    cases(("parts", wave, (2, 3), (2, 3)), low=0.3, high=1.5)
    cases(("cross", lambda x, y: raw.Cross(a=x, b=y), (2, 3), (2, 3)))


def test_solvers():
    eye = 3.0 * np.eye(3)
    cases(
        ("inverse", lambda x: raw.MatrixInverse(input=x + eye), (2, 3, 3)),
        ("adjoint inverse", lambda x: raw.MatrixInverse(input=x + eye, adjoint=True), (3, 3)),
        ("determinant", lambda x: raw.MatrixDeterminant(input=x + eye), (2, 3, 3)),
        ("log det", lambda x: raw.LogMatrixDeterminant(input=x + eye)[1], (2, 3, 3)),
        ("cholesky", lambda x: raw.Cholesky(input=positive_definite(x)), (2, 3, 3)),
        ("square root", lambda x: raw.MatrixSquareRoot(input=positive_definite(x)), (2, 3, 3)),
    )
    for flag in (False, True):
        cases(
            (
                "solve",
                lambda a, b, f=flag: raw.MatrixSolve(matrix=a + eye, rhs=b, adjoint=f),
                (2, 3, 3),
                (2, 3, 2),
            ),
        )
        for lower in (False, True):
            cases(
                (
                    "triangular",
                    lambda a, b, f=flag, w=lower: raw.MatrixTriangularSolve(
                        matrix=a + eye, rhs=b, adjoint=f, lower=w
                    ),
                    (2, 3, 3),
                    (2, 3, 2),
                ),
            )
    for shape in ((4, 2), (2, 4)):
        cases(
            (
                "least squares",
                lambda a, b: raw.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=np.array(0.3)),
                shape,
                (shape[0], 2),
            )
        )
    cases(
        (
            "tridiagonal product",
            lambda a, b, c, x: raw.TridiagonalMatMul(superdiag=a, maindiag=b, subdiag=c, rhs=x),
            *[(2, 1, 4)] * 3,
            (2, 4, 3),
        )
    )
    middle = np.array([[0.0], [5.0], [0.0]])
    cases(
        (
            "tridiagonal",
            lambda d, b: raw.TridiagonalSolve(diagonals=d + middle, rhs=b),
            (2, 3, 4),
            (2, 4, 2),
        )
    )


def test_decompositions():
    apart = np.diag([0.0, 3.0, 6.0])

    def rebuilt(x):
        e, v = raw.SelfAdjointEigV2(input=symmetric(x) + apart)
        return raw.MatMul(a=v * sl.exp(0.1 * e), b=v, transpose_b=True) + e

    def values(x):
        return raw.SelfAdjointEigV2(input=symmetric(x) + apart, compute_v=False)[0]

    cases(("eigenvectors", rebuilt, (3, 3)), ("eigenvalues", values, (2, 3, 3)))
    for shape in ((3, 3), (4, 2), (2, 4)):

        def singular(x):
            s, u, v = raw.Svd(input=x)
            return raw.MatMul(a=u * sl.exp(s), b=v, transpose_b=True)

        cases(("svd", singular, shape))
        cases(("singular values", lambda x: raw.Svd(input=x, compute_uv=False)[0], shape))
    for shape in ((3, 3), (2, 4, 2)):
        cases(
            ("q", lambda x: raw.Qr(input=x)[0], shape), ("r", lambda x: raw.Qr(input=x)[1], shape)
        )


def test_einsum():
    for equation, *shapes in (
        ("ab,bc->ac", (2, 3), (3, 4)),
        ("abc,abd->adc", (2, 3, 2), (2, 3, 4)),
        ("abc->b", (2, 3, 2)),
        ("ab->ba", (2, 3)),
        ("aab->b", (3, 3, 2)),
        ("aa->", (3, 3)),
        ("a->aa", (3,)),
        ("a,b->ab", (2,), (3,)),
        ("ab,b->", (2, 3), (3,)),
        ("aab,bc->c", (2, 2, 3), (3, 2)),
        ("ab,cd->ad", (2, 3), (2, 3)),
        ("...ab,...bc->...ac", (2, 1, 2, 3), (3, 3, 2)),
        ("...ab,bc->...ac", (2, 2, 3), (3, 2)),
        ("...a->...", (2, 3)),
        ("ab,...bc->...ac", (2, 3), (2, 2, 3, 4)),
        ("a...,...->a...", (2, 1), (3,)),
    ):
        cases((equation, lambda *x, e=equation: raw.Einsum(inputs=list(x), equation=e), *shapes))


def test_transforms():
    def real_pair(op, *lengths):
        def run(x, y):
            z = raw.Complex(real=x, imag=y, Tout=sl.complex128)
            z = getattr(raw, op)(input=z)
            real, imag = (f(input=z, Tout=sl.float64) for f in (raw.Real, raw.Imag))
            return real * 2.0 + imag

        return run

    for op, shape in (("FFT", (2, 6)), ("IFFT", (5,)), ("FFT2D", (3, 4)), ("IFFT3D", (2, 3, 2))):
        cases((op, real_pair(op), shape, shape))


def test_real_transforms():
    """They are linear and of floats: what comes out, weighted, is what flows back, times x."""
    for op, shape, lengths in (
        ("RFFT", (2, 6), [6]),
        ("RFFT", (7,), [5]),
        ("RFFT2D", (2, 4, 5), [3, 4]),
        ("RFFT3D", (2, 3, 4), [2, 3, 4]),
        ("IRFFT", (2, 4), [6]),
        ("IRFFT", (4,), [5]),
        ("IRFFT", (1,), [1]),
        ("IRFFT2D", (3, 3), [3, 4]),
    ):
        for seed in range(4):
            check_linear(op, shape, lengths, np.random.RandomState(seed))


def check_linear(op, shape, lengths, rng):
    with sl.Graph().as_default(), sl.Session() as session:
        x = sl.placeholder(sl.float32, shape)
        y = sl.placeholder(sl.float32, shape)
        one = raw.Complex(real=x, imag=y) if op[0] == "I" else x
        result = getattr(raw, op)(input=one, fft_length=ints(*lengths))
        if op[0] == "R":
            result = raw.Real(input=result) * 2.0 + raw.Imag(input=result)
        feed = {x: rng.randn(*shape), y: rng.randn(*shape)}
        value = session.run(result, feed)
        weights = rng.randn(*value.shape).astype(np.float32)
        inputs = [x, y] if op[0] == "I" else [x]
        grads = session.run(sl.gradients(result, inputs, [weights]), feed)
        found = sum(np.sum(g * feed[i]) for g, i in zip(grads, inputs))
        np.testing.assert_allclose(found, np.sum(weights * value), rtol=1e-3, atol=1e-3)


def test_blocks_and_reversals():
    two = np.array([2, 2], np.int32)
    none = np.zeros((2, 2), np.int32)
    one = np.int32(1)
    cases(
        (
            "space to batch",
            lambda x: sl.square(raw.SpaceToBatchND(input=x, block_shape=two, paddings=none)),
            (1, 4, 2, 1),
        ),
        (
            "batch to space",
            lambda x: sl.square(raw.BatchToSpaceND(input=x, block_shape=two, crops=none)),
            (4, 1, 2, 1),
        ),
        (
            "space to depth",
            lambda x: sl.square(raw.SpaceToDepth(input=x, block_size=2)),
            (1, 2, 4, 1),
        ),
        (
            "depth to space",
            lambda x: sl.square(raw.DepthToSpace(input=x, block_size=2)),
            (1, 1, 2, 4),
        ),
        ("roll", lambda x: sl.square(raw.Roll(input=x, shift=one, axis=one)), (2, 3)),
        ("reverse", lambda x: sl.square(raw.ReverseV2(tensor=x, axis=ints(1))), (2, 3)),
        (
            "reverse sequence",
            lambda x: sl.square(raw.ReverseSequence(input=x, seq_lengths=ints(2, 3), seq_dim=1)),
            (2, 3),
        ),
    )


def test_diagonals():
    k = np.array([-1, 1], np.int32)
    one = np.int32(1)
    n = np.int32(-1)
    zero = np.array(0.0)
    cases(
        ("diag", lambda x: sl.square(raw.Diag(diagonal=x)), (3,)),
        ("diag part", lambda x: sl.square(raw.DiagPart(input=x)), (3, 3)),
        ("matrix diag", lambda x: sl.square(raw.MatrixDiag(diagonal=x)), (2, 3)),
        ("matrix diag part", lambda x: sl.square(raw.MatrixDiagPart(input=x)), (2, 3, 4)),
        (
            "matrix set diag",
            lambda x, d: sl.square(raw.MatrixSetDiag(input=x, diagonal=d)),
            (2, 3, 3),
            (2, 3),
        ),
        (
            "matrix diag v3",
            lambda x: sl.square(
                raw.MatrixDiagV3(diagonal=x, k=k, num_rows=n, num_cols=n, padding_value=zero)
            ),
            (3, 3),
        ),
        (
            "matrix diag part v2",
            lambda x: sl.square(raw.MatrixDiagPartV2(input=x, k=k, padding_value=zero)),
            (3, 4),
        ),
        (
            "matrix set diag v2",
            lambda x, d: sl.square(raw.MatrixSetDiagV2(input=x, diagonal=d, k=k)),
            (3, 3),
            (3, 3),
        ),
        (
            "band",
            lambda x: sl.square(raw.MatrixBandPart(input=x, num_lower=one, num_upper=one)),
            (4, 4),
        ),
    )


def test_scatters():
    cases(
        (
            "partition",
            lambda x: sl.add_n(
                [
                    sl.square(y)
                    for y in raw.DynamicPartition(
                        data=x, partitions=ints(0, 1, 1, 0), num_partitions=2
                    )
                ]
            ),
            (4, 2),
        ),
        (
            "scatter update",
            lambda x, u: sl.square(
                raw.TensorScatterUpdate(tensor=x, indices=np.array([[2], [0]], np.int32), updates=u)
            ),
            (3, 2),
            (2, 2),
        ),
        (
            "scatter sub",
            lambda x, u: sl.square(
                raw.TensorScatterSub(tensor=x, indices=np.array([[2], [0]], np.int32), updates=u)
            ),
            (3, 2),
            (2, 2),
        ),
        (
            "top k",
            lambda x: sl.square(raw.TopKV2(input=x, k=np.int32(2))[0]),
            (2, 3, 4),
        ),
        (
            "sparse to dense",
            lambda v, d: sl.square(
                raw.SparseToDense(
                    sparse_indices=ints(1, 3),
                    output_shape=ints(5),
                    sparse_values=v,
                    default_value=d,
                )
            ),
            (2,),
            (),
        ),
    )


def test_products_and_pools():
    sizes = {"ksize": ints(1, 2, 2, 1), "strides": ints(1, 2, 1, 1), "padding": "VALID"}
    listed = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 1, 1], "padding": "VALID"}

    cases(
        ("max pool v2", lambda x: sl.square(raw.MaxPoolV2(input=x, **sizes)), (1, 4, 3, 2)),
        (
            "max pool with argmax",
            lambda x: sl.square(raw.MaxPoolWithArgmax(input=x, **listed)[0]),
            (1, 4, 3, 2),
        ),
    )
    with sl.Graph().as_default(), sl.Session() as session:
        a, b = sl.placeholder(sl.float32, [2, 3]), sl.placeholder(sl.float32, [4, 3])
        rng = np.random.RandomState(1)
        feed = {a: rng.randn(2, 3), b: rng.randn(4, 3)}
        same = [
            sl.gradients(y, [a, b])
            for y in (
                raw.SparseMatMul(a=a, b=b, transpose_b=True),
                raw.MatMul(a=a, b=b, transpose_b=True),
            )
        ]
        one, other = session.run(same[0], feed), session.run(same[1], feed)
        for x, y in zip(one, other):
            np.testing.assert_allclose(x, y, rtol=1e-5)


def test_segments():
    ids = ints(0, 0, 2, 2)
    loose = ints(1, -1, 0, 1)
    three = np.int32(3)
    for op in "SegmentMean SegmentMin SegmentMax".split():
        cases((op, lambda x, op=op: sl.square(getattr(raw, op)(data=x, segment_ids=ids)), (4, 2)))
    for op in "UnsortedSegmentMin UnsortedSegmentMax UnsortedSegmentProd".split():
        cases(
            (
                op,
                lambda x, op=op: sl.sin(
                    0.5
                    * raw.ClipByValue(
                        t=getattr(raw, op)(data=x, segment_ids=loose, num_segments=three),
                        clip_value_min=np.array(-9.0),
                        clip_value_max=np.array(9.0),
                    )
                ),
                (4, 2),
            )
        )
    rows, to = ints(0, 2, 1), ints(0, 0, 1)
    for op in "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split():
        cases(
            (
                op,
                lambda x, op=op: sl.square(getattr(raw, op)(data=x, indices=rows, segment_ids=to)),
                (4, 2),
            )
        )
