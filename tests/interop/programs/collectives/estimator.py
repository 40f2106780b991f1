# SPDX-License-Identifier: Apache-2.0
"""tf.estimator with MultiWorkerMirroredStrategy, TensorFlow 1.15: trains and saves a linear model.

    estimator.py FOLDER    the folder of checkpoints; all workers may have the same

"environment": "google" in TF_CONFIG makes train_and_evaluate connect to a server that runs already,
instead of starting one in this process.
"""

import sys

import numpy as np
from cluster_task import RANK, SIZE, report, session_config, tf

STEPS, ROWS = 40, 12
TRUTH = np.array([[1.0], [-2.0], [0.5]], np.float32)


def input_fn():
    """Returns a function that makes the tensors of a batch: this worker's rows of the data.

    With a strategy, the input may be such a function in place of a data set.
    """
    x = np.random.RandomState(3).randn(ROWS, len(TRUTH)).astype(np.float32)
    mine = slice(RANK * ROWS // SIZE, (RANK + 1) * ROWS // SIZE)
    return lambda: (tf.constant(x[mine]), tf.constant(x[mine].dot(TRUTH)))


def model_fn(features, labels, mode):
    w = tf.get_variable("w", [len(TRUTH), 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(features, w) - labels))
    train = tf.train.GradientDescentOptimizer(0.2).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


class Losses(tf.train.SessionRunHook):
    """Keeps the loss of each step, averaged over the workers."""

    def __init__(self):
        self.found = []

    def begin(self):
        (self._loss,) = tf.get_collection(tf.GraphKeys.LOSSES)

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        self.found.append(float(run_values.results))


def main():
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    config = tf.estimator.RunConfig(
        model_dir=sys.argv[1], train_distribute=strategy, session_config=session_config(),
        save_checkpoints_steps=STEPS // 2,
    )  # fmt: skip
    losses = Losses()
    estimator = tf.estimator.Estimator(model_fn, config=config)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(input_fn, max_steps=STEPS, hooks=[losses]),
        tf.estimator.EvalSpec(input_fn),
    )
    latest = tf.train.latest_checkpoint(sys.argv[1]) if RANK == 0 else None
    weights = tf.train.load_variable(latest, "w").ravel().tolist() if latest else None
    report(losses=losses.found, weights=weights, checkpoint=latest)


if __name__ == "__main__":
    main()
