# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors of chosen elements, and of several tensors."""

import numpy as np

ONLY_1X = True


def _lists(tf, tensors):
    with tf.Session() as session:
        found = session.run(list(tensors))
    return [v.to_list() if hasattr(v, "to_list") else np.asarray(v) for v in found]


def masks(tf):
    ragged = tf.ragged.constant([[1, 2, 3], [4], [], [5, 6]])
    rows = tf.constant([True, False, True, True])
    inner = tf.ragged.constant([[True, False, True], [False], [], [True, True]])
    deep = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
    deep_mask = tf.ragged.constant([[[True, False], [True]], [], [[False, True, True]]])
    cube = np.arange(24).reshape(2, 3, 4)
    mask = tf.ragged.boolean_mask
    return _lists(tf, [
        mask(ragged, rows), mask(ragged, inner), mask(deep, deep_mask),
        mask(deep, tf.ragged.constant([[True, False], [], [True]])),
        mask(deep, [True, False, True]), mask([1, 2, 3], [True, False, True]),
        mask([[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, True]]),
        mask(cube, cube % 3 == 0), mask(cube, cube[:, :, 0] > 3),
        mask([[1, 2], [3, 4]], tf.ragged.constant([[True, False], [True, True]])),
    ])  # fmt: skip


def masks_that_do_not_fit(tf):
    found = []
    ragged = tf.ragged.constant([[1, 2, 3], [4]])
    for mask in (tf.constant(True), tf.placeholder(tf.bool)):
        try:
            tf.ragged.boolean_mask(ragged, mask)
        except ValueError as error:
            found.append(str(error))
    wrong = tf.ragged.boolean_mask(ragged, tf.ragged.constant([[True, True], [True, False]]))
    try:
        _lists(tf, [wrong])
    except tf.errors.InvalidArgumentError:
        found.append("splits")
    return found


def stacks(tf):
    a, b = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[4], [5, 6, 7]])
    deep = tf.ragged.constant([[[1], [2, 3]], [[4, 5]]])
    stack = tf.ragged.stack
    return _lists(tf, [
        stack([a, b]), stack([a, b], 1), stack([[1, 2], [3, 4]], 1),
        stack([deep, deep]), stack([deep, deep], 1), stack([deep, deep], 2),
        stack([a, [[8, 9], [10, 11]]]), stack([np.ones((2, 2)), np.zeros((3, 2))]),
        stack([a, b], -2), stack([np.ones((2, 2)), np.zeros((2, 2))], 2),
    ])  # fmt: skip


def partitions(tf):
    ragged = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
    of_elements = tf.ragged.constant([[1, 0], [1], [3, 0, 1]])
    part = tf.ragged.stack_dynamic_partitions
    return _lists(tf, [
        part(["a", "b", "c", "d"], [3, 0, 3, 1], 5), part(ragged, [1, 0, 1], 2),
        part(ragged, of_elements, 4), part([[1, 2], [3, 4]], [[0, 1], [1, 0]], 2),
        part(np.arange(6).reshape(3, 2), [2, 0, 2], 3),
    ])  # fmt: skip
