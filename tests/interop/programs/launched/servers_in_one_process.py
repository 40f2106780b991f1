# SPDX-License-Identifier: Apache-2.0
"""A whole cluster in one process, as unit tests make it, and a server for one task."""

import socket
import threading

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def free_addresses(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("localhost", 0))
    addresses = ["localhost:%d" % s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return addresses


def create_cluster(workers, ps):
    addresses = free_addresses(workers + ps)
    cluster = tf.train.ClusterSpec({"worker": addresses[:workers], "ps": addresses[workers:]})
    servers = {}

    def make(job, task):
        servers[job, task] = tf.distribute.Server(cluster, job_name=job, task_index=task)

    threads = [threading.Thread(target=make, args=("worker", i)) for i in range(workers)]
    threads += [threading.Thread(target=make, args=("ps", i)) for i in range(ps)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return cluster, servers


def main():
    local = tf.train.Server.create_local_server(
        config=tf.ConfigProto(device_count={"CPU": 2})
    )
    with tf.Session(local.target) as sess:
        print("local", len([d for d in sess.list_devices() if d.device_type == "CPU"]), "CPUs",
              sess.run(tf.constant("hello")).decode())

    cluster, servers = create_cluster(workers=2, ps=1)
    with tf.device("/job:ps/task:0"):
        shared = tf.Variable(0, name="shared", use_resource=True)
    with tf.device("/job:worker/task:1"):
        add = shared.assign_add(5)
    first = tf.Session(servers["worker", 0].target)
    second = tf.Session(servers["worker", 1].target)
    first.run(shared.initializer)
    second.run(add)
    first.run(add)
    print("shared", first.run(shared), second.run(shared))

    try:
        tf.train.Server(cluster, job_name="worker", task_index=1)
        print("two servers at one address")
    except tf.errors.OpError as error:
        print("refused:", type(error).__name__)
    try:
        tf.train.Server(cluster, job_name="evaluator", task_index=0)
    except tf.errors.OpError as error:
        print("no such job:", type(error).__name__)
    first.close()
    second.close()


if __name__ == "__main__":
    main()
