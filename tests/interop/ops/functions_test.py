"""Functions and functional control flow, as TensorFlow's clients build them: TensorFlow's answers.

Every program is built by this client (resource variables, control flow of version 2: If, While,
PartitionedCall and so on, and Defun's functions) and run three times by TensorFlow's own session in
this process, by our cluster of a ps and two workers, and by a cluster of one task.

Long because: each program is a few lines on the same clusters, which take seconds to start.
"""

import contextlib
import sys

import numpy as np
import tensorflow

from interop.tools.cluster import Checks, Cluster

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")
if TF1:
    tf.enable_control_flow_v2()
    tf.enable_resource_variables()
else:
    tf.disable_eager_execution()

from tensorflow.python.framework import function  # noqa: E402
from tensorflow.python.ops import (  # noqa: E402
    control_flow_util,
    functional_ops,
    gen_functional_ops,
)

PS = "/job:ps/task:0"
REMOTE = "/job:worker/task:0/cpu:0"
WORKERS = ("/job:worker/task:0", "/job:worker/task:1")


class Program:
    """What a test builds: names of what is run, in order, with what is fed."""

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


PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__] = build
    return build


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
    """A SymbolicGradient that nobody can make hurts only who runs it; handles have gradients."""
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
    """Calls that do not fit their functions hurt nobody but who runs them."""
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

    here = functional_ops.remote_call(REMOTE, [x], [tf.float32, tf.float32], f)
    target = tf.placeholder(tf.string, [], name="target")
    with tf.device(REMOTE):
        there = functional_ops.remote_call(target, [x], [tf.float32, tf.float32], stateful)
    # Not on its own task, and in a loop: only the step knows where.
    elsewhere = functional_ops.remote_call(target, [x], [tf.float32, tf.float32], f)

    def body(i, s):
        twice = functional_ops.remote_call(target, [s], [tf.float32, tf.float32], f)[0]
        return i + 1, tf.reshape(twice, [])

    loop = tf.while_loop(lambda i, s: i < 3, body, [0, x])
    for device in (REMOTE, "/cpu:0", ""):
        p.run([elsewhere, loop], {x: 3.0, target: device})
    p.run([here], {x: 3.0})
    for _ in range(3):
        p.run([there], {x: 3.0, target: REMOTE})


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
    """The ops that only tf.contrib and the like build: For, If on what is no bool, While."""
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
    with tf.device(PS):
        w = variable("w", [1.0, 2.0])
        u = variable("u", 3.0)
    x = tf.placeholder(tf.float32, [2], name="x")

    @tensorflow.function
    def f(v):
        with tf.device(WORKERS[0]):
            a = v * w
        with tf.device(WORKERS[1]):
            b = tf.cond(tf.reduce_sum(a) > 0.0, lambda: a * u, lambda: a - u)
        return b

    with tf.device(WORKERS[1]):
        y = f(x)

    def body(i, s):
        with tf.device(WORKERS[0]):
            s = s + w
        with tf.device(WORKERS[1]):
            s = s * 0.5
        return i + 1, s

    with tf.device(WORKERS[0]):
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


def evaluate(build, target, config=None):
    """The values of all steps, from a session on `target`."""
    values = []
    graph = tensorflow.Graph()
    with graph.as_default():
        p = Program()
        build(p)
        with tf.Session(target, graph=graph, config=config) as session:
            for fetches, feeds in p.steps:
                if callable(fetches):
                    fetches = fetches()
                if isinstance(fetches, Failing):
                    values.append(fetches.run(session, feeds))
                else:
                    values.append(session.run(fetches, feeds))
    if target:
        tf.Session.reset(target)
    return values


def flat(value):
    if isinstance(value, dict):
        return [v for key in sorted(value) for v in flat(value[key])]
    if isinstance(value, (list, tuple)):
        return [v for element in value for v in flat(element)]
    return [value]


def compare(name, actual, expected):
    actual, expected = flat(actual), flat(expected)
    assert len(actual) == len(expected), name
    for i, (a, e) in enumerate(zip(actual, expected)):
        if e is None or isinstance(e, str):
            assert a == e, (name, i, a, e)
        else:
            np.testing.assert_allclose(a, e, rtol=1e-5, atol=1e-6, err_msg=f"{name} {i}")


def main():
    checks = Checks()
    print("TensorFlow", tensorflow.__version__, flush=True)
    chosen = sys.argv[1:] or list(PROGRAMS)
    local = tf.ConfigProto(device_count={"CPU": 1}, allow_soft_placement=True)
    # TensorFlow's own session knows one task only.
    with Cluster({"ps": 1, "worker": 2}) as three, Cluster({"worker": 1}) as one:
        for name in chosen:
            build = PROGRAMS[name]
            for cluster in (three, one):
                if cluster is one and name == "across_devices":
                    continue

                def check(build=build, cluster=cluster, name=name):
                    expected = evaluate(without_tasks(build), "", local)
                    compare(name, evaluate(build, cluster.target()), expected)

                checks.run(f"{name} on {sum(map(len, cluster.spec.values()))}", check)
    checks.finish()


def without_tasks(build):
    """The program on one device: a session in this process has no tasks."""

    def stripped(p):
        names = {"PS": "/cpu:0", "WORKERS": ("/cpu:0", "/cpu:0")}
        names["REMOTE"] = "/job:localhost/replica:0/task:0/device:CPU:0"
        saved = {name: globals()[name] for name in names}
        globals().update(names)
        try:
            build(p)
        finally:
            globals().update(saved)

    return stripped


if __name__ == "__main__":
    main()
