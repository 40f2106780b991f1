# SPDX-License-Identifier: Apache-2.0
"""Estimators that several devices train and evaluate."""

import numpy as np

ONLY_1X = True
X = np.cos(np.arange(96)).reshape(24, 4).astype(np.float32)
Y = (X[:, :1] - 2 * X[:, 1:2] + 0.5).astype(np.float32)
CLASSES = (np.arange(24) * 7 % 3).astype(np.int64)


def _config(tf, devices, evaluates=True, **more):
    strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(devices)])
    return tf.estimator.RunConfig(
        train_distribute=strategy, eval_distribute=strategy if evaluates else None,
        session_config=tf.ConfigProto(device_count={"CPU": devices}), tf_random_seed=3,
        log_step_count_steps=100, **more,
    )  # fmt: skip


def _input(tf, labels, rows, named=False, repeats=None):
    """An input function of batches for one replica."""

    def given():
        features = {"x": X} if named else X
        return tf.data.Dataset.from_tensor_slices((features, labels)).repeat(repeats).batch(rows)

    return given


def _losses(tf):
    """A hook that keeps the losses of all steps."""

    class Losses(tf.train.SessionRunHook):
        def __init__(self):
            self.found = []

        def before_run(self, context):
            return tf.train.SessionRunArgs(tf.get_collection(tf.GraphKeys.LOSSES)[-1])

        def after_run(self, context, values):
            self.found.append(float(values.results))

    return Losses()


def _evaluated(estimator, given, **more):
    found = estimator.evaluate(given, **more)
    return [(key, float(found[key])) for key in sorted(found)]


def _regression(tf, optimizer, batch_norm=False, loss=None):
    def model_fn(features, labels, mode, params):
        hidden = tf.layers.dense(
            features, 3, tf.tanh, kernel_initializer=tf.constant_initializer(0.3)
        )
        if batch_norm:
            hidden = tf.layers.batch_normalization(
                hidden, training=mode == tf.estimator.ModeKeys.TRAIN
            )
        out = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.5))
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, {"out": out})
        error = (loss or tf.losses.mean_squared_error)(labels, out)
        metrics = {
            "mae": tf.metrics.mean_absolute_error(labels, out),
            "rmse": tf.metrics.root_mean_squared_error(labels, out),
        }  # fmt: skip
        if mode == tf.estimator.ModeKeys.EVAL:
            return tf.estimator.EstimatorSpec(mode, loss=error, eval_metric_ops=metrics)
        tf.summary.scalar("error", error)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            step = optimizer().minimize(error, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=error, train_op=step)

    return model_fn


def _trained(tf, model_fn, devices, rows, labels=Y, steps=5):
    losses = _losses(tf)
    estimator = tf.estimator.Estimator(model_fn, config=_config(tf, devices), params={})
    estimator.train(_input(tf, labels, rows), hooks=[losses], steps=steps)
    names = sorted(estimator.get_variable_names())
    values = [estimator.get_variable_value(name) for name in names]
    return [losses.found, names, values, _evaluated(estimator, _input(tf, labels, 4, repeats=1))]


def equal_to_one_device(tf):
    """Two and three replicas give what one device gives on the whole batch."""
    model_fn = _regression(tf, lambda: tf.train.MomentumOptimizer(0.1, 0.9))
    found = [_trained(tf, model_fn, count, 12 // count) for count in (1, 2, 3)]
    for other in found[1:]:
        np.testing.assert_allclose(other[0], found[0][0], 1e-4)
        for a, b in zip(other[2], found[0][2]):
            np.testing.assert_allclose(a, b, 1e-4, 1e-6)
    return found


def sums_of_losses(tf):
    """A loss that is a sum is not divided by the number of replicas."""

    def loss(labels, out):
        return tf.losses.mean_squared_error(labels, out, reduction=tf.losses.Reduction.SUM)

    model_fn = _regression(tf, lambda: tf.train.GradientDescentOptimizer(0.01), loss=loss)
    return [_trained(tf, model_fn, count, 12 // count) for count in (1, 2)]


def losses_of_the_program(tf):
    """A loss without tf.losses counts as a mean."""

    def loss(labels, out):
        return tf.reduce_mean(tf.square(labels - out))

    model_fn = _regression(tf, lambda: tf.train.AdamOptimizer(0.05), loss=loss)
    return [_trained(tf, model_fn, 2, 6)]


def with_batch_normalization(tf):
    model_fn = _regression(tf, lambda: tf.train.GradientDescentOptimizer(0.05), batch_norm=True)
    return _trained(tf, model_fn, 2, 6)


def input_that_ends(tf):
    """The training ends before a step that not all replicas have rows for."""
    model_fn = _regression(tf, lambda: tf.train.GradientDescentOptimizer(0.05))
    found = []
    for rows in (5, 7, 8):
        losses = _losses(tf)
        estimator = tf.estimator.Estimator(model_fn, config=_config(tf, 2), params={})
        estimator.train(_input(tf, Y, rows, repeats=1), hooks=[losses])
        found.append([losses.found, _evaluated(estimator, _input(tf, Y, 4), steps=2)])
    return found


def training_and_evaluating_in_turn(tf):
    model_fn = _regression(tf, lambda: tf.train.AdagradOptimizer(0.1))
    estimator = tf.estimator.Estimator(
        model_fn, config=_config(tf, 2, save_checkpoints_steps=2), params={}
    )
    spec = tf.estimator.TrainSpec(_input(tf, Y, 6), max_steps=4)
    more = tf.estimator.EvalSpec(_input(tf, Y, 6, repeats=1), steps=None, throttle_secs=0)
    metrics, _ = tf.estimator.train_and_evaluate(estimator, spec, more)
    out = [p["out"] for p in estimator.predict(_input(tf, Y, 8, repeats=1))]
    return [[(key, float(metrics[key])) for key in sorted(metrics)], out[:3]]


def an_input_context(tf):
    model_fn = _regression(tf, lambda: tf.train.GradientDescentOptimizer(0.05))
    seen = []

    def given(mode, input_context=None):
        if input_context is not None:
            seen.append([input_context.num_replicas_in_sync, input_context.num_input_pipelines,
                         input_context.get_per_replica_batch_size(12)])  # fmt: skip
        return tf.data.Dataset.from_tensor_slices((X, Y)).batch(6)

    estimator = tf.estimator.Estimator(model_fn, config=_config(tf, 2, False), params={})
    estimator.train(given, steps=2)
    return [_evaluated(estimator, given), seen]


def _column(tf):
    return [tf.feature_column.numeric_column("x", [4])]


def deep_regression(tf):
    estimator = tf.estimator.DNNRegressor(
        [3], _column(tf), optimizer=lambda: tf.train.AdagradOptimizer(0.05),
        activation_fn=tf.tanh, config=_config(tf, 2),
    )  # fmt: skip
    losses = _losses(tf)
    estimator.train(_input(tf, Y, 6, named=True), hooks=[losses], steps=3)
    found = _evaluated(estimator, _input(tf, Y, 6, named=True, repeats=1))
    names = sorted(estimator.get_variable_names())
    return [len(losses.found), [key for key, _ in found], names]


def linear_classes(tf):
    found = []
    for count in (1, 2):
        estimator = tf.estimator.LinearClassifier(
            _column(tf), n_classes=3, optimizer="Adagrad", config=_config(tf, count)
        )
        losses = _losses(tf)
        given = _input(tf, CLASSES, 12 // count, named=True)
        estimator.train(given, hooks=[losses], steps=4)
        weights = estimator.get_variable_value("linear/linear_model/x/weights")
        given = _input(tf, CLASSES, 6, named=True, repeats=1)
        found.append([losses.found, weights, _evaluated(estimator, given)])
    return found


def linear_regression_of_means(tf):
    estimator = tf.estimator.LinearRegressor(
        _column(tf), optimizer=tf.train.GradientDescentOptimizer(0.1), config=_config(tf, 2),
        loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE,
    )  # fmt: skip
    losses = _losses(tf)
    estimator.train(_input(tf, Y, 6, named=True), hooks=[losses], steps=4)
    return [losses.found, _evaluated(estimator, _input(tf, Y, 6, named=True, repeats=1))]


def deep_and_linear(tf):
    estimator = tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=_column(tf), dnn_feature_columns=_column(tf), dnn_hidden_units=[3],
        linear_optimizer="Adagrad", config=_config(tf, 2, evaluates=False),
    )  # fmt: skip
    labels = (CLASSES > 0).astype(np.int64)
    estimator.train(_input(tf, labels, 6, named=True), steps=3)
    found = _evaluated(estimator, _input(tf, labels, 6, named=True, repeats=1))
    return [[key for key, _ in found], sorted(estimator.get_variable_names()), found[-2:][0][0]]


def _keras_model(tf):
    keras = tf.keras
    regular = keras.regularizers.l2(0.01)
    hidden = keras.layers.Dense(
        3, activation="tanh", input_shape=(4,), kernel_regularizer=regular,
        kernel_initializer=keras.initializers.Constant(0.3), name="a",
    )  # fmt: skip
    last = keras.layers.Dense(1, kernel_initializer=keras.initializers.Constant(0.5), name="b")
    return keras.Sequential([hidden, last])


def a_model_of_keras(tf):
    found = []
    for count in (1, 2):
        model = _keras_model(tf)
        model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse", metrics=["mae"])
        estimator = tf.keras.estimator.model_to_estimator(model, config=_config(tf, count))
        losses = _losses(tf)

        def given(rows=12 // count, name=model.input_names[0]):
            return tf.data.Dataset.from_tensor_slices(({name: X}, Y)).repeat().batch(rows)

        estimator.train(given, hooks=[losses], steps=4)
        found.append([losses.found, _evaluated(estimator, given, steps=2)])
    return found
