# SPDX-License-Identifier: Apache-2.0
"""Conditionals and loops: composite results, and what they refuse in TensorFlow's words."""

import numpy as np

ONLY_1X = True


def _says(function, words):
    try:
        return function()
    except Exception as error:
        return words in str(error) or [type(error).__name__, str(error)]


def _values(tf, tensors, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensors, feeds)


def composites(tf):
    p = tf.placeholder(tf.bool, [])
    one, two = tf.SparseTensor([[0]], [1.0], [3]), tf.SparseTensor([[1]], [2.0], [3])
    sparse = tf.cond(p, lambda: one, lambda: two)
    slices = tf.cond(p, lambda: tf.IndexedSlices(tf.constant([1.0]), tf.constant([1])),
                     lambda: tf.IndexedSlices(tf.constant([4.0]), tf.constant([0])))  # fmt: skip
    _, looped = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)),
        [tf.constant(0), one],
    )
    _, rows = tf.while_loop(
        lambda i, s: i < 3, lambda i, s: (i + 1, tf.IndexedSlices(s.values + 1.0, s.indices)),
        [tf.constant(0), tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]))],
    )  # fmt: skip
    kinds = [type(x).__name__ for x in (sparse, slices, looped, rows)]
    dense = tf.sparse.to_dense(sparse)
    return kinds + _values(tf, [dense, slices.values, looped.values, rows.values], {p: False})


def refused_conditionals(tf):
    p, x = tf.placeholder(tf.bool, []), tf.constant(1.0)
    return [
        _says(lambda: tf.cond(True, lambda: 1, lambda: 2), "pred must not be a Python bool"),
        _says(lambda: tf.cond(p, 1, lambda: 2), "true_fn must be callable."),
        _says(lambda: tf.cond(p, lambda: 1, 2), "false_fn must be callable."),
        _says(lambda: tf.cond(p, lambda: x, lambda: tf.constant(1)),
              "Outputs of true_fn and false_fn must have the same type: float32, int32"),
        _says(lambda: tf.cond(p, lambda: None, lambda: x), "true_fn must have a return value."),
        _says(lambda: tf.cond(p, lambda: x, lambda: None), "false_fn must have a return value."),
        _says(lambda: tf.cond(p, lambda: x, lambda: x, fn1=lambda: x), "set simultaneously"),
        _says(lambda: tf.cond(p, lambda: {"a": x}, lambda: {"b": x}), "same nested structure"),
        _says(lambda: tf.cond(p, lambda: [x, x], lambda: (x,)), "same nested structure"),
    ]  # fmt: skip


def refused_loops(tf):
    loop, x = tf.while_loop, tf.ones([1])
    zero = tf.constant(0)
    return [
        _says(lambda: loop(lambda i, x: i < 3, lambda i, x: [i + 1, tf.concat([x, x], 0)],
                           [zero, x]), "enters the loop with shape (1,), but has shape (2,) after"),
        _says(lambda: loop(3, lambda i: i, [zero]), "cond must be callable."),
        _says(lambda: loop(lambda i: i < 1, 3, [zero]), "body must be callable."),
        _says(lambda: loop(lambda: True, lambda: 1, []), "No loop variables provided"),
        _says(lambda: loop(lambda i: i < 1, lambda i: i, [zero], parallel_iterations=0),
              "parallel_iterations must be a positive integer."),
        _says(lambda: loop(lambda i, x: i < 1, lambda i, x: (i, x), [zero, x],
                           [tf.TensorShape([]), tf.TensorShape([5])]),
              "It enters the loop with shape (1,), but the specified shape invariant is (5,)."),
        _says(lambda: loop(lambda i: i < 1, lambda i: i, [zero], maximum_iterations=[1, 2]),
              "maximum_iterations must be a scalar, saw shape: (2,)"),
        _says(lambda: tf.map_fn(3, x), "fn must be callable"),
        _says(lambda: tf.TensorArray(tf.float32, 3).write(0, [1.0]).write(1, [1.0, 2.0]),
              "Inconsistent shapes: saw (2,) but expected (1,)"),
    ]  # fmt: skip


def refused_cases(tf):
    x = tf.placeholder(tf.int32, [])

    def one():
        return tf.constant(1)

    return [
        _says(lambda: tf.case(3), "must be a list, tuple, or dict"),
        _says(lambda: tf.case([(1, one)]), "pred must be a Tensor, got: 1"),
        _says(lambda: tf.case([(x < 1, 3)]), "must be callable."),
        _says(lambda: tf.case([x < 1]), "Each entry in pred_fn_pairs must be a 2-tuple"),
        _says(lambda: tf.switch_case(tf.constant(1.0), [one]), "branch_index must an integer"),
        _says(lambda: tf.switch_case(x, []), "Must provide at least one item in branch_fns"),
        _says(lambda: tf.switch_case(x, {0: one, 5: one}), "contiguous range of [0 to 2)"),
        _says(lambda: tf.tuple([]), "Must have at least one Tensor"),
        _says(lambda: tf.tuple([x], control_inputs=[3]), "ontrol input must be Operation or Tens"),
    ]  # fmt: skip


def variables_of_bodies(tf):
    def from_a_tensor(i):
        return i + 1 + tf.Variable(tf.zeros([], tf.int32)).read_value()

    def from_a_function(i):
        made = tf.Variable(lambda: tf.zeros([], tf.int32), dtype=tf.int32)
        return i + 1 + made.read_value()

    def looped(body):
        return tf.while_loop(lambda i: i < 3, body, [0])

    inside = "is from inside a control-flow construct, such as a loop or conditional"
    p = tf.placeholder_with_default(True, [])
    return [
        _says(lambda: looped(from_a_tensor), inside), _values(tf, looped(from_a_function)),
        _says(lambda: tf.cond(p, lambda: tf.Variable(tf.constant(1.0)).read_value(),
                              lambda: tf.constant(2.0)), inside),
    ]  # fmt: skip


def refused_gradients(tf):
    x = tf.constant(2.0)
    stopped = tf.raw_ops.PreventGradient(input=x, message="not this one")
    try:
        tf.gradients(stopped, x)
        refused = False
    except LookupError as error:
        refused = "Gradient explicitly disabled. Reason: " in str(error)
    return [
        refused, _says(lambda: tf.gradients(x * x, x, grad_ys=[x, x]), "Passed 2 grad_ys for 1 ys"),
        _says(lambda: tf.gradients(x, x, unconnected_gradients="none of them"),
              "Unknown value for unconnected_gradients: 'none of them'"),
    ]  # fmt: skip


def variables_that_exist(tf):
    tf.get_variable("v", [2])
    return _says(lambda: tf.get_variable("v", [2]), "in VarScope? Originally defined at:")


def confusion(tf):
    def failed(*arguments):
        return _says(lambda: _values(tf, tf.confusion_matrix(*arguments)), "`labels`")

    return [
        _values(tf, tf.confusion_matrix([0, 1], [1, 1])), failed([0, -1], [1, 1]),
        failed([0, 5], [1, 1], 3),
        np.shape(_values(tf, tf.confusion_matrix([1, 2, 4], [2, 2, 4], 7))),
    ]  # fmt: skip
