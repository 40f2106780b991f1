# SPDX-License-Identifier: Apache-2.0
"""Policies of layers: they compute in one dtype and keep their variables in another.

Values are small multiples of powers of 2, so that float16 holds them exactly.
"""

import numpy as np

from interop.programs.client._outcomes import message, outcome

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return ((np.arange(np.prod(shape)) * 5 % 7 - 3) / 4).reshape(shape).astype(np.float32)


def _given(model):
    model.set_weights([_data(*w.shape) if w.ndim > 1 else w for w in model.get_weights()])


def _kind(tf, variable):
    return [type(variable).__name__.replace("ResourceVariable", "Variable"), variable.dtype.name]


def policies(tf):
    experimental, found = tf.keras.mixed_precision.experimental, []
    for name in (
        "float32", "float64", "int32", "mixed_float16", "mixed_bfloat16", "infer",
        "float16_with_float32_vars", "infer_with_float32_vars", "infer_float32_vars",
        "float32_with_float32_vars",
    ):  # fmt: skip
        policy = experimental.Policy(name, loss_scale=4)
        plain = experimental.Policy(name)
        found.append([
            policy.name, policy.compute_dtype, policy.variable_dtype, repr(policy),
            policy.should_cast_variables, plain.loss_scale is None,
        ])  # fmt: skip
    wrong = "half-ish", "strange_with_float32_vars", 3, tf.float16
    make = experimental.Policy
    return found, [[outcome(make, name), message(make, name)] for name in wrong]


def set_for_all(tf):
    """The policy of layers that get none: in TensorFlow 1 only those that infer a dtype."""
    experimental = tf.keras.mixed_precision.experimental
    found = [experimental.global_policy().name]
    found += [outcome(experimental.set_policy, "mixed_float16")]
    found += [message(experimental.set_policy, "float32"), experimental.global_policy().name]
    try:
        experimental.set_policy("infer_with_float32_vars")
        found += [
            experimental.global_policy().name,
            outcome(
                tf.train.experimental.enable_mixed_precision_graph_rewrite,
                tf.train.GradientDescentOptimizer(1.0),
            ),
        ]  # fmt: skip
        x = tf.keras.layers.Input((4,), dtype="float16")
        y = tf.keras.layers.Dense(2)(x)
        model = tf.keras.Model(x, y)
        _given(model)
        found += [y.dtype.name, [_kind(tf, w) for w in model.weights], model.layers[1].dtype]
        found += [model.predict(_data(3, 4).astype(np.float16))]
    finally:
        experimental.set_policy(None)
    return [*found, experimental.global_policy().name]


def _own_layer(tf, seen):
    class Own(tf.keras.layers.Layer):
        def build(self, shape):
            self.w = self.add_weight("w", [4, 2], initializer="ones")
            self.plain = self.add_weight(
                "plain", [2], initializer="ones", experimental_autocast=False
            )
            self.count = self.add_weight("count", [], trainable=False, initializer="zeros")

        def call(self, x):
            w, plain = self.w, self.plain
            seen.append([
                x.dtype.name, w.dtype.name, w.true_dtype.name, (w + 1).dtype.name,
                (2.0 * w).dtype.name, w[0].dtype.name, w.value().dtype.name,
                w.read_value().dtype.name, tf.identity(w).dtype.name, (-w).dtype.name,
                tf.gather(w, [1, 0]).dtype.name, tf.convert_to_tensor(w).dtype.name,
                plain.dtype.name, tf.cast(w, tf.float32).dtype.name, repr(w),
                w.sparse_read([0]).dtype.name, (w > 0).dtype.name, w.shape.as_list(),
            ])  # fmt: skip
            self.add_update(self.count.assign_add(1.0))
            return tf.matmul(x, w) + tf.cast(plain, x.dtype)

    return Own


def own_layers(tf):
    """What a layer sees of its input and variables, and what others see."""
    policy, found = tf.keras.mixed_precision.experimental.Policy("float16_with_float32_vars"), []
    for dtype, autocast in (("float16", False), ("float32", True)):
        with tf.Graph().as_default():
            seen = []
            x = tf.keras.layers.Input((4,), dtype=dtype)
            layer = _own_layer(tf, seen)(dtype=policy, autocast=autocast, name="own")
            y = layer(x)
            model = tf.keras.Model(x, y)
            _given(model)
            model.compile(tf.keras.optimizers.SGD(0.25), "mse")
            loss = model.train_on_batch(_data(4, 4), _data(4, 2))
            w = layer.w
            found.append([
                seen, y.dtype.name, layer.dtype, w.dtype.name, (w + 1).dtype.name, repr(w), w.name,
                w.trainable, len(layer.trainable_weights),
                round(float(loss), 2), [np.round(v, 2) for v in model.get_weights()],
                model.predict(_data(2, 4)).dtype.name, layer.get_config()["dtype"],
            ])  # fmt: skip
    return found


def layers(tf):
    """Dtypes and values of layers that compute in float16, then the loss of a step."""
    policy, k = tf.keras.mixed_precision.experimental.Policy("mixed_float16"), tf.keras.layers
    made = {
        "dense": ((4,), lambda: k.Dense(2, dtype=policy)),
        "convolution": ((5, 5, 2), lambda: k.Conv2D(2, 3, dtype=policy)),
        "images": ((3, 3, 2), lambda: k.BatchNormalization(dtype=policy)),
        "rows": ((4,), lambda: k.BatchNormalization(dtype=policy)),
        "words": ((4,), lambda: k.Embedding(3, 2, dtype=policy)),
        "states": ((3, 2), lambda: k.SimpleRNN(2, dtype=policy)),
    }
    found = {}
    for name in sorted(made):
        shape, make = made[name]
        with tf.Graph().as_default():
            x = k.Input(shape, dtype="float32" if name == "words" else "float16")
            layer = make()
            y = layer(x)
            model = tf.keras.Model(x, y)
            _given(model)
            data = _data(2, *shape) if name != "words" else np.array([[0, 1, 2, 1]] * 2)
            model.compile(tf.keras.optimizers.SGD(0.125), "mse")
            first = model.predict(data)
            loss = model.train_on_batch(data, np.ones_like(first))
            found[name] = [
                y.dtype.name, [_kind(tf, w) for w in layer.weights], layer.dtype,
                np.round(first.astype(np.float32), 2), round(float(loss), 1),
                [w.dtype.name for w in model.get_weights()],
            ]  # fmt: skip
    return found


def float32_inputs(tf):
    """Inputs are cast only with autocast=True, or where a layer casts them itself."""
    policy, k = tf.keras.mixed_precision.experimental.Policy("mixed_float16"), tf.keras.layers
    found = []
    for make in (
        lambda: k.Dense(2, dtype=policy), lambda: k.Conv2D(2, 3, dtype=policy),
        lambda: k.Conv2D(2, 3, dtype=policy, autocast=True), lambda: k.ReLU(dtype=policy),
        lambda: k.ReLU(dtype=policy, autocast=True), lambda: k.Dense(2, dtype="float64"),
        lambda: k.ReLU(dtype="float64", autocast=True),
    ):  # fmt: skip
        with tf.Graph().as_default():
            x = k.Input((4,) if "Dense" in type(make()).__name__ else (4, 4, 1))
            try:
                y = make()(x)
                found.append(y.dtype.name)
            except (TypeError, ValueError):
                found.append("refused")
    return found


def of_models(tf):
    """A model's policy gives its optimizer the loss scale."""
    experimental, found = tf.keras.mixed_precision.experimental, []

    class Two(tf.keras.Model):
        def __init__(self, policy):
            super().__init__(dtype=policy, autocast=True)
            self.one = tf.keras.layers.Dense(2, "relu", dtype=policy, kernel_initializer="ones")
            self.two = tf.keras.layers.Dense(
                1, dtype=policy, kernel_initializer="ones", use_bias=False
            )

        def call(self, x):
            return self.two(self.one(x))

    for name, scale in (
        ("mixed_float16", 8), ("mixed_float16", "dynamic"), ("float16_with_float32_vars", None)
    ):  # fmt: skip
        with tf.Graph().as_default():
            policy = experimental.Policy(name, scale)
            model = Two(policy)
            model.compile(tf.keras.optimizers.SGD(0.0625), "mse")
            losses = model.fit(_data(8, 4), _data(8, 1), 4, 2, verbose=0, shuffle=False).history
            found.append([
                type(model.optimizer).__name__,
                str(getattr(model.optimizer, "loss_scale", None)),
                [round(float(loss), 2) for loss in losses["loss"]],
                [np.round(w, 2) for w in model.get_weights()],
            ])  # fmt: skip
            found.append([
                outcome(model.compile, [tf.keras.optimizers.SGD(0.1)] * 2, "mse")
                if policy.loss_scale is None else "",
                outcome(model.compile, tf.train.GradientDescentOptimizer(0.1), "mse"),
            ])  # fmt: skip
    return found
