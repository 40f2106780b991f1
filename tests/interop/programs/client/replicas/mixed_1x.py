# SPDX-License-Identifier: Apache-2.0
"""Mixed precision under a strategy: losses multiplied by a number that changes, and variables that
layers see in another dtype."""

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras

_ROWS = ([0.1, 0.2], [np.inf, 0.1], [0.1, 0.1])  # factors of the losses of two replicas


def _mirrored(tf, count):
    return tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(count)])


def _session(tf, count):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": count}))


def _own(tf, values):
    """The value of the replica that runs."""
    return values[tf.distribute.get_replica_context().replica_id_in_sync_group]


def dynamic_scales(tf):
    """A gradient that is not finite in one replica makes the number of all smaller."""
    found = []
    for count in (2, 3):
        with tf.Graph().as_default():
            strategy = _mirrored(tf, count)
            gradients = tf.placeholder(tf.float32, [count])
            with strategy.scope():
                scale = tf.train.experimental.DynamicLossScale(8, increment_period=2)

                def update(strategy, own, scale=scale):
                    changed, allowed = scale.update([own, None])
                    with tf.control_dependencies([changed]):
                        return tf.identity(allowed)

                def step(gradients=gradients, update=update):
                    context = tf.distribute.get_replica_context()
                    return context.merge_call(update, args=(_own(tf, gradients),))

                allowed = strategy.experimental_run_v2(step)
                allowed = strategy.experimental_local_results(allowed)[0]
                start = tf.global_variables_initializer()
            nan, inf = np.nan, np.inf
            with _session(tf, count) as session:
                session.run(start)
                for row in (
                    [1, 2, 3], [1, inf, 1], [1, 1, 1], [2, 2, 2], [nan, 1, 1], [inf, inf, inf]
                ):  # fmt: skip
                    was = session.run(allowed, {gradients: row[:count]})
                    found.append([was, session.run(scale())])
            found.append([v.name for v in tf.global_variables()])
    return found


def scaled_optimizers(tf):
    """All replicas apply their gradients and count the step, or none does."""
    found, train = [], tf.train
    for make in (
        lambda: train.GradientDescentOptimizer(0.5), lambda: train.MomentumOptimizer(0.5, 0.9)
    ):  # fmt: skip
        for loss_scale in (4, "dynamic"):
            with tf.Graph().as_default():
                strategy = _mirrored(tf, 2)
                factors = tf.placeholder(tf.float32, [2])
                with strategy.scope():
                    optimizer = train.experimental.MixedPrecisionLossScaleOptimizer(
                        make(), loss_scale
                    )
                    count = train.get_or_create_global_step()

                    def step(factors=factors, optimizer=optimizer, count=count):
                        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
                        loss = tf.reduce_sum(v * v) * _own(tf, factors)
                        return optimizer.minimize(loss, global_step=count)

                    step = strategy.group(strategy.experimental_run_v2(step))
                    start = tf.global_variables_initializer()
                    variables = tf.global_variables()
                with _session(tf, 2) as session:
                    session.run(start)
                    for row in _ROWS:
                        session.run(step, {factors: row})
                        found.append({v.name: session.run(v) for v in variables})
    return found


def scaled_optimizers_of_keras(tf):
    found, experimental = [], tf.keras.mixed_precision.experimental
    for loss_scale in (4, "dynamic"):
        with tf.Graph().as_default():
            strategy = _mirrored(tf, 2)
            factors = tf.placeholder(tf.float32, [2])
            with strategy.scope():
                descent = tf.keras.optimizers.SGD(0.5, momentum=0.5)
                optimizer = experimental.LossScaleOptimizer(descent, loss_scale)
                v = tf.Variable([1.0, 2.0])

                def step(factors=factors, optimizer=optimizer, v=v):
                    factor = _own(tf, factors)
                    return optimizer.minimize(lambda: tf.reduce_sum(v * v) * factor, var_list=[v])

                step = strategy.group(strategy.experimental_run_v2(step))
                start = tf.global_variables_initializer()
            with _session(tf, 2) as session:
                session.run(start)
                for row in _ROWS:
                    session.run(step, {factors: row})
                    values = [v, optimizer.loss_scale(), optimizer.iterations]
                    found.append([session.run(value) for value in values])
    return found


def _own_layer(tf, seen):
    class Own(tf.keras.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight("w", [2, 2], initializer="ones")

        def call(self, x):
            w = self.w
            seen.append([
                x.dtype.name, w.dtype.name, (w * 2).dtype.name, w.read_value().dtype.name,
                tf.identity(w).dtype.name, tf.convert_to_tensor(w).dtype.name, w.name, w.device,
            ])  # fmt: skip
            return tf.matmul(x, w)

    return Own


def variables_of_layers(tf):
    """A layer of float16 sees float16 values of its float32 variables, each replica its own."""
    policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16", loss_scale=None)
    strategy, seen = _mirrored(tf, 2), []
    with strategy.scope():
        layer = _own_layer(tf, seen)(dtype=policy, autocast=True)
        optimizer = tf.keras.optimizers.SGD(0.03125)

        def step():
            x = _own(tf, tf.constant([[[1.0, 1.0]], [[2.0, 2.0]]], tf.float16))
            if not layer.built:
                layer.build(None)
                layer.built = True
            loss = tf.reduce_sum(tf.square(tf.cast(layer(x), tf.float32)))
            grads = tf.gradients(loss, layer.trainable_weights)
            with tf.control_dependencies([
                optimizer.apply_gradients(zip(grads, layer.trainable_weights))
            ]):  # fmt: skip
                return tf.identity(loss)

        losses = strategy.experimental_run_v2(step)
        loss = strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
        start = tf.global_variables_initializer()
    with _session(tf, 2) as session:
        session.run(start)
        return [
            seen, [session.run(loss) for _ in range(2)], session.run(layer.w), layer.w.dtype.name
        ]  # fmt: skip


def fitted_models(tf):
    found, experimental = [], tf.keras.mixed_precision.experimental
    data = ((np.arange(32) * 5 % 7 - 3) / 4).reshape(8, 4).astype(np.float16)
    wanted = data[:, :2].astype(np.float32)
    for scale in (8, "dynamic"):
        with tf.Graph().as_default(), _session(tf, 2) as session:
            strategy = _mirrored(tf, 2)
            policy = experimental.Policy("mixed_float16", loss_scale=scale)
            tf.keras.backend.set_session(session)
            with strategy.scope():
                x = tf.keras.layers.Input((4,), dtype="float16")
                y = tf.keras.layers.Dense(2, dtype=policy, kernel_initializer="ones")(x)
                y = tf.keras.layers.Lambda(lambda t: tf.cast(t, tf.float32))(y)
                model = tf.keras.Model(x, y)
                descent = tf.keras.optimizers.SGD(0.0625)
                model.compile(experimental.LossScaleOptimizer(descent, scale), "mse")
            rows = tf.data.Dataset.from_tensor_slices((data, wanted))
            rows = rows.repeat().batch(4, drop_remainder=True)
            history = model.fit(rows, steps_per_epoch=2, epochs=3, verbose=0).history
            found.append([
                np.round(history["loss"], 2), [np.round(w, 2) for w in model.get_weights()]
            ])  # fmt: skip
    return found
