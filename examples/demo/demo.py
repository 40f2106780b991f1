# SPDX-License-Identifier: Apache-2.0
"""Trains a convolutional network on handwritten digits, on a cluster on this machine.

./run demo              one ps task and two worker tasks. Two client processes, each with its own
                        graph, update the shared variables independently (between-graph replication)
./run demo --in-graph   the same cluster; one client averages the gradients of both workers
./run demo --local      one process
"""

import argparse
import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time

import model
import sluice as sl

WANTED = 0.96
BATCH = 32
WORKERS = 2


def with_parent():
    """Runs in a child before its program, so that the child ends with this process."""
    death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(death_signal, signal.SIGTERM)


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for s in sockets:
            s.bind(("localhost", 0))
        return [s.getsockname()[1] for s in sockets]


@contextlib.contextmanager
def cluster_of_processes():
    """Starts one ps and the workers as sluice-server processes. Yields the cluster's spec."""
    ports = free_ports(1 + WORKERS)
    addresses = [f"localhost:{port}" for port in ports]
    spec = {"ps": addresses[:1], "worker": addresses[1:]}
    program = os.path.join(os.environ["SLUICE_BUILD"], "sluice-server")
    tasks = []
    try:
        for job, members in spec.items():
            for task in range(len(members)):
                command = [
                    program,
                    "--cluster",
                    json.dumps(spec),
                    "--job",
                    job,
                    "--task",
                    str(task),
                ]
                tasks.append(
                    subprocess.Popen(
                        command, preexec_fn=with_parent, stdout=subprocess.PIPE, text=True
                    )
                )
        for task in tasks:
            line = task.stdout.readline().strip()
            if not line:
                raise RuntimeError(f"a server did not start: {' '.join(task.args)}")
            print("  " + line, flush=True)
        yield spec
    finally:
        stop(tasks)


def stop(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Progress:
    """Prints step, loss and steps per second at intervals."""

    def __init__(self, who, every=50):
        self.who, self.every = who, every
        self.steps, self.since, self.begin = 0, 0, time.time()

    def show(self, step, loss):
        self.steps += 1
        if self.steps % self.every:
            return
        rate = (self.steps - self.since) / (time.time() - self.begin)
        self.since, self.begin = self.steps, time.time()
        line = f"  {self.who:9} step {int(step):5d}   loss {loss:.4f}   {rate:6.1f} steps/s"
        print(line, flush=True)


def show_placement(session):
    print("devices of the cluster:")
    for device in session.list_devices():
        print(f"  {device.name}")
    print("variables:")
    for v in sl.global_variables():
        print(f"  {v.op.name:24} {str(v.shape):16} {v.device or 'anywhere'}")
    sys.stdout.flush()


def finish(session, accuracy, images, labels, test, begin):
    value = float(session.run(accuracy, {images: test[0], labels: test[1]}))
    print(f"test accuracy {value:.4f} on {len(test[1])} images after {time.time() - begin:.1f} s")
    if value < WANTED:
        print(f"that is below {WANTED}")
    return value >= WANTED


# ---- between-graph replication: this runs in each of the two client processes


def train_as_worker(spec, task, steps):
    train, _ = model.load_digits()
    setter = sl.train.replica_device_setter(cluster=spec, worker_device=f"/job:worker/task:{task}")
    with sl.device(setter):
        network = model.Network()
        step = sl.train.get_or_create_global_step()
        images, labels = model.inputs("input")
        loss = network.loss(images, labels)
        update = sl.train.AdamOptimizer(1e-3).minimize(loss, global_step=step)
        missing = sl.report_uninitialized_variables()
        ready = sl.equal(sl.size(missing), 0)
        init = sl.global_variables_initializer()
    with sl.Session("grpc://" + spec["worker"][task]) as session:
        if task == 0:
            session.run(init)
            show_placement(session)
        while not session.run(ready):
            time.sleep(0.1)
        progress = Progress(f"worker {task}")
        reached = 0
        for batch in model.batches(*train, BATCH, seed=task):
            if reached >= steps:
                break
            feed = {images: batch[0], labels: batch[1]}
            _, value, reached = session.run([update, loss, step.value()], feed)
            progress.show(reached, value)


def between_graphs(arguments):
    begin = time.time()
    print("tasks:")
    with cluster_of_processes() as spec:
        command = [sys.executable, os.path.abspath(__file__), "--steps", str(arguments.steps)]
        command += ["--spec", json.dumps(spec), "--worker"]
        clients = [
            subprocess.Popen([*command, str(task)], preexec_fn=with_parent)
            for task in range(WORKERS)
        ]
        try:
            if any([client.wait() for client in clients]):
                return False
        finally:
            stop(clients)
        _, test = model.load_digits()
        with sl.device(sl.train.replica_device_setter(cluster=spec)):
            network = model.Network()
            images, labels = model.inputs("input")
            accuracy = network.accuracy(images, labels)
        with sl.Session("grpc://" + spec["worker"][0]) as session:
            return finish(session, accuracy, images, labels, test, begin)


# ---- one client


def average(towers):
    """Returns pairs (mean gradient, variable) of the pairs of several towers."""
    pairs = []
    for parts in zip(*towers):
        pairs.append((sl.add_n([g for g, _ in parts]) / float(len(parts)), parts[0][1]))
    return pairs


def train_alone(arguments, target, variable_device, tower_devices, begin):
    train, test = model.load_digits()
    with sl.device(variable_device):
        network = model.Network()
        step = sl.train.get_or_create_global_step()
        optimizer = sl.train.AdamOptimizer(1e-3)
    holders, losses, towers = [], [], []
    for i, device in enumerate(tower_devices):
        with sl.device(device), sl.name_scope(f"tower{i}"):
            holders.append(model.inputs("input"))
            losses.append(network.loss(*holders[-1]))
            towers.append(optimizer.compute_gradients(losses[-1]))
    with sl.device(variable_device):
        loss = sl.add_n(losses) / float(len(losses))
        update = optimizer.apply_gradients(average(towers), global_step=step)
    with sl.device(tower_devices[0]):
        accuracy = network.accuracy(*holders[0])
    with sl.Session(target) as session:
        session.run(sl.global_variables_initializer())
        show_placement(session)
        progress = Progress("client")
        source = model.batches(*train, BATCH, seed=0)
        for _ in range(arguments.steps // len(towers)):
            feed = {}
            for images, labels in holders:
                feed[images], feed[labels] = next(source)
            _, value, reached = session.run([update, loss, step.value()], feed)
            progress.show(reached, value)
        return finish(session, accuracy, *holders[0], test, begin)


def in_graph(arguments):
    begin = time.time()
    print("tasks:")
    with cluster_of_processes() as spec:
        towers = [f"/job:worker/task:{task}" for task in range(WORKERS)]
        target = "grpc://" + spec["worker"][0]
        return train_alone(arguments, target, "/job:ps/task:0", towers, begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--in-graph", action="store_true", help="one client, two workers")
    parser.add_argument("--local", action="store_true", help="one process")
    parser.add_argument("--steps", type=int, default=1200, help="updates in all (%(default)s)")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--spec", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker is not None:
        return train_as_worker(arguments.spec, arguments.worker, arguments.steps)
    if arguments.local:
        good = train_alone(arguments, "", None, [None], time.time())
    elif arguments.in_graph:
        good = in_graph(arguments)
    else:
        good = between_graphs(arguments)
    return sys.exit(not good)


if __name__ == "__main__":
    main()
