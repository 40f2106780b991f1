# SPDX-License-Identifier: Apache-2.0
"""Reads data sets, element by element, and compares what was read."""

import numpy as np
import tensorflow

tf = tensorflow.compat.v1

MOST = 60  # elements that are read


def read(build, target, one_shot, config=None):
    """The elements, and codes for errors and for the end."""
    graph = tf.Graph()
    with graph.as_default(), tf.container(f"{build.__name__}-{one_shot}".replace("_", "-")):
        tf.set_random_seed(42)
        made = build()
        if one_shot:
            iterator = tf.data.make_one_shot_iterator(made)
        else:
            iterator = tf.data.make_initializable_iterator(made)
        following = tensorflow.nest.flatten(iterator.get_next())
        with tf.Session(target, graph=graph, config=config) as session:
            if not one_shot:
                session.run(iterator.initializer)
            seen = []
            for _ in range(MOST):
                try:
                    seen.append(session.run(following))
                except tf.errors.OutOfRangeError as error:
                    assert "End of sequence" in error.message
                    seen.append("the end")
                    break
                except tf.errors.OpError as error:
                    seen.append(type(error).__name__)
            return seen


def same(ours, theirs):
    assert len(ours) == len(theirs), (ours, theirs)
    for number, (a, b) in enumerate(zip(ours, theirs)):
        if isinstance(a, str) or isinstance(b, str):
            assert a == b, (number, a, b)
            continue
        for x, y in zip(a, b):
            assert np.asarray(x).dtype == np.asarray(y).dtype
            np.testing.assert_array_equal(x, y, err_msg=f"element {number}")
