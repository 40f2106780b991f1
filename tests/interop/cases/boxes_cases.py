# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for crops of images and for boxes."""

import numpy as np

from interop.cases.case import (
    INF,
    INVALID,
    NAN,
    Case,
    Value,
    between,
    i32,
    normal,
    of,
    positive,
)

IMAGE = (
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
)
FLOAT = dict(dtype="float32")
LOOSE = 1e-3
SOME_BOXES = [
    [0, 0, 1, 1],
    [0.1, 0.2, 0.7, 0.9],
    [-0.5, -0.2, 1.3, 1.1],
    [0.8, 0.9, 0.2, 0.1],
    [0.5, 0.5, 0.5, 0.5],
    [1.5, 2, 3, 4],
]


def f32(values):
    return of(values, "float32")


def crops():
    boxes, which = f32(SOME_BOXES), i32([0, 1, 1, 0, 1, 0])
    for method in ("bilinear", "nearest"):
        for size in ((3, 4), (1, 1), (7, 2), (1, 5)):
            kw = dict(method=method, extrapolation_value=-7.5, rtol=LOOSE)
            yield Case("CropAndResize", normal(2, 5, 6, 3), boxes, which, i32(size), **kw)
            grads = normal(6, *size, 3, **FLOAT)
            image_size = i32([2, 5, 6, 3])
            yield Case(
                "CropAndResizeGradImage",
                grads,
                boxes,
                which,
                image_size,
                T=np.float32,
                method=method,
                rtol=LOOSE,
            )
            if method == "bilinear":
                image = normal(2, 5, 6, 3)
                yield Case("CropAndResizeGradBoxes", grads, image, boxes, which, rtol=LOOSE)
    for dtype in (np.float16, np.float64):
        grads = positive(1, 3, 2, 2, **FLOAT)
        size = i32([1, 4, 4, 2])
        yield Case(
            "CropAndResizeGradImage", grads, f32([[0, 0, 1, 1]]), i32([0]), size, T=dtype, rtol=1e-2
        )
    one = f32([[0, 0.1, 0.8, 1]])
    yield Case("CropAndResize", normal(1, 4, 3, 2), one, i32([0]), i32([3, 3]), types=IMAGE)
    image = normal(1, 4, 3, 2)
    yield Case(
        "CropAndResizeGradBoxes",
        normal(1, 3, 3, 2, **FLOAT),
        image,
        one,
        i32([0]),
        types=IMAGE,
        rtol=LOOSE,
    )
    yield Case(
        "CropAndResize",
        image,
        f32([[NAN, 0, 1, INF]]),
        i32([0]),
        i32([2, 2]),
        ours="TensorFlow 2.21 refuses it",
    )
    yield Case("CropAndResize", image, normal(0, 4), i32([]), i32([2, 2]))
    for bad in (
        (normal(4, 3, 2), one, i32([0]), i32([3, 3])),
        (image, f32([[0, 0, 1]]), i32([0]), i32([3, 3])),
        (image, f32([0, 0, 1, 1]), i32([0]), i32([3, 3])),
        (image, one, i32([0, 0]), i32([3, 3])),
        (image, one, i32([0]), i32([3, 3, 3])),
        (image, one, i32([0]), i32([0, 3])),
        (normal(1, 0, 3, 2), one, i32([0]), i32([3, 3])),
    ):
        yield Case("CropAndResize", *bad, error=INVALID)
    for index in (1, -1):
        yield Case("CropAndResize", image, one, i32([index]), i32([3, 3]), error="ANY")


def scattered(count, **kw):
    """Boxes that overlap here and there."""

    def draw(rng, dtype):
        corner = rng.uniform(0, 4, (count, 2))
        return np.concatenate([corner, corner + rng.uniform(0.2, 2, (count, 2))], 1)

    return Value(draw, kw.get("dtype"))


def suppression():
    # 1.15.5 puts a selected box back, and trusts that it overlaps itself beyond the threshold: it
    # selects boxes without area again and again, and with a sigma it suppresses as without one.
    both = ("float32", "float16")
    few = of([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [1, 1, 0, 0]])
    scores = of([0.9, 0.75, 0.6, 0.95, 0.9])
    for boxes, values, count in (
        (few, scores, 3),
        (few, scores, 30),
        (few, scores, 0),
        (scattered(60), positive(60), 20),
        (of([[0, 0, 1, 1], [0, 0, 1, 0.5], [3, 3, 3, 4]]), of([1, 1, 1]), 5),
        (few, of([NAN, 1, INF, -INF, -1]), 9),
        (normal(0, 4), normal(0), 3),
    ):
        size = i32(count)
        for threshold in (0.5, 0.0, 1.0):
            at, like = f32(threshold), 2
            yield Case(
                "NonMaxSuppression",
                *(Value(v.draw, "float32") for v in (boxes, values)),
                size,
                iou_threshold=threshold,
                like=like,
            )
            yield Case("NonMaxSuppressionV2", boxes, values, size, at, types=both, like=like)
            for least in (0.0, 0.7):
                least = f32(least)
                yield Case(
                    "NonMaxSuppressionV3", boxes, values, size, at, least, types=both, like=like
                )
                for pad in (False, True):
                    kw = dict(pad_to_max_output_size=pad)
                    yield Case(
                        "NonMaxSuppressionV4",
                        boxes,
                        values,
                        size,
                        at,
                        least,
                        types=both,
                        like=like,
                        **kw,
                    )
                    for sigma in (0.0, 0.5):
                        limits = of(threshold), of(0.1), of(sigma)
                        yield Case(
                            "NonMaxSuppressionV5", boxes, values, size, *limits, like=like, **kw
                        )
    # Soft, and beyond the threshold: 1.15 leaves those out, 2.x does not.
    for least in (-1.0, 0.05, 0.4):
        limits = of(0.3), of(least), of(0.3)
        yield Case("NonMaxSuppressionV5", scattered(30), positive(30), i32(20), *limits)
    limits = of(0.5), of(-INF), of(0.5)
    yield Case("NonMaxSuppressionV5", few, scores, i32(5), *limits, like=1)
    at, least = f32(0.5), f32(0.0)
    for op in ("NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4"):
        inputs = (scattered(60), positive(60), i32(20), at, least)
        yield Case(op, *inputs[: 4 if op == "NonMaxSuppressionV2" else 5])
    for bad in (
        (normal(4), scores, i32(3), at, least),
        (normal(5, 3), scores, i32(3), at, least),
        (few, normal(4), i32(3), at, least),
        (few, normal(5, 1), i32(3), at, least),
        (few, scores, i32([3]), at, least),
        (few, scores, i32(3), f32([0.5]), least),
        (few, scores, i32(3), f32(1.5), least),
        (few, scores, i32(3), f32(-0.5), least),
    ):
        yield Case("NonMaxSuppressionV3", *bad, error=INVALID)
    yield Case("NonMaxSuppressionV3", few, scores, i32(-1), at, least, error=INVALID, like=2)
    overlaps = between(0, 1, 20, 20)
    for threshold in (0.9, 0.5):
        yield Case(
            "NonMaxSuppressionWithOverlaps",
            overlaps,
            positive(20),
            i32(9),
            f32(threshold),
            f32(1.0),
            like=2,
        )
    yield Case(
        "NonMaxSuppressionWithOverlaps", normal(3, 2), normal(3), i32(9), at, least, error=INVALID
    )


def combined():
    def several(batch, count, sets):
        def draw(rng, dtype):
            corner = rng.uniform(-0.2, 1, (batch, count, sets, 2))
            return np.concatenate([corner, corner + rng.uniform(0.1, 0.4, corner.shape)], 3)

        return Value(draw, "float32")

    at, least = f32(0.3), f32(0.4)
    for sets in (1, 4):
        for pad in (False, True):
            for clip in (False, True):
                for per_class, total in ((3, 20), (10, 5), (2, 6)):
                    yield Case(
                        "CombinedNonMaxSuppression",
                        several(2, 12, sets),
                        between(0, 1, 2, 12, 4),
                        i32(per_class),
                        i32(total),
                        at,
                        least,
                        pad_per_class=pad,
                        clip_boxes=clip,
                    )
    good = [several(1, 3, 1), between(0, 1, 1, 3, 2), i32(2), i32(4), at, least]
    for i, wrong in (
        (0, normal(1, 3, 4)),
        (0, several(1, 3, 3)),
        (0, normal(1, 3, 1, 3)),
        (1, normal(1, 4, 2)),
        (1, normal(3, 2)),
        (4, f32(2.0)),
    ):
        bad = list(good)
        bad[i] = wrong
        yield Case("CombinedNonMaxSuppression", *bad, error=INVALID)


FAMILIES = (crops, suppression, combined)
