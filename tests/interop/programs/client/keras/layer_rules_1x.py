# SPDX-License-Identifier: Apache-2.0
"""Layers for eager execution, and what layers require of their inputs."""

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
