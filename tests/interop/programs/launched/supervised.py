# SPDX-License-Identifier: Apache-2.0
"""A Supervisor looks after initialization, checkpoints and the end of training."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

flags = tf.app.flags
flags.DEFINE_string("ps_hosts", "", "")
flags.DEFINE_string("worker_hosts", "", "")
flags.DEFINE_string("job_name", "", "")
flags.DEFINE_integer("task_index", 0, "")
flags.DEFINE_string("logdir", None, "where the chief saves")
FLAGS = flags.FLAGS
STEPS = 150


def main(unused_argv):
    spec = {"ps": FLAGS.ps_hosts.split(","), "worker": FLAGS.worker_hosts.split(",")}
    server = tf.train.Server(spec, job_name=FLAGS.job_name, task_index=FLAGS.task_index)
    if FLAGS.job_name == "ps":
        server.join()
    elif FLAGS.job_name == "worker":
        train(server, tf.train.ClusterSpec(spec))


def train(server, cluster):
    is_chief = FLAGS.task_index == 0
    with tf.Graph().as_default():
        with tf.device(tf.train.replica_device_setter(
            worker_device="/job:worker/task:%d" % FLAGS.task_index, cluster=cluster
        )):
            x = tf.random_uniform([100, 2], -1.0, 1.0, seed=FLAGS.task_index + 1)
            y = x[:, 0] * 2.0 - x[:, 1] * 3.0 + 1.0
            weights = tf.Variable(tf.zeros([2]), name="weights")
            bias = tf.Variable(tf.zeros([]), name="bias")
            prediction = tf.reduce_sum(x * weights, 1) + bias
            loss = tf.reduce_mean(tf.square(prediction - y))
            global_step = tf.Variable(0, name="global_step", trainable=False)
            learning_rate = tf.train.exponential_decay(0.4, global_step, 50, 0.5)
            optimizer = tf.train.GradientDescentOptimizer(learning_rate)
            train_op = optimizer.minimize(loss, global_step=global_step)
            tf.summary.scalar("loss", loss)
            summaries = tf.summary.merge_all()
            saver = tf.train.Saver()
            init_op = tf.global_variables_initializer()

        supervisor = tf.train.Supervisor(
            is_chief=is_chief, logdir=FLAGS.logdir if is_chief else None, init_op=init_op,
            summary_op=None, saver=saver, global_step=global_step, save_model_secs=600,
            recovery_wait_secs=1,
        )
        config = tf.ConfigProto(
            device_filters=["/job:ps", "/job:worker/task:%d" % FLAGS.task_index]
        )
        with supervisor.managed_session(server.target, config=config) as sess:
            step, value = 0, None
            while not supervisor.should_stop() and step < STEPS:
                _, value, step, summary = sess.run([train_op, loss, global_step, summaries])
                if is_chief and FLAGS.logdir and step % 50 == 0:
                    supervisor.summary_computed(sess, summary)
            if is_chief and FLAGS.logdir:
                saver.save(sess, FLAGS.logdir + "/model.ckpt", global_step=step)
        supervisor.stop()
    print("worker %d: step %d, loss %.6f" % (FLAGS.task_index, step, value))


if __name__ == "__main__":
    tf.app.run()
