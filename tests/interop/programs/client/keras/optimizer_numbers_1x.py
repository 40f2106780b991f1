# SPDX-License-Identifier: Apache-2.0
"""Optimizers of Keras: their numbers, names, errors and state."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True
X = np.linspace(-1, 1, 24).reshape(8, 3).astype(np.float32)
Y = (X[:, :1] * 2 - X[:, 1:2] + 0.5).astype(np.float32)


def numbers_of_an_optimizer(tf):
    keras, o = tf.keras, tf.keras.optimizers
    value = keras.backend.get_value
    sgd = o.SGD(0.5, momentum=0.25, decay=0.125)
    found = [sgd.get_config(), sgd.learning_rate.name, float(value(sgd.lr))]
    sgd.lr = 0.75
    keras.backend.set_value(sgd.momentum, 0.5)
    found += [sgd.get_config(), float(value(sgd.learning_rate)), hasattr(sgd, "clipnorm")]
    sgd.learning_rate = o.schedules.ExponentialDecay(0.1, 10, 0.5)
    found += [sgd.get_config(), type(sgd.lr).__name__, o.SGD.from_config(sgd.get_config()).lr.
              get_config()]  # fmt: skip
    called = o.Adam(lambda: 0.25, clipnorm=1.5, clipvalue=0.5)
    found += [called.learning_rate, called.get_config(), called.clipnorm, called.clipvalue]
    called.learning_rate = 0.5
    found += [called.get_config()["learning_rate"], float(value(called.learning_rate))]
    fed = o.SGD(tf.constant(0.25))
    found += [float(value(fed.learning_rate)), fed.get_config()]
    early = o.RMSprop(lr=0.125)
    early.rho = 0.5
    found += [early.get_config(), o.get(early) is early, o.get("AdaMax").get_config()]
    found += [o.deserialize({"class_name": "SGD", "config": {"lr": 0.25}}).get_config()]
    found += [int(value(early.iterations)), [v.name for v in early.weights], early.weights is
              early.variables()]  # fmt: skip
    own = tf.Variable(7, dtype=tf.int64, use_resource=True, name="own")
    counted = o.Adam(0.1)
    counted.iterations = own
    found.append([v.name for v in counted.weights])
    found.append([s.lr.name for s in (o.SGD(), o.SGD(name="other"))])
    return found


def _derived(tf, **more):
    class AnOptimizer(tf.keras.optimizers.Optimizer):
        def get_config(self):
            return super().get_config()

    for name, value in more.items():
        setattr(AnOptimizer, name, value)
    return AnOptimizer


def names_and_errors(tf):
    o = tf.keras.optimizers
    w = tf.Variable([1.0], use_resource=True)
    plain = _derived(tf)
    without = _derived(tf, _create_slots=lambda self, var_list: None)("x")
    unset = [plain(None)._name, plain("")._name, plain("given")._name]
    found = [unset, plain(name="x").get_config()]
    found += [
        outcome(lambda: o.Optimizer("x")),
        outcome(lambda: plain()),
        outcome(lambda: plain("x", unknown=1)),
        outcome(lambda: plain("x", clipnorm=-1.0)),
        outcome(lambda: plain("x", decay=-1.0)),
        outcome(lambda: without.minimize(lambda: w * 2.0, [w])),
        outcome(lambda: plain("x").learning_rate),
        outcome(lambda: plain("x").get_slot(w, "m")),
        outcome(lambda: o.SGD(0.1).minimize(lambda: tf.constant(1.0), [w])),
        outcome(lambda: o.SGD(0.1).get_gradients(tf.constant(1.0), [w])),
        outcome(lambda: o.RMSprop(0.1, momentum=3.0)),
        outcome(lambda: o.Nadam(o.schedules.ExponentialDecay(0.1, 10, 0.5))),
        outcome(lambda: o.Ftrl(learning_rate_power=1.0)),
        outcome(lambda: o.SGD(0.1).set_weights([np.zeros(1)])),
    ]
    once = o.SGD(0.1)
    once.iterations  # noqa: B018, makes the variable
    found.append(outcome(lambda: setattr(once, "iterations", w)))
    return found


def saved_with_a_model(tf):
    class Halving(tf.keras.optimizers.SGD):
        def __init__(self, learning_rate=0.1, factor=0.5, name="Halving", **kwargs):
            super().__init__(learning_rate, name=name, **kwargs)
            self._set_hyper("factor", factor)

        def _resource_apply_dense(self, grad, var, apply_state=None):
            rate = self._get_hyper("factor", var.dtype)
            return super()._resource_apply_dense(grad * rate, var, apply_state)

        def get_config(self):
            return {**super().get_config(), "factor": self._serialize_hyperparameter("factor")}

    keras, found = tf.keras, []
    optimizer = Halving(0.25, 0.25, momentum=0.5)
    with keras.utils.CustomObjectScope({"Halving": Halving}):
        config = keras.optimizers.serialize(optimizer)
        other = keras.optimizers.get(config)
    models = []
    for each in (optimizer, other):
        model = keras.Sequential([
            keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones", name="dense")
        ])  # fmt: skip
        model.compile(each, "mse")
        found.append(float(model.train_on_batch(X, Y)))
        models.append(model)
    found.append(float(models[0].train_on_batch(X, Y)))
    other.set_weights(optimizer.get_weights())
    models[1].set_weights(models[0].get_weights())
    found += [float(m.train_on_batch(X, Y)) for m in models] + [other.get_config()]
    with tempfile.TemporaryDirectory() as folder:
        saver = tf.train.Checkpoint(model=models[0], optimizer=optimizer)
        session = keras.backend.get_session()
        path = saver.save(os.path.join(folder, "state"), session=session)
        found.append(sorted(name for name, _ in tf.train.list_variables(path)))
        models[0].train_on_batch(X, Y)
        saver.restore(path).run_restore_ops(session=session)
        found.append(optimizer.get_weights())
    return found
