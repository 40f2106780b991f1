# SPDX-License-Identifier: Apache-2.0
"""Ops that 1.15 and 2.x treat in different ways: our server follows the client's TensorFlow."""

import numpy as np
import pytest
import tensorflow

from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


def whole_number():
    return tf.string_to_number(["+5"], tf.int32)


def real_number():
    return tf.string_to_number(["+5"], tf.float32)


def row():
    return tf.io.decode_csv([" +5,+1.5"], [[0], [0.0]])


def row_of_a_data_set():
    rows = tf.data.Dataset.from_tensors(" +5").map(lambda row: tf.io.decode_csv(row, [[0]]))
    return tf.data.make_one_shot_iterator(rows).get_next()


def number_of_a_branch():
    functions = tf.placeholder_with_default(0, [])
    return tf.switch_case(functions, [lambda: tf.string_to_number("+5", tf.int32), lambda: 0])


def files_of_a_missing_folder():
    return tf.io.matching_files("/no/such/folder/*")


def low_quality():
    return tf.image.adjust_jpeg_quality(np.arange(48, dtype=np.uint8).reshape(4, 4, 3), -1)


def high_quality():
    return tf.image.adjust_jpeg_quality(np.arange(48, dtype=np.uint8).reshape(4, 4, 3), 101)


def states_of_another_length():
    return tf.data.Dataset.range(3).reduce(np.int64(0), lambda state, x: (state, x))


def outcome(build, target):
    """The value, or the class of the error and what it says of parts of states."""
    with tf.Graph().as_default() as graph:
        fetch = build()
        with tf.Session(target, graph=graph) as session:
            try:
                return np.asarray(session.run(fetch)).tolist()
            except tf.errors.OpError as error:
                parts = "The number of components of the initial state and the reduce function"
                return [type(error).__name__, parts in error.message]


@pytest.mark.parametrize(
    "build",
    [
        whole_number,
        real_number,
        row,
        row_of_a_data_set,
        number_of_a_branch,
        files_of_a_missing_folder,
        low_quality,
        high_quality,
        states_of_another_length,
    ],
)
def test_the_server_follows_the_version(build, cluster):
    assert outcome(build, cluster.target()) == outcome(build, "")
