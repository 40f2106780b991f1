# SPDX-License-Identifier: Apache-2.0
"""Programs of Defun's functions, remote calls, arrays and loops over tasks, as in functions.py."""

import contextlib

import numpy as np
import tensorflow

from interop.programs.functions import PROGRAMS, Places, program, variable, x_and_steps

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")

from tensorflow.python.compiler.xla import xla  # noqa: E402
from tensorflow.python.framework import function  # noqa: E402
from tensorflow.python.ops import (  # noqa: E402
    control_flow_util,
    functional_ops,
    gen_functional_ops,
)

__all__ = ["PROGRAMS"]  # those of functions.py, with these


@program
def defuns(p):
    x = tf.placeholder(tf.float32, [], name="x")
    v = variable("v", 0.0)

    @function.Defun(tf.float32)
    def f(a):
        return a * 2.0, a + 1.0

    @function.Defun(tf.float32)
    def g(a):
        b, c = f(a)
        return b * c

    @function.Defun(tf.float32)
    def bump(a):
        v.assign_add(1.0)
        return a + 1.0

    y = g(x)
    b = bump(x)
    p.run(tf.global_variables_initializer())
    x_and_steps(p, {"x": x, "y": y, "b": b * 2.0}, [1.0, -4.0])
    p.run(v.read_value())


@program
def defun_gradients(p):
    """SymbolicGradient, and a gradient function that the program gives."""
    x = tf.placeholder(tf.float32, [3], name="x")
    w = variable("w", [1.0, 2.0, 3.0])

    @function.Defun(tf.float32, tf.int32)
    def inner(a, n):
        return tf.tanh(a) * tf.cast(n, tf.float32), n + 1

    @function.Defun(tf.float32, tf.float32)
    def outer(a, b):
        c, _ = inner(a * b, 3)
        return c, a + b * b

    @function.Defun(tf.float32, tf.float32)
    def five(a, dy):
        return dy * 5.0 + 0.0 * a

    @function.Defun(tf.float32, grad_func=five)
    def own(a):
        return a * a

    @function.Defun(tf.float32)
    def around(a):
        return own(a) * a

    c, d = outer(x, w)
    g = tf.gradients([c, d], [x, w])
    h = tf.gradients(own(x) * 2.0, x)
    i = tf.gradients(around(x), x)
    p.run(tf.global_variables_initializer())
    x_and_steps(p, {"x": x, "c": c, "d": d, "g": g, "h": h, "i": i}, [[0.1, -0.2, 0.3]])


@program
def defun_gradients_at_run_time(p):
    """An impossible SymbolicGradient fails only steps that run it; handles have gradients."""
    x = tf.placeholder(tf.float32, [], name="x")
    v = variable("v", 2.0)

    @function.Defun(tf.float32)
    def loop(a):
        with v1_control_flow():
            return tf.while_loop(lambda s: s < 9.0, lambda s: s * a, [a])

    @function.Defun(tf.float32)
    def writes(a):
        v.assign_add(1.0)
        return a * 2.0

    @function.Defun(tf.float32)
    def reads(a):
        return a * v.read_value()

    with v1_control_flow():
        y = tf.cond(x > 5.0, lambda: loop(x), lambda: x * 3.0)
    g = tf.gradients(y, x)
    h = tf.gradients(writes(x), [x, v])
    k = tf.gradients(reads(x), [x, v])
    p.run(tf.global_variables_initializer())
    p.run([y, g], {x: 2.0})
    p.run(h, {x: 2.0})
    p.run(k, {x: 2.0})


@program
def wrong_calls(p):
    """Calls that do not fit their functions fail only steps that run them."""
    x = tf.placeholder(tf.float32, [], name="x")

    @function.Defun(tf.float32, tf.float32)
    def more(n, s):
        return n > 0.0

    @function.Defun(tf.float32, tf.float32)
    def two(n, s):
        return n - 1.0, s + n

    @function.Defun(tf.float32, tf.float32)
    def three(n, s):
        return n - 1.0, s + n, s

    @function.Defun(tf.float32)
    def one(n):
        return n * 2.0

    start = [x, tf.constant(0.0)]
    p.fails(functional_ops.While(start, two, two)[1], {x: 3.0})
    p.fails(functional_ops.While(start, more, three)[1], {x: 3.0})
    p.fails(functional_ops.If(x > 0.0, start, one, one), {x: 3.0})
    p.fails(functional_ops.For(0, 2, 1, [x], two), {x: 3.0})
    p.fails(gen_functional_ops.symbolic_gradient([x], [tf.float32], f=one), {x: 3.0})
    p.fails(functional_ops.remote_call("nowhere", [x], [tf.float32], one), {x: 3.0})
    p.run(functional_ops.While(start, more, two), {x: 3.0})


@contextlib.contextmanager
def v1_control_flow():
    saved = control_flow_util.ENABLE_CONTROL_FLOW_V2
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = False
    try:
        yield
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = saved


@program
def compiled(p):
    """A step of xla.compile(): its nodes run one by one here."""
    x = tf.placeholder(tf.float32, [2], name="x")
    v = variable("v", 1.0)

    def step(a):
        loss = tf.reduce_sum(tf.square(a * v - 1.0))
        return loss, a - 1.0, tf.train.GradientDescentOptimizer(0.125).minimize(loss)

    results = xla.compile(step, [x])
    p.run(tf.global_variables_initializer)
    for _ in range(2):
        p.run(results, {x: [1.0, 2.0]})
    p.run([v], {})


@program
def remote_call(p):
    """A function on a device of its own."""
    x = tf.placeholder(tf.float32, [], name="x")

    @function.Defun(tf.float32)
    def f(a):
        return a * 2.0, a - 1.0

    @function.Defun(tf.float32)
    def stateful(a):
        b, c = f(a)
        return b + tf.random_uniform([], seed=3), tf.cond(a > 0.0, lambda: c, lambda: b)

    here = functional_ops.remote_call(Places.remote, [x], [tf.float32, tf.float32], f)
    target = tf.placeholder(tf.string, [], name="target")
    with tf.device(Places.remote):
        there = functional_ops.remote_call(target, [x], [tf.float32, tf.float32], stateful)
    # Not on its own task, and in a loop: only the step knows where.
    elsewhere = functional_ops.remote_call(target, [x], [tf.float32, tf.float32], f)

    def body(i, s):
        twice = functional_ops.remote_call(target, [s], [tf.float32, tf.float32], f)[0]
        return i + 1, tf.reshape(twice, [])

    loop = tf.while_loop(lambda i, s: i < 3, body, [0, x])
    for device in (Places.remote, "/cpu:0", ""):
        p.run([elsewhere, loop], {x: 3.0, target: device})
    p.run([here], {x: 3.0})
    for _ in range(3):
        p.run([there], {x: 3.0, target: Places.remote})


@program
def defun_instances(p):
    """Functions that are not to be inlined share their kernels' state; others do not."""

    @function.Defun(tf.float32)
    def own(a):
        return a + tf.random_uniform([], seed=1)

    @function.Defun(tf.float32, noinline=True)
    def shared(a):
        return a + tf.random_uniform([], seed=1)

    zero = tf.placeholder(tf.float32, [], name="x")
    a, b = own(zero), own(zero)
    c, d = shared(zero), shared(zero)
    for _ in range(3):
        p.run([a, b, tf.minimum(c, d), tf.maximum(c, d)], {zero: 0.0})


@program
def functional(p):
    """The ops that only tf.contrib and similar modules build: For, If on other dtypes, While."""
    x = tf.placeholder(tf.float32, [], name="x")

    @function.Defun(tf.int32, tf.float32)
    def body(i, a):
        return a + tf.cast(i, tf.float32)

    @function.Defun(tf.float32)
    def yes(a):
        return a + 1.0

    @function.Defun(tf.float32)
    def no(a):
        return a - 1.0

    @function.Defun(tf.float32)
    def small(a):
        return a < 10.0

    @function.Defun(tf.float32)
    def double(a):
        return a * 2.0

    up = functional_ops.For(0, 5, 2, [x], body)
    down = functional_ops.For(9, 2, -3, [x], body)
    branches = [
        functional_ops.If(cond, [x], yes, no)
        for cond in (1, 0, "", "a", tf.zeros([0]), tf.zeros([2]), 0.5, [False, True], [False])
    ]
    branches += [
        functional_ops.If(tf.placeholder_with_default(tf.zeros(size, tf.bool), None), [x], yes, no)
        for size in ([], [0], [2])
    ]
    loop = functional_ops.While([x], small, double)
    p.run([up, down, branches, loop], {x: 1.5})
    start, limit, delta = (tf.placeholder(tf.int32, None) for _ in range(3))
    some = functional_ops.For(start, limit, delta, [x], body)
    for values in ((0, 5, 2), (5, 0, -5), (5, 5, 0), (2**30, -(2**30), -(2**30))):
        p.run(some, dict(zip((start, limit, delta, x), values + (1.5,))))
    for values in ((0, 5, 0), (0, 5, -1), (5, 0, 1), ([0], 5, 1), (0, 5, [1, 2])):
        p.fails(some, dict(zip((start, limit, delta, x), values + (1.5,))))


@program
def across_devices(p):
    with tf.device(Places.ps):
        w = variable("w", [1.0, 2.0])
        u = variable("u", 3.0)
    x = tf.placeholder(tf.float32, [2], name="x")

    @tensorflow.function
    def f(v):
        with tf.device(Places.workers[0]):
            a = v * w
        with tf.device(Places.workers[1]):
            b = tf.cond(tf.reduce_sum(a) > 0.0, lambda: a * u, lambda: a - u)
        return b

    with tf.device(Places.workers[1]):
        y = f(x)

    def body(i, s):
        with tf.device(Places.workers[0]):
            s = s + w
        with tf.device(Places.workers[1]):
            s = s * 0.5
        return i + 1, s

    with tf.device(Places.workers[0]):
        _, s = tf.while_loop(lambda i, s: i < 4, body, [0, y])
    g = tf.gradients(tf.reduce_sum(s), [x, w, u])
    p.run(tf.global_variables_initializer())
    x_and_steps(p, {"x": x, "y": y, "s": s, "g": g}, [[1.0, 2.0], [-3.0, 0.5]])


@program
def arrays_in_loops(p):
    n = tf.placeholder(tf.int32, [], name="n")
    array = tf.TensorArray(tf.float32, size=n, element_shape=[2])
    _, array = tf.while_loop(
        lambda i, a: i < n,
        lambda i, a: (i + 1, a.write(i, tf.fill([2], tf.cast(i * i, tf.float32)))),
        [0, array],
    )
    stacked = array.stack()
    mapped = tf.map_fn(lambda v: v * 2.0 + 1.0, stacked)
    scanned = tf.scan(lambda a, b: a + b, stacked)
    folded = tf.foldl(lambda a, b: a * 0.5 + b, stacked)
    out = {"x": n, "stacked": stacked, "mapped": mapped, "scanned": scanned, "folded": folded}
    x_and_steps(p, out, [1, 4])


@program
def array_gradients(p):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = variable("w", [0.5, -0.3])
    mapped = tf.map_fn(lambda v: tf.sin(v) * w, x)
    scanned = tf.scan(lambda a, b: a * w + b, x)
    folded = tf.foldr(lambda a, b: tf.tanh(a) + b * w, x)
    g = tf.gradients([tf.reduce_sum(t * t) for t in (mapped, scanned, folded)], [x, w])
    p.run(tf.global_variables_initializer())
    out = {"x": x, "g": g, "mapped": mapped, "scanned": scanned, "folded": folded}
    x_and_steps(p, out, [np.ones([1, 2]), np.linspace(-1, 1, 8).reshape(4, 2)])


@program
def nested_gradients(p):
    x = tf.placeholder(tf.float32, [], name="x")

    def inner(i, s):
        _, t = tf.while_loop(
            lambda j, t: j < i,
            lambda j, t: (j + 1, tf.cond(t > 1.0, lambda: tf.sqrt(t) * x, lambda: t + x * x)),
            [0, s],
        )
        return i + 1, tf.sin(t) + t

    _, s = tf.while_loop(lambda i, s: i < 4, inner, [0, x])
    g = tf.gradients(s, x)[0]
    gg = tf.gradients(tf.cond(x > 0.0, lambda: x * x * x, lambda: tf.exp(x)), x)[0]
    h = tf.gradients(gg, x)[0]
    x_and_steps(p, {"x": x, "s": s, "g": g, "h": h}, [0.3, 1.7, -0.4])


@program
def recurrent(p):
    """An LSTM over sequences of different lengths, trained. (Later clients lack the cells.)"""
    if not TF1:
        return p.run(tf.constant(0.0))
    rng = np.random.RandomState(3)
    inputs = tf.constant(rng.normal(size=(3, 5, 4)).astype(np.float32))
    cell = tf.nn.rnn_cell.LSTMCell(
        3, initializer=tf.constant_initializer(rng.normal(size=(7, 12)) * 0.4)
    )
    outputs, state = tf.nn.dynamic_rnn(cell, inputs, sequence_length=[5, 2, 3], dtype=tf.float32)
    loss = tf.reduce_sum(outputs * outputs) + tf.reduce_sum(state.c)
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    p.run(tf.global_variables_initializer())
    for _ in range(3):
        p.run([loss, outputs, train])
    return None


@program
def queues_in_loops(p):
    queue = tf.FIFOQueue(20, [tf.float32], shapes=[[]], shared_name="loop_queue")
    fill = queue.enqueue_many([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])

    def body(i, s):
        return i + 1, s * 2.0 + queue.dequeue()

    _, s = tf.while_loop(lambda i, s: i < 3, body, [0, 0.0], parallel_iterations=1)
    y = tf.cond(s > 0.0, queue.dequeue, lambda: 0.0)
    p.run(fill)
    p.run([s, y])
    p.run(queue.size())


@program
def fetched_fed_and_targets(p):
    x = tf.placeholder(tf.float32, [], name="x")

    @tensorflow.function
    def f(v):
        return v * 2.0, v * 3.0

    y, z = f(x)
    total = y + z
    p.run(total, {x: 1.0})
    p.run([total, y], {x: 1.0, z: 10.0})
    p.run(y.op, {x: 1.0})
    with tf.control_dependencies([y.op]):
        late = tf.constant(5.0)
    p.run(late, {x: 1.0})


@program
def extended(p):
    """Graph and library grow between steps."""
    x = tf.placeholder(tf.float32, [], name="x")

    @tensorflow.function
    def f(v):
        return v * 2.0

    y = f(x)
    p.run(y, {x: 1.0})

    def more():
        @tensorflow.function
        def g(v):
            return f(v) + 1.0

        z = g(y)
        w = tf.cond(z > 3.0, lambda: f(z), lambda: z)
        return [y, z, w]

    p.steps.append((more, {x: 1.0}))
    p.steps.append((more, {x: 5.0}))
