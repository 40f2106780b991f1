# SPDX-License-Identifier: Apache-2.0
"""Lines of data for rolls, patches, searches, bits, sets and quantised tensors."""

import numpy as np

from interop.cases.case import (
    ANY,
    COMPLEX,
    F32,
    F64,
    INDEX,
    INF,
    INTS,
    INVALID,
    NAN,
    REALS,
    SIGNED,
    Case,
    arange,
    between,
    i32,
    i64,
    normal,
    of,
    positive,
)

SMALL = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")


def rolls():
    for shape, shift, axis in (
        ((5,), 2, 0),
        ((5,), -7, 0),
        ((3, 4), [1, 2], [0, 1]),
        ((3, 4), [1, 2], [-1, -1]),
        ((2, 3, 4, 1, 2), [1, -1, 9], [2, 0, 4]),
        ((0, 3), [1], [0]),
        ((3, 0), [1], [0]),
        ((3, 4), [], []),
    ):
        for index in (i32, i64):
            yield Case("Roll", arange(*shape), index(shift), index(axis))
    yield Case("Roll", normal(3, 4), i32([1, 2]), i64([0, 1]), types=ANY)
    yield Case("Roll", normal(), i32([]), i32([]), error=INVALID)
    yield Case("Roll", normal(3), i32([1]), i32([1]), error=INVALID)
    yield Case("Roll", normal(3), i32([1, 2]), i32([0]), error=INVALID)
    yield Case("Roll", normal(3), i32([[1]]), i32([[0]]), error=INVALID)
    yield Case("ParallelConcat", [normal(1, 3), normal(1, 3)], shape=[2, 3], types=ANY)
    yield Case("ParallelConcat", [normal(1)] * 5, shape=[5])
    yield Case("GuaranteeConst", normal(2, 3), types=ANY)
    yield Case("Empty", i32([2, 3]), dtype="float32", init=True)
    yield Case("Empty", i32([0, 3]), dtype="float32", init=False)
    yield Case("Empty", i32([[2]]), dtype="float32", init=True, error=INVALID)
    for op in ("InplaceUpdate",):  # the others change what was fed to TensorFlow
        types = ("float16", "float32", "float64", "int32", "int64", "uint8", "complex64")
        yield Case(op, normal(4, 3), i32([2, 0]), normal(2, 3), types=types)
        yield Case(op, normal(4), i32([2, 2, -1, 6]), normal(4))
        yield Case(op, normal(4, 3), i32([]), normal(0, 3))
        yield Case(op, normal(4, 3), i32([1]), normal(2, 3), error=INVALID)
        yield Case(op, normal(4, 3), i32([1]), normal(1, 2), error=INVALID)
    for multiples, shape in (([1, 1], (2, 3)), ([2, 3], (4, 3)), ([2, 1, 2], (2, 3, 4))):
        yield Case("TileGrad", normal(*shape), i32(multiples), types=F64 + INDEX)


def slice_updates():
    def update(value, begin, end, strides, shape=(4, 5), types=F32, **kw):
        return Case(
            "TensorStridedSliceUpdate",
            normal(*shape),
            i32(begin),
            i32(end),
            i32(strides),
            value,
            types=types,
            **kw,
        )

    types = [t for t in ANY if t not in ("uint32", "uint64")]
    yield update(normal(2, 3), [0, 1], [2, 4], [1, 1], types=types)
    yield update(normal(2, 2), [3, 4], [0, 0], [-2, -2])
    yield update(normal(5), [1], [2], [1], shrink_axis_mask=1)
    yield update(normal(1, 4, 2), [0, 0, 3], [0, 0, 5], [1, 1, 1], new_axis_mask=1, ellipsis_mask=2)
    yield update(normal(4, 5), [0, 0], [0, 0], [1, 1], begin_mask=3, end_mask=3)
    yield update(normal(4), [2, 0], [2, 5], [1, 1])
    yield update(normal(5), [9], [2], [1], shrink_axis_mask=1, error=INVALID)
    yield update(normal(2), [0, 0], [1, 1], [0, 1], error=INVALID)


def searches():
    yield Case("ListDiff", of([1, 2, 3, 4, 5, 6]), of([1, 3, 5]), types=SMALL, out_idx="int32")
    yield Case("ListDiff", of([2, 2, 1, 7]), of([1, 3, 5]), types=INDEX, out_idx="int64")
    yield Case("ListDiff", normal(30), normal(9), types=("string", "int8"), out_idx="int32")
    yield Case("ListDiff", normal(0), normal(2), out_idx="int32")
    yield Case("ListDiff", of([NAN, 0.0, 1.0]), of([NAN, -0.0]), types=F64, out_idx="int32")
    yield Case("ListDiff", normal(2, 2), normal(2), out_idx="int32", error=INVALID)
    yield Case("ListDiff", normal(2), normal(), out_idx="int32", error=INVALID)
    for t in INDEX:
        yield Case("UnravelIndex", of([22, 41, 37], t), of([7, 6], t), types=(t,))
        yield Case("UnravelIndex", of(1621, t), of([6, 7, 8, 9], t), types=(t,))
        yield Case("UnravelIndex", of([7], t), of([2, 3], t), types=(t,), error=INVALID, like=2)
        yield Case("UnravelIndex", of([0], t), of([0, 3], t), types=(t,), error=INVALID, like=2)
        yield Case("UnravelIndex", of([[0]], t), of([2, 3], t), types=(t,), error=INVALID)
    for op in ("LowerBound", "UpperBound"):
        rows = of([[0, 3, 9, 9, 10], [1, 2, 3, 4, 5]])
        for out in INDEX:
            yield Case(op, rows, of([[2, 4, 9], [0, 2, 6]]), types=SMALL, out_type=out)
        yield Case(op, of(np.zeros((2, 0))), normal(2, 3), out_type="int32")
        yield Case(op, rows, normal(3, 2), out_type="int32", error=INVALID)
    for t in ("int32", "int64", "float32", "float64"):
        yield Case("Bincount", i32([1, 1, 0, 5, 3]), i32(4), positive(5), types=(t,))
        yield Case("Bincount", i32([[1, 1], [0, 5]]), i32(6), of([]), types=(t,))
    yield Case("Bincount", i32([]), i32(3), of([]))
    yield Case("Bincount", i32([1, -1]), i32(3), of([]), error=INVALID)
    yield Case("Bincount", i32([1, 1]), i32(-3), of([]), error=INVALID)
    for t in ("int32", "int64", "float32", "float64"):
        for out in INDEX:
            values = of([-1, 0, 1, 2, 5, 4, 15])
            yield Case("HistogramFixedWidth", values, of([0, 5]), i32(5), types=(t,), dtype=out)
    yield Case("HistogramFixedWidth", normal(300), of([-2.0, 3.0]), i32(17), types=F64)
    yield Case("HistogramFixedWidth", normal(0), of([-2.0, 3.0]), i32(2))
    yield Case("HistogramFixedWidth", normal(3), of([3.0, 3.0]), i32(2), error=INVALID)
    yield Case("HistogramFixedWidth", normal(3), of([3.0, 4.0]), i32(0), error=INVALID)


def edit_distances():
    rows = [[0, 0], [0, 1], [0, 2], [1, 0], [3, 0], [3, 1]]
    other = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]
    for normalize in (False, True):
        yield Case(
            "EditDistance",
            i64(rows),
            between(0, 2, 6),
            i64([4, 3]),
            i64(other),
            between(0, 2, 5),
            i64([4, 2]),
            normalize=normalize,
            types=("int64", "string", "float32", "int8", "bool", "float16"),
        )
    yield Case(
        "EditDistance",
        i64([[0, 0, 1], [0, 1, 0]]),
        normal(2),
        i64([1, 2, 2]),
        i64([[0, 1, 0]]),
        normal(1),
        i64([1, 3, 2]),
        types=("int32",),
    )
    yield Case(
        "EditDistance",
        i64(rows),
        normal(6),
        i64([4, 3]),
        i64([[0]]),
        normal(1),
        i64([4]),
        error=INVALID,
    )


def patches():
    for padding in ("SAME", "VALID"):
        for sizes, strides, rates in (
            ([1, 3, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1]),
            ([1, 2, 3, 1], [1, 2, 3, 1], [1, 1, 1, 1]),
            ([1, 2, 2, 1], [1, 1, 2, 1], [1, 2, 3, 1]),
            ([1, 1, 1, 1], [1, 5, 5, 1], [1, 1, 1, 1]),
        ):
            kw = {"ksizes": sizes, "strides": strides, "rates": rates, "padding": padding}
            yield Case("ExtractImagePatches", arange(2, 7, 6, 3), **kw)
        kw = {"ksizes": sizes, "strides": strides, "rates": rates, "padding": padding}
        yield Case("ExtractImagePatches", arange(0, 7, 6, 3), **kw)
        beyond = {**kw, "ksizes": [1, 9, 4, 1], "strides": [1, 2, 2, 1]}
        yield Case("ExtractImagePatches", arange(1, 8, 5, 3), **beyond)
        backwards = {**kw, "strides": [1, -1, 5, 1]}
        yield Case("ExtractImagePatches", arange(1, 7, 6, 3), error="ANY", **backwards)
        kw["ksizes"] = [1, 2, 2, 1]
        types = REALS + COMPLEX + ("bool",)
        yield Case("ExtractImagePatches", arange(1, 7, 6, 2), types=types, **kw)
        for sizes, strides in (
            ([1, 2, 3, 2, 1], [1, 1, 1, 1, 1]),
            ([1, 2, 2, 2, 1], [1, 2, 3, 1, 1]),
        ):
            yield Case(
                "ExtractVolumePatches",
                arange(2, 4, 5, 3, 2),
                ksizes=sizes,
                strides=strides,
                padding=padding,
                types=("float32", "int32", "float16"),
            )


def bits():
    types = ("bool", "float16", "float32", "float64", "int8", "int16", "int32", "int64")
    yield Case("CompareAndBitpack", normal(3, 16), of(1), types=types[1:])
    yield Case("CompareAndBitpack", between(0, 1, 16), of(False), types=("bool",))
    yield Case("CompareAndBitpack", between(0, 1, 16), of(True), types=("bool",))
    yield Case("CompareAndBitpack", of([NAN, INF, -INF, 1, 0, -0.0, 2, 3]), of(0.0))
    yield Case("CompareAndBitpack", normal(2, 0), of(1))
    yield Case("CompareAndBitpack", normal(3, 7), of(1), error=INVALID)
    yield Case("CompareAndBitpack", normal(8), of([1]), error=INVALID)
    yield Case("PopulationCount", normal(3, 5), types=INTS)
    yield Case("PopulationCount", of([-128, -1, 0, 1, 127]), types=SIGNED)
    yield Case("PopulationCount", normal(0, 2), types=("int32",))


ELEMENTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "string")
RULES = ("a-b", "B-A", "intersection", "union")


def set_cases():
    rows = [[0, 0], [0, 1], [0, 3], [2, 0], [3, 3]]
    other = [[0, 0], [0, 3], [1, 1], [2, 0], [3, 2]]
    for rule in RULES:
        kw = {"set_operation": rule, "types": ELEMENTS}
        a, b = (i64(rows), between(0, 3, 5), i64([4, 4])), (i64(other), between(0, 3, 5))
        yield Case("DenseToDenseSetOperation", between(0, 5, 4, 3), between(0, 5, 4, 6), **kw)
        yield Case("DenseToSparseSetOperation", between(0, 5, 4, 3), *b, i64([4, 9]), **kw)
        yield Case("SparseToSparseSetOperation", *a, *b, i64([4, 9]), **kw)
        kw["types"] = ("int64",)
        yield Case("DenseToDenseSetOperation", normal(2, 2, 3), normal(2, 2, 0), **kw)
        yield Case("DenseToDenseSetOperation", normal(0, 3), normal(0, 2), **kw)
        kw["error"] = INVALID
        yield Case("DenseToDenseSetOperation", normal(2, 3), normal(3, 3), **kw)
        yield Case("DenseToDenseSetOperation", normal(3), normal(3), **kw)
        yield Case("DenseToSparseSetOperation", normal(3, 2), *b, i64([4, 9]), **kw)
        yield Case("SparseToSparseSetOperation", *a, *b, i64([5, 9]), **kw)
        bad = i64([[0, 1], [0, 0], [1, 0], [2, 0], [3, 0]])
        yield Case("SparseToSparseSetOperation", bad, *a[1:], *b, i64([4, 9]), **kw)
    yield Case("SetSize", i64(rows), between(0, 2, 5), i64([4, 4]), types=ELEMENTS)
    yield Case("SetSize", i64([[0, 1, 0], [0, 1, 1]]), normal(2), i64([2, 2, 2]), types=("int32",))
    yield Case("SetSize", i64([[0], [1]]), normal(2), i64([2]), types=("int32",), error=INVALID)
    yield Case(
        "SetSize", i64([[0, 1], [0, 0]]), normal(2), i64([2, 2]), types=("int32",), error=INVALID
    )


# Between levels of many bits too: on a tie, the last bit of a product decides.
QUANTISED = of([-9.0, -3.71, -1.31, -0.77, -0.123, 0.0, 0.013, 0.33, 0.91, 1.71, 2.23, 2.69, 3.33])


def fake_quantised():
    for bits in (2, 8, 13, 16):
        for narrow in (False, True):
            kw = {"num_bits": bits, "narrow_range": narrow}
            for low, high in ((-1.3, 2.7), (0.1, 3.0), (-4.0, -0.5), (0.0, 1.0)):
                args = {"min": low, "max": high}
                args.update(kw)
                yield Case("FakeQuantWithMinMaxArgs", QUANTISED, **args)
                yield Case("FakeQuantWithMinMaxArgsGradient", normal(40), normal(40), **args)
                yield Case("FakeQuantWithMinMaxVars", QUANTISED, of(low), of(high), **kw)
                yield Case(
                    "FakeQuantWithMinMaxVarsGradient",
                    normal(40),
                    normal(40),
                    of(low),
                    of(high),
                    **kw,
                )
            ends = of([-1.0, -0.5, 0.0]), of([1.0, 2.0, 0.0])
            for shape in ((3,), (5, 3), (2, 3, 4, 3)) if bits <= 8 else ():
                yield Case("FakeQuantWithMinMaxVarsPerChannel", normal(*shape), *ends, **kw)
                yield Case(
                    "FakeQuantWithMinMaxVarsPerChannelGradient",
                    normal(*shape),
                    normal(*shape),
                    *ends,
                    **kw,
                )
    yield Case("FakeQuantWithMinMaxVars", normal(3), of(0.0), of(0.0))
    yield Case("FakeQuantWithMinMaxVarsGradient", normal(3), normal(3), of(0.0), of(0.0))
    yield Case("FakeQuantWithMinMaxArgs", normal(0, 3))
    yield Case("FakeQuantWithMinMaxArgsGradient", normal(4), normal(3), error=INVALID)
    yield Case(
        "FakeQuantWithMinMaxVarsPerChannel", normal(2, 3), of([0.0]), of([1.0]), error=INVALID
    )


def quantised_and_back():
    for signed in (False, True):
        for given in (False, True):
            for bits in (3, 8, 12):
                kw = {"signed_input": signed, "range_given": given, "types": F64}
                ends = of(-2.0 if signed else 0.0), of(3.0)
                for narrow in (False, True):
                    yield Case(
                        "QuantizeAndDequantizeV3",
                        normal(5, 7),
                        *ends,
                        i32(bits),
                        narrow_range=narrow,
                        **kw,
                    )
                    for mode in ("HALF_TO_EVEN", "HALF_UP"):
                        yield Case(
                            "QuantizeAndDequantizeV2",
                            normal(5, 7),
                            *ends,
                            num_bits=bits,
                            narrow_range=narrow,
                            round_mode=mode,
                            **kw,
                        )
                yield Case(
                    "QuantizeAndDequantize",
                    normal(9),
                    input_min=-1.0 if signed else 0.0,
                    input_max=2.0,
                    num_bits=bits,
                    **kw,
                )
    yield Case(
        "QuantizeAndDequantizeV2", normal(3), of(2.0), of(1.0), range_given=True, error=INVALID
    )
    yield Case("QuantizeAndDequantizeV3", normal(3), of(0.0), of(1.0), i32(0), error=INVALID)
    given = {"range_given": True, "error": INVALID, "text": "Invalid range: input_min 2 >"}
    yield Case("QuantizeAndDequantizeV2", normal(0), of(2.0), of(1.0), **given)
    yield Case("QuantizeAndDequantizeV3", normal(0), of(2.0), of(1.0), i32(8), **given)


def quantised():
    for t in ("qint8", "quint8", "qint16", "quint16", "qint32"):
        for low, high in ((-1.0, 3.0), (0.0, 6.0), (-2.0, -1.0), (0.0, 0.0)):
            for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
                if t == "qint32" and mode != "MIN_FIRST":
                    continue  # a float passes its highest level: undefined
                like = 1 if mode == "MIN_FIRST" else None
                yield Case("QuantizeV2", normal(6, 5), of(low), of(high), T=t, mode=mode, like=like)
        if t == "qint32":
            continue
        yield Case(
            "QuantizeV2",
            normal(30),
            of(-3.0),
            of(3.0),
            T=t,
            mode="SCALED",
            round_mode="HALF_TO_EVEN",
            like=1,
        )
    yield Case("QuantizeV2", normal(3), of(2.0), of(1.0), T="quint8", error=INVALID)


FAMILIES = (
    rolls,
    slice_updates,
    searches,
    edit_distances,
    patches,
    bits,
    set_cases,
    fake_quantised,
    quantised_and_back,
    quantised,
)
