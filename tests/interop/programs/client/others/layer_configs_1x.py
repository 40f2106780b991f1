# SPDX-License-Identifier: Apache-2.0
"""Layers of tf.layers as data: their configurations, names for functions, and what they say of
calls."""

import numpy as np

from interop.programs.client._outcomes import message, outcome

ONLY_1X = True  # later TensorFlows have the layers in Keras only


def _all(tf):
    layers = tf.layers
    return [
        layers.Dense(3), layers.Dropout(0.25, seed=3), layers.Flatten(), layers.Conv1D(2, 3),
        layers.Conv2D(2, (3, 2), 2, "same"), layers.Conv3D(2, 3, dilation_rate=2),
        layers.Conv2DTranspose(2, 3), layers.Conv3DTranspose(2, 3), layers.SeparableConv1D(2, 3),
        layers.SeparableConv2D(2, 3, depth_multiplier=2), layers.MaxPooling1D(2, 2),
        layers.MaxPooling2D(2, 2), layers.MaxPooling3D(2, 2), layers.AveragePooling1D(2, 2),
        layers.AveragePooling2D((2, 3), 1, "same", "channels_first"),
        layers.AveragePooling3D(2, 2), layers.BatchNormalization(),
        layers.BatchNormalization(axis=[1], momentum=0.9, renorm=True, name="renormed"),
        layers.BatchNormalization(fused=False, virtual_batch_size=2, trainable=False),
    ]  # fmt: skip


def configurations(tf):
    return [layer.get_config() for layer in _all(tf)]


def layers_of_configurations(tf):
    found = []
    for layer in _all(tf):
        again = type(layer).from_config(layer.get_config())
        found.append([again.get_config() == layer.get_config(), again.name, again.trainable])
    return found


def initializers_in_configurations(tf):
    def own(shape, dtype=None, partition_info=None):
        return tf.zeros(shape)

    chosen = [
        None, tf.zeros_initializer(), tf.ones_initializer(tf.float64), "zeros", "glorot_normal",
        tf.constant_initializer(2.0), tf.constant_initializer([1, 2.0]),
        tf.random_normal_initializer(0, 1, seed=3), tf.random_uniform_initializer(-1, 1),
        tf.truncated_normal_initializer(stddev=0.5), tf.orthogonal_initializer(2.0),
        tf.glorot_uniform_initializer(), tf.glorot_normal_initializer(7),
        tf.variance_scaling_initializer(2.0, "fan_out"), tf.uniform_unit_scaling_initializer(),
        tf.initializers.identity(), tf.initializers.he_normal(), tf.initializers.lecun_uniform(),
        tf.keras.initializers.he_uniform(), own,
    ]  # fmt: skip
    layers = [tf.layers.Dense(2, kernel_initializer=initializer) for initializer in chosen]
    return [layer.get_config()["kernel_initializer"] for layer in layers]


def other_functions_in_configurations(tf):
    def own(x):
        return tf.reduce_sum(x)

    keras = tf.keras
    activations = [None, "relu", "tanh", tf.nn.softmax, tf.sigmoid, tf.nn.leaky_relu, own]
    regularizers = [None, "l2", keras.regularizers.l1(0.5), own]
    constraints = [None, "non_neg", keras.constraints.MaxNorm(3), own]
    dense = tf.layers.Dense
    return [
        [dense(2, a).get_config()["activation"] for a in activations],
        [dense(2, kernel_regularizer=r).get_config()["kernel_regularizer"] for r in regularizers],
        [dense(2, bias_constraint=c).get_config()["bias_constraint"] for c in constraints],
        [dense(2, activity_regularizer=r).get_config()["activity_regularizer"]
         for r in regularizers],
        outcome(dense, 2, "unheard_of"), outcome(dense, 2, kernel_initializer="unheard_of"),
        outcome(dense, 2, kernel_regularizer="unheard_of"),
        outcome(dense.from_config, dense(2, own).get_config()),
    ]  # fmt: skip


def functions_by_name(tf):
    x = tf.constant(np.linspace(-1, 1, 2 * 6 * 6 * 1).reshape(2, 6, 6, 1).astype(np.float32))
    y = tf.layers.conv2d(x, 2, 3, activation="relu", kernel_initializer="ones",
                         kernel_regularizer="l2", bias_initializer="ones")  # fmt: skip
    y = tf.layers.batch_normalization(y, gamma_initializer="zeros", beta_initializer="ones")
    y = tf.layers.separable_conv2d(y, 3, 2, activation="tanh", depthwise_initializer="ones",
                                   pointwise_initializer="ones")  # fmt: skip
    y = tf.layers.dense(tf.layers.flatten(y), 2, "sigmoid", kernel_initializer="ones")
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    names = [n.name for n in tf.get_default_graph().as_graph_def().node if n.op == "Relu"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run([y, losses]), names]


def layers_of_programs(tf):
    class Scale(tf.layers.Layer):
        def __init__(self, factor, **kwargs):
            super().__init__(**kwargs)
            self.factor = factor

        def call(self, inputs):
            return inputs * self.factor

    class Doubled(tf.layers.Dense):
        def __init__(self, units, factor=2, **kwargs):
            super().__init__(units * factor, **kwargs)

    class Plain(tf.layers.Layer):
        def call(self, inputs):
            return inputs

    class Told(Scale):
        def get_config(self):
            config = super().get_config()
            return {"factor": self.factor, "name": config["name"]}

    again = Told.from_config(Told(3, name="told").get_config())
    return [
        outcome(Scale(3).get_config), message(Scale(3).get_config),
        Doubled(2, name="doubled").get_config(), Plain(name="plain").get_config(),
        [again.name, again.factor], [Plain().stateful, Plain().supports_masking],
    ]  # fmt: skip


def calls(tf):
    """Layers of tf.layers keep no record of their calls."""
    x = tf.placeholder(tf.float32, [None, 4])
    layer, found = tf.layers.Dense(3, name="dense"), []
    for _ in range(2):
        found.append([
            layer.graph is None, layer.inbound_nodes, layer.outbound_nodes, layer.built,
            layer.get_config()["dtype"], layer.dynamic, layer.supports_masking,
        ])  # fmt: skip
        for name in ("input", "output", "input_shape", "output_shape", "input_mask"):
            found.append(message(getattr, layer, name))
        for name in ("input", "output", "input_shape", "output_shape"):
            call = getattr(layer, f"get_{name}_at")
            found.append([outcome(call, 0), message(call, 0)])
        layer(x)
    return found


def trainable_afterwards(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    layer, frozen = tf.layers.Dense(3), tf.layers.Dense(3, trainable=False)
    frozen(layer(x))
    found = []
    for value in (True, False, True):
        layer.trainable = frozen.trainable = value
        for one in (layer, frozen):
            lists = one.weights, one.trainable_weights, one.non_trainable_variables
            found.append([[v.name for v in variables] for variables in lists])
            found.append(one.get_config()["trainable"])
    return [found, [v.name for v in tf.trainable_variables()]]
