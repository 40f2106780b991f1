# SPDX-License-Identifier: Apache-2.0
"""Layers of Keras: names of variables and operations, first values, outputs, configurations."""

import json

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have another Keras

# Operations that newer graphs have in place of older ones.
_SAME = {"AddV2": "Add"}


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _nodes(tf):
    """(name, op) of all nodes, in any order."""
    nodes = tf.get_default_graph().as_graph_def().node
    return sorted([n.name, _SAME.get(n.op, n.op)] for n in nodes)


def _applied(tf, layer, *shape, **kwargs):
    """What a layer gives for the same seeds and data: with its names, variables and arguments."""
    tf.set_random_seed(7)
    x = tf.keras.layers.Input(shape[1:], dtype=kwargs.pop("dtype", None))
    y = layer(x)
    model = tf.keras.Model(x, y)
    data = kwargs.pop("data", None)
    found = model.predict(_data(*shape) if data is None else data)
    return {
        "nodes": _nodes(tf) if kwargs.pop("nodes", True) else None,
        "outputs": found,
        "weights": model.get_weights(),
        "names": [v.name for v in model.weights],
        "config": json.loads(model.to_json())["config"]["layers"][-1]["config"],
        "shapes": [list(layer.input_shape), list(layer.output_shape), layer.count_params()],
    }


def dense(tf):
    layers = tf.keras.layers
    found = [_applied(tf, layers.Dense(3, activation="relu"), 4, 5)]
    with tf.Graph().as_default():
        layer = layers.Dense(
            2, use_bias=False, kernel_initializer="he_normal", kernel_regularizer="l2",
            kernel_constraint=tf.keras.constraints.MaxNorm(1.5), name="d",
        )  # fmt: skip
        found.append(_applied(tf, layer, 4, 3))
    with tf.Graph().as_default():
        found.append(_applied(tf, layers.Dense(2), 2, 4, 3, nodes=False))
    return found


def convolutions(tf):
    layers, found = tf.keras.layers, []
    made = [
        (lambda: layers.Conv1D(3, 2, padding="causal", activation="tanh"), (2, 6, 3)),
        (lambda: layers.Conv2D(4, 3, strides=2, padding="same"), (2, 7, 6, 3)),
        (lambda: layers.Conv2D(4, (2, 3), dilation_rate=2, use_bias=False), (2, 8, 9, 2)),
        (lambda: layers.Conv3D(2, 2), (2, 4, 4, 4, 2)),
    ]
    for make, shape in made:
        with tf.Graph().as_default():  # of dilated windows the operations are others
            found.append(_applied(tf, make(), *shape, nodes=shape == (2, 7, 6, 3)))
    return found


def other_convolutions(tf):
    layers, found = tf.keras.layers, []
    made = [
        (lambda: layers.Conv2DTranspose(3, 3, strides=2, padding="same"), (2, 4, 5, 2)),
        (lambda: layers.SeparableConv2D(4, 3, depth_multiplier=2), (2, 6, 6, 3)),
        (lambda: layers.SeparableConv1D(4, 3, padding="same"), (2, 6, 3)),
        (lambda: layers.DepthwiseConv2D(3, depth_multiplier=2, activation="relu"), (2, 6, 6, 3)),
    ]
    for make, shape in made:
        with tf.Graph().as_default():
            result = _applied(tf, make(), *shape, nodes=False)
            del result["config"]  # arguments that are none of the layer's stay in it
            found.append(result)
    return found


def pooling(tf):
    layers, found = tf.keras.layers, []
    made = [
        (lambda: layers.MaxPooling1D(2), (2, 7, 3)),
        (lambda: layers.AveragePooling1D(3, strides=1, padding="same"), (2, 7, 3)),
        (lambda: layers.MaxPooling2D(), (2, 6, 7, 3)),
        (lambda: layers.AveragePooling2D((2, 3), padding="same"), (2, 6, 7, 3)),
        (lambda: layers.MaxPooling3D(), (2, 4, 4, 4, 1)),
        (lambda: layers.GlobalMaxPooling1D(), (2, 7, 3)),
        (lambda: layers.GlobalAveragePooling1D(), (2, 7, 3)),
        (lambda: layers.GlobalMaxPooling2D(), (2, 4, 5, 3)),
        (lambda: layers.GlobalAveragePooling2D(), (2, 4, 5, 3)),
        (lambda: layers.GlobalAveragePooling3D(), (2, 4, 5, 3, 2)),
    ]
    for make, shape in made:
        with tf.Graph().as_default():
            found.append(_applied(tf, make(), *shape, nodes="Global" in type(make()).__name__))
    return found


def shapes(tf):
    layers, found = tf.keras.layers, []
    made = [
        (lambda: layers.Flatten(), (3, 4, 2)),
        (lambda: layers.Reshape((2, -1)), (3, 4, 2)),
        (lambda: layers.Permute((2, 1)), (3, 4, 2)),
        (lambda: layers.RepeatVector(3), (3, 4)),
        (lambda: layers.UpSampling1D(3), (2, 3, 2)),
        (lambda: layers.UpSampling2D((2, 3)), (2, 3, 2, 2)),
        (lambda: layers.UpSampling2D(2, interpolation="bilinear"), (2, 3, 2, 2)),
        (lambda: layers.UpSampling3D(2), (1, 2, 2, 2, 1)),
        (lambda: layers.ZeroPadding1D((1, 2)), (2, 3, 2)),
        (lambda: layers.ZeroPadding2D(((1, 0), (2, 1))), (2, 3, 2, 2)),
        (lambda: layers.ZeroPadding3D(1), (1, 2, 2, 2, 1)),
        (lambda: layers.Cropping1D((1, 2)), (2, 6, 2)),
        (lambda: layers.Cropping2D(((1, 0), (2, 1))), (2, 5, 6, 2)),
        (lambda: layers.Cropping3D(1), (1, 4, 4, 4, 1)),
    ]
    for make, shape in made:
        with tf.Graph().as_default():
            result = _applied(tf, make(), *shape, nodes=False)
            found.append(result)
    return found


def activation_layers(tf):
    layers, found = tf.keras.layers, []
    names = "elu exponential hard_sigmoid linear relu selu sigmoid softmax softplus softsign tanh"
    for name in names.split():
        with tf.Graph().as_default():
            found.append(_applied(tf, layers.Activation(name), 3, 4, nodes=name == "hard_sigmoid"))
    made = [
        lambda: layers.LeakyReLU(0.1), lambda: layers.PReLU("ones"), lambda: layers.ELU(0.5),
        lambda: layers.ThresholdedReLU(0.3), lambda: layers.Softmax(), lambda: layers.ReLU(0.4),
        lambda: layers.ReLU(6), lambda: layers.ReLU(None, 0.2, 0.1),
        lambda: layers.PReLU(shared_axes=[1]),
    ]  # fmt: skip
    for make in made:
        with tf.Graph().as_default():
            found.append(_applied(tf, make(), 3, 4, 2, nodes=False))
    return found


def normalization(tf):
    layers, found = tf.keras.layers, []
    made = [
        (lambda: layers.BatchNormalization(), (4, 3)),
        (lambda: layers.BatchNormalization(), (4, 5, 5, 3)),
        (lambda: layers.BatchNormalization(axis=1, scale=False), (4, 3, 5)),
    ]
    for make, shape in made:
        with tf.Graph().as_default():
            found.append(_applied(tf, make(), *shape))
    for make in (lambda: layers.LayerNormalization(), lambda: layers.LayerNormalization(axis=1)):
        with tf.Graph().as_default():
            found.append(_applied(tf, make(), 4, 3, 5, nodes=False))
    return found


def embedding_and_masks(tf):
    layers = tf.keras.layers
    tf.set_random_seed(3)
    x = layers.Input((5,))
    y = layers.Embedding(9, 4, mask_zero=True)(x)
    masked = layers.Masking()(layers.Input((3, 2)))
    tokens = np.arange(15).reshape(3, 5) % 9
    steps = _data(2, 3, 2)
    steps[:, 1] = 0
    mask = layers.Lambda(lambda t: tf.cast(t._keras_mask, "float32"))(masked)
    return {
        "rows": tf.keras.Model(x, y).predict(tokens),
        "mask": tf.keras.Model(masked._keras_history[0].input, mask).predict(steps),
        "nodes": _nodes(tf),
    }


def merging(tf):
    layers = tf.keras.layers
    a, b = layers.Input((3,)), layers.Input((3,))
    made = [
        layers.Add()([a, b]), layers.Subtract()([a, b]), layers.Multiply()([a, b]),
        layers.Average()([a, b]), layers.Maximum()([a, b]), layers.Minimum()([a, b]),
        layers.Concatenate()([a, b]), layers.Dot(1)([a, b]), layers.Dot(1, normalize=True)([a, b]),
        layers.add([a, b, a]), layers.concatenate([a, b]), layers.dot([a, b], axes=1),
    ]  # fmt: skip
    model = tf.keras.Model([a, b], made)
    found = model.predict([_data(4, 3), _data(4, 3) * 2 - 0.5])
    return [found, [layer.name for layer in model.layers], [list(s) for s in model.output_shape]]


def noise(tf):
    """Noise is drawn while training only; the same seeds draw the same."""
    layers = tf.keras.layers
    tf.set_random_seed(5)
    x = layers.Input((40, 4))
    made = [
        layers.Dropout(0.4)(x), layers.Dropout(0.4, noise_shape=(None, 1, 4), seed=3)(x),
        layers.GaussianNoise(0.3)(x), layers.GaussianDropout(0.3)(x), layers.AlphaDropout(0.3)(x),
        layers.SpatialDropout1D(0.5)(x),
    ]  # fmt: skip
    model = tf.keras.Model(x, made)
    data = _data(3, 40, 4)
    still = model.predict(data)
    with tf.Session() as sess:
        phase = tf.get_default_graph().get_tensor_by_name("keras_learning_phase:0")
        drawn = sess.run(made[:2], {x: data, phase: True})
    return [still, drawn]


def lambdas_and_classes(tf):
    keras = tf.keras

    class Scale(keras.layers.Layer):
        def __init__(self, factor, **kwargs):
            super().__init__(**kwargs)
            self.factor = factor

        def build(self, input_shape):
            self.weight = self.add_weight(
                name="weight", shape=(int(input_shape[-1]),), initializer="ones", trainable=True
            )
            super().build(input_shape)

        def call(self, inputs):
            return inputs * self.weight * self.factor

        def get_config(self):
            return dict(super().get_config(), factor=self.factor)

    x = keras.layers.Input((3,))
    y = keras.layers.Lambda(lambda t, by: t * by, arguments={"by": 2.0})(x)
    layer = Scale(3.0, name="scale")
    model = keras.Model(x, layer(y))
    again = keras.Sequential([Scale(3.0, input_shape=(3,))])
    again = keras.Sequential.from_config(again.get_config(), {"Scale": Scale})
    again.set_weights([np.float32([1, 2, 3])])
    return [
        model.predict(_data(2, 3)), again.predict(_data(2, 3)), layer.get_config(),
        [v.name for v in model.trainable_weights], _nodes(tf),
    ]  # fmt: skip


def regularized_later(tf):
    """A layer that sets its regularizer as an attribute and multiplies by K.dot."""
    keras = tf.keras

    class Projection(keras.layers.Layer):
        def __init__(self, weight, **kwargs):
            super().__init__(**kwargs)
            self.activity_regularizer = keras.regularizers.get("l2")
            self.weight = weight

        def call(self, inputs):
            return keras.backend.dot(inputs, keras.backend.constant(self.weight))

    found = []
    for sizes in ((3, 2), (4, 3, 2)):
        x = keras.layers.Input((5, 3))
        model = keras.Model(x, Projection(_data(*sizes))(x))
        model.compile("sgd", "mse")
        y = model.predict(_data(2, 5, 3))
        found.append([y, model.evaluate(_data(2, 5, 3), y, verbose=0)])
    return found


def mistakes(tf):
    layers = tf.keras.layers
    x = layers.Input((3,))
    return [
        outcome(lambda: layers.Dense(3, unknown=1)),
        outcome(lambda: layers.Conv2D(3, 2)(x)),
        outcome(lambda: layers.Add()(x)),
        outcome(lambda: layers.Reshape((4,))(x)),
        outcome(lambda: layers.Permute((0, 1))),
        outcome(lambda: layers.Dense(2).input),
    ]
