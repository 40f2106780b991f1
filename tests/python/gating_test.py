# SPDX-License-Identifier: Apache-2.0
"""Updates wait for the gradients that read what they change; gradients stand where they are told
to."""

import harness
import numpy as np
import sluice as sl

RNG = np.random.RandomState(7)
SIZES = [784, 256, 256, 10]
WEIGHTS = [
    (RNG.randn(a, b) * (2.0 / a) ** 0.5).astype(np.float32) for a, b in zip(SIZES, SIZES[1:])
]
X = RNG.rand(64, 784).astype(np.float32)
Y = np.eye(10, dtype=np.float32)[RNG.randint(0, 10, 64)]


def _losses(optimizer, use_resource, steps=10):
    """The losses of an MLP of three layers."""
    with sl.Graph().as_default():
        hidden = sl.constant(X)
        for layer, value in enumerate(WEIGHTS):
            with sl.variable_scope(f"layer{layer}", use_resource=use_resource):
                weight = sl.get_variable("w", initializer=value)
                bias = sl.get_variable("b", value.shape[1:], initializer=sl.zeros_initializer())
            hidden = sl.matmul(hidden, weight) + bias
            hidden = sl.nn.relu(hidden) if layer < 2 else hidden
        loss = sl.losses.softmax_cross_entropy(Y, hidden)
        step = optimizer().minimize(loss)
        with sl.Session() as session:
            session.run(sl.global_variables_initializer())
            return [session.run([loss, step])[0] for _ in range(steps)]


def test_reference_variables_train_as_resource_variables_do():
    for make in (
        lambda: sl.train.GradientDescentOptimizer(0.1),
        lambda: sl.train.MomentumOptimizer(0.05, 0.9),
        lambda: sl.train.AdamOptimizer(),
        lambda: sl.train.AdagradOptimizer(0.05),
    ):
        by_reference, by_resource = _losses(make, False), _losses(make, True)
        assert by_reference[-1] < by_reference[0]
        np.testing.assert_allclose(by_reference, by_resource, rtol=1e-5)


def _before(op):
    """Every op that an op comes after."""
    seen, pending = set(), [op]
    while pending:
        for earlier in [t.op for t in pending[0].inputs] + pending[0].control_inputs:
            if earlier not in seen:
                seen.add(earlier)
                pending.append(earlier)
        del pending[0]
    return seen


def _updates(gate):
    """The updates of x and w in a product, and its gradients."""
    with sl.Graph().as_default() as graph:
        x, w = sl.Variable(np.ones((2, 2)), name="x"), sl.Variable(np.ones((2, 2)), name="w")
        optimizer = sl.train.GradientDescentOptimizer(0.5)
        optimizer.minimize(sl.matmul(x, w), gate_gradients=gate)
        ops = graph.get_operations()
    return (
        [op for op in ops if op.type == "ApplyGradientDescent"],
        {op for op in ops if op.type == "MatMul" and op.name.startswith("gradients/")},
    )


def test_gating_orders_reads_before_updates():
    for gate in (sl.train.Optimizer.GATE_OP, sl.train.Optimizer.GATE_GRAPH):
        updates, products = _updates(gate)
        assert len(updates) == len(products) == 2
        assert all(products <= _before(update) for update in updates), gate
    updates, products = _updates(sl.train.Optimizer.GATE_NONE)
    assert not any(products <= _before(update) for update in updates)


def test_gradients_are_placed_with_their_ops():
    with sl.Graph().as_default():
        w = sl.Variable(2.0, name="w")
        with sl.device("/cpu:1"):
            y = sl.multiply(w, w, name="y")
        (beside,) = sl.gradients(y, w, colocate_gradients_with_ops=True)
        terms = [t.op for t in beside.op.inputs]
        assert [t.colocation_groups() for t in terms] == [[b"loc:@y"]] * 2, terms
        assert {t.device for t in terms} == {"/device:CPU:1"}, [t.device for t in terms]
        (free,) = sl.gradients(y, w)
        assert {t.op.device for t in free.op.inputs} == {""}


def test_given_gradients():
    x = sl.constant([1.0, 2.0])
    y = sl.identity(x)
    (grad,) = sl.gradients(y, x, grad_ys=sl.constant([3.0, 4.0], sl.float64))
    assert grad.dtype == sl.float64
    half = sl.constant([3.0, 4.0], sl.float16)
    harness.raises(TypeError, lambda: sl.gradients(x * x, x, grad_ys=half), "dtype")
    harness.raises(TypeError, lambda: sl.gradients(y, x, grad_ys=sl.constant([1j, 2j])))
    harness.raises(TypeError, lambda: sl.gradients(sl.complex(x, x), x))
    harness.raises(ValueError, lambda: sl.gradients(y, x, grad_ys=[y, y]))
    harness.raises(ValueError, lambda: sl.gradients(y, x, aggregation_method=7))
    assert sl.gradients(sl.cast(x, sl.int32), x) == [None]
