# SPDX-License-Identifier: Apache-2.0
"""`while` and `for` on tensors, which AutoGraph converts."""

import numpy as np

from .branches_1x import _fails, _values

ONLY_1X = True


def collatz(tf):
    @tf.function
    def steps(x):
        n = 0
        while x > 1:
            if tf.equal(x % 2, 0):
                x = x // 2
            else:
                x = 3 * x + 1
            n += 1
        return n

    return _values(tf, steps(tf.constant(27)), steps(tf.constant(1)))


def fizzbuzz(tf):
    @tf.function
    def f(n):
        out = tf.TensorArray(tf.string, size=n)
        for i in tf.range(n):
            if tf.equal((i + 1) % 15, 0):
                text = tf.constant("FizzBuzz")
            elif tf.equal((i + 1) % 3, 0):
                text = tf.constant("Fizz")
            elif tf.equal((i + 1) % 5, 0):
                text = tf.constant("Buzz")
            else:
                text = tf.as_string(i + 1)
            out = out.write(i, text)
        return out.stack()

    return _values(tf, f(tf.constant(15)))


def recurrent_network(tf):
    @tf.function(input_signature=[tf.TensorSpec([None, 2, 3], tf.float32)])
    def f(inputs):
        n = tf.shape(inputs)[0]
        out = tf.TensorArray(tf.float32, size=n)
        state = tf.zeros([2, 3])
        for t in tf.range(n):
            state = tf.tanh(inputs[t] + 0.5 * state)
            out = out.write(t, state)
        return out.stack(), state

    x = tf.constant(np.linspace(-1, 1, 24).reshape(4, 2, 3).astype(np.float32))
    outputs, state = f(x)
    return _values(tf, outputs, state, tf.gradients(state, x)[0])


def break_and_continue(tf):
    @tf.function
    def f(n):
        total = 0
        i = 0
        while i < n:
            i += 1
            if tf.equal(i % 3, 0):
                continue
            if i > 10:
                break
            total += i
        return total, i

    return _values(tf, f(tf.constant(5)), f(tf.constant(50)))


def break_from_a_range(tf):
    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            if i * i > 30:
                break
            total += i
        return total

    return _values(tf, f(tf.constant(4)), f(tf.constant(100)))


def ranges_of_python(tf):
    @tf.function
    def f(n):
        total = 0
        for i in range(n):
            total += i
        for i in range(n, 2 * n):
            total += i * 100
        for i in range(10, n, -2):
            total += i * 10000
        return total

    return _values(tf, f(tf.constant(5)), f(tf.constant(-2)))


def nested_loops(tf):
    @tf.function
    def f(n):
        total = tf.constant(0)
        for i in tf.range(n):
            j = 0
            while j < i:
                if tf.equal(j, 3):
                    break
                total += i * j
                j += 1
            for k in range(2):
                total += k
        return total

    return _values(tf, f(tf.constant(6)))


def rows(tf):
    @tf.function
    def f(m):
        total = tf.zeros([2])
        for row in m:
            if row[0] > 0:
                total = total * 2.0 + row
        return total

    return _values(tf, f(tf.constant([[1.0, 2.0], [-1.0, 5.0], [3.0, 4.0]])))


def while_else(tf):
    @tf.function
    def f(x):
        while x > 0:
            x -= 3
            if tf.equal(x, 1):
                break
        else:
            x = x - 100
        return x

    return _values(tf, f(tf.constant(10)))  # 1.15 runs no `else` of a loop on tensors


def loops_of_python_stay(tf):
    @tf.function
    def f(x):
        parts = []
        for i, name in enumerate(["a", "b", "c", "d"]):
            if name == "b":
                continue
            if name == "d":
                break
            parts.append(x + i)
        n = 0
        while n < 3:
            n += 1
            x = x * 2
        return tf.stack(parts), x

    return _values(tf, *f(tf.constant(1)))


def loops_with_variables(tf):
    v = tf.Variable(1, use_resource=True)

    @tf.function
    def f(n):
        for i in tf.range(n):
            v.assign_add(i)
        while v < 50:
            v.assign(v * 2)
        return v.read_value()

    return _values(tf, f(tf.constant(4)))


def newton(tf):
    x = tf.constant(9.0)

    @tf.function
    def root(x):
        y = x
        while abs(y * y - x) > 1e-5:
            y = (y + x / y) / 2.0
        return y

    y = root(x)
    return _values(tf, y, tf.gradients(y, x)[0])


def training_steps(tf):
    w = tf.Variable([0.0, 0.0], use_resource=True)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]])
    y = tf.constant([5.0, 11.0, -1.5])

    @tf.function
    def train(steps):
        loss = tf.constant(0.0)
        for _ in tf.range(steps):
            error = tf.reduce_sum(x * w, 1) - y
            loss = tf.reduce_mean(tf.square(error))
            gradient = 2.0 * tf.reduce_mean(error[:, None] * x, 0)
            w.assign_sub(0.02 * gradient)
        return loss

    return _values(tf, train(tf.constant(20)))


def data_sets(tf):
    @tf.function
    def f(n):
        total = tf.constant(0, tf.int64)
        for x in tf.data.Dataset.range(10):
            if x > n:
                total += x
        for i, x in enumerate(tf.data.Dataset.range(5, 1000)):
            if x > 9:
                break
            total += x * i * 1000
        return total

    return _values(tf, f(tf.constant(6, tf.int64)))


def options(tf):
    @tf.function
    def f(n):
        for i in tf.range(10):
            tf.autograph.experimental.set_loop_options(parallel_iterations=2)
            n += i
        return n

    return _values(tf, f(tf.constant(0)))


def wrong_loops(tf):
    def undefined(n):
        for i in tf.range(n):
            z = i
        return z

    def returns(n):
        for i in tf.range(n):
            if i > 3:
                return i
        return n

    def grows(n):
        x = tf.constant([1])
        while tf.size(x) < n:
            x = tf.concat([x, x], 0)
        return x

    def changes(n):
        x = 0
        while n > 0:
            x = x + 1
            n = tf.cast(n, tf.int64)
        return x

    def becomes_a_tensor(n):
        for i in range(5):
            if n > i:
                break
        return n

    n = tf.constant(3)
    every = (undefined, returns, grows, changes, becomes_a_tensor)
    return [_fails(lambda f=f: tf.function(f)(n)) for f in every]
