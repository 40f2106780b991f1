# SPDX-License-Identifier: Apache-2.0
"""Layers for eager execution, and what layers require of their inputs."""

import numpy as np

from interop.programs.client._outcomes import says

ONLY_1X = True


def layers_for_eager_execution(tf):
    """They have outputs of the shapes that they say, but no model of them can be compiled."""

    class Eager(tf.keras.layers.Layer):
        def __init__(self, **kwargs):
            super().__init__(dynamic=True, **kwargs)

        def call(self, inputs):
            raise AssertionError("the layer is called in a graph")

        def compute_output_shape(self, input_shape):
            return tf.TensorShape([input_shape[0], 7])

    given = tf.keras.Input((3,))
    layer = Eager(name="eager")
    out = layer(given)
    model = tf.keras.Model(given, tf.keras.layers.Dense(2)(out))
    plain = tf.keras.layers.Layer(name="plain", dynamic=True)
    return [
        out.shape.as_list(), out.op.type, layer.dynamic, model.dynamic, plain.get_config(),
        model.output_shape, says("successfully run in eager", model.compile, "sgd", "mse"),
        says("", plain, given), tf.keras.layers.Dense(2).get_config().get("dynamic"),
    ]  # fmt: skip


def requirements(tf):
    """input_spec is checked when it is set, and when the layer is called."""
    layer = tf.keras.layers.Layer()
    spec = tf.keras.layers.InputSpec(ndim=2)

    def put(value):
        layer.input_spec = value

    found = [layer.input_spec is None]
    for value in (3, "a", [spec, 3], spec, [spec], None):
        found.append(says("must be an instance of InputSpec", put, value))
    layer.input_spec = spec
    found.append(layer.input_spec is spec)
    found.append(says("expected ndim=2, found ndim=3", layer, tf.keras.Input((3, 4))))
    dense = tf.layers.Dense(2)
    found.append(says("must be an instance", setattr, dense, "input_spec", 4))
    return found


def weights_that_layers_add(tf):
    layer = tf.keras.layers.Layer()
    kept = layer.add_weight("kept", (2,), constraint="nonneg")
    kinds = tf.VariableSynchronization
    text = "Synchronization value can be set to"
    return [
        type(kept.constraint).__name__, layer.add_weight("q", (), dtype=tf.bool).dtype.name,
        says("An initializer for variable s of type <dtype: 'string'> is required for layer",
             layer.add_weight, "s", (1,), dtype=tf.string),
        says("Unknown keyword argument", layer.add_weight, "s", (), of="x"),
        says(text, layer.add_weight, "s", (), trainable=True, synchronization=kinds.ON_READ),
        says("Could not interpret", layer.add_weight, "s", (), constraint=3),
    ]  # fmt: skip


def shapes_as_they_came(tf):
    layers = tf.keras.layers
    return [
        layer.compute_output_shape((None, 5))
        for layer in (layers.Masking(), layers.Activation("relu"))
    ]


def layers_of_a_sequential(tf):
    """Layers of attributes are not the model's; one that is added after training goes on."""
    layers, x = tf.keras.layers, np.ones((1, 2))
    model = tf.keras.Sequential([layers.Dense(2)])
    model.others, model.other = [layers.Dense(3)], layers.Dense(3)
    model.compile("adam", "mse")
    model.fit(x, x, verbose=0)
    found = [len(model.layers), len(model.weights), model.outputs[0].shape.as_list()]
    model.add(layers.Dense(3))
    model.compile("adam", "mse")
    model.fit(x, np.ones((1, 3)), verbose=0)
    return [*found, len(model.weights), model.outputs[0].shape.as_list()]
