# SPDX-License-Identifier: Apache-2.0
"""Training steps of a convolutional network on several workers, each a process.

* MultiWorkerMirroredStrategy of TensorFlow's client, on our servers and on TensorFlow's, a server
  process for each worker
* sluice.hvd over TensorFlow's client, and Horovod, if the Python that runs this has it

In each round both sides train for about a second, in turns.

    SLUICE_BUILD=build python bench/training_bench.py [--workers 2] [--rounds 7]
"""

import argparse
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time

import tensorflow
from collectives_bench import workers
from contenders import duration, median

BUILD = os.path.abspath(os.environ.get("SLUICE_BUILD", "build"))
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "training_worker.py")


class Training:
    """Worker processes that train together."""

    def __init__(self, name, count):
        self.name, self.count, self.turn = name, count, 0
        self.folder = tempfile.TemporaryDirectory()
        self.processes = []

    def start(self, command, **environment):
        self.processes.append(
            subprocess.Popen(
                command, env=dict(os.environ, **environment), stdout=subprocess.DEVNULL
            )
        )

    def worker(self, kind):
        """The command line of a worker."""
        return [sys.executable, WORKER, kind, self.folder.name]

    def seconds(self, steps):
        """For one step, of the slowest worker."""
        request = os.path.join(self.folder.name, f"turn-{self.turn}")
        self.turn += 1
        with open(request + ".new", "w") as file:
            file.write(str(steps))
        os.rename(request + ".new", request)
        taken = []
        for rank in range(self.count):
            while not os.path.exists(f"{request}-{rank}"):
                if any(process.poll() is not None for process in self.processes):
                    raise RuntimeError(f"{self.name}: a worker ended")
                time.sleep(0.01)
            with open(f"{request}-{rank}") as file:
                taken.append(float(file.read()))
        return max(taken) / max(1, steps)

    def close(self):
        with contextlib.suppress(RuntimeError):
            self.seconds(0)
        for process in self.processes:
            process.wait()
        self.folder.cleanup()


def mirrored(cluster, count):
    training = Training(cluster.kind, count)
    for task in range(count):
        described = {"cluster": cluster.spec, "task": {"type": "worker", "index": task}}
        training.start(training.worker("mirrored"), TF_CONFIG=json.dumps(described))
    return training


def ranks(kind, launcher, count):
    training = Training(kind, count)
    path = os.pathsep.join([os.path.join(BUILD, "python"), os.environ.get("PYTHONPATH", "")])
    training.start([*launcher, "-np", str(count), *training.worker(kind)], PYTHONPATH=path)
    return training


def row(name, pair, rounds):
    """A row of the table: medians of our seconds, theirs, and of theirs / ours."""
    try:
        for training in pair:
            training.seconds(5)  # the step is built and connected
        steps = [max(1, int(1 / training.seconds(3))) for training in pair]
        taken = ([], [])
        for turn in range(rounds):
            for which in ((0, 1), (1, 0))[turn % 2]:
                taken[which].append(pair[which].seconds(steps[which]))
    finally:
        for training in pair:
            training.close()
    ratio = median([t / o for o, t in zip(*taken)])
    times = " | ".join(duration(median(seconds)) for seconds in taken)
    print(f"| {name} | {times} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    count = arguments.workers
    print(f"TensorFlow {tensorflow.__version__}, {arguments.rounds} rounds, medians")
    print(f"| a step of {count} workers | ours | theirs | ours is x times as fast |")
    print("|---|---|---|---|", flush=True)
    with workers("sluice", count) as ours, workers("tensorflow", count) as theirs:
        pair = [mirrored(cluster, count) for cluster in (ours, theirs)]
        row("MultiWorkerMirroredStrategy, against TensorFlow's servers", pair, arguments.rounds)
    if importlib.util.find_spec("horovod") is None:
        print("Horovod is not installed in this Python: sluice.hvd is not measured")
        return
    horovodrun = os.path.join(os.path.dirname(sys.executable), "horovodrun")
    pair = [
        ranks("sluice.hvd", [os.path.join(BUILD, "sluice"), "run"], count),
        ranks("horovod", [horovodrun, "--gloo"], count),
    ]
    row("sluice.hvd, against Horovod", pair, arguments.rounds)


if __name__ == "__main__":
    main()
