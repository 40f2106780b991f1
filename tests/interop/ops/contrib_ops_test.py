# SPDX-License-Identifier: Apache-2.0
"""Ops that only tf.contrib of 1.x has: factorization, image, nearest_neighbor, text and others.

contrib_ops_test.py
"""

import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

ON_1X = tf.__version__[0] == "1"
pytestmark = pytest.mark.skipif(not ON_1X, reason="tf.contrib is a part of 1.x")
if ON_1X:
    from tensorflow.contrib import image as contrib_image
    from tensorflow.contrib.factorization.python.ops import gen_factorization_ops
    from tensorflow.contrib.image.ops import gen_distort_image_ops, gen_image_ops
    from tensorflow.contrib.nearest_neighbor.python.ops import nearest_neighbor_ops
    from tensorflow.contrib.periodic_resample.python.ops import gen_periodic_resample_op
    from tensorflow.contrib.tensor_forest.python.ops import gen_tensor_forest_ops
    from tensorflow.contrib.text.python.ops.skip_gram_ops import gen_skip_gram_ops

JOBS = {"worker": 1}
RNG = np.random.RandomState(5)


def f32(*shape):
    return RNG.randn(*shape).astype(np.float32)


def whole(values):
    return np.array(values, np.int64)


def results(target, make, inputs, attrs):
    with tf.Graph().as_default(), tf.Session(target) as session:
        if make is contrib_image.connected_components:  # it reads the rank
            return session.run(make(tf.constant(*inputs)))
        fed = [tf.placeholder(np.asarray(value).dtype) for value in inputs]
        made, feeds = make(*fed, **attrs), dict(zip(fed, inputs))
        session.run(made, feeds)  # the second run's random numbers are others
        return session.run(made, feeds)


def answer(target, case):
    make, inputs, attrs = case
    try:
        return [
            np.asarray(value) for value in tf.nest.flatten(results(target, make, inputs, attrs))
        ]
    except tf.errors.OpError as error:
        return type(error).__name__, error.message


def masked():
    a, b, at = f32(3, 2), f32(2, 4), whole([[0, 1], [2, 3], [0, 1]])
    for mask in (at, whole([]).reshape(0, 2)):
        yield a, b, mask, False, False
        yield a.T, b.T, mask, True, True
    yield a, b[:1], at, False, False
    yield a[0], b, at, False, False
    yield a, b[0], at, False, False
    yield a, b, at[0], False, False
    yield a, b, whole([[0, 1, 2]]), False, False
    yield a, b, at, [True], False


def partial_sums():
    factors, values = f32(4, 2), np.float32([1, 2, 3])
    four, three, none = np.float32([1, 2, 3, 4]), np.float32([0.5, 0.25, 2]), np.float32([])
    rest = np.float32(0.1)
    size = np.int64(3)
    for at in ([[0, 1], [0, 3], [2, 0]], [[2, 1], [0, 3], [2, 0]]):
        yield factors, four, rest, three, whole(at), values, none, size, False
        yield factors, four, rest, three, whole(at)[:, ::-1], values, none, size, True
        yield factors, none, rest, none, whole(at), values, four[1:], size, False
    at = whole([[0, 1], [0, 3], [2, 0]])
    yield factors[0], four, rest, three, at, values, none, size, False
    yield factors, four[:2], rest, three, at, values, none, size, False
    yield factors, [four], rest, three, at, values, none, size, False
    yield factors, four, [rest], three, at, values, none, size, False
    yield factors, four, rest, three, at, values[:2], none, size, False
    yield factors, four, rest, three, at, values, four[1:], size, False
    yield factors, four, rest, three, at, values, none, [size], False
    yield factors, four, rest, three, whole([[0, 0, 1]] * 3), values, none, size, False


def matches():
    distances = np.float32([[0.5, 0.1, 0.8], [0.3, 0.2, 0.15]])
    for rows in (-1, 2, 1, 0, 5, 1.7, [2], [2, 1]):
        yield distances, np.float32(rows)
    yield np.float32([1, 2]), np.float32(-1)
    yield np.zeros((0, 3), np.float32), np.float32(-1)
    yield f32(12, 9), np.float32(-1)


def turned():
    image = f32(2, 3, 3)
    for turn, saturation, value in ((0, 1, 1), (0.3, 1.5, 0.7), (-2, 0, 2)):
        yield image, np.float32(turn), np.float32(saturation), np.float32(value)
    one = np.float32(1)
    for bad in (image[0], image[..., :2]):
        yield bad, one, one, one
    yield image, [one], one, one
    yield image, one, [one], one
    yield f32(0, 2, 3), one, one, one


def images():
    yield np.int32([[[0, 1, 1, 0, 2], [1, 0, 1, 0, 2], [1, 0, 0, 3, 2], [1, 1, 0, 3, 3]]] * 2)
    yield RNG.randint(0, 3, (3, 20, 31)).astype(np.uint8)
    yield RNG.rand(40, 30) < 0.6
    yield RNG.randint(0, 2, (5, 1)).astype(np.float64)
    yield np.array([["a", "a"], ["", "b"]], dtype=object)


def sentences():
    some = np.arange(10, 20, dtype=np.int64)
    bounds = ((1, 3, 0, -1), (0, 2, 2, 5), (2, 2, 0, -1), (1, 3, 5, 0), (0, 9, 5, 50))
    bounds += ((1, 3, 11, 9), (-1, 3, 0, -1), (3, 1, 0, -1), (1, 2**31 - 1, 0, 3))
    for numbers in bounds:
        for itself in (False, True):
            yield (some, *(np.int32(number) for number in numbers), itself)
    words = np.array(["a", "b", "c"], dtype=object)
    for empty in (some[:0], words, some.astype(np.int16), some.astype(np.int32)):
        yield empty, np.int32(0), np.int32(2), np.int32(0), np.int32(-1), False


def resamples():
    shapes = (
        ((4, 4), [6, None]), ((4, 4, 2), [8, None, 2]), ((2, 2, 4), [4, 4, None]),
        ((2, 3, 4), [None, 3, 5]), ((2, 3, 4), [3, None, 5]), ((2, 2), [None, None]),
        ((2, 2), [1, None]), ((2, 2), [9, None]), ((2, 2), [2, 2]), ((2, 2), [2, 2, None]),
        ((0, 2), [2, None]), ((5,), [None]), ((3, 7, 9), [12, 7, None]),
    )  # fmt: skip
    for shape, wanted in shapes:
        for dtype in (np.float32, np.float64, np.int32, np.int64):
            values = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
            yield (values,), {"shape": tf.TensorShape(wanted)}


def resample_gradients():
    for original, wanted, result in (
        ([4, 4], [8, None], (8, 2)), ([2, 2, 4], [4, 4, None], (4, 4, 1)),
        ([2, 2], [None, None], (2, 2)), ([2, 2], [2, 2, None], (2, 2)),
    ):  # fmt: skip
        attrs = {"original_shape": original, "desired_shape": tf.TensorShape(wanted)}
        yield (f32(*result) + 3,), attrs


def probes():
    for points, tables, planes, count in (
        (2, 2, 3, 7), (5, 1, 8, 40), (3, 4, 2, 3), (3, 4, 2, 4), (0, 2, 2, 3), (7, 10, 6, 300),
    ):  # fmt: skip
        numbers = np.int32(tables), np.int32(planes), np.int32(count)
        yield (f32(points, tables * planes), *numbers)
        yield (f32(points, tables * planes).astype(np.float64), *numbers)
    one, point = np.int32(1), f32(2, 6)
    yield point[0], one, np.int32(6), one
    yield point, [one], np.int32(6), one
    for tables, planes, count in ((0, 6, 1), (1, 0, 1), (1, 6, 0), (2, 2, 1)):
        yield point, np.int32(tables), np.int32(planes), np.int32(count)


texts = np.array([[b"", b"a"], [b"hello", b"x" * 40]], dtype=object)


def cases():
    return {
        "MaskedMatmul": [(gen_factorization_ops.masked_matmul, i, {}) for i in masked()],
        "Wals": [
            (gen_factorization_ops.wals_compute_partial_lhs_and_rhs, i, {}) for i in partial_sums()
        ],
        "BipartiteMatch": [
            (gen_image_ops.bipartite_match, i, {"top_k": k})
            for i in matches()
            for k in (-1, 0, 1, 9)
        ],
        "AdjustHsvInYiq": [(gen_distort_image_ops.adjust_hsv_in_yiq, i, {}) for i in turned()],
        "Components": [(contrib_image.connected_components, (i,), {}) for i in images()],
        "Sentences": [
            (gen_skip_gram_ops.skip_gram_generate_candidates, i, {"seed": 7, "seed2": 9})
            for i in sentences()
        ],
        "Resample": [(gen_periodic_resample_op.periodic_resample, *case) for case in resamples()],
        "ResampleGrad": [
            (gen_periodic_resample_op.periodic_resample_op_grad, *case)
            for case in resample_gradients()
        ],
        "Probes": [(nearest_neighbor_ops.hyperplane_lsh_probes, i, {}) for i in probes()],
        "Reinterpret": [(gen_tensor_forest_ops.reinterpret_string_to_float, (texts,), {})],
    }


CASES = cases() if ON_1X else {"": []}


@pytest.mark.parametrize("op", CASES)
def test_as_tensorflow(target, op):
    for number, case in enumerate(CASES[op]):
        ours, theirs = answer(target, case), answer("", case)
        if isinstance(theirs, tuple):
            assert isinstance(ours, tuple), (number, theirs, ours)
            assert ours[0] == theirs[0] and theirs[1].split("\n")[0] in ours[1], (
                number,
                theirs,
                ours,
            )
        else:
            assert not isinstance(ours, tuple), (number, theirs, ours)
            for a, b in zip(ours, theirs):
                assert a.dtype == b.dtype and a.shape == b.shape, (number, a, b)
                if a.dtype == object:
                    np.testing.assert_array_equal(a, b)
                else:
                    np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6, err_msg=str(number))


def test_indices_out_of_range_are_errors(target):
    """TensorFlow ends the program, or reads beyond an input."""
    wals = gen_factorization_ops.wals_compute_partial_lhs_and_rhs
    weights = np.float32([1, 2, 3, 4]), np.float32(0.1), np.float32([0.5, 0.25])
    for row, column, size in ((2, 0, 3), (0, 4, 3), (-1, 0, 3), (0, 0, -1), (1, 0, 1)):
        inputs = (f32(4, 2), *weights, whole([[row, column]]), np.float32([1]), np.float32([]))
        got = answer(target, (wals, (*inputs, np.int64(size), False), {}))
        assert got[0] == "InvalidArgumentError", got
    for at in ([3, 0], [0, 4], [-1, 0], [0, -1]):
        inputs = f32(3, 2), f32(2, 4), whole([at]), False, False
        got = answer(target, (gen_factorization_ops.masked_matmul, inputs, {}))
        assert got[0] == "InvalidArgumentError" and "out of bounds" in got[1], got
