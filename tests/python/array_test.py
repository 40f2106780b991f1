# SPDX-License-Identifier: Apache-2.0
"""Shapes and places of elements against NumPy; random numbers by their seeds and limits."""

import functions
import harness
import numpy as np
import sluice as sl
from functions import table, value_of
from gradients_test import cases

X = np.arange(6.0).reshape(2, 3)
T = np.arange(24.0).reshape(2, 3, 4)


def test_shapes():
    table(
        ("identity", lambda: sl.identity(X), X),
        ("stop_gradient", lambda: sl.stop_gradient(X), X),
        ("zeros_like", lambda: sl.zeros_like(X), np.zeros((2, 3))),
        ("ones_like", lambda: sl.ones_like(X), np.ones((2, 3))),
        ("reshape", lambda: sl.reshape(X, [3, -1]), X.reshape(3, 2)),
        ("expand_dims", lambda: sl.expand_dims(X, 1), X[:, None]),
        ("squeeze", lambda: sl.squeeze(X[None, :, None], [0]), X[:, None]),
        ("shape", lambda: sl.shape(X, out_type=sl.int64), [2, 3]),
        ("shape_n", lambda: sl.shape_n([X, T]), ([2, 3], [2, 3, 4])),
        ("rank", lambda: sl.rank(T), 3),
        ("size", lambda: sl.size(T), 24),
        ("transpose", lambda: sl.transpose(T), T.T),
        ("transpose, order", lambda: sl.transpose(T, [1, 0, 2]), T.transpose(1, 0, 2)),
        ("unravel_index", lambda: sl.unravel_index([5, 1], [2, 3]), [[1, 0], [2, 1]]),
        ("ensure_shape", lambda: sl.ensure_shape(X, [2, None]), X),
        ("identity_n", lambda: sl.identity_n([X, [1]]), (X, [1])),
        ("cast", lambda: sl.cast([1.7, -1.7], sl.int32), [1, -1]),
        ("saturate_cast", lambda: sl.saturate_cast([300.0, -5.0, 7.0], sl.uint8),
         np.uint8([255, 0, 7])),
        ("saturate_cast, int32", lambda: sl.saturate_cast([3e9, -3e9], sl.int32),
         [2**31 - 128, -(2**31)]),
        ("bitcast", lambda: sl.bitcast(np.float32([1.0]), sl.int32), [0x3F800000]),
        ("broadcast_to", lambda: sl.broadcast_to([1, 2], [2, 2]), [[1, 2], [1, 2]]),
    )  # fmt: skip


def test_joining_and_cutting():
    table(
        ("concat", lambda: sl.concat([X, X], 1), np.concatenate([X, X], 1)),
        ("concat of one", lambda: sl.concat([X], 0), X),
        ("split", lambda: sl.split(X, 3, 1), np.split(X, 3, 1)),
        ("split, sizes", lambda: sl.split(X, [1, 2], 1), (X[:, :1], X[:, 1:])),
        ("stack", lambda: sl.stack([X, X], 1), np.stack([X, X], 1)),
        ("unstack", lambda: sl.unstack(X, axis=1), [X[:, i] for i in (0, 1, 2)]),
        ("slice", lambda: sl.slice(T, [0, 1, 0], [-1, 2, 3]), T[:, 1:3, :3]),
        ("strided_slice", lambda: sl.strided_slice(X, [0, 0], [2, 3], [1, 2]), X[:, ::2]),
        ("by bools", lambda: sl.constant(X)[sl.constant([False, True])], X[1:]),
        ("tile", lambda: sl.tile(X, [1, 2]), np.tile(X, [1, 2])),
        ("pad", lambda: sl.pad(X, [[1, 0], [0, 2]]), np.pad(X, [[1, 0], [0, 2]])),
        ("pad with 7", lambda: sl.pad(X, [[1, 0], [0, 2]], constant_values=7.0),
         np.pad(X, [[1, 0], [0, 2]], constant_values=7)),
        ("reflect", lambda: sl.pad(X, [[1, 1], [2, 0]], "reflect"),
         np.pad(X, [[1, 1], [2, 0]], "reflect")),
        ("symmetric", lambda: sl.pad(X, [[1, 1], [2, 0]], "SYMMETRIC"),
         np.pad(X, [[1, 1], [2, 0]], "symmetric")),
        ("reverse", lambda: sl.reverse(X, [1]), X[:, ::-1]),
        ("roll", lambda: sl.roll(X, 1, 1), np.roll(X, 1, 1)),
        ("reverse_sequence", lambda: sl.reverse_sequence(X, [2, 3], 1),
         [[1, 0, 2], [5.0, 4, 3]]),
        ("space_to_batch_nd", lambda: sl.space_to_batch_nd(T[:, :2, :, None], [2, 2], [[0, 0]] * 2),
         T[:, :2].reshape(2, 2, 2, 2).transpose(1, 3, 0, 2).reshape(8, 1, 2, 1)),
        ("there and back", lambda: sl.batch_to_space_nd(
            sl.space_to_batch_nd(T[:, :2, :, None], [2, 2], [[0, 0]] * 2), [2, 2], [[0, 0]] * 2),
         T[:, :2, :, None]),
    )  # fmt: skip


def test_picking():
    table(
        ("gather", lambda: sl.gather(X, [2, 0], axis=1), X[:, [2, 0]]),
        ("batch_dims", lambda: sl.gather(X, [[2], [0]], axis=1, batch_dims=1), [[2.0], [3.0]]),
        ("gather_nd", lambda: sl.gather_nd(X, [[1, 2], [0, 1]]), [5.0, 1.0]),
        ("scatter_nd", lambda: sl.scatter_nd([[1], [3], [1]], [1.0, 2.0, 4.0], [4]),
         np.float32([0, 5, 0, 2])),
        ("tensor_scatter_update", lambda: sl.tensor_scatter_update(X, [[0, 1]], [9.0]),
         [[0, 9, 2], [3.0, 4, 5]]),
        ("tensor_scatter_add", lambda: sl.tensor_scatter_add(X, [[0, 1]], [9.0]),
         [[0, 10, 2], [3.0, 4, 5]]),
        ("one_hot", lambda: sl.one_hot([1, -1, 0], 2), np.float32([[0, 1], [0, 0], [1, 0]])),
        ("one_hot, int", lambda: sl.one_hot([1, 0], 2, 5, axis=0), [[0, 5], [5, 0]]),
        ("where", lambda: sl.where([True, False], [1, 2], [3, 4]), [1, 4]),
        ("places", lambda: sl.where([[True, False], [False, True]]), [[0, 0], [1, 1]]),
        ("where_v2", lambda: sl.where_v2(True, [1, 2], 3), [1, 2]),
        ("boolean_mask", lambda: sl.boolean_mask(X, [True, False, True], axis=1), X[:, [0, 2]]),
        ("sequence_mask", lambda: sl.sequence_mask([1, 3], 4, sl.int32),
         [[1, 0, 0, 0], [1, 1, 1, 0]]),
        ("longest", lambda: sl.sequence_mask([0, 2]), [[False, False], [True, True]]),
        ("unique", lambda: sl.unique([3, 1, 3]), ([3, 1], [0, 1, 0])),
        ("unique_with_counts", lambda: sl.unique_with_counts([3, 1, 3]),
         ([3, 1], [0, 1, 0], [2, 1])),
        ("setdiff1d", lambda: sl.setdiff1d([1, 2, 3, 4], [2, 4]), ([1, 3], [0, 2])),
        ("dynamic_partition", lambda: sl.dynamic_partition([1, 2, 3], [1, 0, 1], 2),
         ([2], [1, 3])),
        ("dynamic_stitch", lambda: sl.dynamic_stitch([[0, 2], [1]], [[1, 2], [3]]), [1, 3, 2]),
        ("searchsorted_left", lambda: sl.searchsorted_left([[1, 2, 2, 5]], [[2, 6]]), [[1, 4]]),
        ("searchsorted_right", lambda: sl.searchsorted_right([[1, 2, 2, 5]], [[2, 6]]), [[3, 4]]),
    )  # fmt: skip


def test_filling():
    table(
        ("fill", lambda: sl.fill([2, 2], 7), np.full((2, 2), 7)),
        ("zeros", lambda: sl.zeros([2]), np.zeros(2)),
        ("zeros of a tensor's shape", lambda: sl.zeros(sl.shape(X), sl.int32), np.zeros((2, 3))),
        ("strings", lambda: sl.zeros([2], sl.string) + "a", np.array([b"a", b"a"], object)),
        ("ones", lambda: sl.ones([sl.size(X)]), np.ones(6)),
        ("range", lambda: sl.range(3), [0, 1, 2]),
        ("range, float", lambda: sl.range(1, 2, 0.25), np.arange(1, 2, 0.25)),
        ("linspace", lambda: sl.linspace(0.0, 1.0, 5), np.linspace(0, 1, 5)),
        ("meshgrid", lambda: sl.meshgrid([1, 2], [3, 4, 5]), np.meshgrid([1, 2], [3, 4, 5])),
        ("meshgrid ij", lambda: sl.meshgrid([1, 2], [3, 4, 5], indexing="ij"),
         np.meshgrid([1, 2], [3, 4, 5], indexing="ij")),
        ("check_numerics", lambda: sl.check_numerics(X, "bad"), X),
        ("tuple", lambda: sl.tuple([sl.constant(1), sl.constant(2)]), [1, 2]),
        ("default", lambda: sl.placeholder_with_default([1, 2], [2]), [1, 2]),
        ("Print", lambda: sl.Print(sl.constant(3), [], first_n=0), 3),
    )  # fmt: skip


def test_operations():
    with sl.Graph().as_default(), sl.Session() as session:
        counter = sl.Variable(0)
        session.run(counter.initializer)
        session.run(sl.group(counter.assign_add(1), sl.no_op(), sl.Assert(True, [1])))
        assert session.run(counter) == 1
        bad = sl.Assert(False, ["what it was"])
        harness.raises(sl.errors.InvalidArgumentError, lambda: session.run(bad), "what it was")
        harness.raises(ValueError, lambda: sl.where([True], [1]), "both")
        harness.raises(ValueError, lambda: sl.unstack(sl.placeholder(sl.int32, [None])), "num")


def test_gradients():
    cases(
        ("mask", lambda x: sl.boolean_mask(x, [True, False, True]), (3, 2)),
        ("meshgrid", lambda x, y: sl.stack(sl.meshgrid(x, y)), (2,), (3,)),
        ("clip_by_norm", lambda x: sl.clip_by_norm(x, 0.5), (4,)),
        ("clip_by_norm, rows", lambda x: sl.clip_by_norm(x, 0.5, [1]), (3, 2)),
        ("global", lambda x, y: sl.clip_by_global_norm([x, y], 0.5)[0][0], (2,), (3,)),
        ("roll", lambda x: sl.roll(x, 1, 0) * x, (4,)),
    )


def test_norms_of_gradients():
    table(
        ("global_norm", lambda: sl.global_norm([sl.constant([3.0]), None, sl.constant(4.0)]), 5.0),
        ("clip_by_global_norm", lambda: sl.clip_by_global_norm([sl.constant([3.0, 4.0])], 1.0),
         ([[0.6, 0.8]], 5.0)),
        ("below", lambda: sl.clip_by_norm([0.3, 0.4], 1.0), [0.3, 0.4]),
        ("above", lambda: sl.clip_by_norm([3.0, 4.0], 1.0), [0.6, 0.8]),
        ("of zeros", lambda: sl.clip_by_norm([0.0, 0.0], 1.0), [0.0, 0.0]),
    )  # fmt: skip

    def hessian():
        x = sl.placeholder_with_default([1.0, 2.0], [2])
        return sl.hessians(x[0] * x[0] * x[1], x)

    table(("hessians", hessian, [[[4.0, 2.0], [2.0, 0.0]]]))


def test_random_numbers():
    r = sl.random
    lam = np.array([0.5, 4.0], np.float32)
    makers = [
        (lambda: r.uniform([4000], -1, 3, seed=1), 1.0, 4 / np.sqrt(12)),
        (lambda: r.uniform([4000], 0, 11, sl.int32, seed=1), 5.0, np.sqrt(10)),
        (lambda: r.normal([4000], 2.0, 0.5, seed=1), 2.0, 0.5),
        (lambda: r.truncated_normal([4000], 2.0, 0.5, seed=1), 2.0, 0.44),
        (lambda: r.gamma([4000], 2.0, 4.0, seed=1), 0.5, np.sqrt(2) / 4),
        (lambda: r.gamma([4000], [3.0], seed=1)[:, 0], 3.0, np.sqrt(3)),
        (lambda: r.poisson(lam, [4000], seed=1)[:, 1], 4.0, 2.0),
        (lambda: r.multinomial([[0.0, 0.0]], 4000, seed=1)[0], 0.5, 0.5),
        (
            lambda: r.categorical([[0.0, np.log(3)]], 4000, sl.int32, seed=1)[0],
            0.75,
            np.sqrt(3) / 4,
        ),
        (lambda: r.stateless_uniform([4000], [1, 2], -1.0, 3.0), 1.0, 4 / np.sqrt(12)),
        (lambda: r.stateless_uniform([4000], [1, 2], 0, 11, sl.int32), 5.0, np.sqrt(10)),
        (lambda: r.stateless_normal([4000], [1, 2], 2.0, 0.5), 2.0, 0.5),
        (lambda: r.stateless_truncated_normal([4000], [1, 2], 2.0, 0.5), 2.0, 0.44),
        (lambda: r.stateless_multinomial([[0.0, 0.0]], 4000, [1, 2])[0], 0.5, 0.5),
        (lambda: r.stateless_categorical([[0.0, 0.0]], 4000, [1, 2])[0], 0.5, 0.5),
    ]
    for i, (make, mean, deviation) in enumerate(makers):
        drawn = value_of(make)
        np.testing.assert_array_equal(drawn, value_of(make), err_msg=f"{i} from the same seed")
        assert drawn.shape == (4000,)
        assert abs(np.mean(drawn) - mean) < 0.1 * max(deviation, 0.5), (i, np.mean(drawn))
        assert abs(np.std(drawn) / deviation - 1) < 0.1, (i, np.std(drawn))
    shuffled = value_of(lambda: r.shuffle(np.arange(100), seed=3))
    assert sorted(shuffled) == list(range(100)) and list(shuffled) != list(range(100))
    part = value_of(lambda: r.random_crop(T, [1, 2, 4], seed=5))
    assert any(np.array_equal(part, T[i : i + 1, j : j + 2]) for i in (0, 1) for j in (0, 1))
    harness.raises(ValueError, lambda: r.uniform([1], dtype=sl.int32), "maxval")
    with sl.Graph().as_default():
        r.set_random_seed(7)
        assert r.get_seed(3) == (7, 3)


def test_large_constants():
    """A constant of 2 GiB or more is refused when it is made. Its memory is never touched."""
    large = np.broadcast_to(np.zeros(1, np.uint8), 2**31)
    harness.raises(ValueError, lambda: sl.constant(large, name="much"), "'much' takes 2147483648")
    harness.raises(ValueError, lambda: sl.constant(large, shape=[2, 2**30]), "at most 2 GiB")


def test_names_of_older_programs():
    from sluice import aliases

    groups = aliases._GROUPS
    names = [n for n in aliases.__all__ if n not in groups]
    assert len(names) > 90 and all(callable(getattr(sl, n)) for n in names)
    assert sl.manip.roll is sl.roll and sl.debugging.assert_rank is sl.assert_rank
    assert sl.matrix_inverse is sl.linalg.inv and sl.sparse_tensor_to_dense is sl.sparse.to_dense


def test_nothing_is_left_out():
    from sluice.ops import array, differentiate
    from sluice.ops.control_flow import grouping

    for module in (array, grouping, differentiate):
        names = set(module.__all__)
        files = "array_test.py", "gradients_test.py"
        # gradients_test.py is about the first two, math_test.py about the third
        names -= {"convert_to_dense", "gradients", "invert_permutation"}
        functions.uses_every_name(type("m", (), {"__all__": names}), "sl", *files)
    functions.uses_every_name(sl.random, "r", "array_test.py")
