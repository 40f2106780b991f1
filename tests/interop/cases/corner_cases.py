# SPDX-License-Identifier: Apache-2.0
"""Inputs at the edge of what an op takes: indices beyond a shape, axes named twice, nothing to
scatter, images of an empty batch, vectors of one element for scalars."""

import importlib
import os

import numpy as np

from interop.cases.case import F32, INVALID, Case, between, i32, i64, normal, of

NOTHING = np.zeros

# Our own client's Python, which makes the cases too, is told which TensorFlow judges.
VERSION = os.environ.get("TENSORFLOW_VERSION") or importlib.import_module("tensorflow").__version__
IS_1X = VERSION.startswith("1.")


def sequences_beyond_the_shape():
    """An EditDistance reads no last index; the others have to lead into the output."""

    def case(guess, real, sizes, **kw):
        tensors = [
            part
            for rows in (guess, real)
            for part in (i64(rows), between(0, 2, len(rows)), i64(sizes))
        ]
        return Case("EditDistance", *tensors, types=("int64", "string"), **kw)

    for normalize in (False, True):
        yield case([[0, 0], [0, 5]], [[0, 0], [0, 9]], [1, 3], normalize=normalize)
        yield case([[0, 0], [0, -1]], [[0, 0]], [1, 2], normalize=normalize)
    # [0, 4] of [2, 3] is [1, 1]
    yield case([[0, 0, 0], [0, 4, 0]], [[0, 0, 0]], [2, 3, 1])
    yield case(
        [[0, 0], [3, 0]], [[0, 0]], [2, 3], error="ANY", ours="1.15 writes beyond the output"
    )


def axes_named_twice():
    """An error since 2.x."""
    for op in "Sum Prod Max Min Mean".split():
        for axes in ([0, 0], [1, -2], [2, 2, 0]):
            for keep in (False, True):
                yield Case(op, normal(2, 3, 4), i32(axes), keep_dims=keep, like=1)
    for op in "All Any".split():
        yield Case(op, between(0, 1, 2, 3), i32([1, 1]), types=("bool",), like=1)


def nothing_scattered():
    def case(indices, updates, shape, **kw):
        return Case(
            "ScatterNd", i32(NOTHING(indices)), of(NOTHING(updates)), i32(shape), types=F32, **kw
        )

    yield case((0,), (0,), [0])
    yield case((0, 1), (0,), [0])
    yield case((0, 1), (0, 3), [0, 3])
    yield case((0, 2), (0,), [0, 3])
    yield case((3, 0), (3, 0, 2), [0, 2])
    yield case((0, 3, 1), (0, 3, 2), [0, 2])
    yield case((0, 1), (0,), [4])
    yield case((1, 0), (1, 0), [0])
    yield case((0,), (0,), [4], error=INVALID)
    yield case((2, 1), (2, 0), [0, 0], error=INVALID)
    yield case((2, 1), (2, 0), [5, 0], error=INVALID)
    yield case((0, 1), (0, 2), [0, 3], error=INVALID)
    for op in ("TensorScatterUpdate", "TensorScatterAdd"):
        yield Case(op, of(NOTHING((0, 3))), i32(NOTHING((0, 2))), of(NOTHING(0)))


def vectors_for_scalars():
    """Taken since 2.x alone; which it is, the graph's version says."""
    pieces = [normal(2), normal(3)]
    kw = {"error": INVALID} if IS_1X else {}
    yield Case("Concat", i32([0]), pieces, **kw)
    yield Case("ConcatV2", pieces, i32([0]), **kw)
    yield Case("Fill", i32([2]), normal(1), **kw)
    yield Case("Fill", i32(2), normal(), **kw)
    for place in range(3):
        bounds = [i32(0), i32(3), i32(1)]
        bounds[place] = i32([(0, 3, 1)[place]])
        yield Case("Range", *bounds, types=("int32",), **kw)
    yield Case("Concat", i32([[0]]), pieces, error=INVALID)
    yield Case("ConcatV2", pieces, i32([0, 1]), error=INVALID)
    yield Case("Fill", i32([2]), normal(1, 1), error=INVALID)
    yield Case("Range", i32([0, 1]), i32(3), i32(1), types=("int32",), error=INVALID)


FAMILIES = (
    axes_named_twice,
    nothing_scattered,
    sequences_beyond_the_shape,
    vectors_for_scalars,
)
