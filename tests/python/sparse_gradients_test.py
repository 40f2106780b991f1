# SPDX-License-Identifier: Apache-2.0
"""Gradients of sparse ops, patches and rolls agree with differences of the function, in float64."""

import numpy as np
import sluice as sl
from gradients_test import cases
from sluice import raw_ops

ROWS = np.array([[0, 1], [0, 3], [2, 0], [3, 3]])
OTHER = np.array([[0, 0], [0, 3], [1, 1], [2, 0], [3, 2]])


def long(values):
    return sl.constant(np.array(values, np.int64))


def small(values):
    return sl.constant(np.array(values, np.int32))


SHAPE = [4, 4]


def parts(values, rows=None):
    return long(ROWS if rows is None else rows), values, long(SHAPE)


def named(first, second, values, rows=None):
    indices, values, shape = parts(values, rows)
    return {first + "indices": indices, first + "values": values, second + "shape": shape}


def reorder(x):
    swapped = ROWS[[2, 0, 3, 1]]
    ordered = raw_ops.SparseReorder(
        input_indices=long(swapped), input_values=x, input_shape=long(SHAPE)
    )
    return ordered[1] * ordered[1]


def add(x, y):
    total = raw_ops.SparseAdd(
        **named("a_", "a_", x),
        **named("b_", "b_", y, OTHER),
        thresh=sl.constant(np.float64(0.0)),
    )
    return total[1] * total[1]


def cut(x):
    part = raw_ops.SparseSlice(
        indices=long(ROWS), values=x, shape=long(SHAPE), start=long([0, 1]), size=long([4, 3])
    )
    return part[1] * part[1]


def dense_add(x, y):
    return sl.square(raw_ops.SparseTensorDenseAdd(**named("a_", "a_", x), b=y))


def matmul(adjoint_a, adjoint_b):
    return lambda x, y: raw_ops.SparseTensorDenseMatMul(
        **named("a_", "a_", x), b=y, adjoint_a=adjoint_a, adjoint_b=adjoint_b
    )


def cwise(op):
    return lambda x, y: sl.square(op(**named("sp_", "sp_", x), dense=y + 3.0))


def softmax(x):
    return raw_ops.SparseSoftmax(**named("sp_", "sp_", x))


def reduced(axes, keep_dims):
    return lambda x: sl.square(
        raw_ops.SparseReduceSum(
            **named("input_", "input_", x), reduction_axes=small(axes), keep_dims=keep_dims
        )
    )


def filled(x, y):
    rows = raw_ops.SparseFillEmptyRows(
        indices=long(ROWS), values=x, dense_shape=long([6, 4]), default_value=y
    )
    return rows[1] * rows[1]


def test_sparse():
    cases(
        ("reorder", reorder, (4,)),
        ("add", add, (4,), (5,)),
        ("slice", cut, (4,)),
        ("dense add", dense_add, (4,), (4, 4)),
        ("ab", matmul(False, False), (4,), (4, 3)),
        ("a'b", matmul(True, False), (4,), (4, 3)),
        ("ab'", matmul(False, True), (4,), (3, 4)),
        ("a'b'", matmul(True, True), (4,), (3, 4)),
        ("mul", cwise(raw_ops.SparseDenseCwiseMul), (4,), (4, 4)),
        ("mul, broadcast", cwise(raw_ops.SparseDenseCwiseMul), (4,), (4, 1)),
        ("div", cwise(raw_ops.SparseDenseCwiseDiv), (4,), (4, 4)),
        ("div, broadcast", cwise(raw_ops.SparseDenseCwiseDiv), (4,), (4,)),
        ("softmax", softmax, (4,)),
        ("sum", reduced([0], False), (4,)),
        ("sum, kept", reduced([-1], True), (4,)),
        ("sum of all", reduced([0, 1], False), (4,)),
        ("fill", filled, (4,), ()),
    )


def image_patches(padding):
    return lambda x: sl.square(
        raw_ops.ExtractImagePatches(
            images=x,
            ksizes=[1, 2, 3, 1],
            strides=[1, 2, 1, 1],
            rates=[1, 1, 2, 1],
            padding=padding,
        )
    )


def volume_patches(x):
    return sl.square(
        raw_ops.ExtractVolumePatches(
            input=x, ksizes=[1, 2, 1, 2, 1], strides=[1, 1, 1, 2, 1], padding="SAME"
        )
    )


def rolled(x):
    return raw_ops.Roll(input=x, shift=small([1, -2]), axis=small([0, 1])) * x


def test_blocks():
    cases(
        ("roll", rolled, (3, 4)),
        ("patches", image_patches("SAME"), (2, 4, 5, 2)),
        ("patches inside", image_patches("VALID"), (1, 4, 6, 1)),
        ("volume patches", volume_patches, (1, 2, 2, 3, 1)),
    )


def test_fake_quantisation():
    with sl.Graph().as_default():
        x = sl.constant(np.array([-2.0, -0.5, 0.5, 3.0], np.float32))
        low, high = sl.constant(np.float32(-1)), sl.constant(np.float32(1))
        y = raw_ops.FakeQuantWithMinMaxVars(inputs=x, min=low, max=high)
        with sl.Session() as session:
            dx, dlow, dhigh = session.run(sl.gradients(y, [x, low, high]))
    np.testing.assert_array_equal(dx, [0, 1, 1, 0])
    assert (dlow, dhigh) == (1, 1)
