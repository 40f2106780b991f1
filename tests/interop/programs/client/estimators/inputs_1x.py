# SPDX-License-Identifier: Apache-2.0
"""Estimators: input pipelines that go on where the last training stopped."""

import os
import tempfile

from interop.programs.client._outcomes import elements, outcome

ONLY_1X = True


def _model_fn(tf, seen):
    class Noted(tf.train.SessionRunHook):
        def __init__(self, values):
            self._values = values

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(self._values)

        def after_run(self, run_context, run_values):
            seen.append(run_values.results.tolist())

    def model_fn(features, labels, mode):
        weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(weight * features["x"] - labels))
        train_op = tf.group(tf.train.get_global_step().assign_add(1), weight.assign_add(0.5))
        hooks = [Noted(features["x"])]
        return tf.estimator.EstimatorSpec(
            mode, loss=loss, train_op=train_op, training_hooks=hooks
        )

    return model_fn


def kept_positions(tf):
    folder, seen, found = tempfile.mkdtemp(), [], []

    def input_fn():
        numbers = tf.data.Dataset.range(30).map(lambda n: tf.cast(n, tf.float32))
        return numbers.map(lambda x: ({"x": x}, x)).batch(2)

    for steps in (3, 4, 1):
        config = tf.estimator.RunConfig(save_checkpoints_steps=2)
        estimator = tf.estimator.Estimator(_model_fn(tf, seen), folder, config)
        hook = tf.data.experimental.CheckpointInputPipelineHook(estimator)
        estimator.train(input_fn, hooks=[hook], steps=steps)
        with open(os.path.join(folder, "checkpoint_input")) as file:
            found.append(file.read().replace(folder, "folder"))
    files = sorted(name for name in os.listdir(folder) if name.startswith("input"))
    return [seen, found, files, outcome(tf.data.experimental.CheckpointInputPipelineHook, None)]


def copied_elements(tf):
    more = tf.data.experimental
    data = tf.data.Dataset.range(3).map(lambda n: (n, {"a": n * 2}))
    return [
        elements(tf, data.apply(more.copy_to_device("/cpu:0"))),
        elements(tf, data.apply(more.copy_to_device("/cpu:0", source_device="/cpu:0")).prefetch(1)),
    ]
