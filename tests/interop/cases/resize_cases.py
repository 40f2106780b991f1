# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for resizing and cropping of images."""

from interop.cases.case import F64, INVALID, Case, between, i32, normal, of, positive

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
SIZES = ((4, 5), (8, 11), (2, 3), (1, 1), (7, 2), (13, 1))
# Positions are computed in float there; here weights are, and rounding differs.
LOOSE = 2e-4
MOVES = (((0.8, 1.3), (0, 0)), ((0.3, 2.0), (1.5, -2)), ((1, 1), (0.5, 20)))


def corners(half=True):
    yield {}
    yield dict(align_corners=True)
    if half:
        yield dict(half_pixel_centers=True)


def resizing():
    for op in ("ResizeBilinear", "ResizeBicubic", "ResizeArea", "ResizeNearestNeighbor"):
        for kw in corners(op != "ResizeArea"):
            for size in SIZES:
                yield Case(op, normal(2, 4, 5, 3), i32(size), rtol=LOOSE, **kw)
            yield Case(op, normal(1, 3, 4, 2), i32([5, 3]), types=IMAGE, rtol=LOOSE, **kw)
            like = 2 if op == "ResizeArea" and kw else None
            yield Case(op, normal(1, 1, 1, 1), i32([3, 2]), like=like, **kw)
        yield Case(op, normal(1, 33, 47, 3), i32([20, 100]), rtol=1e-3)
        yield Case(op, normal(0, 3, 4, 2), i32([5, 3]))
        yield Case(op, normal(3, 4, 2), i32([5, 3]), error=INVALID, text="input must be 4-dim")
        yield Case(op, normal(1, 3, 4, 2), i32([5, 3, 1]), error=INVALID)
        yield Case(op, normal(1, 3, 4, 2), i32([5, 0]), error=INVALID)
        yield Case(op, normal(1, 3, 4, 2), i32([-5, 2]), error=INVALID)
        yield Case(op, normal(1, 0, 4, 2), i32([5, 2]), error=INVALID)
        yield Case(op, normal(1, 3, 4, 0), i32([5, 2]), error=INVALID)
        if op != "ResizeArea":
            yield Case(
                op,
                normal(1, 3, 4, 2),
                i32([5, 3]),
                align_corners=True,
                half_pixel_centers=True,
                error=INVALID,
            )


def resizing_gradients():
    loose = dict(types=F64, rtol=LOOSE, atol=LOOSE)
    for kw in corners():
        for size in SIZES:
            grads = normal(2, *size, 3, dtype="float32")
            original = normal(2, 4, 5, 3)
            yield Case("ResizeBilinearGrad", grads, original, **loose, **kw)
            yield Case("ResizeBicubicGrad", grads, original, **loose, **kw)
            yield Case("ResizeNearestNeighborGrad", normal(2, *size, 3), i32([4, 5]), **kw)
    grads = normal(1, 3, 4, 2, dtype="float32")
    yield Case("ResizeBilinearGrad", grads, normal(1, 2, 3, 2), types=("float16",), rtol=1e-2)
    yield Case(
        "ResizeNearestNeighborGrad",
        between(0, 9, 1, 3, 4, 2),
        i32([2, 3]),
        types=("float64", "int8", "int32", "uint8"),
    )
    yield Case("ResizeBilinearGrad", normal(3, 4, 2), normal(1, 2, 3, 2), error=INVALID)
    yield Case("ResizeBilinearGrad", normal(1, 3, 4, 2), normal(2, 3, 2), error=INVALID)
    yield Case("ResizeNearestNeighborGrad", normal(1, 3, 4, 2), i32([0, 2]), error=INVALID)


def scaling():
    kernels = "lanczos1 lanczos3 lanczos5 gaussian box triangle keyscubic mitchellcubic"
    some = dict(dtype="float32")
    images, grads = positive(2, 6, 7, 3), positive(2, 5, 9, 3)
    for kernel in kernels.split():
        for antialias in (True, False):
            kw = dict(kernel_type=kernel, antialias=antialias, rtol=1e-3)
            for scale, shift in MOVES:
                scale, shift = of(scale, "float32"), of(shift, "float32")
                yield Case("ScaleAndTranslate", images, i32([5, 9]), scale, shift, **kw)
                yield Case("ScaleAndTranslateGrad", grads, images, scale, shift, **kw)
    one, zero = of([1, 1], "float32"), of([0, 0], "float32")
    yield Case("ScaleAndTranslate", positive(1, 3, 4, 2), i32([3, 5]), one, zero, types=IMAGE)
    yield Case("ScaleAndTranslate", normal(3, 4, 2), i32([3, 5]), one, zero, error=INVALID)
    yield Case("ScaleAndTranslate", images, i32([3, 0]), one, zero, error=INVALID)
    yield Case("ScaleAndTranslate", images, i32([3, 3]), zero, zero, error=INVALID)
    yield Case("ScaleAndTranslate", images, i32([3, 3]), positive(3, **some), zero, error=INVALID)
    yield Case(
        "ScaleAndTranslate", images, i32([3, 3]), one, zero, kernel_type="square", error=INVALID
    )


FAMILIES = (resizing, resizing_gradients, scaling)
