# SPDX-License-Identifier: Apache-2.0
"""`if`, conditional expressions and logic on tensors, which AutoGraph converts."""

import functools

import numpy as np

ONLY_1X = True


def _values(tf, *tensors):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensors)


def _fails(function):
    """The kind of error that a function raises: its class may be TensorFlow's own."""
    try:
        function()
    except TypeError:
        return "TypeError"
    except ValueError:
        return "ValueError"
    return "nothing"


def signs(tf):
    @tf.function
    def sign(x):
        if x > 0:
            result = 1
        elif x < 0:
            result = -1
        else:
            result = 0
        return result

    return _values(tf, *[sign(tf.constant(x)) for x in (5, -2, 0)])


def early_returns(tf):
    @tf.function
    def kind(x):
        if x < 0:
            return x * 10
        y = x + 1
        if y > 5:
            return y
        if x > 2:
            y = y * 100
        return -y

    return _values(tf, *[kind(tf.constant(x)) for x in (-3, 9, 3, 1)])


def a_value_that_one_branch_changes(tf):
    @tf.function
    def relu(x):
        y = x * 2.0
        if tf.reduce_sum(x) > 0:
            unused = y + 1.0
            y = unused * 2.0
        return y

    return _values(tf, relu(tf.constant([1.0, 2.0])), relu(tf.constant([-1.0, 0.5])))


def a_branch_reads_what_the_other_changes(tf):
    @tf.function
    def f(x):
        t = x
        if x > 0:
            t = x + 1
            z = t
        elif t < -2:
            z = t * 7
        else:
            z = t * 3
        return z

    return _values(tf, *[f(tf.constant(x)) for x in (-3, -1, 4)])


def nested_values(tf):
    @tf.function
    def f(x):
        if x > 0:
            y = (x, {"a": x + 1, "b": [x, x]})
        else:
            y = (-x, {"a": x * 5, "b": [x + 3, x]})
        return y[0] + y[1]["a"] + y[1]["b"][0]

    return _values(tf, f(tf.constant(3)), f(tf.constant(-3)))


def logic(tf):
    @tf.function
    def f(x):
        both = x > 0 and x < 10
        either = x < 0 or x > 5
        negated = not both
        chosen = x * 2 if both and not either else -x
        return both, either, negated, chosen

    return _values(tf, f(tf.constant(3)), f(tf.constant(7)), f(tf.constant(-1)))


def logic_of_python_stays(tf):
    seen = []

    def note(value):
        seen.append(value)
        return value

    @tf.function
    def f(x):
        if note(0) and note(1):
            seen.append("wrong")
        a = note(2) or note(3)
        b = None if not a else "yes"
        for c in "ab":
            if c == "a":
                continue
            seen.append(c + b)
        while len(seen) < 6:
            seen.append(len(seen))
        return x

    return _values(tf, f(tf.constant(1))), seen


def second_operands_run_when_they_are_needed(tf):
    @tf.function
    def f(x, y):
        return tf.not_equal(y, 0) and x // y > 1

    return _values(tf, f(tf.constant(6), tf.constant(0)), f(tf.constant(6), tf.constant(2)))


def equality_is_of_objects_unless_asked(tf):
    feature = tf.autograph.experimental.Feature.EQUALITY_OPERATORS

    def f(x):
        if x == 3:
            return x * 2
        return x

    asked = tf.function(f, experimental_autograph_options=feature)
    return _values(tf, tf.function(f)(tf.constant(3)), asked(tf.constant(3)))


def attributes_and_elements(tf):
    class Store:
        pass

    store = Store()
    store.x = tf.constant(1)
    kept = {"k": tf.constant(0)}

    @tf.function
    def f(x):
        store.x = x
        kept["k"] = x
        if x > 0:
            store.x = x * 2
        else:
            kept["k"] = x * 3
        return store.x + kept["k"]

    return _values(tf, f(tf.constant(4)), f(tf.constant(-4)))


def variables_are_assigned_in_the_branch_that_runs(tf):
    v = tf.Variable(0, use_resource=True)

    @tf.function
    def f(x):
        if x > 0:
            v.assign_add(x)
        else:
            v.assign_sub(x * 10)
        return v.read_value()

    with tf.Session() as session:
        session.run(v.initializer)
        x = tf.placeholder(tf.int32, [])
        y = f(x)
        return [session.run(y, {x: value}) for value in (1, -2, 3)]


def called_functions_are_converted(tf):
    class Doubler:
        def __call__(self, x):
            if x > 1:
                return x * 2
            return x

        def minus(self, x, by=1):
            return x - by if x > 2 else x

    def outer(x):
        return Doubler()(x) + functools.partial(Doubler().minus, by=5)(x)

    f = tf.function(lambda x: outer(x) if x > 0 else -outer(x))
    return _values(tf, f(tf.constant(3)), f(tf.constant(-1)))


def closures(tf):
    def made(n):
        if n == 0:
            return lambda x: x
        inner = made(n - 1)

        def g(x):
            if x > n:
                return inner(x) * 2
            return inner(x) + 1

        return g

    return _values(tf, tf.function(made(4))(tf.constant(3)))


def nonlocal_variables(tf):
    count = 0

    @tf.function
    def f(x):
        nonlocal count
        count += 1
        if x > 0:
            x = x + count
        return x

    return _values(tf, f(tf.constant(3))), count


def branches_have_gradients(tf):
    x = tf.constant([1.0, -2.0])

    @tf.function
    def f(x):
        if tf.reduce_sum(x) < 0:
            return x * x
        return x

    return _values(tf, tf.gradients(f(x), x)[0])


def one_undefined(tf):
    def f(x):
        if x > 0:
            y = x
        return y

    def g(x):
        if x > 0:
            return x

    def h(x):
        y = 1
        if x > 0:
            y = 2.0
        return y

    def none(x):
        y = None
        if x > 0:
            y = x
        return y

    x = tf.constant(1)
    return [_fails(lambda f=f: tf.function(f)(x)) for f in (f, g, h, none)]


def conversion_off(tf):
    def f(x):
        if x > 0:
            return x
        return -x

    @tf.autograph.experimental.do_not_convert
    def g(x):
        return f(x)

    x = tf.constant(1)
    off = tf.function(f, autograph=False)
    return [_fails(lambda: off(x)), _fails(lambda: tf.function(lambda x: g(x))(x)), _fails(
        lambda: f(x))]  # fmt: skip


def to_graph(tf):
    def f(x):
        if x > 0:
            x = x * 2
        return x

    assert "def " in tf.autograph.to_code(f)
    return _values(tf, tf.autograph.to_graph(f)(tf.constant(3)))


def builtins(tf):
    @tf.function
    def f(x, v):
        return len(v), int(x), float(len(v)), abs(x), [i for i in range(3)], len([1, 2])

    return _values(tf, *f(tf.constant(-2.5), tf.placeholder_with_default(np.ones(4), [None])))


def tries_and_withs(tf):
    @tf.function
    def f(x):
        log = []
        for i in [1, 2, 3]:
            try:
                with tf.name_scope("part"):
                    if i == 2:
                        raise KeyError(i)
                    if i == 3:
                        return x * i, log
            except KeyError:
                log.append(100 * i)
            finally:
                log.append(-i)
        return x, log

    result, log = f(tf.constant(5))
    return _values(tf, result, *log)
