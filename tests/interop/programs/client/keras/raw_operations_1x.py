# SPDX-License-Identifier: Apache-2.0
"""Models with operations between their layers, and layers whose parts change."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _data():
    return np.linspace(-1, 1, 12).reshape(4, 3).astype("float32")


def operations_between_layers(tf):
    """Functions of the package on outputs of layers: the model has them as layers."""
    keras = tf.keras
    x = keras.Input((3,))
    y = keras.layers.Dense(2, kernel_initializer="ones", name="first")(tf.square(x) * 0.5)
    z = tf.concat([tf.nn.relu(y - 0.25), y], axis=1)
    model = keras.Model(x, keras.layers.Dense(1, kernel_initializer="ones")(z))
    copy = keras.models.model_from_json(model.to_json())
    copy.set_weights(model.get_weights())
    outer_x = keras.Input((3,))
    outer = keras.Model(outer_x, tf.negative(model(outer_x)))
    model.compile(keras.optimizers.SGD(0.01), "mse")
    loss = float(model.train_on_batch(_data(), _data()[:, :1]))
    return (
        [layer.name for layer in model.layers], [layer.name for layer in copy.layers],
        [layer.name for layer in outer.layers][1:], copy.predict(_data()),
        outer.predict(_data()), loss, model.predict(_data()),
    )  # fmt: skip


def constants_beside_layers(tf):
    """What comes from no layer is a constant of the operation."""
    keras = tf.keras
    x = keras.Input((3,))
    scale = tf.constant([1.0, 2.0, 3.0]) + 1.0
    parts = tf.split(x * scale, 3, axis=1)
    joined = tf.stack([parts[2], parts[0]], axis=1)
    model = keras.Model(x, [tf.reduce_sum(joined, [1, 2]), tf.reshape(joined, [-1, 2])])
    copy = keras.Model.from_config(model.get_config())
    return [model.predict(_data()), copy.predict(_data()), len(model.layers)]


def layers_of_two_kinds(tf):
    """A layer of tf.layers is not one of Keras."""
    keras = tf.keras
    x = keras.Input((3,))
    y = keras.layers.Dense(2)(tf.layers.Dense(3, name="other")(x))
    return [
        y.shape.as_list(),
        outcome(lambda: keras.Model(x, y)),
        outcome(lambda: keras.Sequential([tf.layers.Dense(3, name="third")])),
    ]


def losses_of_calls(tf):
    """A loss without inputs counts for all calls, also one of build()."""

    class Penalties(tf.keras.layers.Layer):
        def build(self, shape):
            self.factor = self.add_weight("factor", (), initializer="ones")
            self.add_loss(tf.identity(self.factor) * 3.0)
            super().build(shape)

        def call(self, inputs):
            self.add_loss(tf.reduce_sum(inputs), inputs=True)
            self.add_loss(tf.reduce_mean(inputs))
            return inputs * self.factor

    keras = tf.keras
    x = keras.Input((3,))
    layer = Penalties()
    model = keras.Model(x, layer(x))
    model.compile(keras.optimizers.SGD(0.0), "mse")
    counts = [len(layer.losses), len(layer.get_losses_for(None)), len(layer.get_losses_for(x))]
    return counts, float(model.train_on_batch(_data(), _data()))


def parts_that_change(tf):
    """Layers and variables go with their attributes; lists and dicts of variables count."""

    class Holder(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__(name="holder")
            self.one = tf.keras.backend.variable(1.0)
            self.many = [
                tf.keras.backend.variable(2.0), {"a": tf.keras.backend.variable(3.0)}
            ]  # fmt: skip

    layer = Holder()
    found = [len(layer.weights)]
    layer.one = tf.keras.layers.Layer()
    found += [len(layer.weights), len(layer.submodules)]
    del layer.one
    return [*found, len(layer.submodules)]


def calls_of_layers(tf):
    """What a shared layer says of its calls, and calls by name."""
    keras = tf.keras

    class Sum(keras.layers.Layer):
        def call(self, x, y=None):
            return x + y

    class Unmade(keras.layers.Layer):
        def __init__(self):
            pass

        def call(self, inputs):
            return inputs

    a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
    shared = keras.layers.Dense(2, name="shared")
    shared(a)
    shared(b)
    new = keras.layers.Dense(2, name="new")
    return [
        shared.input is a, shared.input_shape, shared.output_shape,
        outcome(lambda: shared.get_input_at(5)), outcome(lambda: new.input),
        outcome(new.count_params), outcome(lambda: shared.set_weights([1.0])),
        outcome(lambda: shared.set_weights([np.ones((2, 3)), np.ones(2)])),
        Sum()(a, y=b).shape.as_list(),
        outcome(lambda: keras.Model([a, b, a], shared(a))),
        outcome(lambda: keras.Input((3,), batch_shape=(2, 3))),
    ]  # fmt: skip


def sequential_models(tf):
    """A Sequential that begins with Input(), of one layer, and one whose layers change."""
    keras = tf.keras
    first = keras.Sequential()
    first.add(keras.Input((2,), name="start"))
    first.add(keras.layers.Dense(3, kernel_initializer="ones"))
    alone = keras.Sequential(keras.layers.Dense(4))
    shapes = [alone.compute_output_shape((None, 7)).as_list()]
    alone.build(tf.TensorShape([None, 5]))
    shapes.append([w.shape.as_list() for w in alone.weights])
    late = keras.Sequential([keras.layers.Dense(2), keras.layers.Dense(1)])
    late.compile("sgd", "mse", metrics=["mae"])
    late.fit(_data(), _data()[:, :1], verbose=0)
    shapes.append(list(late.get_config()["build_input_shape"]))
    first.add(keras.layers.Dense(1, kernel_initializer="ones"))
    first.compile("sgd", "mse")
    first.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    first.pop()
    return shapes, len(first.layers), first.output_shape, first.predict(np.ones((2, 2)))
