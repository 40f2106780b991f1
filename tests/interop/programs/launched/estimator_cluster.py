# SPDX-License-Identifier: Apache-2.0
"""A canned estimator, trained and evaluated on the cluster that TF_CONFIG describes."""

import json
import os
import sys

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.INFO)


def data(seed, rows):
    rng = np.random.RandomState(seed)
    x = rng.normal(size=[rows, 4]).astype(np.float32)
    return {"x": x}, (x.sum(1) > 0).astype(np.int32)


def main(model_dir):
    columns = [tf.feature_column.numeric_column("x", shape=[4])]
    run_config = tf.estimator.RunConfig(
        model_dir=model_dir, save_checkpoints_steps=100, save_summary_steps=50,
        log_step_count_steps=50, tf_random_seed=3,
    )
    estimator = tf.estimator.DNNClassifier(
        hidden_units=[16], feature_columns=columns, n_classes=2, config=run_config,
        optimizer=tf.train.AdagradOptimizer(0.3),
    )
    features, labels = data(1, 1000)
    train_input = tf.estimator.inputs.numpy_input_fn(
        features, labels, batch_size=32, num_epochs=None, shuffle=True
    )
    features, labels = data(2, 500)
    eval_input = tf.estimator.inputs.numpy_input_fn(
        features, labels, batch_size=100, num_epochs=1, shuffle=False
    )
    result = tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(train_input, max_steps=200),
        tf.estimator.EvalSpec(eval_input, steps=None, start_delay_secs=1, throttle_secs=1),
    )
    task = json.loads(os.environ.get("TF_CONFIG", "{}")).get("task", {})
    print("task", task.get("type"), "ends", result)
    if task.get("type") == "evaluator":
        metrics = estimator.evaluate(eval_input)
        print("accuracy %.3f at step %d" % (metrics["accuracy"], metrics["global_step"]))


if __name__ == "__main__":
    main(sys.argv[1])
