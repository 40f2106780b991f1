# SPDX-License-Identifier: Apache-2.0
"""Losses multiplied by a number, fixed or changed by the gradients; optimizers that do so."""

import numpy as np

from interop.programs.client._outcomes import message, outcome

ONLY_1X = True


def fixed_scales(tf):
    fixed = tf.train.experimental.FixedLossScale
    scale = fixed(8)
    with tf.Session() as session:
        value = session.run(scale())
    return [
        value, str(scale), scale.get_config(),
        fixed.from_config({"loss_scale_value": 3}).get_config(),
        scale.update([tf.constant(np.inf)])[1], message(fixed, 0.5), message(fixed, "8"),
        outcome(tf.train.experimental.LossScale),
    ]  # fmt: skip


def dynamic_scales(tf):
    """It grows after some finite steps, falls after one that is not, and never below 1."""
    scale = tf.train.experimental.DynamicLossScale(4, increment_period=2, multiplier=2)
    gradient = tf.placeholder(tf.float32, [2])
    update, allowed = scale.update([gradient, None, tf.constant(1.0)])
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in (1, 2, np.inf, 3, 4, 5, 6, np.nan, np.inf, np.inf, np.inf, np.inf, 1):
            _, applied = session.run([update, allowed], {gradient: [value, 0]})
            found.append([session.run(scale()), applied])
    return [
        found, str(scale), scale.get_config(), scale.initial_loss_scale, scale.increment_period,
        scale.multiplier, sorted(v.op.name for v in tf.global_variables()),
    ]  # fmt: skip


def _steps(tf, optimizer, values):
    """What a variable is after steps whose gradients are the values, and how many were made."""
    count = tf.train.get_or_create_global_step()
    v = tf.Variable([4.0, 2.0])
    table = tf.get_variable("table", [3, 2], initializer=tf.ones_initializer())
    x = tf.placeholder(tf.float32, [])
    loss = tf.reduce_sum(v * x) + tf.reduce_sum(tf.nn.embedding_lookup(table, [0, 2]) * x)
    step = optimizer.minimize(loss, global_step=count)
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in values:
            session.run(step, {x: value})
            found.append(session.run([v, table, count]))
    return found


def scaled_steps(tf):
    """Steps that are not finite change nothing, and are not counted."""
    experimental = tf.train.experimental
    values = (1, np.inf, 2, np.nan, 3)
    found = []
    for make in (
        lambda: tf.train.GradientDescentOptimizer(0.1), lambda: tf.train.AdamOptimizer(0.1),
        lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    ):  # fmt: skip
        for scale in (16, "dynamic"):
            with tf.Graph().as_default():
                scaled = experimental.MixedPrecisionLossScaleOptimizer(make(), scale)
                given = values if scale == "dynamic" else values[::2]
                found.append([_steps(tf, scaled, given), scaled.get_name()])
    mixed = experimental.MixedPrecisionLossScaleOptimizer
    descent = tf.train.GradientDescentOptimizer(0.1)
    found.append(message(mixed, descent, "other"))
    found.append(outcome(mixed, 3, 4))
    return found


def rewritten_graphs(tf):
    experimental = tf.train.experimental
    scaled = experimental.enable_mixed_precision_graph_rewrite(tf.train.AdamOptimizer(0.1), 8)
    found = [
        type(scaled).__name__, _steps(tf, scaled, (1, 2)),
        message(experimental.enable_mixed_precision_graph_rewrite, scaled),
        outcome(experimental.enable_mixed_precision_graph_rewrite, 3),
    ]  # fmt: skip
    model = experimental.enable_mixed_precision_graph_rewrite(tf.keras.optimizers.SGD(0.1))
    found += [
        type(model).__name__, message(experimental.enable_mixed_precision_graph_rewrite, model),
    ]  # fmt: skip
    experimental.disable_mixed_precision_graph_rewrite()
    return found


def models(tf):
    """Models of Keras with such optimizers train as without, where all is finite."""
    keras = tf.keras
    scaling = keras.mixed_precision.experimental.LossScaleOptimizer
    x = np.linspace(-1, 1, 24).reshape(8, 3).astype("float32")
    found = []
    for scale in (None, 128, "dynamic"):
        descent = keras.optimizers.SGD(0.1, momentum=0.5)
        optimizer = descent if scale is None else scaling(descent, scale)
        model = keras.Sequential(
            [keras.layers.Dense(2, input_shape=(3,), kernel_initializer="ones")]
        )
        model.compile(optimizer, "mse")
        history = model.fit(x, x[:, :2], batch_size=4, epochs=2, shuffle=False, verbose=0)
        found.append([
            np.round(history.history["loss"], 4).tolist(), model.get_weights(),
            float(keras.backend.get_value(optimizer.lr)),
            int(keras.backend.get_value(optimizer.iterations)),
        ])  # fmt: skip
    keras.backend.set_value(optimizer.learning_rate, 0.25)
    return [
        found, float(keras.backend.get_value(descent.lr)),
        message(optimizer.get_config), message(scaling, keras.optimizers.SGD(clipnorm=1.0), 2)[:70],
        outcome(scaling, 3, 2), float(keras.backend.get_value(optimizer.loss_scale())),
    ]  # fmt: skip


def losses_by_hand(tf):
    scaling = tf.keras.mixed_precision.experimental.LossScaleOptimizer
    optimizer = scaling(tf.keras.optimizers.SGD(0.5), 4)
    v = tf.Variable(3.0, use_resource=True)
    scaled = optimizer.get_scaled_loss(v * v)
    grads = tf.gradients(scaled, [v])
    (grad, none) = optimizer.get_unscaled_gradients([*grads, None])
    step = optimizer.apply_gradients([(grad, v)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([w.initializer for w in tf.keras.optimizers.SGD(0.5).weights])
        found = session.run([scaled, optimizer.get_scaled_loss(lambda: v)(), grads[0], grad])
        session.run(step)
        return [found, none, session.run(v)]
