# SPDX-License-Identifier: Apache-2.0
"""Ops of later clients: ops of 1.15 whose arguments of one type now have an attribute for it,
and ops that took the place of others.
"""

import numpy as np

from interop.cases.case import F64, FLOATS, INVALID, Case, between, i32, i64, normal, of


def later(op, *inputs, **kw):
    """Only a later TensorFlow has an answer."""
    return Case(op, *inputs, like=2, **kw)


def segment_ids():
    for op in "SparseSegmentSum SparseSegmentMean SparseSegmentSqrtN".split():
        yield later(op, normal(5, 3), i32([4, 0, 1, 1]), i64([0, 0, 1, 1]), types=FLOATS)
        yield later(op, normal(5, 3), i64([4, 0, 1]), i64([0, 0, 2]), types=F64)
        yield later(op, normal(5, 3), i64([1, 1]), i64([1, 0]), error=INVALID)
        counted = op + "WithNumSegments"
        yield later(counted, normal(5, 3), i32([4, 0]), i64([0, 2]), i32(5))
        for ids in (i32, i64):
            rows = i32([4, 0, 1, 4]), ids([0, 0, 1, 2])
            grad = op + "Grad"
            yield later(grad, normal(3, 2), *rows, i32(6), types=F64)
            named = op + "GradV2"
            yield later(named, normal(3, 2), *rows, i32(6), types=FLOATS)
            yield later(named, normal(3), i64([7, 7, 2]), ids([1, 2, 2]), i32(9), types=F64)
            yield later(named, normal(3, 2), i32([]), ids([]), i32(6))
            yield later(named, normal(3, 2), i32([6]), ids([0]), i32(6), error=INVALID)
            yield later(named, normal(3, 2), i32([0]), ids([3]), i32(6), error=INVALID)
            yield later(named, normal(3, 2), i32([0, 1]), ids([0]), i32(6), error=INVALID)


def top_k():
    for k in ("int16", "int32", "int64"):
        for places in ("int16", "int32", "int64"):
            yield later("TopKV2", normal(3, 9), of(4, k), index_type=places)


def real_transforms():
    for rank, length in (("", [5]), ("2D", [4, 5]), ("3D", [2, 3, 4])):
        x, half = normal(2, 3, 4, 5), length[:-1] + [length[-1] // 2 + 1]
        for t, c in (("float32", "complex64"), ("float64", "complex128")):
            tolerance = {"rtol": 1e-4, "atol": 1e-4}
            yield later("RFFT" + rank, x, i32(length), types=(t,), Tcomplex=c, **tolerance)
            spectrum = normal(2, *([3] * (3 - len(half))), *half)
            yield later("IRFFT" + rank, spectrum, i32(length), types=(c,), Treal=t, **tolerance)


def offsets():
    for value in (i32, i64):
        yield later("ConcatOffset", i32(1), [value([2, 3]), value([2, 5]), value([2, 0])])
        yield later("ConcatOffset", i32(1), [value([2, 3]), value([1, 5])], error=INVALID)


def dense_bincount():
    for t in ("int32", "int64", "float32", "float64"):
        none = of([], t)
        for ids in (i32, i64):
            size = ids(4)
            yield later("DenseBincount", ids([1, 2, 2, 5]), size, none)
            yield later("DenseBincount", ids([1, 2, 2, 5]), size, of([1, 2, 3, 4], t))
            for binary in (False, True):
                yield later(
                    "DenseBincount",
                    ids([[1, 2, 3], [2, 2, 9]]),
                    size,
                    of([[1, 2, 3], [4, 5, 6]], t),
                    binary_output=binary,
                )
    none = of([], "float32")
    yield later("DenseBincount", i32([]), i32(3), none)
    yield later("DenseBincount", i32([[], []]), i32(3), none)
    yield later("DenseBincount", i32(2), i32(3), none)
    yield later("DenseBincount", i32([1, 2]), i32(0), none)
    yield later("DenseBincount", i32([1, -2]), i32(3), none, error=INVALID)
    yield later("DenseBincount", i32([1, 2]), i32(-3), none, error=INVALID)
    yield later("DenseBincount", i32([1, 2]), i32([3]), none, error=INVALID)
    yield later("DenseBincount", i32([[[1, 2]]]), i32(3), none, error=INVALID)
    yield later("DenseBincount", i32([1, 2]), i32(3), of([1.0]), error=INVALID)


def sparse_bincount():
    places, shape = i64([[0, 1], [0, 2], [2, 0], [2, 1]]), i64([3, 4])
    for t in ("int32", "int64", "float32", "float64"):
        for ids in (i32, i64):
            values, size = ids([1, 2, 2, 5]), ids(4)
            for weights in (of([], t), of([1, 2, 3, 4], t)):
                for binary in (False, True):
                    kw = {"binary_output": binary}
                    yield later("SparseBincount", places, values, shape, size, weights, **kw)
                    yield later("RaggedBincount", i64([0, 2, 2, 4]), values, size, weights, **kw)
            of_vector = i64([[0], [1], [3], [5]]), values, i64([9]), size
            yield later("SparseBincount", *of_vector, of([], t))
    none = of([], "float32")
    nothing = i64(np.zeros((0, 2))), i32([])
    yield later("SparseBincount", *nothing, i64([2, 3]), i32(2), none)
    yield later("SparseBincount", i64([[0]]), i32([-1]), i64([3]), i32(2), none, error=INVALID)
    yield later("SparseBincount", i64([[2, 0]]), i32([1]), i64([2, 3]), i32(2), none,
                error=INVALID)  # fmt: skip
    yield later("SparseBincount", i64([[0, 0]]), i32([1, 2]), i64([2, 3]), i32(2), none,
                error=INVALID)  # fmt: skip
    yield later("RaggedBincount", i64([0]), i32([]), i32(2), none)
    yield later("RaggedBincount", i64([1, 2]), i32([1, 2]), i32(2), none, error=INVALID)
    yield later("RaggedBincount", i64([0, 1]), i32([1, 2]), i32(2), none, error=INVALID)
    yield later("RaggedBincount", i64([0, 2]), i32([1, -2]), i32(2), none, error=INVALID)


def sparse_counts():
    dense, sparse, ragged = (kind + "CountSparseOutput" for kind in ("Dense", "Sparse", "Ragged"))
    places, shape = i64([[0, 1], [0, 2], [2, 0], [2, 1]]), i64([3, 4])
    splits = i64([0, 2, 2, 4])
    for t in ("int32", "int64", "float32", "float64"):
        for ids in (i32, i64):
            values = ids([1, 2, 2, 2])
            for weights in (of([], t), of([1, 2, 3, 4], t)):
                for binary, least, most in ((False, -1, -1), (True, -1, -1), (False, 5, -1),
                                            (False, -1, 2), (False, 0, 0)):  # fmt: skip
                    kw = {"binary_output": binary, "minlength": least, "maxlength": most}
                    yield later(dense, values, weights, **kw)
                    yield later(sparse, places, values, shape, weights, **kw)
                    yield later(ragged, splits, values, weights, **kw)
            for binary in (False, True):
                yield later(dense, ids([[1, 3, 3], [0, 0, 7]]), of([], t), binary_output=binary)
    none = of([], "float32")
    yield later(dense, i32([]), none, binary_output=False)
    yield later(dense, i32([[], []]), none, binary_output=False)
    yield later(dense, i32([1, -2]), none, binary_output=False, error=INVALID)
    yield later(ragged, i64([0]), i32([]), none, binary_output=False, error=INVALID)
    yield later(dense, i32(1), none, binary_output=False, error=INVALID)
    yield later(dense, i32([1, 2]), of([1.0]), binary_output=False, error=INVALID)
    yield later(sparse, i64([[3, 0]]), i32([1]), shape, none, binary_output=False, error=INVALID)
    yield later(ragged, i64([1, 2]), i32([1, 2]), none, binary_output=False, error=INVALID)


def special_integrals():
    close = {"rtol": 3e-5, "atol": 3e-6}
    everywhere = "BesselJ0 BesselJ1 Dawsn FresnelCos FresnelSin".split()
    for op in everywhere:
        yield later(op, between(-30, 30, 200), types=F64, **close)
        yield later(op, of([0.0, 0.01, -0.05, 0.5, -1.4, 1.6, 7.0]), types=F64, **close)
        yield later(op, between(-4, 4, 20), types=("float16", "bfloat16"), rtol=2e-2, atol=2e-2)
    for op in "BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 Expint Spence".split():
        yield later(op, between(0.01, 40, 200), types=F64, **close)
        yield later(op, of([0.05, 0.5, 1.0, 1.5, 2.0, 7.0]), types=F64, **close)
        yield later(op, between(0.5, 4, 20), types=("float16", "bfloat16"), rtol=2e-2, atol=2e-2)


def quantised_within_range():
    given = {"range_given": True, "types": F64}
    ends = of(-1.0), of(1.5)
    for kw in ({}, {"num_bits": 4}, {"round_mode": "HALF_UP"}, {"narrow_range": True}):
        yield later("QuantizeAndDequantizeV4", normal(5, 7), *ends, **given, **kw)
    yield later("QuantizeAndDequantizeV4", normal(5, 7), *ends, types=F64)
    yield later("QuantizeAndDequantizeV4", normal(3), of(2.0), of(1.0), error=INVALID, **given)
    grad = "QuantizeAndDequantizeV4Grad"
    yield later(grad, normal(5, 7), normal(5, 7), *ends, types=F64)
    lowest, highest = of([-1.0, 0.0, -0.5]), of([1.0, 0.5, 0.6])
    yield later(grad, normal(2, 3), normal(2, 3), lowest, highest, axis=1, types=F64)
    yield later(grad, normal(3, 2), normal(3, 2), lowest, highest, axis=0)
    yield later(grad, normal(0, 2), normal(0, 2), *ends)
    yield later(grad, normal(2, 4), normal(2, 4), lowest, highest, axis=1, error=INVALID)
    yield later(grad, normal(4), normal(4), of([1.0]), of([2.0]), error=INVALID)
    yield later(grad, normal(2, 3), normal(2, 3), lowest, highest, axis=4, error=INVALID)
    yield later(grad, normal(6), normal(2, 3), *ends, error=INVALID)


def banded_equations():
    op, kinds = "BandedTriangularSolve", ("float32", "float64", "complex64", "complex128")
    bands = between(1, 2, 3, 5)
    for lower in (False, True):
        for adjoint in (False, True):
            kw = {"lower": lower, "adjoint": adjoint, "rtol": 1e-4, "atol": 1e-4}
            yield later(op, bands, normal(5, 2), types=kinds, **kw)
            yield later(op, between(1, 2, 2, 1, 2, 4), normal(3, 4, 1), **kw)
            yield later(op, between(1, 2, 1, 4), normal(4, 3), **kw)
    yield later(op, of([[1.0, 0.0], [1.0, 1.0]]), normal(2, 1), error=INVALID)
    for shape in ((4, 1), (5,), (5, 0)):
        yield later(op, bands, normal(*shape), error=INVALID)
    yield later(op, between(1, 2, 2, 3, 5), normal(3, 5, 1), error=INVALID)


def products_of_two_types():
    op, x, y = "BatchMatMulV3", normal(2, 3, 4), normal(4, 5)
    for t in ("float16", "bfloat16", *F64, "int32", "int64", "complex64", "complex128"):
        tolerance = 3e-2 if t in ("float16", "bfloat16") else 1e-5
        yield later(op, x, y, types=(t,), Tout=t, rtol=tolerance, atol=tolerance)
    yield later(op, normal(2, 4, 3), normal(5, 4), Tout="float32", adj_x=True, adj_y=True)
    yield later(op, of([[300, 2], [7, -4]], "int16"), of([[500], [3]], "int16"), Tout="int16")
    for a in ("int8", "uint8"):
        for b in ("int8", "uint8"):
            left, right = of([[1, 2], [100, 4]], a), of([[5, 120], [7, 8]], b)
            yield later(op, left, right, Tout="int32")
    yield later(op, normal(2, 3), normal(4, 3), Tout="float32", error=INVALID)


def glimpses():
    image = normal(2, 8, 9, 3)
    for centered in (False, True):
        for normalized in (False, True):
            kw = {"centered": centered, "normalized": normalized, "noise": "zero"}
            for offsets in ([[0.3, -0.2], [0.1, 0.7]], [[2.0, 1.0], [-3.0, 4.0]]):
                inputs = image, i32([3, 4]), of(offsets)
                yield later("ExtractGlimpseV2", *inputs, uniform_noise=False, **kw)
    yield later("ExtractGlimpseV2", image, i32([2]), normal(2, 2), error=INVALID)
    yield later("ExtractGlimpseV2", image, i32([2, 2]), normal(3, 2), error=INVALID)


def projected_images():
    op, kinds = "ImageProjectiveTransformV3", (*FLOATS, "bfloat16", "int32", "int64", "uint8")
    turn = of([[0.8, -0.6, 1.5, 0.6, 0.8, -3.25, 0.01, 0.0]], "float32")
    shift = of([[1.0, 0.0, -7.0, 0.0, 1.0, 12.0, 0.0, 0.0]], "float32")
    fill, size = of(3.5, "float32"), i32([7, 6])
    for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST"):
        image, kw = between(0, 9, 2, 5, 6, 2), {"fill_mode": mode}
        for where in (turn, shift):
            inputs = image, where, size, fill
            yield later(op, *inputs, types=kinds, interpolation="NEAREST", **kw)
            kw.update(rtol=1e-4, atol=1e-4)
            yield later(op, *inputs, types=F64, interpolation="BILINEAR", **kw)
        image = of(np.arange(12).reshape(1, 3, 4, 1), "uint8")
        yield later(op, image, turn, size, fill, interpolation="BILINEAR", **kw)
    kw = {"interpolation": "NEAREST", "error": INVALID}
    image, size = normal(2, 5, 6, 1), i32([5, 6])
    yield later(op, image, turn, size, of([1.0]), **kw)
    yield later(op, normal(5, 6, 1), turn, size, of(1.0), **kw)
    yield later(op, image, normal(3, 8), size, of(1.0), **kw)
    yield later(op, image, turn, i32([5]), of(1.0), **kw)
    yield later(op, image, turn, i32([5, 0]), of(1.0), **kw)


def places_of_the_device():
    for names in (["CPU"], ["GPU", "CPU"], ["GPU"]):
        yield later("DeviceIndex", device_names=names)


FAMILIES = (
    dense_bincount, sparse_bincount, sparse_counts, segment_ids, special_integrals, top_k,
    real_transforms, offsets,
    quantised_within_range, banded_equations, products_of_two_types, glimpses, projected_images,
    places_of_the_device,
)  # fmt: skip
