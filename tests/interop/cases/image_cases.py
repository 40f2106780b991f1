# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for colours and regions of images."""

import numpy as np

from interop.cases.case import F64, INVALID, NAN, Case, between, i32, i64, normal, of, positive

LOOSE = 1e-4


def f32(values):
    return of(values, "float32")


def colours():
    greys = of([[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])
    for op in ("RGBToHSV", "HSVToRGB"):
        yield Case(op, between(0, 1, 5, 7, 3), types=F64, rtol=LOOSE)
        yield Case(op, between(0, 1, 2, 2, 2, 2, 3), types=F64, rtol=LOOSE)
        yield Case(op, greys, types=F64, rtol=LOOSE)
        yield Case(op, between(0, 1, 3), rtol=LOOSE)
        yield Case(op, between(0, 1, 5, 7, 3), types=("float16", "bfloat16"), rtol=3e-2, atol=3e-2)
        yield Case(op, normal(0, 3))
        yield Case(op, normal(3, 4), error="ANY")
        yield Case(op, normal(), error=INVALID)
    for op, values in (
        ("AdjustHue", (0.0, 0.3, -0.6, 1.0, 2.7)),
        ("AdjustSaturation", (0.0, 0.3, 1.0, 4.0)),
    ):
        for value in values:
            yield Case(op, between(0, 1, 2, 5, 7, 3), f32(value), rtol=LOOSE)
        yield Case(op, between(0, 1, 2, 2, 3), f32(0.4), rtol=LOOSE)
        yield Case(op, normal(0, 2, 2, 3), f32(0.4), types=("float16",), ours="for GPUs alone")
        yield Case(op, between(0, 1, 1, 1, 2, 2, 3), f32(0.4), rtol=LOOSE)
        yield Case(op, normal(0, 2, 2, 3), f32(0.4))
        yield Case(op, normal(2, 3), f32(0.4), error=INVALID)
        yield Case(op, normal(2, 2, 4), f32(0.4), error=INVALID)
        yield Case(op, normal(2, 2, 3), f32([0.4]), error=INVALID)
    for shape in ((4, 5, 3), (2, 4, 5, 1), (1, 2, 3, 2, 4), (0, 2, 2, 3)):
        for factor in (0.0, 0.5, 2.0, -1.0):
            yield Case("AdjustContrastv2", normal(*shape), f32(factor), rtol=LOOSE)
            yield Case(
                "AdjustContrast",
                normal(*shape),
                f32(factor),
                f32(-1.5),
                f32(1.0),
                types=("float32", "float64", "uint8", "int8", "int16", "int32"),
                rtol=LOOSE,
            )
    image = positive(4, 5, 3)
    yield Case("AdjustContrastv2", image, f32(0.5), types=("float16",), rtol=1e-2, ours="1.15 dies")
    yield Case("AdjustContrastv2", normal(4, 5), f32(0.5), error=INVALID)
    yield Case("AdjustContrastv2", normal(4, 5, 3), f32([0.5]), error=INVALID)


def drawing():
    boxes = f32(
        [
            [[0.1, 0.2, 0.7, 0.9], [0, 0, 1, 1], [-0.5, 0.3, 0.4, 1.2]],
            [[0.9, 0.9, 0.1, 0.1], [2, 2, 3, 3], [0.5, 0.5, 0.5, 0.5]],
        ]
    )
    for channels in (1, 3, 4):
        image = normal(2, 9, 12, channels)
        yield Case("DrawBoundingBoxes", image, boxes)
        yield Case("DrawBoundingBoxes", image, boxes, types=("float16",), like=2)  # 1.15 dies
        for colours in (positive(2, 4, dtype="float32"), normal(0, 4, dtype="float32")):
            yield Case("DrawBoundingBoxesV2", image, boxes, colours)
    many = between(-0.2, 1.2, 1, 23, 4, dtype="float32")
    yield Case("DrawBoundingBoxes", normal(1, 30, 40, 3), many)
    yield Case("DrawBoundingBoxes", normal(1, 5, 5, 3), normal(1, 0, 4))
    yield Case("DrawBoundingBoxes", normal(2, 5, 5, 2), boxes, error=INVALID)
    yield Case("DrawBoundingBoxes", normal(1, 5, 5, 3), boxes, error=INVALID)
    yield Case("DrawBoundingBoxes", normal(5, 5, 3), boxes, error=INVALID)
    yield Case("DrawBoundingBoxes", normal(2, 5, 5, 3), normal(2, 4), error=INVALID)
    yield Case(
        "DrawBoundingBoxes", normal(1, 5, 5, 3), f32([[[NAN, 0, 1, 1]]]), ours="it converts NaN"
    )


def glimpses():
    for centered in (False, True):
        for normalized in (False, True):
            scale = 1 if normalized else 7
            for noise in ("zero", "uniform"):
                spread = 1.2 if noise == "zero" else 0
                # Noise cannot be compared, so these glimpses stay inside the image.
                offsets = between(-spread * scale, spread * scale, 2, 2)
                if noise == "uniform":
                    middle = 0 if centered else 0.5 if normalized else 4
                    offsets = of([[middle, middle]] * 2)
                for size in ((3, 4), (2, 2)) if noise == "uniform" else ((3, 4), (9, 1), (20, 20)):
                    yield Case(
                        "ExtractGlimpse",
                        normal(2, 8, 9, 3),
                        i32(size),
                        offsets,
                        centered=centered,
                        normalized=normalized,
                        uniform_noise=noise == "uniform",
                        noise=noise,
                    )
    offsets = normal(2, 2)
    yield Case("ExtractGlimpse", normal(8, 9, 3), i32([2, 2]), offsets, error=INVALID)
    yield Case("ExtractGlimpse", normal(2, 8, 9, 3), i32([2]), offsets, error=INVALID)
    yield Case("ExtractGlimpse", normal(2, 8, 9, 3), i32([2, 2]), normal(3, 2), error=INVALID)
    yield Case(
        "ExtractGlimpse", normal(2, 8, 9, 3), i32([2, 2]), offsets, noise="zero", error=INVALID
    )


REALS = "float32 float64 uint8 int8 int16 int32 int64".split()


def random_regions():
    for seed in (1, 2, 3, 4):
        kw = dict(seed=seed, seed2=7)
        yield Case("RandomCrop", normal(9, 8, 3), i64([4, 5]), types=REALS, **kw)
        yield Case("RandomCrop", normal(9, 8, 3), i64([9, 5]), **kw)
        yield Case("RandomCrop", normal(9, 8, 3), i64([9, 8]), **kw)
        for dtype in (np.uint8, np.int8, np.int16, np.int32, np.int64):
            size = of([97, 120, 3], np.dtype(dtype).name)
            box = f32([[[0.1, 0.2, 0.6, 0.9], [0, 0, 0.2, 0.3]]])
            yield Case("SampleDistortedBoundingBox", size, box, **kw)
            yield Case("SampleDistortedBoundingBoxV2", size, box, f32(0.6), **kw)
        size = i32([300, 415, 3])
        for more in (
            dict(aspect_ratio_range=[0.3, 3.0], area_range=[0.3, 0.9]),
            dict(aspect_ratio_range=[2.0, 2.0], area_range=[0.999, 1.0], max_attempts=3),
            dict(area_range=[0.05, 0.1]),
        ):
            more.update(kw, use_image_if_no_bounding_boxes=True)
            none = normal(1, 0, 4, dtype="float32")
            yield Case("SampleDistortedBoundingBoxV2", size, none, f32(0.05), **more)
    yield Case("RandomCrop", normal(9, 8), i64([4, 5]), error=INVALID)
    yield Case("RandomCrop", normal(9, 8, 3), i64([4]), error=INVALID)
    box, least = f32([[[0, 0, 1, 1]]]), f32(0.1)
    op = "SampleDistortedBoundingBoxV2"
    yield Case(op, i32([9, 9]), box, least, error=INVALID)
    yield Case(op, i32([9, 9, 3]), f32([[0, 0, 1, 1]]), least, error=INVALID)
    yield Case(op, i32([9, 9, 3]), f32([[[0, 0, 1, 1.5]]]), least, error=INVALID)
    none = normal(1, 0, 4, dtype="float32")
    text = "if you wish to not provide any bounding boxes."
    yield Case(op, i32([9, 9, 3]), none, least, error=INVALID, text=text)
    yield Case(op, i32([9, 9, 3]), box, f32(-1), error=INVALID)
    yield Case(op, i32([9, 9, 3]), box, least, area_range=[0.5, 1.5], error=INVALID)
    yield Case(op, i32([9, 9, 3]), box, least, max_attempts=0, error=INVALID)


FAMILIES = (colours, drawing, glimpses, random_regions)
