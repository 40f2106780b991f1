# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for what slides windows over images, and its kin."""

from interop.cases.case import (
    F64,
    INDEX,
    INVALID,
    NAN,
    REALS,
    Case,
    arange,
    between,
    i32,
    i64,
    known,
    normal,
    of,
)

RATIOS = ([1.0, 1.3, 1.7, 1.0], [1.0, 2.0, 1.0, 1.0], [1.0, 2.6, 3.1, 1.0])


def fractional_pools():
    for op in ("FractionalAvgPool", "FractionalMaxPool"):
        for ratio in RATIOS:
            for pseudo_random in (False, True):
                for overlapping in (False, True):
                    kw = dict(
                        pooling_ratio=ratio,
                        pseudo_random=pseudo_random,
                        overlapping=overlapping,
                        deterministic=True,
                        seed=3,
                        seed2=5,
                    )
                    types = ("float32", "float64", "int32", "int64")
                    yield Case(op, normal(2, 11, 14, 3), types=types, **kw)
        yield Case(op, normal(2, 11, 14, 3), pooling_ratio=RATIOS[0], seed=9, error=INVALID)
        kw = dict(pooling_ratio=RATIOS[0])
        yield Case(op, normal(11, 14, 3), error=INVALID, like=1, **kw)
        yield Case(
            op, normal(1, 11, 14, 3), pooling_ratio=[1.0, 0.5, 1.0, 1.0], error=INVALID, like=2
        )
    rows, columns = i64([0, 2, 3, 5]), i64([0, 1, 4])
    for overlapping in (False, True):
        kw = dict(overlapping=overlapping)
        types = ("float32", "float64", "int32", "int64")
        shape, dy = i64([2, 5, 4, 3]), normal(2, 3, 2, 3)
        yield Case("FractionalAvgPoolGrad", shape, dy, rows, columns, types=types, **kw)
    # The pooled values must be those of the input.
    kw = dict(overlapping=False)
    x, y = arange(1, 5, 4, 1), of([[[[4], [7]], [[8], [11]], [[16], [19]]]])
    yield Case("FractionalMaxPoolGrad", x, y, normal(1, 3, 2, 1), rows, columns, **kw)
    far = i64([0, 2, 3, 50])
    yield Case(
        "FractionalAvgPoolGrad", shape, dy, far, columns, error=INVALID, ours="1.15 may crash"
    )


def dilations():
    for padding in ("SAME", "VALID"):
        for stride, rate in ((1, 1), (2, 1), (1, 2), (3, 2)):
            kw = dict(strides=[1, stride, stride, 1], rates=[1, rate, rate, 1], padding=padding)
            reach = [2 * rate + 1, rate + 1]
            out = [
                -(-(n if padding == "SAME" else n - r + 1) // stride) for n, r in zip((7, 8), reach)
            ]
            x, w, dy = normal(2, 7, 8, 3), normal(3, 2, 3), normal(2, *out, 3)
            types = REALS[:10] if rate == 1 else F64
            yield Case("Dilation2D", x, w, types=types, **kw)
            yield Case("Dilation2DBackpropInput", x, w, dy, types=F64, **kw)
            yield Case("Dilation2DBackpropFilter", x, w, dy, types=F64, **kw)
    kw = dict(strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")
    yield Case("Dilation2D", normal(2, 7, 8), normal(3, 2, 3), error=INVALID, **kw)
    yield Case("Dilation2D", normal(2, 7, 8, 3), normal(3, 2, 4), error=INVALID, **kw)
    yield Case("Dilation2D", normal(2, 7, 8, 3), normal(3, 2, 3, 1), error=INVALID, **kw)
    yield Case(
        "Dilation2DBackpropInput",
        normal(2, 7, 8, 3),
        normal(3, 2, 3),
        normal(2, 7, 7, 3),
        error=INVALID,
        **kw,
    )


def nth_elements():
    for reverse in (False, True):
        for n in (0, 3, 8):
            kw = dict(reverse=reverse)
            yield Case("NthElement", normal(4, 9), i32(n), types=REALS[:10], **kw)
            yield Case("NthElement", normal(9), i32(n), **kw)
            yield Case("NthElement", normal(2, 1, 2, 1, 9), i32(n), **kw)
    yield Case("NthElement", normal(0, 9), i32(2))
    yield Case("NthElement", of([NAN, 1, NAN, 0, 3]), i32(2), ours="the order of NaN is its own")
    yield Case("NthElement", normal(3, 4), i32(4), error=INVALID)
    yield Case("NthElement", normal(3, 4), i32(-1), error=INVALID)
    yield Case("NthElement", normal(3, 4), i32([1]), error=INVALID)
    yield Case("NthElement", normal(), i32(0), error=INVALID)


def data_formats():
    layouts = (("NHWC", "NCHW"), ("NCHW", "NHWC"), ("NHWC", "HWNC"), ("NHWC", "NHWC"))
    for src, dst in layouts:
        kw = dict(src_format=src, dst_format=dst)
        yield Case("DataFormatDimMap", of([0, 1, 2, 3, -1, -2, -3, -4]), types=INDEX, **kw)
        yield Case("DataFormatDimMap", of([[0, 1], [3, -1]]), types=INDEX, **kw)
        yield Case("DataFormatVecPermute", of([5, 6, 7, 8]), types=INDEX, **kw)
        yield Case("DataFormatVecPermute", arange(4, 2), types=INDEX, **kw)
        yield Case("DataFormatVecPermute", of([5, 6]), types=INDEX, like=2, **kw)
        yield Case("DataFormatVecPermute", of([5, 6, 7]), types=INDEX, error=INVALID, **kw)
        yield Case("DataFormatVecPermute", arange(4, 3), types=INDEX, error=INVALID, **kw)
        yield Case("DataFormatVecPermute", of(3), types=INDEX, error=INVALID, **kw)
    kw = dict(src_format="NDHWC", dst_format="NCDHW")
    yield Case("DataFormatDimMap", of([0, 1, 2, 3, 4, -5]), types=INDEX, like=2, **kw)
    yield Case("DataFormatVecPermute", of([5, 6, 7, 8, 9]), types=INDEX, like=2, **kw)


def fused_convolutions():
    # One image: TensorFlow takes the first one for all.
    paddings = known(i32([[0, 0], [1, 2], [2, 1], [0, 0]]))
    # Long strides leave rows and columns over.
    for mode, strides in (("REFLECT", [1, 1, 1, 1]), ("SYMMETRIC", [1, 6, 5, 1])):
        for padding in ("VALID", "SAME"):
            kw = dict(mode=mode, padding=padding, strides=strides, rtol=1e-2)
            x, w = (known(between(-0.5, 0.5, *shape)) for shape in ((1, 5, 6, 3), (3, 2, 3, 4)))
            yield Case("FusedPadConv2D", x, paddings, w, types=F64, **kw)
            for align in (False, True):
                yield Case(
                    "FusedResizeAndPadConv2D",
                    x,
                    known(i32([7, 4])),
                    paddings,
                    w,
                    types=F64,
                    resize_align_corners=align,
                    **kw,
                )
    kw = dict(mode="REFLECT", padding="VALID", strides=[1, 1, 1, 1])
    far = known(i32([[0, 0], [9, 0], [0, 0], [0, 0]]))
    image, weights = known(normal(1, 5, 6, 3)), known(normal(3, 2, 3, 4))
    yield Case("FusedPadConv2D", image, far, weights, error=INVALID, **kw)
    grouped = known(normal(3, 2, 1, 3))
    yield Case("FusedPadConv2D", image, paddings, grouped, error=INVALID, **kw)


FAMILIES = (
    fractional_pools,
    dilations,
    nth_elements,
    data_formats,
    fused_convolutions,
)
