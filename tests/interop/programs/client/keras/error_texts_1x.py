# SPDX-License-Identifier: Apache-2.0
"""The texts of the errors that wrong programs meet."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import message

ONLY_1X = True

X = np.ones((4, 3), "float32")


def files_of_models(tf):
    layers, models = tf.keras.layers, tf.keras.models
    found = [message(models.load_model, "/none/model.h5"), message(models.load_model, "/none/model")]
    one = tf.keras.Sequential([layers.Dense(4, input_shape=(3,), name="a"),
                               layers.Dense(2, name="b")])  # fmt: skip
    other = tf.keras.Sequential([layers.Dense(5, input_shape=(3,), name="a"),
                                 layers.Dense(2, name="b")])  # fmt: skip
    short = tf.keras.Sequential([layers.Dense(4, input_shape=(3,), name="a")])
    bare = tf.keras.Sequential([layers.Dense(4, input_shape=(3,), use_bias=False, name="a")])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "w.h5")
        one.save_weights(path)
        found += [
            message(other.load_weights, path), message(other.load_weights, path, by_name=True),
            message(short.load_weights, path), message(bare.load_weights, path, by_name=True),
            message(other.load_weights, os.path.join(folder, "none.h5")).replace(folder, ""),
            message(other.load_weights, os.path.join(folder, "none"), by_name=True),
            message(models.load_model, path),
            message(one.save_weights, path, save_format="none"),
            message(tf.keras.Sequential([layers.Dense(1)]).save_weights, path),
            message(tf.keras.Sequential([layers.Dense(1)]).load_weights, path),
        ]  # fmt: skip
    return found


def merges(tf):
    keras, layers = tf.keras, tf.keras.layers
    a, b, c = keras.Input((3, 4)), keras.Input((5, 6)), keras.Input((3,))
    return [
        message(layers.Dot(axes=1), [a, b]), message(layers.Dot(axes=(1, 2)), [a, b]),
        message(layers.Dot, axes="1"), message(layers.Dot, axes=(1, 2, 3)),
        message(layers.Dot, axes=(1.0, 2)), message(layers.Dot(axes=1), a),
        message(layers.Dot(axes=1), [a, b, c]), message(layers.Subtract(), [a]),
        message(layers.Subtract(), [a, a, a]), message(layers.Concatenate(axis=1), [a, c]),
        message(layers.Concatenate(), [a]), message(layers.Concatenate(), a),
        message(layers.Add(), [keras.Input(batch_shape=(2, 3)), keras.Input(batch_shape=(3, 3))]),
        message(layers.Add(), [a, b]), message(layers.Maximum(), [a]),
    ]  # fmt: skip


def convolutions(tf):
    keras, layers = tf.keras, tf.keras.layers
    image = keras.Input((8, 8, 3))
    return [
        message(layers.Conv2D(2, 3, strides=2, dilation_rate=2), image),
        message(layers.SeparableConv2D(2, 3, strides=2, dilation_rate=2), image),
        message(layers.Conv2D(2, 3), keras.Input((8, 3))),
        message(layers.Conv2D(2, 9), image), message(layers.Conv1D, 2, 3, padding="causal2"),
        message(layers.Conv2D, 2, 3, padding="causal"), message(layers.Conv2D, 2, 3, data_format="a"),
        message(layers.Conv2D, 2, (3, "a")), message(layers.Conv2D, 2, 3, strides=(1, 2, 3)),
        message(layers.Conv2DTranspose, 2, 3, strides=2, output_padding=2),
        message(layers.Conv2DTranspose(2, 3), keras.Input((3,))),
        message(layers.MaxPooling2D(3), keras.Input((3,))),
        message(layers.MaxPooling2D(9), image),
        message(layers.ZeroPadding2D, (1, 2, 3)), message(layers.ZeroPadding2D, ((1, 2, 3), 1)),
        message(layers.ZeroPadding2D, "a"), message(layers.Cropping2D, (1, 2, 3)),
        message(layers.Cropping2D, None), message(layers.Cropping2D(5), image),
        message(layers.UpSampling2D, interpolation="none"), message(layers.UpSampling2D, (1, 2, 3)),
        message(layers.LocallyConnected2D, 2, 3, padding="same"),
        message(layers.LocallyConnected1D(2, 3), keras.Input((None, 3))),
        message(layers.DepthwiseConv2D(3), keras.Input((8, 3))),
        message(layers.DepthwiseConv2D(3), keras.Input((8, 8, None))),
        message(layers.Cropping1D(5), keras.Input((8, 3))),
        message(layers.ZeroPadding1D, (1, 2, 3)), message(layers.Cropping3D, (1, 2)),
    ]  # fmt: skip


def core_layers(tf):
    keras, layers = tf.keras, tf.keras.layers
    a = keras.Input((3, 4))
    return [
        message(layers.Reshape((5, -1)), a), message(layers.Reshape((5, 2)), a),
        message(layers.Reshape((-1, -1)), a), message(layers.RepeatVector(2), a),
        message(layers.RepeatVector, 2.5),
        message(layers.Permute, (1, 3)), message(layers.Embedding(3, 2, input_length=4), a),
        message(layers.Embedding(3, 2, input_length=(4, 5)), keras.Input((3,))),
        message(layers.Dense, -3), message(layers.Dense(3), keras.Input(())),
        message(layers.Dense(2), keras.Input((None,))), message(layers.Dropout, 1.5),
        message(layers.Dropout, -1), message(layers.Activation, "none"),
        message(layers.Lambda(lambda x: None), a), message(layers.TimeDistributed, 3),
        message(layers.TimeDistributed(layers.Dense(2)), keras.Input((3,))),
        message(layers.Bidirectional, 3),
        message(layers.Bidirectional, layers.LSTM(2), merge_mode="none"),
        message(layers.Bidirectional, layers.Dense(2)),
        message(layers.BatchNormalization(axis=5), a), message(layers.BatchNormalization, axis="a"),
        message(layers.LayerNormalization(axis=5), a), message(layers.LayerNormalization, axis="a"),
        message(layers.Softmax(axis=7), a), message(layers.ELU(), None)[:20],
        message(layers.ThresholdedReLU, -1), message(layers.ReLU, -1),
        message(layers.ReLU, negative_slope=-1), message(layers.LeakyReLU, None),
        message(layers.PReLU(shared_axes=[1]), a), message(layers.Masking(), None)[:9],
        message(layers.GaussianDropout(0.5), None)[:9], message(layers.Flatten(), 3)[:3],
        message(layers.ActivityRegularization, "a"), message(layers.deserialize, {"class_name": "N"}),
        message(layers.deserialize, {"class_name": "Nothing", "config": {}}),
        message(layers.deserialize, 3), message(layers.InputLayer, input_shape=(3,), none=1),
        message(layers.Input), message(layers.Input, (3,), batch_shape=(1, 3)),
        message(layers.InputLayer, batch_input_shape=(1, 3), input_shape=(3,)),
        message(layers.Attention(), a), message(layers.Attention(), [a]),
        message(layers.Attention(), [a, a, a, a]),
    ]  # fmt: skip


def recurrent_layers(tf):
    keras, layers = tf.keras, tf.keras.layers
    a = keras.Input((3, 4))
    whole = keras.Input(batch_shape=(2, 3, 4))
    stateful = layers.LSTM(2, stateful=True)
    free = layers.LSTM(2, stateful=True)
    done = layers.LSTM(2, stateful=True)
    done(whole)
    return [
        message(layers.LSTM(2), keras.Input((3,))), message(free, a),
        message(stateful.reset_states), message(layers.LSTM(2).reset_states),
        message(done.reset_states, [np.ones((2, 2))]),
        message(done.reset_states, [np.ones((2, 3)), np.ones((2, 2))]),
        message(layers.LSTM(2), a, initial_state=[keras.Input((2,))]),
        message(layers.LSTM(2), a, initial_state=[keras.Input((2,)), keras.Input((3,))]),
        message(layers.GRU(2), a, initial_state=[np.ones((1, 2)), keras.Input((2,))]),
        message(layers.RNN, 3), message(layers.RNN, layers.Dense(2)),
        message(layers.StackedRNNCells, [3]), message(layers.SimpleRNN, "a"),
        message(layers.GRU, 2, implementation=5), message(layers.LSTM(2, unroll=True), keras.Input((None, 4))),
        message(layers.ConvLSTM2D(2, 3), a), message(layers.LSTM, 2, dropout="a"),
    ]  # fmt: skip


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
        message(keras.Model, a, dense(both)), message(keras.Model, plain, dense(a)),
        message(keras.Model, a, plain), message(keras.Model, [a, a], dense(a)),
        message(keras.Model, dense(a), layers.Dense(2)(dense(a))),
        message(keras.Model, [a, keras.Input((3,), name="a")], layers.Add()([a, b])),
        message(getattr, free, "weights"), message(getattr, free, "input"),
        message(getattr, free, "output"), message(free.summary), message(free.count_params),
        message(free.get_weights), message(getattr, layers.Dense(2), "input_shape"),
        message(getattr, layers.Dense(2), "output"), message(getattr, twice, "output"),
        message(getattr, twice, "input_shape"), message(twice.get_output_at, 5),
        message(layers.Dense(2).count_params), message(model.get_layer), message(model.get_layer, "no"),
        message(model.get_layer, index=77), message(dense.set_weights, [np.ones((3, 2))]),
        message(dense.set_weights, [np.ones((2, 2)), np.ones(2)]),
        message(model.set_weights, [np.ones(3)]), message(model, a), message(model, [a, b, a]),
        message(free.add, 3), message(free.add, layers.Lambda(lambda x: [x, x])),
        message(keras.Sequential().pop), message(keras.Sequential([layers.Dense(2)]).build),
        message(keras.models.clone_model, 3), message(keras.models.clone_model, model, b)[:60],
        message(keras.models.model_from_json, "{}"), message(keras.models.model_from_json, "[]"),
        message(layers.Dense(3), "text"), message(layers.Dense(2).get_input_at, 0),
    ]  # fmt: skip


def fitting(tf):
    keras, layers = tf.keras, tf.keras.layers
    model = keras.Sequential([layers.Dense(2, input_shape=(3,), name="d")])
    y = np.ones((4, 2))
    found = [message(model.fit, X, y), message(model.evaluate, X, y), message(model.train_on_batch, X, y)]
    model.compile("sgd", "mse")
    a, b = keras.Input((3,), name="a"), keras.Input((5,), name="b")
    several = keras.Model([a, b], [layers.Dense(2, name="u")(a), layers.Dense(1, name="v")(b)])
    several.compile("sgd", "mse")
    z, w = np.ones((4, 5)), np.ones((4, 1))
    silent = {"verbose": 0}
    return found + [
        message(model.fit, np.ones((4, 5)), y, **silent),
        message(model.fit, np.ones((4, 3, 2)), y, **silent),
        message(model.fit, X, np.ones((4, 3)), **silent), message(model.fit, [X, X], y, **silent),
        message(model.fit, X, [y, y], **silent), message(model.fit, X, None, **silent),
        message(model.fit, None, y, **silent), message(model.fit, X, y, epoch=3),
        message(model.fit, X, y, batch_size=4, steps_per_epoch=1.5, **silent)[:3],
        message(model.fit, X, y, validation_split=1.0, **silent)[:3],
        message(model.fit, X, y, validation_data=3, **silent),
        message(model.fit, X, y, validation_data=(X,), **silent),
        message(model.fit, X, y, validation_data=(X, y, y, y), **silent),
        message(model.fit, X, y, class_weight=[1], **silent)[:3],
        message(model.predict, np.ones((4, 5))), message(model.predict, [X, X]),
        message(model.predict, {"b": X}), message(model.predict, None),
        message(model.evaluate, np.ones((4, 5)), y, **silent),
        message(model.evaluate, X, np.ones((5, 2)), **silent),
        message(model.train_on_batch, X, np.ones((5, 2))), message(model.train_on_batch, np.ones((4, 4)), y),
        message(several.fit, X, [y, w], **silent), message(several.fit, [X], [y, w], **silent),
        message(several.fit, [X, z, z], [y, w], **silent), message(several.fit, [X, z], y, **silent),
        message(several.fit, {"a": X}, [y, w], **silent),
        message(several.fit, {"a": X, "b": z}, {"u": y}, **silent),
        message(several.fit, [z, X], [y, w], **silent), message(several.fit, [X, z[:3]], [y, w], **silent),
        message(several.fit, [X, z], [w, y], **silent), message(several.fit, [X, z], [y, w[:3]], **silent),
        message(several.predict, X), message(several.predict, [X, z, X]),
        message(several.fit, [X, z], [y, w], sample_weight=[np.ones(4)], **silent),
        message(several.fit, [X, z], [y, w], class_weight=[1, 2, 3], **silent),
        message(model.fit, X.tolist(), y, **silent)[:60], message(model.fit, "text", y, **silent)[:30],
    ]  # fmt: skip


def compiling(tf):
    keras, layers = tf.keras, tf.keras.layers
    a = keras.Input((3,), name="a")
    model = keras.Model(a, [layers.Dense(2, name="u")(a), layers.Dense(1, name="v")(a)])
    done = model.compile
    return [
        message(done), message(done, "sgd", {"u": "mse", "w": "mse"}), message(done, "sgd", ["mse"]),
        message(done, "sgd", 3), message(done, "sgd", "mse", loss_weights={"w": 1}),
        message(done, "sgd", "mse", loss_weights=[1, 2, 3]), message(done, 3, "mse"),
        message(done, "sgd", "mse", metrics=3), message(done, "sgd", "mse", metrics=[3]),
        message(done, "sgd", "mse", metrics=["a", "b"]), message(done, "sgd", "mse", metrics=[["a"]]),
        message(done, "sgd", "mse", weighted_metrics={"w": "a"}),
        message(done, "sgd", "mse", sample_weight_mode={"w": None}),
        message(done, "sgd", "mse", sample_weight_mode=["temporal"]),
        message(done, "sgd", "mse", sample_weight_mode={"u": "temporal"}),
        message(done, "sgd", "mse", target_tensors=[tf.zeros((1, 2))]),
        message(done, "sgd", "mse", target_tensors={"w": tf.zeros((1, 2))}),
        message(done, "sgd", "mse", target_tensors=3), message(done, "sgd", "mse", none=3),
        message(done, "sgd", keras.losses.MeanSquaredError), message(done, "sgd", tf.zeros(3))[:3],
        message(keras.optimizers.get, 3), message(keras.optimizers.get, "none"),
        message(keras.losses.get, 3), message(keras.losses.get, "none"),
        message(keras.metrics.get, 3), message(keras.metrics.get, "none"),
        message(keras.regularizers.get, 3), message(keras.regularizers.get, "none"),
        message(keras.constraints.get, 3), message(keras.constraints.get, "none"),
        message(keras.initializers.get, 3), message(keras.initializers.get, "none"),
        message(keras.activations.get, 3), message(keras.activations.get, "none"),
        message(keras.optimizers.SGD, momentum=2), message(keras.optimizers.SGD, clipnorm=-1),
        message(keras.optimizers.SGD, none=1), message(keras.optimizers.SGD, "a")[:3],
        message(keras.optimizers.Adam().set_weights, [1]),
    ]  # fmt: skip


def others(tf):
    keras = tf.keras
    backend = keras.backend
    applications = keras.applications
    a = keras.Input((3, 4))
    return [
        message(applications.VGG16, weights="imagenet", classes=3),
        message(applications.VGG16, weights="none"),
        message(applications.VGG16, weights=None, input_shape=(8, 8, 3), include_top=False),
        message(applications.VGG16, weights=None, input_shape=(64, 64)),
        message(applications.MobileNet, weights=None, alpha=0.3, input_shape=(99, 99, 3))[:3],
        message(backend.set_image_data_format, "none"), message(backend.variable, "text")[:3],
        message(backend.dot, 3, 4)[:3],
        message(backend.batch_dot, a, a), message(backend.batch_dot, a, keras.Input((5, 6)), axes=1)[:3],
        message(backend.permute_dimensions, a, (0, 1)), message(backend.repeat, a, 2),
        message(backend.rnn, None, tf.zeros((2, 3)), [])[:3], message(backend.conv2d, a, a)[:3],
        message(backend.resize_images, a, 2, 2, "none"), message(backend.resize_images, a, 2, 2, "none", "b"),
        message(backend.switch, tf.constant([True]), a, a)[:3], message(backend.in_train_phase, 1, 2, 3)[:3],
        message(backend.function, [], [], none=1), message(backend.pool2d, a, (2, 2), data_format="n"),
        message(backend.pool2d, tf.zeros((1, 4, 4, 1)), (2, 2), pool_mode="none"),
        message(backend.bias_add, tf.zeros((2, 3)), tf.zeros((2, 2, 2))),
        message(backend.one_hot, a, "a")[:3], message(backend.ctc_decode, a, a, none=1),
        message(keras.utils.to_categorical, [5], 3), message(keras.utils.get_file, "x", "file:///none"),
        message(keras.utils.deserialize_keras_object, 3), message(keras.utils.multi_gpu_model, None, 1),
        message(keras.callbacks.ReduceLROnPlateau, factor=2.0),
        message(keras.callbacks.EarlyStopping, mode="none"),
        message(keras.preprocessing.sequence.pad_sequences, [1, 2]),
        message(keras.preprocessing.sequence.pad_sequences, [[1]], 2, padding="none"),
        message(keras.preprocessing.sequence.pad_sequences, [[1, 2, 3]], 2, truncating="none"),
        message(keras.preprocessing.sequence.pad_sequences, 3),
        message(keras.preprocessing.sequence.TimeseriesGenerator, [1, 2], [1], 1),
        message(keras.preprocessing.text.Tokenizer().texts_to_matrix, ["a"]),
        message(keras.preprocessing.text.Tokenizer(num_words=3).texts_to_matrix, ["a"], "none"),
    ]  # fmt: skip
