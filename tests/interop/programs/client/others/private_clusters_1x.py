# SPDX-License-Identifier: Apache-2.0
"""Programs that import modules of TensorFlow's sources for clusters, devices and strategies."""

import importlib
import json
import os
import socket

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have other modules

_CLUSTER = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"], "evaluator": ["e:1"]}


def _module(tf, path):
    """The module of a path such as "distribute.device_util"."""
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.{path}")


def _found(function, *args):
    """What a function returns, or the class of its error and its text."""
    try:
        return function(*args)
    except ValueError as error:
        return ["ValueError", str(error)]


def roles_of_tasks(tf):
    util, found = _module(tf, "distribute.multi_worker_util"), []
    clusters = [
        _CLUSTER, {"worker": ["b:1", "c:1"]}, {"chief": ["a:1", "b:1"], "worker": ["c:1"]},
        tf.train.ClusterSpec(_CLUSTER).as_cluster_def(), {},
    ]  # fmt: skip
    tasks = [
        ("chief", 0), ("worker", 0), ("worker", 1), ("worker", 2), ("ps", 0), ("evaluator", 0),
        ("other", 0), (None, 0), ("worker", None),
    ]  # fmt: skip
    for cluster in clusters:
        for task in tasks:
            for function in (util.is_chief, util.collective_leader, util.id_in_cluster):
                found.append(_found(function, cluster, *task))
            found.append(_found(util.worker_count, cluster, task[0]))
    found.append(_found(util.normalize_cluster_spec, "a:1"))
    return [*found, util.has_worker_context()]


def names_of_devices(tf):
    util = _module(tf, "distribute.device_util")
    names = ["", "/cpu:0", "/gpu:1", "/job:worker/cpu:0", "/task:2", "/job:ps/replica:1/task:3"]
    defaults = [None, "/job:worker", "/job:worker/task:1/device:GPU:2"]
    found = [util.canonicalize(name, default) for name in names for default in defaults]
    found += [util.get_host_for_device(util.canonicalize(name)) for name in names]
    found += [util.local_devices_from_num_gpus(count) for count in (0, 2)]
    found += [util.current(), util.resolve("/cpu:1")]
    with tf.device("/job:ps/task:1"), tf.device(lambda op: "/device:GPU:1"):
        found += [util.current(), util.resolve(""), util.resolve("/cpu:0")]
    with tf.device("/job:ps"), tf.device("/gpu:3"):
        found += [util.current(), util.resolve("")]
    return found


def addresses_of_masters(tf):
    resolvers = tf.distribute.cluster_resolver
    cluster, found = tf.train.ClusterSpec({"worker": ["a:1", "b:1"]}), []
    for master in ("", "c:1"):
        for layer in (None, "grpc"):
            made = resolvers.SimpleClusterResolver(cluster, master=master, rpc_layer=layer)
            found.append([
                made.master(), made.master("worker", 1), made.master("worker", 1, "other"),
                made.master(rpc_layer="other"),
            ])  # fmt: skip
    return found


def a_coordinator_without_a_cluster(tf):
    coordinator = _module(tf, "distribute.distribute_coordinator")
    contexts = _module(tf, "distribute.distribute_coordinator_context")
    seen, calls = contexts.get_current_worker_context, []

    def worker(strategy):
        made = seen()
        calls.append([
            made.master_target, made.num_workers, made.is_chief, made.distributed_mode,
            made.task_type, made.task_id, made.has_barrier, made.cluster_spec is None,
            made.experimental_should_init, made.should_checkpoint, made.should_save_summary,
            made.session_config.allow_soft_placement,
        ])  # fmt: skip
        return "done"

    def nested(strategy):
        return coordinator.run_distribute_coordinator(worker, strategy)

    def measures(strategy):
        calls.append(strategy is None)

    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    result = coordinator.run_distribute_coordinator(
        worker, strategy, eval_fn=measures, eval_strategy=strategy
    )
    found = [result, calls, seen() is None]
    return [*found, outcome(coordinator.run_distribute_coordinator, nested, strategy)]


def a_coordinator_of_threads(tf):
    """The workers of a cluster in this process, each with a graph of its own."""
    coordinator = _module(tf, "distribute.distribute_coordinator")
    contexts = _module(tf, "distribute.distribute_coordinator_context")
    util = _module(tf, "distribute.multi_worker_util")
    cluster = {"worker": [f"localhost:{port}" for port in _free_ports(2)],
               "ps": [f"localhost:{port}" for port in _free_ports(1)]}  # fmt: skip
    servers = [
        tf.distribute.Server(cluster, job_name=job, task_index=i)
        for job, addresses in cluster.items() for i in range(len(addresses))
    ]  # fmt: skip
    found = []

    def worker(strategy):
        made = contexts.get_current_worker_context()
        with tf.Graph().as_default(), strategy.scope():
            v = tf.get_variable("v", initializer=10.0, use_resource=True)
            step = tf.assign_add(v, 1.0)
            with tf.train.MonitoredTrainingSession() as session:
                session.run(step)
                made.wait_for_other_workers()
                value = session.run(v)
                made.wait_for_other_workers()
        target = made.master_target == f"grpc://{cluster['worker'][made.task_id]}"
        found.append([
            made.task_id, made.task_type, made.is_chief, util.is_chief(), made.has_barrier, target,
            made.num_workers, v.device, float(value), made.distributed_mode,
            strategy.extended.should_checkpoint,
        ])  # fmt: skip

    strategy = tf.distribute.experimental.ParameterServerStrategy()
    result = coordinator.run_distribute_coordinator(worker, strategy, cluster_spec=cluster)
    return [result, sorted(found), len(servers)]


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("localhost", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def servers_of_the_environment(tf):
    start, found = contrib_of(tf).distribute.run_standard_tensorflow_server, []
    wrong = [
        {}, {"cluster": {"worker": ["a:1"]}}, {"cluster": {"worker": ["a:1"]}, "task": {}},
        {"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 0}},
    ]  # fmt: skip
    before = os.environ.get("TF_CONFIG")
    try:
        for one in wrong:
            os.environ["TF_CONFIG"] = json.dumps(one)
            found.append(_found(start))
        cluster = {"worker": [f"localhost:{_free_ports(1)[0]}"]}
        os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "worker"}})
        server = start()
        found.append(server.target == "grpc://" + cluster["worker"][0])
        with tf.Session(server.target) as session:
            found.append(session.run(tf.constant(2) * 3))
    finally:
        os.environ.pop("TF_CONFIG")
        if before is not None:
            os.environ["TF_CONFIG"] = before
    return found


def steps_of_contrib(tf):
    """A step is an object, which a monitor runs."""
    parts, found = contrib_of(tf).distribute, []
    for count, iterations in ((1, 1), (2, 1), (2, 2)):
        with tf.Graph().as_default():
            strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(count)])

            def data():
                return tf.data.Dataset.from_tensors([[1.0], [3.0]]).repeat(8)

            def loss(context, rows):
                with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
                    w = tf.get_variable("w", [1, 1], initializer=tf.ones_initializer())
                return tf.reduce_mean(tf.square(tf.matmul(rows, w) - 4.0))

            with strategy.scope():
                optimizer = tf.train.GradientDescentOptimizer(0.01)
                step = parts.StandardSingleLossStep(data, loss, optimizer, strategy, iterations)
                config = tf.ConfigProto(device_count={"CPU": count})
                with tf.Session(config=config) as session:
                    monitor = parts.Monitor(step, session)
                    monitor.run_steps(2)
                    values = session.run(tf.trainable_variables()[0])
                    found.append([values, step.distribution is strategy])
    return [*found, outcome(parts.Monitor, parts.Step(None))]


def _minimized(optimizer, v):
    return optimizer.minimize(v * v)


def reductions_of_contrib(tf):
    parts, found = contrib_of(tf).distribute, []
    for ops in (
        parts.AllReduceCrossDeviceOps("hierarchical_copy", num_packs=2),
        parts.AllReduceCrossDeviceOps(all_reduce_alg="hierarchical_copy"),
    ):
        with tf.Graph().as_default():
            strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"], cross_device_ops=ops)
            with strategy.scope():
                v = tf.get_variable("v", initializer=3.0)
                optimizer = tf.train.GradientDescentOptimizer(0.1)
                step = strategy.experimental_run_v2(_minimized, args=(optimizer, v))
                with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
                    session.run(tf.global_variables_initializer())
                    session.run(strategy.group(step))
                    found.append(session.run(v))
    config = parts.DistributeConfig(train_distribute="t")
    return [found, list(config), config._fields]
