# SPDX-License-Identifier: Apache-2.0
"""Synchronous between-graph training: SyncReplicasOptimizer averages the workers' gradients."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

flags = tf.app.flags
flags.DEFINE_string("ps_hosts", "localhost:2222", "ps addresses, with commas")
flags.DEFINE_string("worker_hosts", "localhost:2223,localhost:2224", "worker addresses")
flags.DEFINE_string("job_name", None, "ps or worker")
flags.DEFINE_integer("task_index", 0, "index in the job")
flags.DEFINE_integer("train_steps", 60, "global steps")
FLAGS = flags.FLAGS


def main(_):
    ps_hosts = FLAGS.ps_hosts.split(",")
    worker_hosts = FLAGS.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": ps_hosts, "worker": worker_hosts})
    config = tf.ConfigProto(
        intra_op_parallelism_threads=1, inter_op_parallelism_threads=2,
        device_filters=["/job:ps", "/job:worker/task:%d" % FLAGS.task_index],
    )
    server = tf.train.Server(
        cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index, config=config
    )
    if FLAGS.job_name == "ps":
        server.join()

    is_chief = FLAGS.task_index == 0
    with tf.device(tf.train.replica_device_setter(
        cluster=cluster, worker_device="/job:worker/task:%d" % FLAGS.task_index
    )):
        global_step = tf.train.create_global_step()
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.placeholder(tf.float32, [None, 1])
        w = tf.Variable(tf.zeros([4, 1]), name="w")
        b = tf.Variable(0.0, name="b")
        loss = tf.losses.mean_squared_error(y, tf.matmul(x, w) + b)
        optimizer = tf.train.SyncReplicasOptimizer(
            tf.train.GradientDescentOptimizer(0.2),
            replicas_to_aggregate=len(worker_hosts),
            total_num_replicas=len(worker_hosts),
        )
        train_op = optimizer.minimize(loss, global_step=global_step)
        sync_hook = optimizer.make_session_run_hook(is_chief, num_tokens=0)

    rng = np.random.RandomState(FLAGS.task_index)
    truth = np.array([[1.0], [-2.0], [0.5], [3.0]], np.float32)
    hooks = [sync_hook, tf.train.StopAtStepHook(last_step=FLAGS.train_steps)]
    with tf.train.MonitoredTrainingSession(
        master=server.target, is_chief=is_chief, hooks=hooks, config=config,
        stop_grace_period_secs=10,
    ) as sess:
        loss_value, w_value = None, None
        while not sess.should_stop():
            inputs = rng.normal(size=[32, 4]).astype(np.float32)
            _, loss_value, w_value = sess.run(
                [train_op, loss, w], {x: inputs, y: inputs.dot(truth) + 0.25}
            )
    print("worker %d: loss %.6f, w %s" % (FLAGS.task_index, loss_value, w_value.ravel().round(2)))


if __name__ == "__main__":
    tf.app.run()
