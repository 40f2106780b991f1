# SPDX-License-Identifier: Apache-2.0
"""Gradients that a program asks for after a session has run what they go through."""

import numpy as np

ONLY_1X = True


def _variable(tf, name="v"):
    return tf.get_variable(name, initializer=[1.0, 2.0], use_resource=True)


def of_a_loop_that_reads(tf):
    x, v = tf.placeholder(tf.float32, [2]), _variable(tf)
    y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * v), [0, x])[1]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(y, {x: [1.0, 1.0]})
        found = session.run([y, *tf.gradients(y, [x, v])], {x: [1.0, 1.0]})
        session.run(v.assign([3.0, 1.0]))
        return [first, found, session.run([y, *tf.gradients(y, [v])], {x: [1.0, 1.0]})]


def of_a_conditional_that_reads(tf):
    x, v = tf.placeholder(tf.float32, [2]), _variable(tf)
    y = tf.cond(x[0] > 0, lambda: x * v, lambda: v * 2.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(y, {x: [1.0, 1.0]})
        grads = tf.gradients(y, v)
        return [first, *(session.run([y, *grads], {x: [s, 1.0]}) for s in (1.0, -1.0))]


def reads_after_assignments(tf):
    """Loops and conditionals read what the step has assigned before."""
    v = _variable(tf)
    with tf.control_dependencies([v.assign_add([1.0, 1.0])]):
        zeros = tf.zeros([2])
        total = tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a + v), [0, zeros])[1]
        either = tf.cond(tf.constant(True), lambda: v + 1.0, lambda: v - 1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run([total, either]) for _ in range(3)]


def of_cells_of_programs(tf):
    """predict() runs the loop of a recurrent layer before fit() asks for its gradients."""
    layers, backend = tf.keras.layers, tf.keras.backend

    class Cell(layers.Layer):
        state_size = 2

        def build(self, input_shape):
            self.kernel = self.add_weight("kernel", (3, 2), initializer="ones")
            self.recurrent = self.add_weight("recurrent", (2, 2), initializer="ones")
            self.built = True

        def call(self, inputs, states):
            out = backend.dot(inputs, self.kernel) + backend.dot(states[0], self.recurrent)
            return backend.tanh(out), [backend.tanh(out)]

    model = tf.keras.Sequential([layers.RNN(Cell(), input_shape=(4, 3))])
    values = np.cos(np.arange(48.0)).reshape(4, 4, 3) / 4
    found = [model.predict(values)]
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.set_weights([w / 2 for w in model.get_weights()])
    history = model.fit(values, values[:, 0, :2], epochs=2, verbose=0, shuffle=False).history
    return [*found, history, model.get_weights()]
