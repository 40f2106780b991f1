# SPDX-License-Identifier: Apache-2.0
"""Programs of functions and functional control flow, as TensorFlow's clients build them."""

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")



class Places:
    """Where the parts of a program go."""

    ps = "/job:ps/task:0"
    remote = "/job:worker/task:0/cpu:0"
    workers = ("/job:worker/task:0", "/job:worker/task:1")


class Program:
    """A test's graph: the names to run, in order, and the feeds."""

    def __init__(self):
        self.steps = []  # (fetches, feeds)

    def run(self, fetches, feeds=None):
        self.steps.append((fetches, feeds or {}))

    def fails(self, fetches, feeds=None):
        """A step whose error is compared, by its class."""
        self.steps.append((Failing(fetches), feeds or {}))


class Failing:
    def __init__(self, fetches):
        self.fetches = fetches

    def run(self, session, feeds):
        try:
            return [session.run(self.fetches, feeds), "no error"]
        except tf.errors.OpError as error:
            return type(error).__name__


def variable(name, value):
    return tf.get_variable(name, initializer=tf.constant(value), use_resource=True)


def programs_of(made):
    """A decorator that enters a program under its name."""

    def enter(build):
        made[build.__name__] = build
        return build

    return enter


PROGRAMS = {}
program = programs_of(PROGRAMS)


def without_tasks(build, device="/cpu:0"):
    """The program on one device, "" for any: a session in this process has no tasks."""

    def stripped(p):
        one = {"ps": device, "workers": (device, device)}
        one["remote"] = "/job:localhost/replica:0/task:0/device:CPU:0"
        saved = {name: getattr(Places, name) for name in one}
        for name, value in one.items():
            setattr(Places, name, value)
        try:
            build(p)
        finally:
            for name, value in saved.items():
                setattr(Places, name, value)

    return stripped


def x_and_steps(p, fetches, values):
    """The same fetches for several values of a placeholder."""
    x = fetches.pop("x")
    for value in values:
        p.run(fetches, {x: value})


@program
def calls(p):
    x = tf.placeholder(tf.float32, [None], name="x")

    @tensorflow.function
    def square(v):
        return v * v, v + 1.0

    @tensorflow.function
    def outer(v):
        a, b = square(v)
        c, _ = square(a + b)
        return c

    y, z = square(x)
    x_and_steps(p, {"x": x, "y": y, "z": z, "outer": outer(z)}, [[1.0, 2.0], [], [-3.0]])


@program
def calls_with_state(p):
    v = variable("v", 1.0)

    @tensorflow.function
    def bump(x):
        v.assign_add(x)
        return x * 2.0

    y = bump(tf.constant(3.0))
    after = y + 1.0
    p.run(tf.global_variables_initializer())
    for fetch in (after, y, y.op, v.read_value()):
        p.run(fetch)
        p.run(v.read_value())
    p.run([after, y])
    p.run(v.read_value())


@program
def conditionals(p):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.cond(x > 0.0, lambda: x * 2.0, lambda: tf.constant(7.0))
    z = tf.cond(
        x > 1.0,
        lambda: tf.cond(x > 2.0, lambda: (x, tf.ones([2])), lambda: (-x, tf.zeros([2]))),
        lambda: (y, tf.fill([2], x)),
    )
    g = tf.gradients([y, z[0]], x)[0]
    x_and_steps(p, {"x": x, "y": y, "z": z, "g": g}, [-1.0, 0.5, 1.5, 3.0])


@program
def switch_case(p):
    i = tf.placeholder(tf.int32, [], name="i")
    x = tf.constant([1.0, 2.0])
    branches = [lambda: x * 2.0, lambda: tf.zeros([2]), lambda: tf.exp(x)]
    y = tensorflow.switch_case(i, branches)
    g = tf.gradients(y, x)[0]
    x_and_steps(p, {"x": i, "y": y, "g": g}, [0, 1, 2, 3, -1])


@program
def loops(p):
    n = tf.placeholder(tf.int32, [], name="n")
    i, total = tf.while_loop(
        lambda i, s: i < n, lambda i, s: (i + 1, s + tf.cast(i, tf.float32)), [0, 0.0]
    )
    _, product = tf.while_loop(
        lambda i, s: i < n, lambda i, s: (i + 1, s * 2.0), [i - i, total], parallel_iterations=1
    )
    x_and_steps(p, {"x": n, "i": i, "total": total, "product": product}, [0, 1, 5, 40])


@program
def nested_loops(p):
    n = tf.placeholder(tf.int32, [], name="n")

    def inner(i, s):
        _, t = tf.while_loop(
            lambda j, t: j < i,
            lambda j, t: (j + 1, tf.cond(tf.equal(j % 2, 0), lambda: t + 1.0, lambda: t * 1.5)),
            [0, s],
        )
        return i + 1, t

    _, s = tf.while_loop(lambda i, s: i < n, inner, [0, 1.0])
    x_and_steps(p, {"x": n, "s": s}, [0, 1, 3, 6])


@program
def loop_gradients(p):
    x = tf.placeholder(tf.float32, [2], name="x")
    w = variable("w", [[0.5, -0.2], [0.1, 0.9]])

    def step(i, h):
        return i + 1, tf.tanh(tf.matmul(h, w.read_value()) + x)

    _, h = tf.while_loop(lambda i, h: i < 4, step, [0, tf.ones([1, 2])])
    g = tf.gradients(tf.reduce_sum(h), [x, w])
    p.run(tf.global_variables_initializer())
    x_and_steps(p, {"x": x, "h": h, "g": g}, [[0.1, 0.2], [1.0, -1.0]])


@program
def functions_of_functions(p):
    x = tf.placeholder(tf.float32, [], name="x")

    @tensorflow.function
    def f(v):
        y = tf.cond(v > 0.0, lambda: v * 3.0, lambda: -v)
        _, z = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + y), [0, y])
        return z * z

    y = f(x)
    g = tf.gradients(y, x)[0]
    x_and_steps(p, {"x": x, "y": y, "g": g}, [2.0, -2.0])


@program
def state_in_branches_and_loops(p):
    v = variable("v", 0.0)
    x = tf.placeholder(tf.float32, [], name="x")

    @tensorflow.function
    def f(n):
        def yes():
            v.assign_add(10.0)
            return v.read_value()

        y = tf.cond(n > 0.0, yes, lambda: v.read_value() - 1.0)

        def body(i):
            v.assign_add(1.0)
            return i + 1.0

        i = tf.while_loop(lambda i: i < n, body, [0.0])
        return y, (i if not isinstance(i, (list, tuple)) else i[0])

    y = f(x)
    p.run(tf.global_variables_initializer())
    x_and_steps(p, {"x": x, "y": y}, [2.0, -2.0, 5.0])
    p.run(v.read_value())


@program
def training(p):
    """A recurrent model in While, trained: gradients through TensorLists."""
    w = variable("w", [[0.1, 0.4], [-0.3, 0.2]])
    b = variable("b", [0.0, 0.1])
    x = tf.constant(np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 2, 2))

    def step(t, h, loss):
        h = tf.tanh(tf.matmul(h, w) + x[t] + b)
        return t + 1, h, loss + tf.reduce_sum(h * h)

    _, _, loss = tf.while_loop(lambda t, *_: t < 3, step, [0, tf.zeros([2, 2]), 0.0])
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    p.run(tf.global_variables_initializer())
    for _ in range(3):
        p.run([loss, train])
    p.run([w.read_value(), b.read_value()])
