# SPDX-License-Identifier: Apache-2.0
"""The number of elements that a data set states before a run."""

import pytest
import tensorflow

tf = tensorflow.compat.v1
data = tf.data.Dataset
experimental = tf.data.experimental

JOBS = {"worker": 1}


def odd():
    return data.range(10).filter(lambda x: tf.equal(x % 2, 1))


@pytest.mark.parametrize(
    "build",
    [
        lambda: data.range(10).map(lambda x: x),
        lambda: data.range(10).map(lambda x: x, num_parallel_calls=2),
        lambda: data.range(10).map(lambda x: x).batch(3),
        lambda: data.range(10).apply(experimental.ignore_errors()),
        lambda: data.range(10).repeat().skip(-1),
        lambda: data.range(10).skip(-1),
        lambda: odd().skip(-1),
        lambda: odd().repeat(),
        lambda: odd().repeat(3),
        lambda: odd().repeat(0),
        lambda: data.range(0).repeat(),
    ],
)
def test_states_what_this_release_states(target, build):
    counts = []
    for place in (target, ""):
        with tf.Graph().as_default(), tf.Session(place) as session:
            counts.append(session.run(experimental.cardinality(build())))
    assert counts[0] == counts[1]
