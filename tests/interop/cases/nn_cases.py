# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for products, convolutions, pooling and softmax.

Training ops are not here: their variables would have to be made first. TensorFlow's answers for
them are in tests/data/nn_golden.txt, and train_test.py trains with them.
"""

from interop.cases.case import (
    COMPLEX,
    F32,
    F64,
    FLOATS,
    INDEX,
    INF,
    INTS,
    INVALID,
    NAN,
    Case,
    arange,
    between,
    i32,
    i64,
    normal,
    of,
    positive,
)

HALF = ("float16", "float32", "float64")
PRODUCTS = F64 + ("int32", "int64") + COMPLEX
# Sums of many products: rounding differs with their order.
LOOSE = 2e-4


def products():
    for ta in (False, True):
        for tb in (False, True):
            a, b = (4, 3) if ta else (3, 4), (5, 4) if tb else (4, 5)
            yield Case(
                "MatMul",
                normal(*a),
                normal(*b),
                transpose_a=ta,
                transpose_b=tb,
                types=PRODUCTS,
                rtol=LOOSE,
            )
            yield Case(
                "MatMul",
                normal(*a),
                normal(*b),
                transpose_a=ta,
                transpose_b=tb,
                types=("bfloat16",),
                rtol=3e-2,
                ours="TensorFlow 2.21 dies of SIGILL on some machines",
            )
            yield Case(
                "MatMul",
                positive(*a),
                positive(*b),
                transpose_a=ta,
                transpose_b=tb,
                types=("float16",),
                rtol=1e-2,
            )
            a, b = (70, 65) if ta else (65, 70), (33, 70) if tb else (70, 33)
            yield Case(
                "MatMul",
                normal(*a),
                normal(*b),
                transpose_a=ta,
                transpose_b=tb,
                types=F64 + INDEX,
                rtol=LOOSE,
            )
            a, b = (2, 3, 4, 3) if ta else (2, 3, 3, 4), (2, 3, 5, 4) if tb else (2, 3, 4, 5)
            yield Case(
                "BatchMatMul",
                normal(*a),
                normal(*b),
                adj_x=ta,
                adj_y=tb,
                types=F64 + INDEX + COMPLEX,
                rtol=LOOSE,
            )
            a, b = (2, 1, 4, 3) if ta else (2, 1, 3, 4), (3, 5, 4) if tb else (3, 4, 5)
            yield Case(
                "BatchMatMulV2",
                normal(*a),
                normal(*b),
                adj_x=ta,
                adj_y=tb,
                types=F64 + INDEX + COMPLEX,
                rtol=LOOSE,
            )


def edge_products():
    yield Case("MatMul", normal(0, 4), normal(4, 5))
    yield Case("MatMul", normal(2, 0), normal(0, 3))
    yield Case("MatMul", normal(1, 200), normal(200, 1), rtol=1e-3)
    yield Case("MatMul", of([[2**30, 2**30]]), of([[4], [5]]), types=("int32",))
    yield Case("MatMul", of([[NAN, 1], [INF, 0]]), of([[1, 0], [0, 1]]))
    yield Case("MatMul", normal(3, 4), normal(3, 5), error=INVALID)
    yield Case("MatMul", normal(3, 4, 1), normal(3, 5), error=INVALID)
    yield Case("MatMul", normal(3), normal(3), error=INVALID)
    yield Case("BatchMatMul", normal(0, 2, 3), normal(0, 3, 2))
    yield Case("BatchMatMulV2", normal(2, 3), normal(4, 3, 2))
    yield Case("BatchMatMulV2", normal(2, 0, 3), normal(2, 3, 2))
    yield Case("BatchMatMulV2", normal(2, 2, 0), normal(2, 0, 2))
    yield Case("BatchMatMulV2", normal(3), normal(3, 4, 4), error=INVALID)
    yield Case("BatchMatMulV2", normal(2, 3, 4), normal(3, 4, 4), error=INVALID)
    yield Case("BatchMatMulV2", normal(2, 3, 4), normal(2, 3, 4), error=INVALID)
    yield Case(
        "SparseMatMul",
        between(-2, 2, 4, 3),
        between(-2, 2, 4, 5),
        transpose_a=True,
        types=F32,
        rtol=LOOSE,
    )


def biases():
    for shape in ((3, 2), (2, 3, 2), (1, 2, 3, 2), (1, 2, 1, 2, 2)):
        yield Case("BiasAdd", normal(*shape), normal(2), types=FLOATS + INTS[:6] + COMPLEX)
        yield Case("BiasAddV1", normal(*shape), normal(2))
        yield Case("BiasAddGrad", normal(*shape), types=F64 + ("int32",) + COMPLEX)
    yield Case("BiasAdd", normal(2, 3, 2, 2), normal(3), data_format="NCHW")
    yield Case("BiasAddGrad", normal(2, 3, 2, 2), data_format="NCHW")
    yield Case("BiasAdd", normal(0, 2), normal(2))
    yield Case("BiasAddGrad", normal(0, 2))
    yield Case("BiasAdd", normal(3), normal(3), error=INVALID)
    yield Case("BiasAdd", normal(3, 2), normal(3), error=INVALID)
    yield Case("BiasAdd", normal(3, 2), normal(3, 2), error=INVALID)
    yield Case("BiasAddGrad", normal(3), error=INVALID)


def softmaxes():
    odd = of([[NAN, 0, 1], [INF, 0, 0], [-INF, -INF, -INF], [-INF, 0, 0], [200, -200, 0]])
    for op in ("Softmax", "LogSoftmax"):
        yield Case(op, normal(3, 7), types=HALF)
        yield Case(op, normal(2, 3, 4))
        yield Case(op, normal(5))
        yield Case(op, normal(2, 0))
        yield Case(op, odd, types=("float64",))  # in float32 oneDNN takes NaN for 0
        yield Case(op, normal(), error=INVALID, ours="with oneDNN, TensorFlow says ABORTED")
    cross = "SoftmaxCrossEntropyWithLogits"
    for logits, labels in (
        ((3, 4), (3, 4)),
        ((3, 4), (1, 4)),
        ((3, 4), (4,)),
        ((3, 1), (3, 4)),
        ((2, 0), (2, 0)),
        ((0, 3), (0, 3)),
    ):
        yield Case(cross, normal(*logits), positive(*labels), types=F64)
    yield Case(cross, normal(3, 4), positive(3, 4), types=("float16",), rtol=2e-2)
    yield Case(cross, odd, of([[0, 1, 0]]))
    yield Case(cross, normal(2, 3), normal(2, 2), error=INVALID)
    yield Case(cross, normal(3), normal(3), error=INVALID)
    sparse = "SparseSoftmaxCrossEntropyWithLogits"
    yield Case(sparse, normal(3, 4), i32([0, 3, 1]), types=HALF, rtol=1e-2)
    yield Case(sparse, normal(3, 4), i64([0, 3, 1]))
    yield Case(sparse, normal(0, 3), i32([]))
    for labels in ([0, 3], [0, -1]):
        yield Case(
            sparse,
            normal(2, 3),
            i32(labels),
            error=INVALID,
            text="which is outside the valid range of [0, 3)",
        )
    yield Case(sparse, normal(2, 3), i32([0]), error=INVALID)
    yield Case(sparse, normal(2), i32([0, 1]), error=INVALID)
    yield Case(sparse, normal(1, 0), i32([0]), error=INVALID)


def same(out, stride):
    return -(-out // stride)


def convolutions():
    for padding in ("SAME", "VALID"):
        for stride in (1, 2):
            kw = dict(strides=[1, stride, stride, 1], padding=padding, rtol=LOOSE)
            h, w = (
                (same(6, stride), same(7, stride))
                if padding == "SAME"
                else (same(6 - 2, stride), same(7 - 1, stride))
            )
            yield Case("Conv2D", normal(2, 6, 7, 3), normal(3, 2, 3, 4), types=F64, **kw)
            yield Case(
                "Conv2DBackpropInput",
                i32([2, 6, 7, 3]),
                normal(3, 2, 3, 4),
                normal(2, h, w, 4),
                types=F64,
                **kw,
            )
            yield Case(
                "Conv2DBackpropFilter",
                normal(2, 6, 7, 3),
                i32([3, 2, 3, 4]),
                normal(2, h, w, 4),
                types=F64,
                **kw,
            )
            for m in (1, 2):
                yield Case(
                    "DepthwiseConv2dNative", normal(2, 6, 7, 3), normal(3, 2, 3, m), types=F64, **kw
                )
                yield Case(
                    "DepthwiseConv2dNativeBackpropInput",
                    i32([2, 6, 7, 3]),
                    normal(3, 2, 3, m),
                    normal(2, h, w, 3 * m),
                    types=F64,
                    **kw,
                )
                yield Case(
                    "DepthwiseConv2dNativeBackpropFilter",
                    normal(2, 6, 7, 3),
                    i32([3, 2, 3, m]),
                    normal(2, h, w, 3 * m),
                    types=F64,
                    **kw,
                )


def convolution_options():
    one = [1, 1, 1, 1]
    yield Case(
        "Conv2D",
        between(-1, 1, 1, 5, 5, 2),
        between(-1, 1, 3, 3, 2, 3),
        strides=one,
        padding="SAME",
        types=("float16",),
        rtol=2e-2,
    )
    yield Case(
        "Conv2D",
        normal(1, 9, 8, 2),
        normal(3, 2, 2, 3),
        strides=one,
        padding="VALID",
        dilations=[1, 2, 3, 1],
        rtol=LOOSE,
    )
    yield Case(
        "Conv2D",
        normal(1, 5, 6, 2),
        normal(3, 3, 2, 3),
        strides=[1, 2, 1, 1],
        padding="EXPLICIT",
        explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0],
        rtol=LOOSE,
    )
    yield Case(
        "Conv2D",
        normal(2, 3, 6, 7),
        normal(3, 2, 3, 4),
        strides=one,
        padding="SAME",
        data_format="NCHW",
        rtol=LOOSE,
    )
    yield Case(
        "Conv2D",
        positive(8, 20, 20, 16),
        positive(5, 5, 16, 24),
        strides=one,
        padding="SAME",
        rtol=1e-3,
    )


def empty_convolutions():
    one = [1, 1, 1, 1]
    yield Case("Conv2D", normal(0, 3, 4, 4), normal(1, 1, 4, 4), strides=one, padding="VALID")
    yield Case(
        "Conv2D",
        normal(1, 3, 4, 2),
        normal(1, 1, 2, 0),
        strides=one,
        padding="VALID",
        ours="with oneDNN, TensorFlow refuses it",
    )
    yield Case(
        "Conv2DBackpropFilter",
        normal(0, 4, 4, 1),
        i32([1, 1, 1, 2]),
        normal(0, 4, 4, 2),
        strides=one,
        padding="SAME",
    )
    yield Case(
        "Conv2DBackpropInput",
        i32([0, 4, 4, 1]),
        normal(3, 3, 1, 2),
        normal(0, 4, 4, 2),
        strides=one,
        padding="SAME",
    )


def bad_convolutions():
    one = [1, 1, 1, 1]
    dies = "one TensorFlow or another dies"
    yield Case(
        "Conv2D",
        normal(3, 4, 1),
        normal(1, 1, 1, 1),
        strides=one,
        padding="SAME",
        error=INVALID,
        ours=dies,
    )
    yield Case(
        "Conv2D",
        normal(1, 3, 4, 3),
        normal(1, 1, 2, 1),
        strides=one,
        padding="SAME",
        error=INVALID,
        ours=dies,
    )
    yield Case(
        "Conv2D",
        normal(1, 3, 4, 4),
        normal(0, 1, 4, 4),
        strides=one,
        padding="SAME",
        error=INVALID,
        ours=dies,
    )
    yield Case(
        "Conv2D",
        normal(1, 3, 4, 4),
        normal(5, 5, 4, 4),
        strides=one,
        padding="VALID",
        error=INVALID,
        ours=dies,
    )
    yield Case(
        "Conv2DBackpropInput",
        i32([1, 4, 4, 1]),
        normal(3, 3, 1, 2),
        normal(1, 4, 3, 2),
        strides=one,
        padding="SAME",
        error=INVALID,
        ours=dies,
    )
    yield Case(
        "Conv2DBackpropFilter",
        normal(1, 4, 4, 1),
        i32([3, 3, 1, 2]),
        normal(1, 4, 3, 2),
        strides=one,
        padding="SAME",
        error=INVALID,
        ours=dies,
    )


def pools():
    reals = FLOATS + ("int32", "int64", "uint8", "int16", "int8", "uint16")
    for padding in ("SAME", "VALID"):
        kw = dict(ksize=[1, 3, 2, 1], strides=[1, 2, 3, 1], padding=padding)
        rows = 3 if padding == "SAME" else 2
        yield Case("MaxPool", normal(2, 5, 6, 3), types=reals, **kw)
        yield Case(
            "MaxPoolV2", normal(2, 5, 6, 3), i32([1, 3, 2, 1]), i32([1, 2, 3, 1]), padding=padding
        )
        yield Case(
            "MaxPoolGrad",
            normal(2, 5, 6, 3),
            normal(2, rows, 2, 3),
            normal(2, rows, 2, 3),
            types=F64 + ("int32",),
            **kw,
        )
        yield Case(
            "MaxPoolGradV2",
            normal(2, 5, 6, 3),
            normal(2, rows, 2, 3),
            normal(2, rows, 2, 3),
            i32([1, 3, 2, 1]),
            i32([1, 2, 3, 1]),
            padding=padding,
        )
        yield Case("MaxPoolWithArgmax", between(0, 3, 2, 5, 6, 3), types=("float32", "int32"), **kw)
        yield Case(
            "AvgPool",
            normal(2, 5, 6, 3),
            types=HALF,
            rtol=1e-2 if padding == "SAME" else None,
            **kw,
        )
        yield Case("AvgPoolGrad", i32([2, 5, 6, 3]), normal(2, rows, 2, 3), types=F64, **kw)


def overlapping_pools():
    over = dict(ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1], padding="SAME")
    yield Case(
        "MaxPoolGrad",
        of([[[[0], [1], [1]], [[1], [0], [1]], [[0], [0], [0]]]]),
        normal(1, 3, 3, 1),
        arange(1, 3, 3, 1),
        **over,
    )
    yield Case(
        "MaxPoolGrad",
        of([[[[NAN], [1], [1]], [[1], [NAN], [2]], [[0], [INF], [-INF]]]]),
        normal(1, 3, 3, 1),
        arange(1, 3, 3, 1),
        **over,
    )
    yield Case(
        "MaxPool", of([[[[NAN], [1], [1]], [[1], [NAN], [2]], [[0], [INF], [-INF]]]]), **over
    )
    yield Case("AvgPool", of([[[[NAN], [1], [1]], [[1], [2], [2]], [[0], [INF], [-INF]]]]), **over)
    yield Case(
        "MaxPool",
        normal(2, 3, 5, 6),
        ksize=[1, 1, 2, 2],
        strides=[1, 1, 2, 2],
        padding="VALID",
        data_format="NCHW",
        ours="TensorFlow 1.15 knows it on GPUs only",
    )
    for strides in ([1, 1, 1, 3], [1, 2, 1, 3]):  # across depth, at every pixel all the same
        yield Case(
            "MaxPool", normal(1, 2, 2, 6), ksize=[1, 1, 1, 3], strides=strides, padding="SAME"
        )
    yield Case(
        "MaxPool", normal(0, 4, 4, 1), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"
    )


def bad_pools():
    two = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
    yield Case("MaxPool", normal(4, 4, 1), error=INVALID, **two)
    yield Case("AvgPool", normal(4, 4, 1), error=INVALID, **two)
    yield Case(
        "MaxPoolGrad",
        normal(1, 4, 4, 1),
        normal(1, 2, 2, 1),
        normal(1, 3, 2, 1),
        error=INVALID,
        ours="TensorFlow 1.15 reads beyond it",
        **two,
    )
    yield Case(
        "AvgPoolGrad",
        i32([1, 4, 4, 1]),
        normal(1, 3, 2, 1),
        error=INVALID,
        ours="TensorFlow 1.15 dies",
        **two,
    )


def norms():
    c, none = normal(3), of([], "float32")
    for op in ("FusedBatchNorm", "FusedBatchNormV2"):
        yield Case(op, normal(2, 3, 2, 3), c, c, none, none, is_training=True, rtol=LOOSE)
    # Of the third form, TensorFlow's last output is a scalar without oneDNN and empty with it.
    yield Case(
        "FusedBatchNormV2",
        normal(2, 3, 2, 3),
        normal(3, dtype="float32"),
        normal(3, dtype="float32"),
        none,
        none,
        is_training=True,
        types=("float16",),
        rtol=2e-2,
    )
    yield Case(
        "FusedBatchNormV2",
        normal(2, 3, 2, 3),
        c,
        c,
        c,
        positive(3),
        is_training=True,
        exponential_avg_factor=0.25,
        rtol=LOOSE,
    )
    yield Case(
        "FusedBatchNormV3", normal(2, 3, 2, 3), c, c, none, none, is_training=True, ours="see above"
    )
    yield Case("FusedBatchNorm", normal(3, 2), c, c, none, none, is_training=True, error=INVALID)
    other = "1.15 refuses five dimensions; of 2.x see above"
    for data_format in ("NHWC", "NDHWC"):
        trained = dict(is_training=True, data_format=data_format, ours=other)
        yield Case("FusedBatchNormV3", normal(2, 2, 2, 2, 3), c, c, none, none, **trained)
    for kw in (
        {},
        dict(depth_radius=2, bias=0.5, alpha=0.3, beta=0.75),
        dict(depth_radius=20, bias=2.0, alpha=1e-4, beta=1.0),
    ):
        yield Case("LRN", normal(1, 2, 3, 7), rtol=LOOSE, **kw)
        yield Case(
            "LRNGrad", normal(1, 2, 3, 7), normal(1, 2, 3, 7), normal(1, 2, 3, 7), rtol=LOOSE, **kw
        )
    yield Case("LRN", normal(1, 2, 3), error=INVALID)
    yield Case("LRNGrad", normal(1, 1, 2, 2), normal(1, 1, 2, 2), normal(1, 1, 2, 1), error=INVALID)


FAMILIES = (
    products,
    edge_products,
    biases,
    softmaxes,
    convolutions,
    convolution_options,
    empty_convolutions,
    bad_convolutions,
    pools,
    overlapping_pools,
    bad_pools,
    norms,
)
