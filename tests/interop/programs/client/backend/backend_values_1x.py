# SPDX-License-Identifier: Apache-2.0
"""Functions of the backend with other arguments: shapes, sparse and ragged tensors, arrays."""

import numpy as np

ONLY_1X = True


def variables_of_any_shape(tf):
    backend = tf.keras.backend
    sizes = (3, (2,), tf.constant([2, 3]), tf.placeholder("int32", [2]))
    made = [make(size) for make in (backend.zeros, backend.ones) for size in sizes]
    named = backend.ones((2,), name="named")
    return [[str(t.shape) for t in made], named.name]


def values_of_anything(tf):
    backend = tf.keras.backend
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
    rows = np.arange(6).reshape(2, 3)
    return [
        backend.eval(sparse), backend.eval(rows), backend.eval(2.5), backend.int_shape(rows),
        int(backend.count_params(backend.variable(rows))),
    ]  # fmt: skip


def placeholders_of_ragged_tensors(tf):
    backend = tf.keras.backend
    made = backend.placeholder((2, None, None, 3), ragged=True)
    try:
        backend.placeholder((2, None), sparse=True, ragged=True)
    except ValueError as error:
        return [made.ragged_rank, made.flat_values.dtype.name, str(error)]


def numbers_in_a_row(tf):
    backend = tf.keras.backend
    made = [backend.arange(1.5, 4.0), backend.arange(5), backend.arange(1, 5, 2), backend.arange(0)]
    return [[t.dtype.name, backend.eval(t)] for t in made]


def names_of_statistics(tf):
    backend = tf.keras.backend
    given = tf.placeholder("float32")
    made = [backend.var(given), backend.std(given), backend.sum(given), tf.math.reduce_std(given)]
    return [[t.name, str(t.shape)] for t in made]


def operations_of_optimizers(tf):
    backend, found = tf.keras.backend, []
    for name in ("SGD", "Adam"):
        variables = [backend.variable([1.0, 2.0]), backend.variable([3.0])]
        optimizer = getattr(tf.keras.optimizers, name)()

        def loss(variables=variables):
            return tf.reduce_sum(variables[0] ** 2) + tf.reduce_sum(variables[1])

        op = optimizer.minimize(loss, variables, grad_loss=tf.constant(3.0), name="mine")
        session = backend.get_session()
        session.run(tf.global_variables_initializer())
        session.run(op)
        found.append([op.name, op.type, session.run(variables), session.run(optimizer.iterations)])
    return found


def losses_without_a_variable(tf):
    variable = tf.keras.backend.variable([1.0])
    try:
        tf.keras.optimizers.SGD().get_gradients(tf.constant(1.0), [variable])
    except ValueError as error:
        return str(error).partition("has `None`")[2]
