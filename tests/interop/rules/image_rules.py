# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for images, boxes and sound."""

from interop.cases.case import Case, between, i32, normal, of
from interop.rules.draws import pick, table, whole

REALS = ("float32", "float64", "uint8", "int32")


def image(rng, depth=None, least=1):
    sizes = [max(least, whole(rng, 1, 2, 3, 5, 8)) for _ in range(2)]
    return [whole(rng, 1, 1, 2), *sizes, depth or whole(rng, 1, 2, 3)]


def edges(rng, op):
    """align_corners and half_pixel_centers, which exclude each other."""
    aligned = bool(rng.randint(2))
    if op == "ResizeArea":
        return dict(align_corners=aligned)
    return dict(align_corners=aligned, half_pixel_centers=not aligned and bool(rng.randint(2)))


def resize(op, rng):
    shape = image(rng)
    size = [whole(rng, 1, 2, 4, 7, 10), whole(rng, 1, 3, 5, 9)]
    inputs, kinds = [between(0, 9, *shape), i32(size)], REALS
    if op == "ResizeNearestNeighborGrad":
        inputs[0] = normal(*shape)
    elif op.endswith("Grad"):
        grads = normal(shape[0], *size, shape[3], dtype="float32")
        inputs, kinds = [grads, normal(*shape)], ("float32", "float64")
    return Case(op, *inputs, types=kinds, rtol=1e-4, **edges(rng, op))


def scaled(op, rng):
    shape, size = image(rng), [whole(rng, 1, 3, 6), whole(rng, 2, 5)]
    scale = between(0.4, 2.5, 2, dtype="float32")
    moved = between(-1.5, 1.5, 2, dtype="float32")
    kernels = "lanczos1 lanczos3 lanczos5 gaussian box triangle keyscubic mitchellcubic".split()
    attrs = dict(kernel_type=pick(rng, *kernels), antialias=bool(rng.randint(2)), rtol=1e-3)
    if op.endswith("Grad"):
        grads = normal(shape[0], *size, shape[3])
        return Case(op, grads, normal(*shape), scale, moved, types=("float32",), **attrs)
    return Case(op, between(0, 9, *shape), i32(size), scale, moved, types=REALS, **attrs)


def crop(op, rng):
    shape, boxes = image(rng), whole(rng, 0, 1, 3)
    corners = between(-0.3, 1.3, boxes, 4, dtype="float32")
    which = of(rng.randint(shape[0], size=boxes), "int32")
    size = [whole(rng, 1, 2, 4), whole(rng, 1, 3)]
    grads = normal(boxes, *size, shape[3], dtype="float32")
    method = pick(rng, "bilinear", "nearest") if not op.endswith("GradBoxes") else "bilinear"
    inputs = {
        "CropAndResize": [between(0, 9, *shape), corners, which, i32(size)],
        "CropAndResizeGradBoxes": [grads, between(0, 9, *shape), corners, which],
        "CropAndResizeGradImage": [grads, corners, which, i32(shape)],
    }[op]
    attrs = dict(extrapolation_value=float(rng.randint(3)), T="float32", method=method)
    return Case(op, *inputs, types=("float32", "float64", "uint8"), rtol=1e-3, **attrs)


def boxes_of(rng, count):
    """With their corners in order, between 0 and 4."""
    return [[float(y), float(x), float(y + h), float(x + w)]
            for y, x, h, w in rng.uniform(0, 2, size=(count, 4))]  # fmt: skip


def quarters(rng, count):
    """Boxes within the image."""
    return [[edge / 4 for edge in box] for box in boxes_of(rng, count)]


def draw(op, rng):
    shape, count = image(rng, whole(rng, 1, 3, 4), 3), whole(rng, 1, 3)
    inputs = [
        between(0, 1, *shape),
        of([quarters(rng, count) for _ in range(shape[0])], "float32"),
    ]
    if op.endswith("V2"):
        inputs.append(between(0, 1, whole(rng, 1, 2), shape[3], dtype="float32"))
    return Case(op, *inputs, types=("float32",))


def glimpse(op, rng):
    shape = image(rng)
    inputs = [
        i32([whole(rng, 1, 3, 6), whole(rng, 2, 4)]),
        between(-2, 2, shape[0], 2, dtype="float32"),
    ]
    flags = {name: bool(rng.randint(2)) for name in ("centered", "normalized")}
    return Case(
        op, normal(*shape, dtype="float32"), *inputs, uniform_noise=False, noise="zero", **flags
    )


def colours(op, rng):
    shape = [whole(rng, 1, 2, 3) for _ in range(whole(rng, 0, 1, 2, 3))] + [3]
    inputs = [between(0, 1, *shape)]
    if op.startswith("AdjustContrast"):
        inputs = [between(0, 9, *image(rng))]
    if op.startswith("Adjust"):
        inputs.append(between(-1 if op == "AdjustHue" else 0, 1, dtype="float32"))
    if op == "AdjustContrast":
        inputs += [of(1.0, "float32"), of(8.0, "float32")]
    return Case(op, *inputs, types=("float32",), rtol=1e-3, atol=1e-4)


def suppression(op, rng):
    count = whole(rng, 1, 3, 8)
    most = i32(whole(rng, 0, 1, 3, 9))
    if op == "CombinedNonMaxSuppression":
        batch, classes = whole(rng, 1, 2), whole(rng, 1, 2, 3)
        boxes = [[[b] for b in boxes_of(rng, count)] for _ in range(batch)]
        scores = between(0, 1, batch, count, classes, dtype="float32")
        limits = [
            i32(whole(rng, 1, 2, 5)),
            i32(whole(rng, 1, 4)),
            of(0.4, "float32"),
            of(0.1, "float32"),
        ]
        flags = {name: bool(rng.randint(2)) for name in ("pad_per_class", "clip_boxes")}
        return Case(op, of(boxes, "float32"), scores, *limits, **flags)
    scores, threshold = between(0, 1, count), of(float(rng.uniform(0, 1)))
    if op.endswith("Overlaps"):
        return Case(op, between(0, 1, count, count), scores, most, threshold, of(0.2))
    inputs = [of(boxes_of(rng, count)), scores, most]
    if op == "NonMaxSuppression":
        return Case(op, *inputs)
    inputs.append(threshold)
    if op[-2:] in ("V3", "V4", "V5"):
        inputs.append(of(0.3))
    if op.endswith("V5"):
        inputs.append(of(0.1))  # soft_nms_sigma
    return Case(op, *inputs, pad_to_max_output_size=bool(rng.randint(2)))


def distorted(op, rng):
    size = of([whole(rng, 5, 20), whole(rng, 5, 30), 3])
    inputs = [size, of([quarters(rng, 1)], "float32")]
    if op.endswith("V2"):
        inputs.append(of(0.2, "float32"))
    attrs = dict(
        seed=whole(rng, 1, 5, 9), seed2=whole(rng, 0, 3), max_attempts=whole(rng, 1, 10, 100)
    )
    return Case(op, *inputs, types=("int32", "int64", "uint8"), **attrs)


def cut(op, rng):
    height, width = whole(rng, 2, 4, 7), whole(rng, 2, 5)
    size = of([whole(rng, 1, 2, height), whole(rng, 1, 2, width)], "int64")
    return Case(op, between(0, 9, height, width, 3), size, seed=whole(rng, 1, 9), seed2=4)


def spectrogram(op, rng):
    window = whole(rng, 4, 8, 9, 16)
    attrs = dict(
        window_size=window, stride=whole(rng, 1, 3, 8), magnitude_squared=bool(rng.randint(2))
    )
    samples = between(-1, 1, whole(rng, 16, 20, 40), whole(rng, 1, 2), dtype="float32")
    return Case(op, samples, rtol=1e-3, **attrs)


RULES = table(
    (resize, "ResizeArea ResizeBicubic ResizeBicubicGrad ResizeBilinear ResizeBilinearGrad"),
    (resize, "ResizeNearestNeighbor ResizeNearestNeighborGrad"),
    (scaled, "ScaleAndTranslate ScaleAndTranslateGrad"),
    (crop, "CropAndResize CropAndResizeGradBoxes CropAndResizeGradImage"),
    (draw, "DrawBoundingBoxes DrawBoundingBoxesV2"),
    (glimpse, "ExtractGlimpse"),
    (colours, "AdjustContrast AdjustContrastv2 AdjustHue AdjustSaturation RGBToHSV HSVToRGB"),
    (suppression, "NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4"),
    (suppression, "NonMaxSuppressionV5 NonMaxSuppressionWithOverlaps CombinedNonMaxSuppression"),
    (distorted, "SampleDistortedBoundingBox SampleDistortedBoundingBoxV2"),
    (cut, "RandomCrop"),
    (spectrogram, "AudioSpectrogram"),
)
