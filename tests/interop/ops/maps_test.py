# SPDX-License-Identifier: Apache-2.0
"""TensorFlow 2's maps from tensors to tensors as values: TensorMapInsert and the others."""

import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

V2 = tensorflow.__version__.startswith("2")
pytestmark = pytest.mark.skipif(not V2, reason="1.15 does not have the ops")
if V2:
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops, map_ops


def filled(*pairs):
    handle = map_ops.empty_tensor_map()
    for key, value in pairs:
        handle = map_ops.tensor_map_insert(handle, key, value)
    return handle


def insert_and_look_up():
    """EmptyTensorMap, TensorMapInsert, TensorMapLookup, TensorMapSize."""
    handle = filled((1.0, 2.0), ([1, 2], "text"), (b"key", [[3]]), (1.0, 4.0))
    old = filled((1.0, 2.0))
    new = map_ops.tensor_map_insert(old, 1.0, 5.0)
    return [
        map_ops.tensor_map_size(handle),
        map_ops.tensor_map_lookup(handle, 1.0, tf.float32),
        map_ops.tensor_map_lookup(handle, [1, 2], tf.string),
        map_ops.tensor_map_lookup(handle, b"key", tf.int32),
        map_ops.tensor_map_lookup(old, 1.0, tf.float32),
        map_ops.tensor_map_lookup(new, 1.0, tf.float32),
    ]


def keys():
    """TensorMapHasKey, TensorMapErase, TensorMapStackKeys: in any order."""
    handle = filled(([1, 2], 1.0), ([3, 4], 2.0), ([5, 6], 3.0))
    shorter = map_ops.tensor_map_erase(handle, [3, 4], tf.float32)
    stacked = map_ops.tensor_map_stack_keys(shorter, tf.int32)
    return [
        map_ops.tensor_map_has_key(handle, [3, 4]),
        map_ops.tensor_map_has_key(shorter, [3, 4]),
        map_ops.tensor_map_has_key(handle, [3.0, 4.0]),
        tf.sort(stacked, axis=0),
    ]


def gradients():
    """Of a value that is looked up twice, of one that is replaced, and of one that is erased."""
    x, y, z = (tf.constant(v) for v in (2.0, 3.0, 5.0))
    handle = filled((1, x), (2, y))
    other = map_ops.tensor_map_insert(handle, 2, z)
    total = 5 * map_ops.tensor_map_lookup(handle, 1, tf.float32)
    total += map_ops.tensor_map_lookup(other, 1, tf.float32)
    total += 7 * map_ops.tensor_map_lookup(other, 2, tf.float32)
    return tf.gradients(total, [x, y, z])


def read_through_identity():
    return [map_ops.tensor_map_lookup(tf.identity(filled((1, 2.0))), 1, tf.float32)]


def missing_key():
    return [map_ops.tensor_map_lookup(filled((1, 2.0)), 2, tf.float32)]


def missing_item():
    return [map_ops.tensor_map_size(map_ops.tensor_map_erase(filled((1, 2.0)), 2, tf.float32))]


def no_keys():
    return [map_ops.tensor_map_stack_keys(map_ops.empty_tensor_map(), tf.int32)]


def keys_of_two_shapes():
    return [map_ops.tensor_map_stack_keys(filled((1, 2.0), ([1], 3.0)), tf.int32)]


def run(target, build):
    with tf.Graph().as_default(), tf.Session(target) as session:
        return session.run(build())


@pytest.mark.parametrize("build", [insert_and_look_up, keys, gradients, read_through_identity])
def test_maps(build, target):
    for found, expected in zip(run(target, build), run("", build)):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("build", [missing_key, missing_item, no_keys, keys_of_two_shapes])
def test_mistakes(build, target):
    texts = []
    for place in (target, ""):
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            run(place, build)
        texts.append(raised.value.message)
    told = "Trying to|TensorMapStackKeys|Keys must"
    found, expected = (next(line for line in t.split("\n") if _names(line, told)) for t in texts)
    assert found[found.index(_names(found, told)) :][:40] in expected


def test_gradients_of_the_server(target):
    """The server differentiates a function of maps."""

    @function.Defun(tf.float32, tf.float32, tf.float32)
    def weighted(x, y, z):
        handle = filled((1, x), (2, y))
        other = map_ops.tensor_map_insert(handle, 2, z)
        shorter = map_ops.tensor_map_erase(other, 1, tf.float32)
        return (
            5 * map_ops.tensor_map_lookup(handle, 1, tf.float32)
            + map_ops.tensor_map_lookup(other, 1, tf.float32)
            + 7 * map_ops.tensor_map_lookup(shorter, 2, tf.float32)
        )

    def build():
        inputs = [tf.constant(v) for v in (2.0, 3.0, 5.0, 1.0)]
        return functional_ops.symbolic_gradient(input=inputs, Tout=[tf.float32] * 3, f=weighted)

    assert run(target, build) == [6, 0, 7]


def _names(line, words):
    return next((word for word in words.split("|") if word in line), "")


JOBS = {"worker": 1}
