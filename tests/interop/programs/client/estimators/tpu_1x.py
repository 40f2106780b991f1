# SPDX-License-Identifier: Apache-2.0
"""Estimators written for TPUs, with use_tpu=False, as BERT's programs have them."""

import tempfile

import numpy as np

ONLY_1X = True

X = np.linspace(-1, 1, 24).astype(np.float32).reshape(12, 2)


def _inputs(tf, seen):
    def read(params):
        seen.append(sorted(params.items()))
        data = tf.data.Dataset.from_tensor_slices(({"x": X}, X.sum(1)))
        return data.repeat(2).batch(params["batch_size"], drop_remainder=True)

    return read


def _model(tf, seen):
    tpu = tf.estimator.tpu

    def model(features, labels, mode, params):
        seen.append([mode, sorted(params.items())])
        w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.25))
        guess = tf.squeeze(tf.matmul(features["x"], w), 1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tpu.TPUEstimatorSpec(mode, predictions={"guess": guess})
        loss = tf.reduce_mean(tf.square(guess - labels))
        if mode == tf.estimator.ModeKeys.EVAL:

            def metrics(labels, guess):
                return {"error": tf.metrics.mean_absolute_error(labels, guess)}

            return tpu.TPUEstimatorSpec(
                mode, loss=loss, eval_metrics=(metrics, {"labels": labels, "guess": guess}),
                scaffold_fn=lambda: tf.train.Scaffold(),
            )  # fmt: skip
        optimizer = tf.train.GradientDescentOptimizer(params["rate"])
        op = optimizer.minimize(loss, tf.train.get_or_create_global_step())
        calls = tf.get_variable("calls", initializer=0.0, trainable=False)
        host_call = (lambda value: calls.assign_add(tf.reduce_sum(value)), [tf.ones([2])])
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=op, host_call=host_call)

    return model


def trained_without_tpus(tf):
    tpu, seen = tf.estimator.tpu, []
    with tempfile.TemporaryDirectory() as folder:
        config = tpu.RunConfig(
            model_dir=folder, save_checkpoints_steps=100,
            tpu_config=tpu.TPUConfig(
                iterations_per_loop=7, num_shards=8,
                per_host_input_for_training=tpu.InputPipelineConfig.PER_HOST_V2,
            ),
        )  # fmt: skip
        estimator = tpu.TPUEstimator(
            _model(tf, seen), config=config, params={"rate": 0.1}, use_tpu=False,
            train_batch_size=4, eval_batch_size=6, predict_batch_size=3,
        )  # fmt: skip
        read = _inputs(tf, seen)
        estimator.train(read, max_steps=5)
        measured = estimator.evaluate(read, steps=2)
        guesses = [float(p["guess"]) for p in estimator.predict(read)]
        values = [estimator.get_variable_value(name) for name in ("w", "calls")]
    tpu_config = config.tpu_config
    return [
        sorted(measured.items()), guesses, values, seen, list(tpu_config)[:4],
        config.replace(tpu_config=tpu.TPUConfig(3)).tpu_config.iterations_per_loop,
        [getattr(tpu.InputPipelineConfig, n) for n in ("PER_SHARD_V1", "PER_HOST_V1", "SLICED")],
    ]  # fmt: skip


def wrong_arguments(tf):
    tpu, found = tf.estimator.tpu, []
    mode = tf.estimator.ModeKeys.EVAL
    for make in (
        lambda: tpu.TPUEstimator(lambda features: None, use_tpu=False),
        lambda: tpu.TPUEstimator(
            lambda features: None, config=tpu.RunConfig(), params={"batch_size": 1}, use_tpu=False
        ),
        lambda: tpu.TPUEstimatorSpec(mode, eval_metrics=3),
        lambda: tpu.TPUEstimatorSpec(mode, eval_metrics=(3,)),
        lambda: tpu.TPUEstimatorSpec(mode, eval_metrics=(3, [])),
        lambda: tpu.TPUEstimatorSpec(mode, host_call=(len, 3)),
    ):
        try:
            found.append(make() is None)
        except Exception as error:
            found.append([type(error).__name__, str(error)])
    return found
