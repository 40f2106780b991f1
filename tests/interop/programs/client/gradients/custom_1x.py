# SPDX-License-Identifier: Apache-2.0
"""Gradients that Python functions make: what is 1.x's."""

import numpy as np

ONLY_1X = True
X = np.linspace(-2, 2, 6).reshape(2, 3).astype(np.float32)


def _run(tf, *fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(fetches))


def _error(function):
    try:
        return function()
    except Exception as e:
        return [type(e).__name__, str(e).split("\n")[0].split(" (")[0].strip('"')]


def overridden_by_name(tf):
    @tf.RegisterGradient("OverriddenGuidedRelu")
    def _guided(op, grad):
        return tf.where(grad > 0.0, grad * tf.sign(op.outputs[0]), tf.zeros_like(grad))

    @tf.RegisterGradient("OverriddenProduct")
    def _product(op, grad):
        return op.inputs[0] + grad, None

    tf.NotDifferentiable("OverriddenToNothing")
    x = tf.constant(X)
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Relu": "OverriddenGuidedRelu"}):
        relu = tf.nn.relu(x)
        with graph.gradient_override_map({"Mul": "OverriddenProduct", "Sign": "Identity"}):
            product, sign = x * 3.0, tf.sign(x)
            both = tf.nn.relu(x * 2.0)
        with graph.gradient_override_map({"Relu": "OverriddenToNothing"}):
            nothing = tf.nn.relu(x)
    plain = tf.nn.relu(x)
    weights = tf.constant([1.0, -2.0, 3.0])
    grads = [tf.gradients(y * weights, x)[0] for y in (relu, product, sign, both, nothing, plain)]
    name = relu.op.get_attr("_gradient_op_type")
    return name, [g is None for g in grads], _run(tf, *[g for g in grads if g is not None])


def overridden_in_imported_graphs(tf):
    @tf.RegisterGradient("OverriddenImported")
    def _tripled(op, grad):
        return grad * 3.0

    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2, 3], name="x")
        with graph.gradient_override_map({"Relu": "OverriddenImported", "Sign": "NotRegistered"}):
            tf.sign(tf.nn.relu(x, name="relu"), name="sign")
    x, found = tf.constant(X), []
    for name in ("first", ""):
        relu, sign = tf.import_graph_def(
            graph.as_graph_def(), {"x": x}, ["relu:0", "sign:0"], name=name
        )
        found += [relu, tf.gradients(relu * 2.0, x)[0]]
    return _run(tf, *found), _error(lambda: tf.gradients(sign, x))


def overridden_py_func(tf):
    @tf.RegisterGradient("OverriddenPyFunc")
    def _of_py_func(op, grad):
        return grad * 2.0 * op.inputs[0]

    x = tf.constant(X)
    with tf.get_default_graph().gradient_override_map({"PyFunc": "OverriddenPyFunc"}):
        y = tf.py_func(lambda v: v * v, [x], tf.float32, stateful=True)
    y.set_shape(x.shape)
    return _run(tf, y, *tf.gradients(tf.reduce_sum(y * 3.0), x))


def refused(tf):
    x = tf.constant([1.0, -1.0])
    graph = tf.get_default_graph()

    def unknown():
        with graph.gradient_override_map({"Relu": "OverriddenByNobody"}):
            y = tf.nn.relu(x, name="relu")
        return tf.gradients(y, x)

    def twice():
        tf.RegisterGradient("OverriddenTwice")(lambda op, grad: grad)
        tf.RegisterGradient("OverriddenTwice")(lambda op, grad: grad)

    def named():
        return tf.custom_gradient(lambda a, b: (a, lambda dy: dy))(x, b=x)

    def not_taking_variables():
        v = tf.get_variable("v", [2], use_resource=True)
        return tf.custom_gradient(lambda a: (a * v, lambda dy: dy))(x)

    def making_references():
        def f(a):
            return a * tf.get_variable("made", [2]), lambda dy, variables=None: (dy, variables)

        return tf.custom_gradient(f)(x)

    return [
        _error(unknown),
        _error(twice),
        _error(named),
        _error(not_taking_variables),
        _error(making_references),
        _error(lambda: tf.recompute_grad(tf.square)(x)),
        _error(lambda: tf.grad_pass_through(tf.round)(x)),
        _error(lambda: tf.RegisterGradient(3)),
        _error(lambda: tf.NoGradient(3)),
        _error(lambda: graph.gradient_override_map(["Relu"]).__enter__()),
        _error(lambda: graph.gradient_override_map({"Relu": 3}).__enter__()),
    ]


def recomputed(tf):
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0, 3.0]), use_resource=True)
    calls = []

    def f(x):
        calls.append(x.shape.as_list())
        return tf.square(x) * v

    x = tf.constant(X)
    y = tf.recompute_grad(f)(x)
    return calls, _run(tf, y, *tf.gradients(y * y, [x, v])), calls


def passed_by_variables(tf):
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0, 3.0]), use_resource=True)
    x = tf.constant(X)
    y = tf.grad_pass_through(lambda x: x * v)(x)
    of_x, of_v = tf.gradients(y * 3.0, [x, v])
    return of_v is None, _run(tf, y, of_x)


def of_reference_variables(tf):
    v = tf.Variable([1.0, 2.0, 3.0], name="v")

    @tf.custom_gradient
    def f(x):
        def grad(dy, variables=None):
            return dy, [tf.reduce_sum(dy, 0) * 3.0 for _ in variables]

        return x * v, grad

    x = tf.constant(X)
    return _run(tf, *tf.gradients(f(x), [x, v]))
