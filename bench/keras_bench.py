# SPDX-License-Identifier: Apache-2.0
"""Training by Keras: sluice.keras against tf.keras of the TensorFlow whose Python runs this.

The networks of tests/interop/programs/keras_nets.py, each side in a process of its own on the same
cores: ours with a session in its process and with one on a server, TensorFlow with its own runtime.
In each round all sides train for about a second, in turns; a ratio is the median of the rounds'
ratios, so that what else the machine does weighs on all.

    SLUICE_BUILD=build python bench/keras_bench.py [--rounds 7] [--only REGEX] [--cores 0,1]
"""

import argparse
import itertools
import os
import re
import subprocess
import sys

import tensorflow
from contenders import Cluster, duration, median
from interop.programs import keras_nets
from interop.tools.two_clients import SLUICE_PYTHON

BUILD = os.path.abspath(os.environ.get("SLUICE_BUILD", "build"))
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_worker.py")


class Training:
    """A process that trains a network."""

    def __init__(self, client, target, net, way):
        ours = client == "sluice"
        more = {"PYTHONPATH": os.path.join(BUILD, "python")} if ours else {}
        command = [SLUICE_PYTHON if ours else sys.executable, WORKER, client, target, net, way]
        self.name, self._process = f"{client} {net}", subprocess.Popen(
            command, env={**os.environ, **more}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True,
        )  # fmt: skip

    def seconds(self, steps):
        """For one step."""
        self._process.stdin.write(f"{steps}\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("seconds "):
                return float(line.split()[1]) / steps
        raise RuntimeError(f"{self.name}: the process ended")

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def row(net, way, target, arguments):
    """A row of the table: medians of the seconds of all sides, and ratios to ours.

    The server is of this row alone: sessions share the variables of a server by their names.
    """
    sides = [("sluice", ""), ("sluice", target), ("tensorflow", "")]
    trainings = [Training(*side, net, way) for side in sides]
    try:
        for training in trainings:
            training.seconds(5)  # the step is built, costs of nodes are learned
        steps = [max(3, int(arguments.seconds / t.seconds(3))) for t in trainings]
        taken = [[] for _ in trainings]
        for turn in range(arguments.rounds):
            for number in range(len(trainings)):
                at = (number + turn) % len(trainings)
                taken[at].append(trainings[at].seconds(steps[at]))
    finally:
        for training in trainings:
            training.close()
    ratios = [median([t / o for o, t in zip(ours, taken[-1])]) for ours in taken[:-1]]
    columns = [duration(median(seconds)) for seconds in taken] + [f"{r:.2f}" for r in ratios]
    print(f"| {net}, {way} | {' | '.join(columns)} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each side in each round")
    parser.add_argument("--only", default=".", help="regular expression on the row's name")
    parser.add_argument("--cores", help="numbers of the cores of all processes")
    arguments = parser.parse_args()
    if arguments.cores:
        os.sched_setaffinity(0, [int(core) for core in arguments.cores.split(",")])
    print(f"TensorFlow {tensorflow.__version__}, {arguments.rounds} rounds, medians")
    print("| a step of | ours, in its process | ours, on a server | tf.keras |", end="")
    print(" in its process x times as fast | on a server x times as fast |")
    print("|---|---|---|---|---|---|", flush=True)
    for net, way in itertools.product(keras_nets.NETS, ("fit", "train_on_batch")):
        if re.search(arguments.only, f"{net}, {way}"):
            with Cluster({"worker": 1}) as cluster:
                row(net, way, cluster.target(), arguments)


if __name__ == "__main__":
    main()
