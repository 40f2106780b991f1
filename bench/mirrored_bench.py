# SPDX-License-Identifier: Apache-2.0
"""Training steps of a convolutional network by MultiWorkerMirroredStrategy: our servers against
TensorFlow's.

Each worker is a process with TensorFlow's client, and a server process of its own. In each round
both clusters train for about a second, in turns.

    SLUICE_BUILD=build python bench/mirrored_bench.py [--workers 2] [--rounds 7]
"""

import argparse
import json
import os
import subprocess
import sys

import tensorflow
from collectives_bench import Workers
from contenders import duration, median

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mirrored_worker.py")


class Training:
    """The worker processes of one cluster."""

    def __init__(self, cluster, workers):
        self.kind = cluster.kind
        self.processes = [self._start(cluster.spec, task) for task in range(workers)]
        for process in self.processes:
            if process.stdout.readline() != "ready\n":
                raise RuntimeError(f"{self.kind}: a worker did not start")

    @staticmethod
    def _start(spec, task):
        described = {"cluster": spec, "task": {"type": "worker", "index": task}}
        return subprocess.Popen(
            [sys.executable, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, TF_CONFIG=json.dumps(described)),
        )  # fmt: skip

    def seconds(self, steps):
        """For a step, of the slowest worker; the loss after the steps."""
        for process in self.processes:
            process.stdin.write(f"{steps}\n")
            process.stdin.flush()
        answers = [process.stdout.readline().split() for process in self.processes]
        if not all(answers):
            raise RuntimeError(f"{self.kind}: a worker ended")
        return max(float(answer[0]) for answer in answers) / steps, answers[0][1]

    def close(self):
        for process in self.processes:
            process.stdin.close()
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    count = arguments.workers
    with Workers("sluice", count) as ours, Workers("tensorflow", count) as theirs:
        pair = [Training(cluster, count) for cluster in (ours, theirs)]
        try:
            for training in pair:
                training.seconds(5)  # the step is built and connected
            steps = [max(1, int(1 / training.seconds(3)[0])) for training in pair]
            taken = ([], [])
            for turn in range(arguments.rounds):
                for which in ((0, 1), (1, 0))[turn % 2]:
                    taken[which].append(pair[which].seconds(steps[which])[0])
        finally:
            for training in pair:
                training.close()
    ratio = median([t / o for o, t in zip(*taken)])
    print(f"TensorFlow {tensorflow.__version__}, {arguments.rounds} rounds, medians")
    print(f"| a step of {count} workers | ours | TensorFlow's | ours is x times as fast |")
    print("|---|---|---|---|")
    row = " | ".join(duration(median(times)) for times in taken)
    print(f"| conv net, 4.1 M parameters | {row} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
