# SPDX-License-Identifier: Apache-2.0
"""Inputs of unexpected shapes, found by the fuzzer."""

from interop.cases.case import (
    COMPLEX,
    F64,
    FLOATS,
    INVALID,
    Case,
    between,
    i32,
    i64,
    normal,
    of,
)


def axes_of_any_shape():
    for op in "Sum Prod Max Min Mean".split():
        yield Case(op, normal(2, 3, 4), i32([[0], [-1]]))
        yield Case(op, normal(2, 3, 4), i64([[[1]]]), keep_dims=True)
    for op in "All Any".split():
        yield Case(op, between(0, 1, 2, 3), i32([[0, 1]]), types=("bool",))
    for op in "UniqueV2 UniqueWithCountsV2".split():
        yield Case(op, normal(4), i32(0), error=INVALID)
        yield Case(op, normal(4), i32([[0]]), error=INVALID)


def spread_updates():
    """Since 2.x the value of a slice that is written may be repeated."""

    def update(value, begin, end, **kw):
        inputs = normal(4, 5), i32(begin), i32(end), i32([1] * len(begin)), value
        return Case("TensorStridedSliceUpdate", *inputs, **kw)

    yield update(normal(1, 3), [0, 1], [2, 4], like=2)
    yield update(normal(2, 1), [0, 1], [2, 4], like=2)
    yield update(normal(), [0, 1], [2, 4], like=2)
    yield update(normal(3), [0, 1], [2, 4], like=2)
    yield update(normal(2), [0, 1], [2, 4], error=INVALID, like=2)
    yield update(normal(1, 2, 3), [0, 1], [2, 4], like=2)
    yield update(normal(2, 2, 3), [0, 1], [2, 4], error=INVALID, like=2)


def scattered_vectors():
    """Variables take [index] for [[index]], values do not."""
    for op in ("ScatterNdNonAliasingAdd", "ScatterNdAdd", "ScatterNdUpdate"):
        yield Case(op, normal(4), i32([2]), normal(1))
        yield Case(op, normal(4, 3), i64([2]), normal(1, 3))
        yield Case(op, normal(4), i32([2]), normal(), error=INVALID)
        yield Case(op, normal(4, 3), i32([2]), normal(3), error=INVALID)
        text = "indices = [7] does not index into shape [4]"
        yield Case(op, normal(4), i32([7]), normal(1), error=INVALID, text=text)
    for op in ("TensorScatterAdd", "TensorScatterUpdate"):
        yield Case(op, normal(4), i32([2]), normal(1), error=INVALID)
        yield Case(op, normal(4, 3), i32([2]), normal(3), error=INVALID)
    text = "Indices and updates specified for empty output"
    nowhere = between(0, 0, 3, 0, dtype="int32")
    yield Case("ScatterNd", nowhere, normal(3, 2), i32([2]), error=INVALID, text=text)
    yield Case("ScatterNd", i32([[0], [0]]), normal(2), i32([0]), error=INVALID, text=text)
    yield Case("ScatterNd", between(0, 0, 0, 1, dtype="int32"), normal(0), i32([0]))


def sparse_softmax_in_any_order():
    where = [[3, 1], [0, 0], [3, 0], [2, 3]], [[1, 2], [1, 1], [1, 3], [1, 0]]
    for rows in where:
        yield Case("SparseSoftmax", i64(rows), normal(4), i64([4, 4]), types=F64)


def corners_of_the_gamma_function():
    for op in ("Igamma", "IgammaGradA"):
        yield Case(op, of([0, -1, 1, 2.5, float("nan")]), of(0.0), types=F64)


def where_no_gradient_comes_in():
    """Nothing goes out, be the slope infinite."""
    nan, inf = float("nan"), float("inf")
    for op in "SqrtGrad RsqrtGrad InvGrad ReciprocalGrad".split():
        outputs, gradients = [0, 0, nan, inf, inf, 2, 3], [0, 1, 0, 0, 1, 0, 1]
        yield Case(op, of(outputs), of(gradients), types=FLOATS)
        yield Case(op, of([0, 2, 3 + 1j]), of([0, 0, 2 - 1j]), types=COMPLEX)


def large_arguments():
    # TensorFlow's slope in a ends its series too early: 0.00090 for 0.00126 at a = x = 1e5.
    alike = dict(types=("float64",), rtol=1e-7, like=2, gradient=False)
    for op in ("Igamma", "Igammac"):
        x = of([9.9e4, 1e5, 1.001e5, 1.02e5])
        yield Case(op, of([0.99e5, 1e5, 1e5, 1e5]), x, **alike)
    yield Case("Zeta", of([float("inf"), 1e30, 400]), of([2, 3.5, 7]), types=F64, like=2)


def nothing_better_than_nan():
    for op, worst in (("ArgMax", -float("inf")), ("ArgMin", float("inf"))):
        rows = [[float("nan"), worst, worst]] * 20
        yield Case(op, of(rows[0]), i32(0), types=FLOATS)
        yield Case(op, of(rows), i32(0), types=FLOATS)
        yield Case(op, of(rows), i32(1), types=FLOATS)


def lone_elements():
    """Where every element is alone nothing is reduced."""
    for op in "Max Min Sum Prod Mean".split():
        for axes in ([], [0]):
            yield Case(op, of([[float("nan"), -1, 2]]), i32(axes), types=FLOATS)
        yield Case(op, of([[float("nan")]]), i32([0, 1]), types=FLOATS)
        yield Case(op, of(float("nan")), i32([]), types=FLOATS, keep_dims=True)


def nothing_drawn():
    """Of no numbers the bounds are not looked at."""
    inputs = i32([2, 0]), i64([3, 4])
    yield Case("StatelessRandomUniformInt", *inputs, i32([1, 2]), i32(7))
    yield Case("StatelessRandomUniformInt", *inputs, i32(9), i32(7))


def empty_rows_of_another_rank():
    text = "must match the second dimension of `indices`"
    inputs = i64([[0, 0], [1, 0]]), normal(2), i64([3, 3, 3]), normal()
    yield Case("SparseFillEmptyRows", *inputs, error=INVALID, text=text, like=2)


FAMILIES = (
    axes_of_any_shape,
    corners_of_the_gamma_function,
    empty_rows_of_another_rank,
    lone_elements,
    large_arguments,
    nothing_drawn,
    nothing_better_than_nan,
    scattered_vectors,
    sparse_softmax_in_any_order,
    spread_updates,
    where_no_gradient_comes_in,
)
