# SPDX-License-Identifier: Apache-2.0
"""Strategies on the tasks of a cluster, all in this process: they train as one device does on the
whole batch."""

import json
import os
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest
import sluice as sl
from sluice.launching.hosts import free_ports

X = np.cos(np.arange(48)).reshape(24, 2).astype(np.float32)
Y = np.sin(np.arange(24)).reshape(24, 1).astype(np.float32)
BATCH, STEPS = 12, 6


def start_cluster(**jobs):
    """(ClusterSpec, {(job, number): Server}) with so many tasks of each job."""
    tasks = [(job, number) for job, count in jobs.items() for number in range(count)]
    sockets = [socket.socket() for _ in tasks]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    addresses = {job: [] for job in jobs}
    for (job, _), one in zip(tasks, sockets):
        addresses[job].append(f"localhost:{one.getsockname()[1]}")
        one.close()
    spec = sl.train.ClusterSpec(addresses)
    return spec, {task: sl.train.Server(spec, *task) for task in tasks}


def resolver(spec, job, number):
    return sl.distribute.cluster_resolver.SimpleClusterResolver(
        spec, task_type=job, task_id=number, rpc_layer="grpc"
    )


class Training:
    """A graph in the scope of a strategy, with a table, dense layers and a count of rows."""

    def __init__(self, strategy, optimizer, first=0.3):
        self.strategy, self.graph = strategy, sl.Graph()
        with self.graph.as_default(), strategy.scope():
            data = sl.data.Dataset.from_tensor_slices((X, Y, np.arange(24) % 5)).repeat()
            self.input = strategy.make_dataset_iterator(data.batch(BATCH))
            rule = optimizer()

            def step(element):
                x, y, row = element
                initial = sl.constant_initializer(first)
                w = sl.get_variable("w", [2, 3], initializer=initial)
                table = sl.get_variable("table", [5, 3], initializer=initial)
                v = sl.get_variable("v", [3, 1], initializer=sl.constant_initializer(0.5))
                hidden = sl.tanh(sl.matmul(x, w) + sl.gather(table, row))
                loss = sl.reduce_sum(sl.square(sl.matmul(hidden, v) - y)) / BATCH
                counter = sl.train.get_or_create_global_step()
                with sl.control_dependencies([rule.minimize(loss, global_step=counter)]):
                    return sl.identity(loss)

            losses = strategy.run(step, args=(self.input.get_next(),))
            self.loss = strategy.reduce(sl.distribute.ReduceOp.SUM, losses, axis=None)
            self.variables = sl.global_variables()
            self.start = sl.global_variables_initializer()

    def session(self, target="", cpus=1):
        config = sl.ConfigProto(device_count={"CPU": cpus})
        config = self.strategy.update_config_proto(config)
        return sl.Session(target, graph=self.graph, config=config)

    def values(self, session):
        return {v.name: session.run(v) for v in self.variables}


def alone(optimizer, only_first=False):
    """What one device gives: (losses, values); only_first: of the first batch again and again."""
    training, losses = Training(sl.distribute.OneDeviceStrategy("/cpu:0"), optimizer), []
    with training.session() as session:
        session.run([training.start, training.input.initialize()])
        for _ in range(STEPS):
            losses.append(session.run(training.loss))
            if only_first:
                session.run(training.input.initialize())
        return losses, training.values(session)


def assert_same(found, expected):
    np.testing.assert_allclose(found[0], expected[0], 1e-4)
    assert sorted(found[1]) == sorted(expected[1])
    for name, value in expected[1].items():
        np.testing.assert_allclose(found[1][name], value, 1e-4, 1e-6, err_msg=name)


def in_threads(functions):
    """Calls functions at the same time; their results."""
    results, errors = [None] * len(functions), []

    def call(number):
        try:
            results[number] = functions[number]()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=call, args=(i,), daemon=True) for i in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads)
    return results


def momentum():
    return sl.train.MomentumOptimizer(0.1, 0.9)


def adam():
    return sl.train.AdamOptimizer(0.05)


@pytest.mark.parametrize("optimizer", [momentum, adam])
def test_multi_worker_mirrored_on_three_workers(optimizer):
    spec, servers = start_cluster(worker=3)
    trainings = [
        Training(
            sl.distribute.MultiWorkerMirroredStrategy(
                cluster_resolver=resolver(spec, "worker", number)
            ),
            optimizer,
            first=0.3 if number == 0 else 9.0,  # all begin with the first worker's values
        )
        for number in range(3)
    ]
    assert [t.strategy.num_replicas_in_sync for t in trainings] == [3, 3, 3]
    assert [t.strategy.extended.should_checkpoint for t in trainings] == [True, False, False]

    def train(training, server):
        def run():
            with training.session(server.target) as session:
                session.run([training.start, training.input.initialize()])
                losses = [session.run(training.loss) for _ in range(STEPS)]
                return losses, training.values(session)

        return run

    servers = [servers["worker", number] for number in range(3)]
    found = in_threads([train(t, s) for t, s in zip(trainings, servers)])
    expected = alone(optimizer)
    for of_worker in found:
        assert_same(of_worker, expected)
    for server in servers:
        server.stop()


def test_parameter_servers_and_workers_in_turn():
    """Three workers that take turns make the steps of one device."""
    spec, servers = start_cluster(ps=2, worker=3)
    trainings = [
        Training(sl.distribute.ParameterServerStrategy(resolver(spec, "worker", number)), momentum)
        for number in range(3)
    ]
    devices = {v.name: v.device for v in trainings[0].variables}
    used = {"/job:ps/task:0", "/job:ps/task:1"}
    assert set(devices.values()) == used, devices
    sessions = [t.session(servers["worker", number].target) for number, t in enumerate(trainings)]
    sessions[0].run(trainings[0].start)
    for training, session in zip(trainings, sessions):
        session.run(training.input.initialize())
    losses = []
    for number in range(STEPS):
        training, session = trainings[number % 3], sessions[number % 3]
        losses.append(session.run(training.loss))
        session.run(training.input.initialize())  # each worker trains on the first batch again
    found = losses, trainings[1].values(sessions[1])
    for server in servers.values():
        server.stop()
    assert found[1]["global_step:0"] == STEPS
    assert_same(found, alone(momentum, only_first=True))


KERAS = """
import json, numpy as np, os, sys, sluice as sl
x = np.cos(np.arange(48)).reshape(24, 2).astype(np.float32)
y = np.sin(np.arange(24)).reshape(24, 1).astype(np.float32)
many = sys.argv[1] == "many"
make = sl.distribute.MultiWorkerMirroredStrategy if many else sl.distribute.MirroredStrategy
with make().scope():
    model = sl.keras.Sequential([sl.keras.layers.Dense(3, activation="tanh", input_shape=(2,)),
                                 sl.keras.layers.Dense(1)])
    model.compile(sl.keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
weights = [np.sin(np.arange(w.size) + 1.0).reshape(w.shape) for w in model.get_weights()]
model.set_weights(weights)
history = model.fit(x, y, batch_size=8, epochs=3, verbose=0, shuffle=False)
found = {name: [float(v) for v in values] for name, values in history.history.items()}
print(json.dumps([found, [w.tolist() for w in model.get_weights()]]), flush=True)
if many:
    sys.stdin.read()  # until the others have ended, too
os._exit(0)
"""


def test_keras_on_two_workers():
    ports = free_ports(2)
    cluster = {"worker": [f"localhost:{port}" for port in ports]}
    tasks = [("many", {"cluster": cluster, "task": {"type": "worker", "index": i}}) for i in (0, 1)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", KERAS, kind], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env=dict(os.environ, TF_CONFIG=json.dumps(config)),
        )
        for kind, config in [*tasks, ("one", {})]
    ]  # fmt: skip
    try:
        found = [json.loads(process.stdout.readline()) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert found[0][1] == found[1][1]
    for of_worker in found[:2]:
        for name, values in found[2][0].items():
            np.testing.assert_allclose(of_worker[0][name], values, 1e-4)
        for value, expected in zip(of_worker[1], found[2][1]):
            np.testing.assert_allclose(value, expected, 1e-4, 1e-5)


def test_clusters_that_do_not_suit():
    ps = sl.train.ClusterSpec({"worker": ["a:1"], "ps": ["b:2"]})
    workers = sl.train.ClusterSpec({"worker": ["a:1", "c:3"]})
    make = sl.distribute.MultiWorkerMirroredStrategy
    for given, text in (
        (resolver(ps, "worker", 0), "ps tasks"),
        (resolver(workers, "worker", 2), "none of the workers"),
        (resolver(workers, None, None), "task_type"),
    ):
        with pytest.raises(ValueError, match=text):
            make(cluster_resolver=given)
    with pytest.raises(ValueError, match="ps"):
        sl.distribute.ParameterServerStrategy(resolver(workers, "worker", 0))
