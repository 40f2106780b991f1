# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for convolution and pooling of volumes.

Second gradients of pooling too.
"""

from interop.cases.case import F64, INVALID, REALS, Case, arange, between, i32, i64, normal, of

ONE = [1, 1, 1, 1, 1]
LOOSE = 1e-3
POOLS = (((2, 2, 2), (2, 2, 2)), ((3, 2, 1), (1, 2, 3)), ((3, 3, 3), (2, 1, 2)))


def out_size(size, window, stride, padding):
    return -(-(size if padding == "SAME" else size - window + 1) // stride)


def small(*shape):
    """Sums of many products of these differ little, though they may be near 0."""
    return between(-0.5, 0.5, *shape)


def volume_convolutions():
    window = (2, 3, 2)
    for padding in ("SAME", "VALID"):
        for strides in ((1, 1, 1), (2, 2, 2), (1, 2, 3)):
            kw = dict(strides=[1, *strides, 1], padding=padding, rtol=LOOSE)
            out = [out_size(n, w, s, padding) for n, w, s in zip((4, 5, 6), window, strides)]
            x, w, dy = small(2, 4, 5, 6, 3), small(*window, 3, 4), small(2, *out, 4)
            yield Case("Conv3D", x, w, types=F64, **kw)
            yield Case("Conv3DBackpropInput", x, w, dy, types=F64, **kw)
            yield Case("Conv3DBackpropFilter", x, w, dy, types=F64, **kw)
            for ints in (i32, i64):
                sizes = ints([2, 4, 5, 6, 3])
                yield Case("Conv3DBackpropInputV2", sizes, w, dy, types=F64, **kw)
            sizes = i32([*window, 3, 4])
            yield Case("Conv3DBackpropFilterV2", x, sizes, dy, types=F64, **kw)
    x, w = between(-1, 1, 1, 3, 3, 3, 2), between(-1, 1, 2, 2, 2, 2, 3)
    kw = dict(strides=ONE, padding="SAME")
    yield Case("Conv3D", x, w, types=("float16",), rtol=3e-2, **kw)
    yield Case(
        "Conv3D", normal(0, 4, 4, 4, 2), normal(2, 2, 2, 2, 3), ours="it forgets the channels", **kw
    )
    yield Case("Conv3D", small(1, 16, 16, 16, 8), small(3, 3, 3, 8, 16), rtol=1e-3, **kw)
    yield Case(
        "Conv3D",
        normal(2, 3, 6, 5, 4),
        normal(2, 3, 2, 3, 4),
        data_format="NCDHW",
        ours="not on its CPU",
        **kw,
    )
    yield Case("Conv3D", x, w, dilations=[1, 2, 2, 2, 1], ours="not on its CPU", **kw)
    yield Case("Conv3D", normal(3, 4, 5, 6), normal(2, 2, 2, 3, 4), error=INVALID, **kw)
    yield Case("Conv3D", normal(1, 4, 5, 6, 2), normal(2, 2, 2, 3, 4), error=INVALID, **kw)
    # Channels in groups are Conv2D's alone; 1.15 reads beyond the filter.
    grouped, filters, dy = normal(1, 3, 4, 3, 4), normal(2, 2, 2, 2, 4), normal(1, 3, 4, 3, 4)
    refused = dict(types=F64, error=INVALID, like=2, **kw)
    yield Case("Conv3D", grouped, filters, **refused)
    sizes = i32([1, 3, 4, 3, 4])
    yield Case("Conv3DBackpropInputV2", sizes, filters, dy, **refused)
    yield Case("Conv3DBackpropFilterV2", grouped, i32([2, 2, 2, 2, 4]), dy, **refused)
    yield Case(
        "Conv3D",
        normal(1, 2, 2, 2, 2),
        normal(4, 3, 3, 2, 4),
        strides=ONE,
        padding="VALID",
        error=INVALID,
    )
    yield Case(
        "Conv3DBackpropInputV2",
        i32([1, 3, 3, 3, 2]),
        w,
        normal(1, 2, 3, 3, 3),
        error=INVALID,
        ours="with oneDNN, TensorFlow says ABORTED",
        **kw,
    )


def volume_pools():
    for padding in ("SAME", "VALID"):
        for ksize, strides in POOLS:
            kw = dict(ksize=[1, *ksize, 1], strides=[1, *strides, 1], padding=padding)
            shape = (2, 5, 4, 6, 3)
            out = [out_size(n, k, s, padding) for n, k, s in zip(shape[1:4], ksize, strides)]
            out = (2, *out, 3)
            # 2.21 is wrong for windows of three sizes where it does without oneDNN.
            like = 1 if len(set(ksize)) > 1 else None
            yield Case("AvgPool3D", normal(*shape), like=like, **kw)
            yield Case("MaxPool3D", normal(*shape), like=like, **kw)
            yield Case("AvgPool3DGrad", i32(list(shape)), normal(*out), **kw)
    # The maxima must be those of the input: one window over all, and windows side by side.
    x = arange(1, 2, 3, 4, 1)
    whole = dict(ksize=[1, 2, 3, 4, 1], strides=[1, 2, 3, 4, 1], padding="VALID")
    yield Case("MaxPool3DGrad", x, of([[[[[23]]]]]), normal(1, 1, 1, 1, 1), **whole)
    yield Case("MaxPool3DGradGrad", x, of([[[[[23]]]]]), normal(1, 2, 3, 4, 1), **whole)
    ties = of([[[[[1], [3]], [[3], [3]]]]])
    kw = dict(ksize=[1, 1, 2, 2, 1], strides=ONE, padding="VALID")
    yield Case("MaxPool3DGrad", ties, of([[[[[3]]]]]), normal(1, 1, 1, 1, 1), **kw)
    yield Case("MaxPool3DGradGrad", ties, of([[[[[3]]]]]), normal(1, 1, 2, 2, 1), **kw)
    x = of([[[[[1, 9], [3, 0]], [[2, 4], [3, 5]]]]])
    kw = dict(ksize=[1, 1, 2, 1, 1], strides=ONE, padding="VALID")
    best = of([[[[[2, 9], [3, 5]]]]])
    yield Case("MaxPool3DGrad", x, best, normal(1, 1, 1, 2, 2), **kw)
    yield Case("MaxPool3DGradGrad", x, best, normal(1, 1, 2, 2, 2), **kw)
    kw = dict(ksize=[1, 2, 2, 2, 1], strides=ONE, padding="SAME")
    for op in ("AvgPool3D", "MaxPool3D"):
        yield Case(op, normal(0, 2, 2, 2, 1), **kw)
        yield Case(op, normal(2, 2, 2, 1), error=INVALID, ours="TensorFlow 2.21 dies", **kw)
        yield Case(
            op, normal(1, 2, 2, 2, 1), ksize=[1] * 4, strides=ONE, padding="SAME", error="ANY"
        )
        yield Case(
            op,
            normal(1, 3, 3, 3, 3),
            ksize=[1, 1, 2, 2, 2],
            strides=ONE,
            padding="SAME",
            data_format="NCDHW",
            ours="not on its CPU",
        )


def second_gradients():
    x = of([[[[1, 9], [3, 0], [2, 2]], [[2, 4], [3, 5], [8, 1]]]])
    best = of([[[[3, 9], [8, 5]]]])
    kw = dict(ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="VALID")
    yield Case("MaxPoolGradGrad", x, best, normal(1, 2, 3, 2), types=REALS[:10], **kw)
    yield Case(
        "MaxPoolGradGradV2",
        x,
        best,
        normal(1, 2, 3, 2),
        i32([1, 2, 2, 1]),
        i32([1, 1, 1, 1]),
        padding="VALID",
    )
    yield Case("MaxPoolGradGrad", x, best, normal(1, 2, 2, 2), error=INVALID, like=2, **kw)
    yield Case(
        "MaxPoolGradGrad", x, normal(1, 1, 1, 2), normal(1, 2, 3, 2), error=INVALID, like=2, **kw
    )


FAMILIES = (volume_convolutions, volume_pools, second_gradients)
