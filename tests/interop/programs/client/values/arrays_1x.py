# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of tensors, and operators between arrays and tensors or variables."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have other operators of variables


def functions_of_tensors(tf):
    """NumPy's functions refuse a tensor of a graph, which has no value yet."""
    x = tf.ones([2])
    calls = [np.array, np.asarray, np.sum, np.abs, np.sqrt, np.isnan, np.ones_like, np.prod]
    found = [outcome(call, x) for call in calls]
    found.append(outcome(np.add, x, 1.0))
    found.append(outcome(np.stack, [x, x]))
    found.append(outcome(np.testing.assert_allclose, x, 1.0))
    return found


def tensors_in_lists(tf):
    x = tf.ones([2])
    with tf.Session() as session:
        return [
            outcome(tf.constant, [x[0], 1.0]),
            outcome(tf.make_tensor_proto, x),
            outcome(session.run, x, {x: x}),
            outcome(session.run, x, {x: [x[0], x[1]]}),
            session.run(tf.stack([1.0, x[0]])),
            session.run(tf.convert_to_tensor([x, np.zeros(2, np.float32)])),
        ]


def arrays_and_variables(tf):
    """An array on the left of a variable makes one tensor, not an array of tensors."""
    v = tf.Variable([1.0, 2.0], dtype=tf.float64)
    w = tf.get_variable("w", initializer=[[1.0, 2.0]], use_resource=True)
    rows = np.array([[2.0, 3.0]], np.float32)
    made = [
        np.array([3.0, 4.0]) * v, np.array([3.0, 4.0]) - v, np.array([3.0, 4.0]) / v,
        np.float64(2.0) * v, rows + w, rows > w, rows ** w, rows // w,
        np.ones([2, 1], np.float32) @ w, np.array([1.0, 2.0], np.float32) * w,
    ]  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [[t.dtype.name, session.run(t)] for t in made]


def quotients(tf):
    """div() rounds down, divide() does what / does, and numbers stay numbers."""
    x, small = tf.constant([7, -7]), tf.constant([7, 9], tf.uint8)
    v = tf.Variable([7, 3])
    made = [
        tf.div(x, 2), tf.div(20, x), tf.div([7.0, -7.0], 2.0), tf.div(small, 2), x.__div__(2),
        x.__rdiv__(20), v.__div__(2), tf.divide(x, 2), x / 2, tf.divide(small, 2), tf.truediv(7, 2),
    ]  # fmt: skip
    plain = [tf.divide(7, 2), tf.divide(np.float32(3), 2), tf.divide(np.ones(2), 2)]
    operators = sorted(tf.Tensor.OVERLOADABLE_OPERATORS)
    with tf.Session() as session:
        session.run(v.initializer)
        values = session.run(made)
    return [[t.name for t in made], values, plain, operators]
