# SPDX-License-Identifier: Apache-2.0
"""Python functions in the graph, which run in the process of the program."""

import threading

import numpy as np

from interop.programs.client._outcomes import outcome


def _run(tf, func, inp, types, said=""):
    """What a step gives, or the class of its error and whether its text has the words."""
    with tf.Session() as session:
        try:
            return session.run(tf.py_func(func, inp, types))
        except tf.errors.OpError as e:
            return [type(e).__name__, said in e.message]


def values(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    n = tf.constant(5, tf.int64)
    found = {
        "one": _run(tf, lambda x: x * 2, [x], tf.float32),
        "in a list": _run(tf, lambda x: [x + 1], [x], [tf.float32]),
        "two": _run(tf, lambda x, n: (x * n.astype(np.float32), n + 1), [x, n],
                    [tf.float32, tf.int64]),
        "a scalar of Python": _run(tf, lambda n: 7, [n], tf.int64),
        "a float of Python": _run(tf, lambda n: 1.5, [n], tf.float64),
        "bool": _run(tf, lambda x: x > 2, [x], tf.bool),
        "half": _run(tf, lambda x: x.astype(np.float16), [x], tf.float16),
        "complex": _run(tf, lambda x: x * 1j, [tf.cast(x, tf.complex64)], tf.complex64),
        "not contiguous": _run(tf, lambda x: x.T[::-1], [x], tf.float32),
        "without arguments": _run(tf, lambda: np.arange(3), [], tf.int64),
        "empty": _run(tf, lambda x: x[:0], [x], tf.float32),
        "nested lists": _run(tf, lambda: [[[1, 2], [3, 4]]], [], tf.int64),
    }  # fmt: skip
    kinds = _run(tf, lambda x, n: repr([type(x).__name__, x.dtype.name, x.shape,
                                        n.dtype.name, n.shape]), [x, n], tf.string)  # fmt: skip
    return found, kinds


def texts(tf):
    words = tf.constant(["ab", "c\0", ""])
    return {
        "bytes": _run(tf, lambda: b"ab\0", [], tf.string),
        "str": _run(tf, lambda: "a\u00e4", [], tf.string),
        "array of bytes": _run(tf, lambda: np.array([b"a", b"bcd"]), [], tf.string),
        "array of str": _run(tf, lambda: np.array(["a", "bcd"]), [], tf.string),
        "array beyond ASCII": _run(tf, lambda: np.array(["\u00e4"]), [], tf.string),
        "array of objects": _run(tf, lambda: np.array([b"a\0", "\u00e4"], object), [], tf.string),
        "nested list": _run(tf, lambda: [["a", "bc"]], [], tf.string),
        "a word": _run(tf, lambda w: repr([type(w).__name__, w]), [tf.constant("abc")], tf.string),
        "words": _run(tf, lambda w: [[len(i) for i in w]], [words], tf.int64),
        "words back": _run(tf, lambda w: w[::-1], [words], tf.string),
    }


def exceptions(tf):
    kinds = (
        ValueError, TypeError, StopIteration, MemoryError, NotImplementedError, KeyError,
        IndexError, RuntimeError, ZeroDivisionError, AssertionError, OSError, OverflowError,
        KeyboardInterrupt, UnicodeError,
    )  # fmt: skip

    def failing(kind):
        def call(x):
            raise kind("because %d" % x)

        return call

    found = {}
    for kind in kinds:
        found[kind.__name__] = _run(tf, failing(kind), [3], tf.float32, "because 3")
    return found


def the_message_has_the_traceback(tf):
    def broken(x):
        raise ValueError("no such thing")

    with tf.Session() as session:
        try:
            session.run(tf.py_func(broken, [1], tf.int32, name="mine"))
        except tf.errors.InvalidArgumentError as e:
            return [word in e.message for word in ("ValueError", "no such thing", "Traceback",
                                                   "in broken", "mine")]  # fmt: skip


def wrong_results(tf):
    count = "values, but expects to see"
    return {
        "dtype": _run(tf, lambda: 1, [], tf.float32, "is int64, but expects float"),
        "double": _run(tf, lambda: np.float64(1), [], tf.float32, "is double, but expects float"),
        "second": _run(tf, lambda: (np.float32(1), 2.5), [], [tf.float32, tf.float32],
                       "1-th value returned by"),
        "too many": _run(tf, lambda: (1, 2), [], tf.int64, count),
        "too few": _run(tf, lambda: 1, [], [tf.int64, tf.int64], count),
        "none": _run(tf, lambda: None, [], tf.int64, count),
        "an object": _run(tf, lambda: object(), [], tf.int64, "Unsupported object type object"),
        "arguments": _run(tf, lambda: 1, [1.0], tf.int64, "TypeError"),
    }  # fmt: skip


def mistakes(tf):
    return [
        outcome(tf.py_func, 3, [1.0], tf.float32),
        outcome(tf.py_func, lambda x: x, 1.0, tf.float32),
        outcome(tf.py_func, lambda x: x, [object()], tf.float32),
        outcome(tf.py_func, lambda x: x, [1.0], "nope"),
    ]


def what_the_operation_is(tf):
    made = [
        tf.py_func(lambda x: x, [1.0], tf.float32),
        tf.py_func(lambda x: x, [1.0], tf.float32, stateful=False, name="pure"),
        tf.numpy_function(lambda x: x, [1.0], [tf.float32, tf.int32])[1],
        tf.py_function(lambda x: x, [1.0], tf.float32),
    ]
    nothing = tf.py_func(lambda x: None, [1.0], [])
    one = tf.py_func(lambda x: x, [1.0], [tf.float32])
    return (
        [[t.name, t.op.type, t.dtype.name, t.shape.ndims] for t in made],
        [nothing.name, nothing.type, len(nothing.outputs)],
        [isinstance(one, list), len(one)],
    )


def steps_call_it_again(tf):
    calls = []

    def count(x):
        calls.append(float(x))
        return np.float32(len(calls))

    x = tf.placeholder(tf.float32, [])
    y = tf.py_func(count, [x], tf.float32)
    effect = tf.py_func(lambda v: calls.append(-1.0), [x], [])
    with tf.Session() as session:
        found = [session.run(y, {x: i}) for i in range(3)]
        session.run(effect, {x: 0})
    return found, calls


def gradients_do_not_flow(tf):
    x = tf.constant(3.0)
    y = tf.py_func(lambda v: v * v, [x], tf.float32)
    y.set_shape([])
    (through,), (around,) = tf.gradients(y, x), tf.gradients(y * x, x)
    with tf.Session() as session:
        return through is None, session.run(around)


def in_conditionals_and_loops(tf):
    x = tf.placeholder(tf.int64, [])

    def next_value(i):
        made = tf.py_func(lambda v: v * 3 + 1, [i], tf.int64)
        made.set_shape([])
        return made

    chosen = tf.cond(x > 3, lambda: next_value(x), lambda: x)
    last = tf.while_loop(lambda i: i < 100, next_value, [x])
    with tf.Session() as session:
        return [session.run([chosen, last], {x: v}) for v in (1, 5)]


def many_at_once(tf):
    """Calls that wait for each other: each has a thread, or all run in turn."""
    lock, seen = threading.Lock(), []

    def call(i):
        with lock:
            seen.append(int(i))
        return i * 2

    parts = [tf.py_func(call, [tf.constant(i, tf.int64)], tf.int64) for i in range(20)]
    with tf.Session() as session:
        return session.run(parts), sorted(seen)


def a_function_runs_a_session(tf):
    inner = tf.Graph()
    with inner.as_default():
        x = tf.placeholder(tf.float32, [])
        y = x * 10
    session_inside = tf.Session(graph=inner)
    call = tf.py_func(lambda v: session_inside.run(y, {x: v}), [2.5], tf.float32)
    with tf.Session() as session:
        return session.run(call)


def tensors_as_arguments(tf):
    """Functions of tensors, which may ask for their values."""

    def values(x):
        return np.float32(x.numpy().sum())

    def operations(x, y):
        return tf.reduce_sum(x * y), tf.cast(tf.shape(x), tf.int64)

    x = tf.constant([1.0, 2.0, 3.0])
    one = tf.py_function(values, [x], tf.float32)
    two = tf.py_function(operations, [x, x + 1], [tf.float32, tf.int64])
    with tf.Session() as session:
        return session.run([one, two])


def a_graph_without_its_functions(tf):
    with tf.Graph().as_default() as graph:
        tf.py_func(lambda x: x, [1.0], tf.float32, name="lost")
        exported = graph.as_graph_def()
    for node in exported.node:
        if node.op == "PyFunc":
            node.attr["token"].s = b"pyfunc_123456789"
    (lost,) = tf.import_graph_def(exported, return_elements=["lost:0"], name="")
    with tf.Session() as session:
        try:
            session.run(lost)
        except tf.errors.InvalidArgumentError as e:
            return "pyfunc_123456789" in e.message
