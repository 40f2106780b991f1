# SPDX-License-Identifier: Apache-2.0
"""Operations of tensors whose graph is not the default one: they go where the tensors are."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def operations_outside_of_the_graph(tf):
    """A program that loaded a graph goes on without `with graph.as_default()`."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.nn.softmax(tf.matmul(x, tf.ones([3, 2]), name="add"), name="y")
    made = [
        y + 1.0, 2.0 - y, np.float32(3.0) * y, y[0], y[:, 1], tf.argmax(y, 1), tf.add(1.0, y),
        tf.reshape(y, [-1]), tf.concat([y, y], 1), tf.stack([y, y]), tf.reduce_sum(y, axis=1),
        tf.transpose(y), tf.expand_dims(y, 0), tf.one_hot(tf.argmax(y, 1), 4), tf.gather(y, [0]),
        tf.clip_by_value(y, 0.1, 0.4), tf.pad(y, [[0, 0], [1, 1]]), tf.cast(y > 0.5, tf.int32),
        tf.gradients(y * 2.0, x)[0], tf.equal(y, 0.5), tf.tile(y, [2, 1]), tf.split(y, 2, 1)[0],
    ]  # fmt: skip
    assert all(t.graph is graph for t in made)
    done = tf.group(y, made[0])
    with tf.Session(graph=graph) as session:
        feeds = {x: [[1.0, 2.0, 3.0]]}
        values = session.run(made, feeds)
        return [values, session.run(done, feeds), done.graph is graph]


def names_outside_of_the_graph(tf):
    """They are unique in the graph of the tensors."""
    graph = tf.Graph()
    with graph.as_default():
        x = tf.constant([1.0, 2.0], name="x")
        inside = tf.multiply(x, 2.0, name="product")
    outside = [tf.multiply(x, 3.0, name="product"), x + x, x + x, tf.identity(x, name="x")]
    return [inside.name, [t.name for t in outside]]


def variables_outside_of_the_graph(tf):
    graph = tf.Graph()
    with graph.as_default():
        v = tf.Variable([1.0, 2.0], name="v")
        w = tf.get_variable("w", initializer=[3.0, 4.0], use_resource=True)
        start = tf.global_variables_initializer()
    made = [v * 2.0, w + 1.0, v[0], v.assign([5.0, 6.0]), tf.assign_add(v, [1.0, 1.0])]
    grads = tf.gradients(v * w, [v, w])
    with tf.Session(graph=graph) as session:
        session.run(start)
        return [[session.run(t) for t in made], session.run(grads)]


def graphs_that_do_not_mix(tf):
    a = tf.constant(1.0, name="a")
    with tf.Graph().as_default():
        b = tf.constant(2.0, name="b")
    return [
        outcome(tf.add, a, b),
        outcome(tf.stack, [b, a]),
        outcome(tf.gradients, a, b),
    ]
