# SPDX-License-Identifier: Apache-2.0
"""Sessions without a server, as in notebooks: several graphs, one checkpoint, two devices."""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def model(columns):
    x = tf.placeholder(tf.float32, [None, columns], name="x")
    w = tf.get_variable("w", [columns, 1], initializer=tf.zeros_initializer())
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return x, tf.nn.sigmoid(tf.matmul(x, w) + b, name="y")


def fit(folder):
    with tf.Graph().as_default():
        x, y = model(2)
        truth = tf.placeholder(tf.float32, [None, 1])
        loss = tf.losses.log_loss(truth, y)
        train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
        rng = np.random.RandomState(0)
        inputs = rng.normal(size=[200, 2])
        labels = (inputs[:, :1] > inputs[:, 1:]).astype(np.float32)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(100):
                _, value = sess.run([train, loss], {x: inputs, truth: labels})
            print(f"loss {value:.3f}")
            return tf.train.Saver().save(sess, os.path.join(folder, "model.ckpt"))


def predict(path):
    # Same names, another session: nothing of the first is left.
    with tf.Graph().as_default():
        x, y = model(2)
        saver = tf.train.Saver()
        with tf.Session() as sess:
            try:
                sess.run(y, {x: [[0, 0]]})
                print("the variables were there already")
            except tf.errors.FailedPreconditionError:
                print("uninitialized at first")
            saver.restore(sess, path)
            return sess.run(y, {x: [[2.0, -2.0], [-2.0, 2.0]]}).ravel()


def other_shapes():
    with tf.Graph().as_default():
        x, y = model(3)
        sess = tf.InteractiveSession()
        tf.global_variables_initializer().run()
        value = y.eval({x: [[1.0, 2.0, 3.0]]})
        sess.close()
        return value[0, 0]


def two_devices():
    with tf.Graph().as_default():
        config = tf.ConfigProto(
            device_count={"CPU": 2}, intra_op_parallelism_threads=1,
            inter_op_parallelism_threads=2, use_per_session_threads=True,
        )
        with tf.device("/cpu:1"):
            a = tf.constant([1.0, 2.0])
        with tf.device("/cpu:0"):
            total = tf.reduce_sum(a * 2.0)
        with tf.Session(config=config) as sess:
            names = [d.name for d in sess.list_devices() if d.device_type == "CPU"]
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            value = sess.run(total, options=options, run_metadata=metadata)
            traced = [s.device for s in metadata.step_stats.dev_stats if s.node_stats]
            return float(value), len(names), any("CPU:0" in device for device in traced)


def main():
    path = fit(tempfile.mkdtemp())
    low_high = predict(path)
    print("restored: %s" % (low_high[0] > 0.9 > 0.1 > low_high[1]))
    print(f"another shape: {other_shapes():.1f}")
    print("two devices:", two_devices())


if __name__ == "__main__":
    main()
