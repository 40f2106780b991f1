# SPDX-License-Identifier: Apache-2.0
"""An estimator with a model_fn of its own, in one process: train, evaluate, predict."""

import tempfile

import numpy as np
import tensorflow as tf


def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], params["units"], tf.nn.relu)
    logits = tf.layers.dense(net, 3)
    classes = tf.argmax(logits, 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"class": classes})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        metrics = {"accuracy": tf.metrics.accuracy(labels, classes)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    train_op = tf.train.AdamOptimizer(params["rate"]).minimize(
        loss, global_step=tf.train.get_global_step()
    )
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def main(_):
    rng = np.random.RandomState(0)
    x = rng.normal(size=[600, 2]).astype(np.float32)
    y = np.digitize(x[:, 0] + x[:, 1], [-0.8, 0.8]).astype(np.int32)
    estimator = tf.estimator.Estimator(
        model_fn, tempfile.mkdtemp(), params={"units": 24, "rate": 0.02},
        config=tf.estimator.RunConfig(save_checkpoints_steps=100),
    )
    estimator.train(
        tf.estimator.inputs.numpy_input_fn({"x": x}, y, 50, num_epochs=None, shuffle=True),
        steps=150,
    )
    metrics = estimator.evaluate(
        tf.estimator.inputs.numpy_input_fn({"x": x}, y, 100, num_epochs=1, shuffle=False)
    )
    corners = {"x": np.array([[-3, -3], [0, 0], [3, 3]], np.float32)}
    predicted = estimator.predict(
        tf.estimator.inputs.numpy_input_fn(corners, num_epochs=1, shuffle=False)
    )
    print("accuracy %.3f at step %d" % (metrics["accuracy"], metrics["global_step"]))
    print("predicted", [int(p["class"]) for p in predicted])


if __name__ == "__main__":
    tf.app.run()
