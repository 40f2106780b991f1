# SPDX-License-Identifier: Apache-2.0
"""Lines of data for arithmetic of quantised tensors.

Ends of ranges are plain floats. Where TensorFlow 1.15 ends its process, only 2.x is asked.
"""

import functools

import numpy as np

from interop.cases.case import INVALID, Case, Value, i32, i64, known, of

# Integers agree, and ends of ranges to the last bit.
Exact = functools.partial(Case, rtol=1.2e-7, atol=1e-30)

RANGES = ((-1.0, 3.0), (0.0, 6.0), (-4.5, -0.5), (0.3, 9.1), (-0.25, 0.0))
ONE_RANGE = (of(-1.0), of(2.5))
DIES = "TensorFlow ends its process"


def ends(low_and_high):
    return tuple(of(end) for end in low_and_high)


def levels(*shape, **kw):
    low, high = (-128, 128) if kw.get("dtype") == "qint8" else (0, 256)
    if kw.get("dtype") == "qint32":
        low, high = -(2**31), 2**31
    return Value(lambda rng, _: rng.randint(low, high, size=shape), kw.get("dtype", "quint8"))


def every_level(dtype="quint8"):
    return of(np.arange(256) - (128 if dtype == "qint8" else 0), dtype)


def dequantised():
    for dtype in ("qint8", "quint8"):
        for x in RANGES:
            for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
                yield Case("Dequantize", every_level(dtype), *ends(x), mode=mode)
    for x in RANGES:
        yield Case("Dequantize", levels(300, dtype="qint32"), *ends(x), mode="MIN_FIRST")
    short = {"dtype": "bfloat16", "like": 2}
    given = (every_level(), *ends(RANGES[0]))
    yield Case("Dequantize", *given, **short)
    text = "When output type is bfloat16, Mode string must be"
    for mode in ("MIN_FIRST", "SCALED"):
        # TensorFlow 2 accepts them on processors with instructions for bfloat16: none is asked.
        other = {**short, "like": 0}
        yield Case("Dequantize", *given, mode=mode, error=INVALID, text=text, **other)


def ranges_of_no_scalars():
    """One case for each end of a range that is a vector, even one of a single element."""
    image, filters, row = levels(1, 2, 2, 3), levels(1, 1, 3, 2), levels(3)
    window = {"ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1], "padding": "SAME"}
    step = {"strides": [1, 1, 1, 1], "padding": "SAME"}
    wide = levels(4, dtype="qint32")
    for op, inputs, count, attrs in (
        ("QuantizedBiasAdd", (image, row), 4, {"out_type": "qint32"}),
        ("QuantizedConv2D", (image, filters), 4, step),
        ("QuantizedInstanceNorm", (image,), 2, {}),
        ("QuantizedAvgPool", (image,), 2, window),
        ("QuantizedMaxPool", (image,), 2, window),
        ("QuantizedAdd", (image, row), 4, {}),
        ("QuantizedRelu", (image,), 2, {}),
        ("Requantize", (wide,), 4, {"out_type": "quint8"}),
        ("QuantizeDownAndShrinkRange", (wide,), 2, {"out_type": "quint8"}),
    ):
        for vector in range(count):
            for size in (0, 1):
                given = [of(float(i % 2), "float32") for i in range(count)]
                given[vector] = of([1.0] * size, "float32")
                text = "must be rank 0"
                yield Case(op, *inputs, *given, error=INVALID, text=text, like=2, **attrs)
    op, refused = "QuantizeAndDequantizeV3", {"error": INVALID, "like": 2}
    text = "The `num_bits` tensor should be a scalar"
    yield Case(op, of([0.5, -2.0]), of(-1.0), of(1.0), i32([8]), text=text, **refused)
    text = "Shape must be rank 1 for input_min_tensor when the axis is specified"
    yield Case(op, of([0.5]), of(-1.0), of([1.0]), i32(8), axis=0, text=text, **refused)


def sums_and_products():
    for op in ("QuantizedAdd", "QuantizedMul"):
        for x in RANGES:
            for y in RANGES[:3]:
                yield Exact(op, every_level(), levels(256), *ends(x), *ends(y))
        ranges = (*ends(RANGES[0]), *ends(RANGES[2]))
        for a, b in (
            ((), ()), ((), (7,)), ((7,), ()), ((1,), (5, 3)), ((2, 3, 5), ()), ((5, 3), (3,)),
            ((9,), (4, 2, 9)), ((4, 9), (4, 9)), ((2, 3, 4), (1, 3, 4)), ((1, 4), (3, 4)),
            ((3000,), (3000,)), ((40, 70), (70,)), ((0,), (0,)), ((0, 4), (0, 4)),
        ):  # fmt: skip
            yield Exact(op, levels(*a), levels(*b), *ranges)
        yield Exact(op, levels(2), levels(3), *ranges, error=INVALID)
        yield Exact(op, levels(3), levels(3), of(2.0), of(1.0), *ONE_RANGE, error=INVALID)
        yield Exact(op, levels(3), levels(3), *ONE_RANGE, of(1.0), of(1.0), error=INVALID)
        yield Exact(op, levels(2, 1, 3), levels(1, 4, 3), *ranges, error="ANY")
        for i in range(4):
            bad = list(ranges)
            bad[i] = of([0.5, 1.0])
            yield Exact(op, levels(3), levels(3), *bad, error=INVALID, like=2)
    # TensorFlow repeats the smaller tensor, whatever its shape.
    columns = "TensorFlow adds a column as if it were a row"
    yield Exact("QuantizedAdd", levels(3, 1), levels(3, 4), *ranges, ours=columns)
    yield Exact("QuantizedMul", levels(3, 1), levels(1, 4), *ranges, ours=columns)


def bias_sums():
    kw = {"out_type": "qint32"}
    for dtype in ("qint8", "quint8"):
        for x in RANGES:
            for y in RANGES:
                inputs = every_level(dtype), levels(256, dtype=dtype)
                rows = Value(lambda rng, _: np.arange(512).reshape(2, 256) % 256, dtype)
                yield Exact("QuantizedBiasAdd", rows, inputs[1], *ends(x), *ends(y), **kw)
        for shape in ((3, 4), (2, 3, 5, 4), (300, 9), (0, 3)):
            bias = levels(shape[-1], dtype=dtype)
            given = levels(*shape, dtype=dtype), bias, *ONE_RANGE, *ends(RANGES[1])
            yield Exact("QuantizedBiasAdd", *given, **kw)
    ranges = (*ONE_RANGE, *ONE_RANGE)
    upside_down = of(2.0), of(1.0), *ONE_RANGE
    yield Exact("QuantizedBiasAdd", levels(2, 3), levels(3), *upside_down, **kw)
    for x, bias in (((3,), (3,)), ((2, 3), (2,)), ((2, 3), (1, 3)), ((2, 3), ())):
        yield Exact("QuantizedBiasAdd", levels(*x), levels(*bias), *ranges, error=INVALID, **kw)
    yield Exact("QuantizedBiasAdd", levels(2, 0), levels(0), *ranges, error=INVALID, like=2, **kw)
    bad = of([0.5, 1.0]), *ranges[1:]
    yield Exact("QuantizedBiasAdd", levels(2, 3), levels(3), *bad, error=INVALID, like=2, **kw)


def matrix_products():
    def case(a, b, x=RANGES[0], y=RANGES[3], **kw):
        return Exact("QuantizedMatMul", levels(*a), levels(*b), *ends(x), *ends(y), **kw)

    for n, k, m in (
        (1, 1, 1), (2, 3, 4), (5, 7, 1), (1, 9, 33), (4, 16, 16), (13, 31, 17), (70, 65, 530),
        (3, 2047, 5), (2, 2049, 3), (129, 8, 2),
    ):  # fmt: skip
        yield case((n, k), (k, m))
        yield case((k, n), (k, m), transpose_a=True)
        yield case((n, k), (m, k), transpose_b=True)
        yield case((k, n), (m, k), transpose_a=True, transpose_b=True)
    for x in RANGES + ((100.0, 100.25), (-400.0, -399.0), (-1000.5, -1000.0)):
        for y in RANGES + ((100.0, 100.25), (-1000.5, -1000.0)):
            yield case((6, 11), (11, 5), x, y)
    yield case((2, 3), (2, 3), error=INVALID)
    yield case((6,), (6, 1), error=INVALID)
    yield case((1, 6), (6,), error=INVALID)
    yield case((1, 6), (6, 1), (2.0, 1.0), error=INVALID)
    yield case((1, 6), (6, 1), (1.0, 2.0), (1.0, 1.0), error=INVALID)
    for i in range(4):
        bad = [*ONE_RANGE, *ONE_RANGE]
        bad[i] = of([1.0, 2.0])
        yield Exact("QuantizedMatMul", levels(2, 3), levels(3, 2), *bad, error=INVALID, like=2)


def convolutions():
    def case(images, filters, stride, padding, x=RANGES[0], y=RANGES[3], **kw):
        return Exact(
            "QuantizedConv2D", levels(*images), levels(*filters), *ends(x), *ends(y),
            strides=[1, stride, stride, 1], padding=padding, **kw,
        )  # fmt: skip

    for padding in ("SAME", "VALID"):
        for stride in (1, 2, 3):
            for shape in ((1, 1, 1, 1), (3, 3, 1, 4), (2, 3, 1, 5), (5, 4, 1, 2)):
                yield case((2, 9, 7, 1), shape, stride, padding)
                yield case((2, 9, 7, 3), (*shape[:2], 3, shape[3]), stride, padding)
        # The windows do not cover the image: TensorFlow centres them.
        for size in (8, 9, 10, 11):
            yield case((1, size, 11, 2), (1, 2, 2, 3), 4, padding)
            yield case((1, size, 11, 2), (2, 1, 2, 3), 5, padding)
        for x in RANGES + ((2.0, 2.25), (-400.0, -399.0), (1000.0, 1000.5), (2.0, 1.0)):
            yield case((1, 5, 6, 2), (3, 2, 2, 3), 2, padding, x)
        yield case((1, 5, 6, 2), (3, 2, 2, 3), 2, padding, (0.0, 0.0))
        yield case((3, 33, 40, 8), (3, 3, 8, 20), 1, padding)
    for images, filters in (
        ((5, 5, 1), (1, 1, 1, 1)), ((1, 5, 5, 1), (1, 1, 1)), ((1, 5, 5, 2), (2, 2, 3, 1)),
    ):  # fmt: skip
        yield case(images, filters, 1, "VALID", error=INVALID)
    yield case((1, 2, 2, 1), (3, 3, 1, 1), 1, "VALID", error=INVALID, ours=DIES)
    bad = {"error": INVALID, "padding": "SAME"}
    given = levels(1, 4, 4, 1), levels(2, 2, 1, 1), *ONE_RANGE, *ONE_RANGE
    for strides in ([1, 1, 2, 1], [2, 1, 1, 1], [1, 1, 1, 2], [1, 1, 1]):
        yield Exact("QuantizedConv2D", *given, strides=strides, **bad)
    for dilations in ([1, 2, 2, 1], [1, 1, 2, 1], [2, 1, 1, 1]):
        yield Exact("QuantizedConv2D", *given, strides=[1, 1, 1, 1], dilations=dilations, **bad)
    empty = {"strides": [1, 1, 1, 1], "like": 2, **bad}
    yield Exact("QuantizedConv2D", *given[:4], of([0.5, 1.0]), given[5], **empty)
    empty.update(like=None, ours=DIES)
    yield Exact("QuantizedConv2D", levels(0, 4, 4, 1), *given[1:], **empty)
    yield Exact("QuantizedConv2D", given[0], levels(2, 2, 1, 0), *given[2:], **empty)


def poolings():
    # 2.x rounds averages, as oneDNN does; 1.15 drops their fractions.
    for op, like in (("QuantizedAvgPool", 1), ("QuantizedMaxPool", None)):
        for padding in ("SAME", "VALID"):
            for size, stride in ((1, 1), (2, 2), (3, 2), (3, 1), (2, 3)):
                window = {"ksize": [1, size, size, 1], "strides": [1, stride, stride, 1]}
                window.update(padding=padding, like=like)
                for shape in ((2, 7, 9, 3), (1, 5, 5, 1), (1, 6, 8, 40)):
                    yield Exact(op, levels(*shape), *ONE_RANGE, **window)
            window.update(ksize=[1, 3, 2, 1], strides=[1, 1, 2, 1])
            yield Exact(op, levels(2, 7, 9, 3), of(2.0), of(1.0), **window)
        window = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
        yield Exact(op, levels(4, 4, 1), *ONE_RANGE, error=INVALID, **window)
        bad = of([0.5, 1.0]), of(2.0)
        yield Exact(op, levels(1, 4, 4, 1), *bad, error=INVALID, like=2, **window)
        for ksize, strides in (([1, 2, 2, 2], [1, 2, 2, 2]), ([2, 2, 2, 1], [2, 2, 2, 1])):
            other = {"ksize": ksize, "strides": strides, "padding": "SAME"}
            yield Exact(op, levels(1, 4, 4, 4), *ONE_RANGE, error="ANY", **other)
        other = {"ksize": [1, 2, 2], "strides": [1, 2, 2], "padding": "SAME"}
        yield Exact(op, levels(1, 4, 4, 4), *ONE_RANGE, error=INVALID, **other)


def normalisations():
    kw = {"out_type": "qint32", "variance_epsilon": 0.001}
    op = "QuantizedBatchNormWithGlobalNormalization"

    def case(images, channels=None, x=RANGES[0], **more):
        sizes = [channels or images[-1]] * 4
        if channels is not None:
            sizes = channels
        inputs = [levels(*images), *ends(x)]
        for size, r in zip(sizes, ((-1.0, 1.5), (0.0, 4.0), (-2.0, 2.0), (-1.0, 3.0))):
            inputs += [levels(*size) if isinstance(size, tuple) else levels(size), *ends(r)]
        return Exact(op, *inputs, **{**kw, **more})

    for scale in (True, False):
        for shape in ((1, 2, 3, 4), (2, 5, 5, 2), (3, 16, 16, 9)):
            for x in RANGES:
                yield case(shape, x=x, scale_after_normalization=scale)
        yield case((1, 3, 3, 1), scale_after_normalization=scale, like=1)
        yield case((1, 16, 16, 2), x=(-900.0, 800.0), scale_after_normalization=scale)
    bad = {"error": INVALID, "scale_after_normalization": True}
    yield case((2, 3, 4), **bad)
    for i in range(4):
        sizes = [4] * 4
        sizes[i] = (4, 1)
        yield case((1, 2, 3, 4), sizes, **bad)
    for x in RANGES:
        for shape in ((1, 4, 4, 1), (2, 6, 5, 3), (1, 9, 11, 16), (3, 8, 8, 2)):
            yield Case("QuantizedInstanceNorm", levels(*shape), *ends(x), rtol=3e-6)
        given = {"output_range_given": True, "given_y_min": -1.5, "given_y_max": 2.0}
        yield Case("QuantizedInstanceNorm", levels(2, 6, 5, 3), *ends(x), **given)
        other = {"variance_epsilon": 0.5, "min_separation": 9.0}
        yield Case("QuantizedInstanceNorm", levels(2, 6, 5, 3), *ends(x), **other)
    same = of(np.full([1, 3, 3, 2], 77), "quint8")
    yield Case("QuantizedInstanceNorm", same, *ONE_RANGE)
    images = levels(1, 3, 3, 2)
    yield Case("QuantizedInstanceNorm", images, of(2.0), of(1.0), error=INVALID)
    yield Case("QuantizedInstanceNorm", images, of(1.0), of(1.0), error=INVALID)
    given.update(given_y_min=3.0)
    yield Case("QuantizedInstanceNorm", images, *ONE_RANGE, error=INVALID, **given)
    yield Case("QuantizedInstanceNorm", levels(3, 3, 2), *ONE_RANGE, error=INVALID, ours=DIES)


def activations():
    for op in ("QuantizedRelu", "QuantizedRelu6"):
        for x in RANGES + ((-20.0, 30.0), (7.0, 9.0), (2.0, 1.0), (2.0, 2.0)):
            yield Exact(op, every_level(), *ends(x))
            yield Exact(op, levels(5, 60, dtype="qint32"), *ends(x), out_type="qint32")
        yield Exact(op, levels(0), *ONE_RANGE)
        yield Exact(op, levels(), *ONE_RANGE)
        for bad in ((of([0.5, 1.0]), of(1.0)), (of(0.5), of([1.0, 2.0]))):
            yield Exact(op, levels(3), *bad, error=INVALID, like=2)


def joined():
    def case(axis, shapes, ranges, **kw):
        dtype = kw.pop("dtype", "quint8")
        lows, highs = zip(*ranges)
        return Exact(
            "QuantizedConcat", i32(axis), [levels(*shape, dtype=dtype) for shape in shapes],
            [of(low) for low in lows], [of(high) for high in highs], **kw,
        )  # fmt: skip

    for dtype in ("quint8", "qint32"):
        for ranges in (RANGES[:2], RANGES[1:3], RANGES[2:4], ((-1.0, 2.0),) * 2):
            yield case(0, ((300,), (200,)), ranges, dtype=dtype)
            yield case(1, ((2, 3, 4), (2, 5, 4)), ranges, dtype=dtype)
            yield case(2, ((2, 3, 4), (2, 3, 1)), ranges, dtype=dtype)
        shapes = ((2, 3), (2, 0), (2, 5), (2, 1))
        yield case(1, shapes, RANGES[1:2] * 4, dtype=dtype)
        shifted = "TensorFlow gives a tensor after an empty one the empty one's range"
        yield case(1, shapes, RANGES[1:], dtype=dtype, ours=shifted)
        yield case(0, ((4,), (4,)), ((-3.0, -1.0), (-2.0, -0.5)), dtype=dtype)
        yield case(0, ((4,), (4,)), ((2.0, 1.0), (0.0, 0.0)), dtype=dtype)
    for axis, shapes in (
        (2, ((2, 3), (2, 3))), (-1, ((2, 3), (2, 3))), (0, ((), ())), (0, ((2, 3), (2, 4))),
        (0, ((2, 3), (2,))), ([0, 1], ((2, 3), (2, 3))),
    ):  # fmt: skip
        yield case(axis, shapes, RANGES[:2], error=INVALID)


def reshaped():
    for dtype in ("quint8", "qint32"):
        for sizes in ([6], [3, 2], [-1, 2], [1, 6, 1]):
            yield Exact("QuantizedReshape", levels(2, 3, dtype=dtype), i32(sizes), *ONE_RANGE)
    yield Exact("QuantizedReshape", levels(1), i64(np.zeros(0)), of(2.0), of(1.0))
    yield Exact("QuantizedReshape", levels(2, 3), i32([4]), *ONE_RANGE, error=INVALID)
    yield Exact("QuantizedReshape", levels(2, 3), i32([-1, -1]), *ONE_RANGE, error=INVALID)
    for bad in ((of([0.5, 1.0]), of(1.0)), (of(0.5), of([1.0, 2.0]))):
        yield Exact("QuantizedReshape", levels(3), i32([3]), *bad, error=INVALID, like=2)


def resized():
    for dtype in ("quint8", "qint32", "float32"):
        for corners, centers in ((False, False), (True, False), (False, True), (True, True)):
            kw = {"align_corners": corners, "half_pixel_centers": centers}
            for shape, size in (
                ((1, 4, 5, 1), (9, 13)), ((2, 9, 7, 3), (4, 5)), ((1, 3, 3, 8), (3, 7)),
                ((1, 4, 4, 2), (4, 4)), ((1, 1, 1, 2), (5, 1)), ((2, 5, 6, 3), (1, 1)),
            ):  # fmt: skip
                images = levels(*shape, dtype=dtype)
                yield Exact("QuantizedResizeBilinear", images, i32(size), *ONE_RANGE, **kw)
    for shape, size in (
        ((4, 4, 1), (2, 2)), ((1, 4, 4, 1), (2, 2, 2)), ((1, 4, 4, 1), ((2, 2),)),
        ((1, 4, 4, 1), (0, 2)), ((1, 4, 4, 1), (2, -1)), ((1, 0, 4, 1), (2, 2)),
    ):  # fmt: skip
        yield Exact("QuantizedResizeBilinear", levels(*shape), i32(size), *ONE_RANGE, error=INVALID)
    bad = levels(1, 4, 4, 1), i32([2, 2]), of([0.5, 1.0]), of(1.0)
    yield Exact("QuantizedResizeBilinear", *bad, error=INVALID, like=2)


def known_shapes():
    ranges = (*ONE_RANGE, *ONE_RANGE)
    for op in ("QuantizedAdd", "QuantizedMul"):
        yield Exact(op, known(levels(2, 3)), known(levels(3)), *ranges)
    yield Exact("QuantizedMatMul", known(levels(2, 3)), known(levels(3, 4)), *ranges)
    images, window = known(levels(2, 5, 5, 3)), {"strides": [1, 2, 2, 1], "padding": "SAME"}
    yield Exact("QuantizedConv2D", images, known(levels(2, 2, 3, 4)), *ranges, **window)
    yield Exact("QuantizedMaxPool", images, *ONE_RANGE, ksize=[1, 2, 2, 1], **window)
    yield Exact("QuantizedAvgPool", images, *ONE_RANGE, ksize=[1, 2, 2, 1], like=1, **window)
    yield Exact("QuantizedBiasAdd", images, known(levels(3)), *ranges, out_type="qint32")
    yield Exact("QuantizedResizeBilinear", images, i32([3, 4]), *ONE_RANGE)
    yield Case("QuantizedInstanceNorm", images, *ONE_RANGE)


FAMILIES = (
    dequantised,
    ranges_of_no_scalars,
    sums_and_products,
    bias_sums,
    matrix_products,
    convolutions,
    poolings,
    normalisations,
    activations,
    joined,
    reshaped,
    resized,
    known_shapes,
)
