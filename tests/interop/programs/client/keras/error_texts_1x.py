# SPDX-License-Identifier: Apache-2.0
"""The texts of the errors that wrong programs meet."""

import os
import tempfile

import numpy as np

from interop.programs.client import _outcomes

ONLY_1X = True

X = np.ones((4, 3), "float32")


def _message(call, *args, **kwargs):
    """The text of the error, with tensors as TensorFlow names their class."""
    return _outcomes.message(call, *args, **kwargs).replace("<sluice.", "<tf.")


def files_of_models(tf):
    layers, models = tf.keras.layers, tf.keras.models
    found = [
        _message(models.load_model, "/none/model.h5"),
        _message(models.load_model, "/none/model"),
    ]
    one = tf.keras.Sequential(
        [layers.Dense(4, input_shape=(3,), name="a"), layers.Dense(2, name="b")]
    )
    other = tf.keras.Sequential(
        [layers.Dense(5, input_shape=(3,), name="a"), layers.Dense(2, name="b")]
    )
    short = tf.keras.Sequential([layers.Dense(4, input_shape=(3,), name="a")])
    bare = tf.keras.Sequential([layers.Dense(4, input_shape=(3,), use_bias=False, name="a")])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "w.h5")
        one.save_weights(path)
        found += [
            _message(other.load_weights, path, by_name=True),
            _message(short.load_weights, path),
            _message(bare.load_weights, path, by_name=True),
            _message(models.load_model, path),
            _message(one.save_weights, path, save_format="none"),
            _message(tf.keras.Sequential([layers.Dense(1)]).save_weights, path),
            _message(tf.keras.Sequential([layers.Dense(1)]).load_weights, path),
        ]
    return found


def merges(tf):
    keras, layers = tf.keras, tf.keras.layers
    a, b, c = keras.Input((3, 4)), keras.Input((5, 6)), keras.Input((3,))
    return [
        _message(layers.Dot(axes=1), [a, b]),
        _message(layers.Dot(axes=(1, 2)), [a, b]),
        _message(layers.Dot, axes="1"),
        _message(layers.Dot, axes=(1, 2, 3)),
        _message(layers.Dot, axes=(1.0, 2)),
        _message(layers.Dot(axes=1), a),
        _message(layers.Dot(axes=1), [a, b, c]),
        _message(layers.Subtract(), [a]),
        _message(layers.Subtract(), [a, a, a]),
        _message(layers.Concatenate(axis=1), [a, c]),
        _message(layers.Concatenate(), [a]),
        _message(layers.Concatenate(), a),
        _message(layers.Add(), [keras.Input(batch_shape=(2, 3)), keras.Input(batch_shape=(3, 3))]),
        _message(layers.Add(), [a, b]),
        _message(layers.Maximum(), [a]),
    ]


def convolutions(tf):
    keras, layers = tf.keras, tf.keras.layers
    image = keras.Input((8, 8, 3))
    return [
        _message(layers.Conv2D(2, 3, strides=2, dilation_rate=2), image),
        _message(layers.SeparableConv2D(2, 3, strides=2, dilation_rate=2), image),
        _message(layers.Conv2D(2, 3), keras.Input((8, 3))),
        _message(layers.Conv1D, 2, 3, padding="causal2"),
        _message(layers.Conv2D, 2, 3, padding="causal"),
        _message(layers.Conv2D, 2, 3, data_format="a"),
        _message(layers.Conv2D, 2, (3, "a")),
        _message(layers.Conv2D, 2, 3, strides=(1, 2, 3)),
        _message(layers.Conv2DTranspose, 2, 3, strides=2, output_padding=2),
        _message(layers.Conv2DTranspose(2, 3), keras.Input((3,))),
        _message(layers.MaxPooling2D(3), keras.Input((3,))),
        _message(layers.ZeroPadding2D, (1, 2, 3)),
        _message(layers.ZeroPadding2D, ((1, 2, 3), 1)),
        _message(layers.ZeroPadding2D, "a"),
        _message(layers.Cropping2D, (1, 2, 3)),
        _message(layers.Cropping2D(5), image),
        _message(layers.UpSampling2D, interpolation="none"),
        _message(layers.UpSampling2D, (1, 2, 3)),
        _message(layers.LocallyConnected2D, 2, 3, padding="same"),
        _message(layers.DepthwiseConv2D(3), keras.Input((8, 3))),
        _message(layers.Cropping1D(5), keras.Input((8, 3))),
        _message(layers.ZeroPadding1D, (1, 2, 3)),
        _message(layers.Cropping3D, (1, 2)),
    ]


def core_layers(tf):
    keras, layers = tf.keras, tf.keras.layers
    a = keras.Input((3, 4))
    return [
        _message(layers.Reshape((5, -1)), a),
        _message(layers.Reshape((5, 2)), a),
        _message(layers.Reshape((-1, -1)), a),
        _message(layers.RepeatVector(2), a),
        _message(layers.RepeatVector, 2.5),
        _message(layers.Permute, (1, 3)),
        _message(layers.Embedding(3, 2, input_length=4), a),
        _message(layers.Embedding(3, 2, input_length=(4, 5)), keras.Input((3,))),
        _message(layers.Dense, -3),
        _message(layers.Dense(3), keras.Input(())),
        _message(layers.Dense(2), keras.Input((None,))),
        _message(layers.Dropout, 1.5),
        _message(layers.Dropout, -1),
        _message(layers.Activation, "none"),
        _message(layers.Lambda(lambda x: None), a),
        _message(layers.TimeDistributed, 3),
        _message(layers.TimeDistributed(layers.Dense(2)), keras.Input((3,))),
        _message(layers.Bidirectional, 3),
        _message(layers.Bidirectional, layers.LSTM(2), merge_mode="none"),
        _message(layers.BatchNormalization(axis=5), a),
        _message(layers.BatchNormalization, axis="a"),
        _message(layers.LayerNormalization(axis=5), a),
        _message(layers.LayerNormalization, axis="a"),
        _message(layers.ThresholdedReLU, -1),
        _message(layers.ReLU, -1),
        _message(layers.ReLU, negative_slope=-1),
        _message(layers.LeakyReLU, None),
        _message(layers.PReLU(shared_axes=[1]), a),
        _message(layers.ActivityRegularization, "a"),
        _message(layers.deserialize, {"class_name": "N"}),
        _message(layers.deserialize, {"class_name": "Nothing", "config": {}}),
        _message(layers.InputLayer, input_shape=(3,), none=1),
        _message(layers.Input),
        _message(layers.Input, (3,), batch_shape=(1, 3)),
        _message(layers.InputLayer, batch_input_shape=(1, 3), input_shape=(3,)),
        _message(layers.Attention(), a),
        _message(layers.Attention(), [a]),
        _message(layers.Attention(), [a, a, a, a]),
    ]


def recurrent_layers(tf):
    keras, layers = tf.keras, tf.keras.layers
    a = keras.Input((3, 4))
    whole = keras.Input(batch_shape=(2, 3, 4))
    stateful = layers.LSTM(2, stateful=True)
    free = layers.LSTM(2, stateful=True)
    done = layers.LSTM(2, stateful=True)
    done(whole)
    return [
        _message(layers.LSTM(2), keras.Input((3,))),
        _message(free, a),
        _message(stateful.reset_states),
        _message(layers.LSTM(2).reset_states),
        _message(done.reset_states, [np.ones((2, 2))]),
        _message(layers.RNN, 3),
        _message(layers.RNN, layers.Dense(2)),
        _message(layers.StackedRNNCells, [3]),
        _message(layers.SimpleRNN, "a"),
        _message(layers.GRU, 2, implementation=5),
        _message(layers.LSTM(2, unroll=True), keras.Input((None, 4))),
        _message(layers.ConvLSTM2D(2, 3), a),
        _message(layers.LSTM, 2, dropout="a"),
    ]


def networks(tf):
    keras, layers = tf.keras, tf.keras.layers
    a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
    dense = layers.Dense(2, name="dense")
    both = layers.Add(name="both")([a, b])
    plain = tf.zeros((2, 3))
    model = keras.Model([a, b], dense(both), name="net")
    free = keras.Sequential([layers.Dense(2)])
    twice = layers.Dense(2, name="twice")
    twice(a)
    twice(b)
    return [
        _message(keras.Model, a, dense(both)),
        _message(keras.Model, plain, dense(a)),
        _message(keras.Model, [a, a], dense(a)),
        _message(keras.Model, [a, keras.Input((3,), name="a")], layers.Add()([a, b])),
        _message(getattr, free, "weights"),
        _message(getattr, free, "input"),
        _message(getattr, free, "output"),
        _message(free.summary),
        _message(free.count_params),
        _message(free.get_weights),
        _message(getattr, layers.Dense(2), "input_shape"),
        _message(getattr, layers.Dense(2), "output"),
        _message(getattr, twice, "output"),
        _message(getattr, twice, "input_shape"),
        _message(twice.get_output_at, 5),
        _message(layers.Dense(2).count_params),
        _message(model.get_layer),
        _message(model.get_layer, "no"),
        _message(model.get_layer, index=77),
        _message(dense.set_weights, [np.ones((3, 2))]),
        _message(dense.set_weights, [np.ones((2, 2)), np.ones(2)]),
        _message(model.set_weights, [np.ones(3)]),
        _message(model, a),
        _message(model, [a, b, a]),
        _message(free.add, 3),
        _message(free.add, layers.Lambda(lambda x: [x, x])),
        _message(keras.Sequential().pop),
        _message(keras.Sequential([layers.Dense(2)]).build),
        _message(keras.models.clone_model, 3),
        _message(keras.models.model_from_json, "{}"),
        _message(layers.Dense(3), "text"),
        _message(layers.Dense(2).get_input_at, 0),
    ]


def fitting(tf):
    keras, layers = tf.keras, tf.keras.layers
    model = keras.Sequential([layers.Dense(2, input_shape=(3,), name="d")])
    y = np.ones((4, 2))
    found = [
        _message(model.fit, X, y),
        _message(model.evaluate, X, y),
        _message(model.train_on_batch, X, y),
    ]
    model.compile("sgd", "mse")
    a, b = keras.Input((3,), name="a"), keras.Input((5,), name="b")
    several = keras.Model([a, b], [layers.Dense(2, name="u")(a), layers.Dense(1, name="v")(b)])
    several.compile("sgd", "mse")
    z, w = np.ones((4, 5)), np.ones((4, 1))
    silent = {"verbose": 0}
    return found + [
        _message(model.fit, np.ones((4, 5)), y, **silent),
        _message(model.fit, np.ones((4, 3, 2)), y, **silent),
        _message(model.fit, X, np.ones((4, 3)), **silent),
        _message(model.fit, [X, X], y, **silent),
        _message(model.fit, X, [y, y], **silent),
        _message(model.fit, None, y, **silent),
        _message(model.fit, X, y, epoch=3),
        _message(model.fit, X, y, batch_size=4, steps_per_epoch=1.5, **silent)[:3],
        _message(model.fit, X, y, validation_data=3, **silent),
        _message(model.fit, X, y, validation_data=(X,), **silent)[:150],
        _message(model.predict, np.ones((4, 5))),
        _message(model.predict, [X, X]),
        _message(model.predict, {"b": X}),
        _message(model.predict, None),
        _message(model.evaluate, np.ones((4, 5)), y, **silent),
        _message(model.evaluate, X, np.ones((5, 2)), **silent),
        _message(model.train_on_batch, X, np.ones((5, 2))),
        _message(model.train_on_batch, np.ones((4, 4)), y),
        _message(several.fit, X, [y, w], **silent),
        _message(several.fit, [X], [y, w], **silent),
        _message(several.fit, [X, z, z], [y, w], **silent),
        _message(several.fit, [X, z], y, **silent),
        _message(several.fit, {"a": X}, [y, w], **silent),
        _message(several.fit, {"a": X, "b": z}, {"u": y}, **silent),
        _message(several.fit, [z, X], [y, w], **silent),
        _message(several.fit, [X, z[:3]], [y, w], **silent),
        _message(several.fit, [X, z], [w, y], **silent),
        _message(several.fit, [X, z], [y, w[:3]], **silent),
        _message(several.predict, X),
        _message(several.predict, [X, z, X]),
        _message(several.fit, [X, z], [y, w], sample_weight=[np.ones(4)], **silent),
        _message(several.fit, [X, z], [y, w], class_weight=[1, 2, 3], **silent),
        _message(model.fit, X.tolist(), y, **silent)[:60],
    ]


def compiling(tf):
    keras, layers = tf.keras, tf.keras.layers
    a = keras.Input((3,), name="a")
    model = keras.Model(a, [layers.Dense(2, name="u")(a), layers.Dense(1, name="v")(a)])
    done = model.compile
    return [
        _message(done),
        _message(done, "sgd", {"u": "mse", "w": "mse"}),
        _message(done, "sgd", ["mse"]),
        _message(done, "sgd", 3),
        _message(done, "sgd", "mse", loss_weights={"w": 1}),
        _message(done, "sgd", "mse", loss_weights=[1, 2, 3]),
        _message(done, 3, "mse"),
        _message(done, "sgd", "mse", metrics=3),
        _message(done, "sgd", "mse", metrics=[3]),
        _message(done, "sgd", "mse", metrics=["a", "b"]),
        _message(done, "sgd", "mse", metrics=[["a"]]),
        _message(done, "sgd", "mse", weighted_metrics={"w": "a"}),
        _message(done, "sgd", "mse", sample_weight_mode={"w": None}),
        _message(done, "sgd", "mse", sample_weight_mode=["temporal"]),
        _message(done, "sgd", "mse", sample_weight_mode={"u": "temporal"}),
        _message(done, "sgd", "mse", target_tensors=[tf.zeros((1, 2))]),
        _message(done, "sgd", "mse", target_tensors={"w": tf.zeros((1, 2))}),
        _message(done, "sgd", "mse", target_tensors=3),
        _message(keras.optimizers.get, 3),
        _message(keras.optimizers.get, "none"),
        _message(keras.losses.get, 3),
        _message(keras.losses.get, "none"),
        _message(keras.metrics.get, 3),
        _message(keras.metrics.get, "none"),
        _message(keras.regularizers.get, 3),
        _message(keras.regularizers.get, "none"),
        _message(keras.constraints.get, 3),
        _message(keras.constraints.get, "none"),
        _message(keras.initializers.get, 3),
        _message(keras.initializers.get, "none"),
        _message(keras.activations.get, 3),
        _message(keras.activations.get, "none"),
        _message(keras.optimizers.SGD, momentum=2),
        _message(keras.optimizers.SGD, clipnorm=-1),
        _message(keras.optimizers.SGD, none=1),
        _message(keras.optimizers.SGD, "a")[:3],
    ]


def others(tf):
    keras = tf.keras
    backend = keras.backend
    applications = keras.applications
    a = keras.Input((3, 4))
    return [
        _message(applications.VGG16, weights="imagenet", classes=3),
        _message(applications.VGG16, weights="none"),
        _message(applications.VGG16, weights=None, input_shape=(8, 8, 3), include_top=False),
        _message(applications.VGG16, weights=None, input_shape=(64, 64)),
        _message(applications.MobileNet, weights=None, alpha=0.3, input_shape=(99, 99, 3))[:3],
        _message(backend.set_image_data_format, "none"),
        _message(backend.dot, 3, 4)[:3],
        _message(backend.resize_images, a, 2, 2, "none"),
        _message(backend.resize_images, a, 2, 2, "none", "b"),
        _message(backend.function, [], [], none=1),
        _message(backend.pool2d, tf.zeros((1, 4, 4, 1)), (2, 2), pool_mode="none"),
        _message(keras.utils.to_categorical, [5], 3),
        _message(keras.utils.multi_gpu_model, None, 1),
        _message(keras.models.model_from_config, [1]),
        _message(keras.activations.softmax, tf.zeros((1,))),
        _message(keras.initializers.Orthogonal(), (3,)),
        _message(keras.callbacks.ReduceLROnPlateau, factor=2.0),
        _message(keras.callbacks.EarlyStopping, mode="none"),
        _message(keras.preprocessing.sequence.pad_sequences, [1, 2]),
        _message(keras.preprocessing.sequence.pad_sequences, [[1]], 2, padding="none"),
        _message(keras.preprocessing.sequence.pad_sequences, [[1, 2, 3]], 2, truncating="none"),
        _message(keras.preprocessing.sequence.pad_sequences, 3),
        _message(keras.preprocessing.sequence.TimeseriesGenerator, [1, 2], [1], 1),
        _message(keras.preprocessing.text.Tokenizer().texts_to_matrix, ["a"]),
    ]


def classes_that_are_not_built(tf):
    """What build() of a class that defines call() refuses."""
    layers = tf.keras.layers

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(2)

        def call(self, x):
            return self.dense(x)

    class Scaled(Net):
        def call(self, x, scale, training):
            return self.dense(x) * scale

    class Trained(Net):
        def call(self, x, training):
            return self.dense(x) if training else self.dense(x) * 2

    trained = Trained()
    trained.build((None, 3))
    return [
        [len(trained.weights), _message(Scaled().build, (None, 3))],
        [_message(Net().build, shape)[:200] for shape in (None, 3)],
        _message(Net().build, [(None, 3), (None, 3)])[:60],
        _message(tf.keras.Model().build, (None, 3)),
    ]


def shapes_that_do_not_fit(tf):
    """What layers say whose input_spec has a whole shape."""
    layers = tf.keras.layers

    class Own(layers.Layer):
        def call(self, inputs):
            return inputs

    layer, distributed = Own(name="own"), layers.TimeDistributed(layers.Dense(2), name="steps")
    layer.input_spec = layers.InputSpec(shape=(None, 3))
    distributed(tf.keras.Input((4, 5)))
    return [
        _message(layer, tf.keras.Input((4,))), _message(layer, tf.keras.Input((4, 4))),
        _message(layer, tf.keras.Input((None,))),
        _message(distributed, tf.keras.Input((4, 6))).partition(": expected")[0],
    ]  # fmt: skip
