# SPDX-License-Identifier: Apache-2.0
"""Gradients of convolutions, pools, cells and image ops agree with differences of the function."""

import numpy as np
import sluice as sl
from sluice import raw_ops

ONES = [1, 1, 1, 1, 1]


def check_case(function, shapes, dtype, step, tolerance, low=-1.0, high=1.0):
    """d sum(w * function(inputs)) by gradients() and by central differences of the values."""
    rng = np.random.RandomState(3)
    kind = np.dtype(dtype.name).type
    values = [rng.uniform(low, high, shape).astype(kind) for shape in shapes]
    with sl.Graph().as_default(), sl.Session() as session:
        inputs = [sl.placeholder(dtype, v.shape) for v in values]
        y = function(*inputs)
        weights = rng.uniform(0.5, 1.5, np.shape(session.run(y, dict(zip(inputs, values)))))
        weights = weights.astype(kind)
        found = session.run(sl.gradients(y, inputs, [weights]), dict(zip(inputs, values)))

        def at(i, place, by):
            moved = [np.array(v) for v in values]
            moved[i][place] += by
            out = session.run(y, dict(zip(inputs, moved)))
            return np.sum(weights.astype(np.float64) * out)

        for i, value in enumerate(values):
            for place in list(np.ndindex(*value.shape))[:: max(1, value.size // 20)]:
                expected = (at(i, place, step) - at(i, place, -step)) / (2 * step)
                np.testing.assert_allclose(
                    found[i][place],
                    expected,
                    rtol=tolerance,
                    atol=tolerance,
                    err_msg=str((i, place)),
                )


def cases(*all_cases, dtype=sl.float64, **options):
    step, tolerance = (1e-5, 1e-4) if dtype == sl.float64 else (1e-2, 2e-2)
    wrong = []
    for name, function, *shapes in all_cases:
        try:
            check_case(function, shapes, dtype, step, tolerance, **options)
        except Exception as e:
            wrong.append(f"{name}: {type(e).__name__}: {str(e)[:600]}")
    assert not wrong, "\n".join(wrong)


def square_of_gradient(function):
    """A function whose gradient needs that of the op's gradient."""

    def squared(*inputs):
        grads = sl.gradients(function(*inputs) ** 2.0, [inputs[0]])
        return grads[0] * grads[0]

    return squared


def test_convolutions():
    def conv3d(x, w):
        return raw_ops.Conv3D(input=x, filter=w, strides=ONES, padding="SAME")

    def conv2d(x, w):
        return raw_ops.Conv2D(input=x, filter=w, strides=[1, 2, 1, 1], padding="VALID")

    def dilation(x, w):
        return raw_ops.Dilation2D(
            input=x, filter=w, strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME"
        )

    cases(
        ("conv3d", conv3d, (1, 3, 4, 3, 2), (2, 2, 3, 2, 2)),
        ("conv3d twice", square_of_gradient(conv3d), (1, 2, 2, 3, 1), (1, 2, 2, 1, 2)),
        ("conv2d twice", square_of_gradient(conv2d), (1, 4, 3, 2), (2, 2, 2, 1)),
        ("dilation", dilation, (1, 4, 5, 2), (2, 2, 2)),
    )


def test_pools():
    def pool(op, rank, **kw):
        window = [1, *[2] * rank, 1]
        return lambda x: op(
            ksize=window, strides=[1] * (rank + 2), padding="SAME", **{**kw, "input": x}
        )

    def avg2(x):
        return raw_ops.AvgPool(value=x, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="SAME")

    max2, max3 = pool(raw_ops.MaxPool, 2), pool(raw_ops.MaxPool3D, 3)
    avg3 = pool(raw_ops.AvgPool3D, 3)
    cases(
        ("max pool twice", square_of_gradient(max2), (1, 3, 3, 2)),
        ("average pool twice", square_of_gradient(avg2), (1, 3, 3, 2)),
    )
    cases(
        ("max pool of volumes", max3, (1, 2, 3, 3, 2)),
        ("average pool of volumes", avg3, (1, 2, 3, 3, 2)),
        ("average pool of volumes twice", square_of_gradient(avg3), (1, 2, 2, 2, 1)),
        dtype=sl.float32,
    )

    def isotonic(x):
        return sl.square(raw_ops.IsotonicRegression(input=x, output_dtype=sl.float64).output)

    def fractional(op):
        return lambda x: op(
            value=x, pooling_ratio=[1.0, 1.5, 1.3, 1.0], deterministic=True, seed=1, seed2=2
        )[0]

    cases(
        ("fractional max pool", fractional(raw_ops.FractionalMaxPool), (1, 5, 7, 2)),
        ("fractional average pool", fractional(raw_ops.FractionalAvgPool), (1, 5, 7, 2)),
        ("nth element", lambda x: raw_ops.NthElement(input=x, n=2), (3, 5)),
        ("isotonic regression", isotonic, (3, 2, 5)),
        ("isotonic regression of a row", isotonic, (6,)),
    )


def test_cells():
    def lstm(output):
        return lambda x, cs, h, w, wci, wcf, wco, b: raw_ops.LSTMBlockCell(
            x=x, cs_prev=cs, h_prev=h, w=w, wci=wci, wcf=wcf, wco=wco, b=b, use_peephole=True
        )[output]

    def sequence(op, output):
        return lambda x, cs, h, w, wci, wcf, wco, b: op(
            seq_len_max=np.int64(3),
            x=x,
            cs_prev=cs,
            h_prev=h,
            w=w,
            wci=wci,
            wcf=wcf,
            wco=wco,
            b=b,
            use_peephole=True,
        )[output]

    def gru(x, h, w_ru, w_c, b_ru, b_c):
        return raw_ops.GRUBlockCell(x=x, h_prev=h, w_ru=w_ru, w_c=w_c, b_ru=b_ru, b_c=b_c)[3]

    weights = ((7, 16), (4,), (4,), (4,), (16,))
    cell = ((2, 3), (2, 4), (2, 4), *weights)
    block = ((3, 2, 3), (2, 4), (2, 4), *weights)
    cases(
        ("lstm h", lstm(6), *cell),
        ("lstm cs", lstm(1), *cell),
        ("lstm sequence h", sequence(raw_ops.BlockLSTM, 6), *block),
        ("lstm sequence cs, second order", sequence(raw_ops.BlockLSTMV2, 1), *block),
        ("gru", gru, (2, 3), (2, 4), (7, 8), (7, 4), (8,), (4,)),
        dtype=sl.float32,
    )


def test_images():
    def resized(op, **kw):
        return lambda x: op(images=x, size=[5, 3], **kw)

    def scaled(x):
        return raw_ops.ScaleAndTranslate(
            images=x, size=[5, 3], scale=np.float32([1.3, 0.7]), translation=np.float32([0.2, 0.4])
        )

    def cropped(x, boxes):
        return raw_ops.CropAndResize(
            image=x, boxes=boxes, box_ind=np.int32([0, 0]), crop_size=[3, 2]
        )

    cases(
        ("bilinear", resized(raw_ops.ResizeBilinear), (1, 3, 4, 2)),
        (
            "bilinear, centers",
            resized(raw_ops.ResizeBilinear, half_pixel_centers=True),
            (1, 3, 4, 2),
        ),
        ("bicubic", resized(raw_ops.ResizeBicubic, align_corners=True), (1, 3, 4, 2)),
        ("nearest", resized(raw_ops.ResizeNearestNeighbor), (1, 3, 4, 2)),
        ("scale and translate", scaled, (1, 3, 4, 2)),
        ("crop", cropped, (1, 5, 6, 2), (2, 4)),
        dtype=sl.float32,
        low=0.1,
        high=0.9,
    )
    cases(("hsv", lambda x: raw_ops.RGBToHSV(images=x), (7, 3)), low=0.1, high=0.9)
