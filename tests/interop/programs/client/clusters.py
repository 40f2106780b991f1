# SPDX-License-Identifier: Apache-2.0
"""Clusters: their descriptions, servers in this process, placement on tasks."""

import numpy as np

from interop.programs.client._outcomes import outcome


def specs(tf):
    spec = tf.train.ClusterSpec({"worker": {1: "b:2", 4: "c:3"}, "ps": ["a:1"]})
    again = tf.train.ClusterSpec(spec.as_cluster_def())
    found = [
        sorted(spec.jobs),
        spec.as_dict(),
        spec.num_tasks("worker"),
        spec.task_indices("worker"),
        spec.task_address("worker", 4),
        spec.job_tasks("worker"),
        again == spec,
        bool(tf.train.ClusterSpec({})),
    ]
    found.append([(j.name, sorted(j.tasks.items())) for j in spec.as_cluster_def().job])
    for call in (
        lambda: spec.num_tasks("x"),
        lambda: spec.task_address("ps", 3),
        lambda: tf.train.ClusterSpec(["a:1"]),
        lambda: tf.train.ClusterSpec({"a": [3]}),
    ):
        try:
            call()
        except Exception as e:
            found.append(type(e).__name__)
    return found


def device_names(tf):
    specs = [
        tf.DeviceSpec.from_string(s)
        for s in ("/job:ps/task:1", "/cpu:0", "/job:a/replica:0/task:2/device:GPU:3", "")
    ]
    made = tf.DeviceSpec(job="w", task=2, device_type="cpu", device_index=1)
    return [s.to_string() for s in specs] + [
        made.to_string(),
        made.job,
        made.task,
        made.device_type,
    ]


def placed_by_the_setter(tf):
    cluster = {"ps": ["a:1", "b:2"], "worker": ["c:3"]}
    found = []
    for arguments in (
        {"cluster": cluster},
        {"ps_tasks": 2, "worker_device": "/job:worker/task:3"},
        {"cluster": cluster, "ps_ops": ["Const"]},
        {"cluster": cluster, "ps_strategy": lambda op: 1},
    ):
        with tf.Graph().as_default():
            with tf.device(tf.train.replica_device_setter(**arguments)):
                v, w = tf.Variable([1.0], name="v"), tf.get_variable("w", [2])
                with tf.device("/cpu:0"):
                    x = tf.get_variable("x", [2], use_resource=True)
                y = v + 1.0
                slot = tf.train.MomentumOptimizer(0.1, 0.9)
                train = slot.minimize(tf.reduce_sum(v) * tf.reduce_sum(w))
            found.append(
                [t.device for t in (v, w, x, y, train, slot.get_slot(w, "momentum"), v.initializer)]
            )
    return found + [tf.train.replica_device_setter(cluster={"worker": ["c:3"]}) is None]


def trained_through_a_server(tf):
    server = tf.train.Server.create_local_server()
    found = [
        server.server_def.task_index,
        server.target.startswith("grpc://"),
    ]
    v = tf.Variable([1.0, 2.0], name="v")
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * v), step)
    hooks = [tf.train.StopAtStepHook(last_step=3)]
    with tf.train.MonitoredTrainingSession(server.target, hooks=hooks) as sess:
        while not sess.should_stop():
            value = sess.run([train, v])[1]
    with tf.Session(server.target) as sess:
        shared = sess.run([v, step])
    tf.Session.reset(server.target)
    with tf.Session(server.target) as sess:
        found.append(sess.run(tf.report_uninitialized_variables()))
        handle = sess.partial_run_setup([v.initializer], [])
        del handle
    return found + [shared, np.shape(value)]


def servers_made_wrongly(tf):
    kinds = []
    cluster = {"a": ["localhost:0", "localhost:0"], "b": ["localhost:0"]}
    for arguments in ((cluster,), (cluster, "a"), (3,)):
        kinds.append(outcome(tf.train.Server, *arguments))
    later = tf.train.Server({"local": ["localhost:0"]}, start=False)
    later.start()
    with tf.Session(later.target) as sess:
        return kinds + [sess.run(tf.constant(3.0))]
