# SPDX-License-Identifier: Apache-2.0
"""Keras, estimators, contrib's layers: what a 1.15 client builds its programs from.

Each is given a server and an empty folder, and returns what it computed.
"""

import itertools
import json
import os

import numpy as np
import tensorflow

from interop.programs.big_models import uniform

tf = tensorflow.compat.v1

PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__] = build
    return build


def fitted(model, x, y, **options):
    history = model.fit(x, y, epochs=3, batch_size=8, verbose=0, shuffle=False, **options)
    losses = {name: np.float32(values) for name, values in history.history.items()}
    return losses, model.evaluate(x, y, verbose=0), model.predict(x), model.get_weights()


def with_keras(target, build):
    keras = tensorflow.keras
    session = tf.Session(target, graph=tf.get_default_graph())
    keras.backend.set_session(session)
    try:
        return build(keras)
    finally:
        keras.backend.set_session(None)
        session.close()


@program
def keras_sequential(target, folder):
    def build(keras):
        layers = keras.layers
        model = keras.Sequential(
            [
                layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1)),
                layers.BatchNormalization(),
                layers.MaxPooling2D(),
                layers.Flatten(),
                layers.Dropout(0.25, seed=3),
                layers.Dense(5, activation="softmax"),
            ]
        )
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        x, y = uniform(1, 32, 8, 8, 1), np.arange(32) % 5
        results = fitted(model, x, y, validation_split=0.25)
        path = os.path.join(folder, "weights")
        model.save_weights(path)
        before = model.get_weights()
        model.set_weights([w * 0 for w in before])
        model.load_weights(path)
        return results, model.get_weights(), model.train_on_batch(x, y)

    return with_keras(target, build)


@program
def keras_functional(target, folder):
    """Two inputs, an embedding, recurrent layers, a learning rate that falls, clipped gradients."""

    def build(keras):
        layers = keras.layers
        words, numbers = layers.Input((6,), dtype="int32"), layers.Input((6, 3))
        embedded = layers.Embedding(12, 4, mask_zero=True)(words)
        a = layers.LSTM(5, recurrent_activation="sigmoid")(embedded)
        b = layers.Bidirectional(layers.GRU(4, return_sequences=True))(numbers)
        b = layers.GlobalAveragePooling1D()(layers.Conv1D(4, 3, padding="same")(b))
        joined = layers.concatenate([a, b])
        output = layers.Dense(1, kernel_regularizer=keras.regularizers.l2(0.01))(joined)
        model = keras.Model([words, numbers], output)
        optimizer = keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True, clipnorm=0.5)
        model.compile(optimizer, "mse", metrics=["mae"])
        words = np.random.RandomState(2).randint(0, 12, (24, 6))
        fall = keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 / (1 + epoch))
        return fitted(model, [words, uniform(3, 24, 6, 3)], uniform(4, 24, 1), callbacks=[fall])

    return with_keras(target, build)


def on_server(target):
    """A configuration of an estimator whose sessions are the server's."""
    masters = {"session_master": target, "eval_session_master": target}
    os.environ["TF_CONFIG"] = json.dumps(masters)
    try:
        return tensorflow.estimator.RunConfig(
            tf_random_seed=3, save_checkpoints_steps=4, save_summary_steps=2
        )
    finally:
        del os.environ["TF_CONFIG"]


def predictions(estimator, inputs):
    # Constants never run out.
    found = itertools.islice(estimator.predict(inputs), 20)
    return [{k: v for k, v in one.items() if k != "all_classes"} for one in found]


@program
def estimators(target, folder):
    """A canned one over feature columns, a model of one's own, both trained, evaluated, asked."""
    columns = tf.feature_column
    x, y = uniform(5, 20, 2), (np.arange(20) % 3).astype(np.int32)
    words = np.array(["a", "bb", "c", "d"])[np.arange(20) % 4]

    def inputs():
        return {"x": tf.constant(x), "word": tf.constant(words)}, tf.constant(y)

    word = columns.categorical_column_with_hash_bucket("word", 10)
    deep = [columns.numeric_column("x", shape=(2,)), columns.embedding_column(word, 3)]
    canned = tf.estimator.DNNLinearCombinedClassifier(
        model_dir=os.path.join(folder, "canned"),
        linear_feature_columns=[word],
        dnn_feature_columns=deep,
        dnn_hidden_units=[6, 4],
        n_classes=3,
        config=on_server(target),
    )
    canned.train(inputs, steps=6)
    first = canned.evaluate(inputs, steps=1), predictions(canned, inputs)
    tf.Session.reset(target)

    def model(features, labels, mode):
        hidden = tf.layers.dense(features["x"], 5, tf.nn.tanh)
        hidden = tf.layers.batch_normalization(
            hidden, training=mode == tf.estimator.ModeKeys.TRAIN, fused=False
        )
        guess = tf.squeeze(tf.layers.dense(hidden, 1), 1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, {"guess": guess})
        loss = tf.losses.mean_squared_error(tf.to_float(labels), guess)
        step = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        step = tf.group(step, *tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        measured = {"error": tf.metrics.mean_absolute_error(tf.to_float(labels), guess)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step, eval_metric_ops=measured)

    own = tf.estimator.Estimator(model, os.path.join(folder, "own"), on_server(target))
    own.train(inputs, steps=5)
    own.train(inputs, steps=3)
    tf.Session.reset(target)
    return first, own.evaluate(inputs, steps=1), predictions(own, inputs)


@program
def slim(target, folder):
    """contrib's layers under an arg_scope: a small VGG, trained by slim's own loop's parts."""
    from tensorflow.contrib import framework, layers
    from tensorflow.contrib import slim as contrib_slim

    images = tf.constant(uniform(1, 4, 16, 16, 3))
    labels = tf.one_hot([0, 1, 2, 1], 3)
    norm = {"is_training": True, "decay": 0.9, "updates_collections": None}
    with framework.arg_scope(
        [layers.conv2d],
        normalizer_fn=layers.batch_norm,
        normalizer_params=norm,
        weights_regularizer=layers.l2_regularizer(1e-3),
        weights_initializer=layers.variance_scaling_initializer(seed=4),
    ):
        net = layers.repeat(images, 2, layers.conv2d, 4, [3, 3], scope="block")
        net = layers.max_pool2d(net, [2, 2])
        net = layers.separable_conv2d(net, 6, [3, 3], 1)
        net = layers.conv2d_transpose(net, 3, [3, 3], 2)
        net = layers.instance_norm(layers.group_norm(net, 3))
    net = layers.layer_norm(layers.flatten(net))
    net = layers.dropout(layers.fully_connected(net, 8), 0.8, seed=2)
    logits = layers.fully_connected(net, 3, activation_fn=None)
    tf.losses.softmax_cross_entropy(labels, logits)
    loss = tf.losses.get_total_loss()
    step = contrib_slim.learning.create_train_op(
        loss, tf.train.MomentumOptimizer(0.01, 0.9), clip_gradient_norm=1.0
    )
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        return [session.run(step) for _ in range(4)]


@program
def contrib_cells(target, folder):
    """Cells of contrib and of 1.15, wrapped, stacked, over sequences of unequal lengths."""
    from tensorflow.contrib import crf, rnn

    cells = tf.nn.rnn_cell
    x, lengths = tf.constant(uniform(2, 3, 5, 4)), tf.constant([5, 2, 3])
    initial = tf.random_uniform_initializer(-0.3, 0.3, seed=5)
    with tf.variable_scope("cells", initializer=initial):
        stack = cells.MultiRNNCell(
            [
                cells.DropoutWrapper(
                    cells.LSTMCell(6, use_peepholes=True, num_proj=4), 1.0, 0.8, seed=3
                ),
                cells.ResidualWrapper(cells.GRUCell(4)),
                rnn.LayerNormBasicLSTMCell(5),
                rnn.AttentionCellWrapper(cells.BasicLSTMCell(4), 3, state_is_tuple=True),
                rnn.UGRNNCell(4),
            ]
        )
        outputs, _ = tf.nn.dynamic_rnn(stack, x, lengths, dtype=tf.float32)
        blocks, _ = rnn.LSTMBlockFusedCell(4)(
            tf.transpose(outputs, [1, 0, 2]), dtype=tf.float32, sequence_length=lengths
        )
        tags = tf.constant([[0, 1, 2, 1, 0], [3, 1, 0, 0, 0], [2, 2, 1, 0, 0]])
        scores = tf.transpose(blocks, [1, 0, 2])
        likelihood, transitions = crf.crf_log_likelihood(scores, tags, lengths)
        best, _ = crf.crf_decode(scores, transitions, lengths)
    loss = -tf.reduce_mean(likelihood)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        return [(session.run(best), session.run([loss, step])[0]) for _ in range(4)]
