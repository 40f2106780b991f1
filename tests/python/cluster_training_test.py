# SPDX-License-Identifier: Apache-2.0
"""Training on a cluster of a ps and two workers, all in this process: each worker has its own graph
and session, as a program of its own would."""

import socket
import tempfile
import threading

import numpy as np
import sluice as sl

X = np.linspace(-1, 1, 8, dtype=np.float32).reshape(8, 1)
Y = 3.0 * X + 1.0


def start_cluster():
    sockets = [socket.socket() for _ in range(3)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    addresses = [f"localhost:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()
    spec = sl.train.ClusterSpec({"ps": addresses[:1], "worker": addresses[1:]})
    tasks = ("ps", 0), ("worker", 0), ("worker", 1)
    return spec, [sl.train.Server(spec, job, task) for job, task in tasks]


class Ready(sl.train.SessionRunHook):
    """Says when the chief has initialised the model, so that the other need not look for it."""

    def __init__(self, event):
        self._event = event

    def after_create_session(self, session, coord):
        self._event.set()


def worker(spec, server, task, folder, synchronous, found, ready):
    if task:
        ready.wait(30)
    with sl.Graph().as_default():
        place = sl.train.replica_device_setter(
            cluster=spec, worker_device=f"/job:worker/task:{task}"
        )
        with sl.device(place):
            w = sl.get_variable("w", [1, 1])
            b = sl.get_variable("b", [1])
            loss = sl.reduce_mean(sl.square(sl.matmul(X, w) + b - Y))
            step = sl.train.get_or_create_global_step()
            optimizer = sl.train.GradientDescentOptimizer(0.2)
            hooks = [sl.train.StopAtStepHook(last_step=40), Ready(ready)]
            if synchronous:
                optimizer = sl.train.SyncReplicasOptimizer(optimizer, 2, total_num_replicas=2)
            train = optimizer.minimize(loss, global_step=step)
            if synchronous:
                hooks.append(optimizer.make_session_run_hook(is_chief=task == 0))
        config = sl.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{task}"])
        steps, last, count = 0, np.inf, 0
        try:
            with sl.train.MonitoredTrainingSession(
                server.target, is_chief=task == 0, checkpoint_dir=folder, hooks=hooks,
                config=config, stop_grace_period_secs=1, save_checkpoint_steps=20,
                save_checkpoint_secs=None,
            ) as sess:  # fmt: skip
                while not sess.should_stop():
                    _, last, count = sess.run([train, loss, step])
                    steps += 1
        except sl.errors.OpError:  # the chief ended the training first
            pass
        found[task] = steps, float(last), int(count)


def trained(synchronous):
    spec, servers = start_cluster()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        ready = threading.Event()
        rest = folder, synchronous, found, ready
        threads = [
            threading.Thread(target=worker, args=(spec, servers[1 + i], i, *rest), daemon=True)
            for i in range(2)
        ]
        for thread in threads:
            thread.start()
        threads[0].join(60)
        latest = sl.train.latest_checkpoint(folder)
    return found, latest


def check(synchronous):
    found, latest = trained(synchronous)
    steps, loss, _ = found[0]
    assert steps > 0 and loss < 1.0, found
    assert int(latest.rsplit("-", 1)[1]) >= 40, latest


def test_workers_train_in_their_own_time():
    check(synchronous=False)


def test_synchronous_replicas():
    check(synchronous=True)


def test_the_chief_of_replicas_in_step_does_not_wait_for_gradients_at_the_end(monkeypatch):
    monkeypatch.setattr("sluice.training.sync_replicas._LAST_UPDATE_SECS", 0.1)
    server = sl.train.Server.create_local_server()
    with sl.Graph().as_default():
        step = sl.train.get_or_create_global_step()
        weight = sl.get_variable("w", [], initializer=sl.zeros_initializer())
        optimizer = sl.train.SyncReplicasOptimizer(sl.train.GradientDescentOptimizer(0.5), 1)
        train = optimizer.minimize(sl.square(weight - 3.0), global_step=step)
        hooks = [optimizer.make_session_run_hook(True), sl.train.StopAtStepHook(last_step=9)]
        with sl.train.MonitoredTrainingSession(
            server.target, hooks=hooks, stop_grace_period_secs=1e6
        ) as session:
            while not session.should_stop():
                found = session.run([train, weight])[1]
    assert found == 3.0


def test_a_worker_looks_often_at_first_whether_the_model_is_ready(monkeypatch):
    """The chief may need only a moment more."""
    waits = []
    server = sl.train.Server.create_local_server()
    with sl.Graph().as_default():
        variable = sl.Variable(1.0)
        start = sl.global_variables_initializer()
        manager = sl.train.SessionManager(ready_op=sl.report_uninitialized_variables())

        def sleep(seconds):
            waits.append(seconds)
            if len(waits) == 9:
                with sl.Session(server.target) as chief:
                    chief.run(start)

        monkeypatch.setattr("time.sleep", sleep)
        with manager.wait_for_session(server.target) as session:
            assert session.run(variable) == 1.0
    assert waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30]


def test_tasks_of_one_process_hand_tensors_over():
    _, servers = start_cluster()
    metadata = sl.RunMetadata()
    with sl.Graph().as_default():
        with sl.device("/job:ps/task:0"):
            there = sl.Variable(np.arange(100_000, dtype=np.float32))
        with sl.device("/job:worker/task:0"):
            doubled = there * 2.0
        with sl.Session(servers[1].target) as session:
            session.run(sl.global_variables_initializer())
            trace = sl.RunOptions(trace_level=sl.RunOptions.FULL_TRACE)
            got = session.run(doubled, options=trace, run_metadata=metadata)
    np.testing.assert_array_equal(got, np.arange(100_000, dtype=np.float32) * 2)
    nodes = [node for device in metadata.step_stats.dev_stats for node in device.node_stats]
    transports = [n.timeline_label.split(" by ")[1] for n in nodes if " by " in n.timeline_label]
    assert transports and set(transports) == {"inproc"}, transports
    for server in servers:
        server.stop()
