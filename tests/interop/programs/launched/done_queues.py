# SPDX-License-Identifier: Apache-2.0
"""Parameter servers that end: each worker puts a token into every ps's queue when it is done."""

import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def done_queue(ps, workers):
    with tf.device("/job:ps/task:%d" % ps):
        return tf.FIFOQueue(workers, tf.int32, shared_name="done_queue%d" % ps)


def main(ps_hosts, worker_hosts, job_name, task_index):
    ps_hosts, worker_hosts, task = ps_hosts.split(","), worker_hosts.split(","), int(task_index)
    cluster = tf.train.ClusterSpec({"ps": ps_hosts, "worker": worker_hosts})
    server = tf.train.Server(cluster, job_name=job_name, task_index=task)

    own = "/job:%s/task:%d" % (job_name, task)
    config = tf.ConfigProto(device_filters=["/job:ps", own])

    if job_name == "ps":
        token = done_queue(task, len(worker_hosts)).dequeue()
        with tf.Session(server.target, config=config) as sess:
            for _ in worker_hosts:
                print("ps %d: worker %d is done" % (task, sess.run(token)))
        print("ps %d: ends" % task)
        return

    with tf.device(tf.train.replica_device_setter(worker_device=own, cluster=cluster)):
        counter = tf.get_variable("counter", [], tf.int64, tf.zeros_initializer(), trainable=False)
        slope = tf.get_variable("slope", [], initializer=tf.zeros_initializer())
        x = tf.random_normal([50])
        loss = tf.reduce_mean(tf.square(x * slope - x * 7.0))
        train = tf.train.RMSPropOptimizer(0.1).minimize(loss, global_step=counter)
        tokens = [
            done_queue(ps, len(worker_hosts)).enqueue(task) for ps in range(len(ps_hosts))
        ]
    init = tf.global_variables_initializer()
    ready = tf.report_uninitialized_variables()

    manager = tf.train.SessionManager(ready_op=ready, recovery_wait_secs=1)
    if task == 0:
        sess = manager.prepare_session(server.target, init_op=init, config=config)
    else:
        sess = manager.wait_for_session(server.target, config=config, max_wait_secs=60)
    while sess.run(counter) < 200:
        sess.run(train)
    print("worker %d: slope %.2f" % (task, sess.run(slope)))
    sess.run(tokens)
    sess.close()


if __name__ == "__main__":
    main(*[argument.split("=", 1)[1] for argument in sys.argv[1:5]])
