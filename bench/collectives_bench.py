# SPDX-License-Identifier: Apache-2.0
"""All-reduces between four workers, a server process each: our servers against TensorFlow's.

TensorFlow's client drives both. As in its MultiWorker strategies, each worker has a session on its
own server, with a device filter for its own task. The sessions run their steps at the same time.
Every round times both clusters, in turns; a ratio is the median of the rounds' ratios, so that
other load on the machine affects both. Graph rewriting (Grappler) is off.

    SLUICE_BUILD=build python bench/collectives_bench.py [--rounds 15] [--only REGEX]
"""

import argparse
import re
import threading
import time

import tensorflow
from contenders import ROUND_SECONDS, Cluster, duration, median, tf, without_rewriting
from tensorflow.python.ops import collective_ops

WORKERS = 4
LEADER = "/job:worker/replica:0/task:0"


def workers(kind, count=WORKERS):
    """The tasks of one job, as a cluster."""
    return Cluster({"worker": count}, kind=kind, leader=LEADER)


def together(calls, times):
    """Makes each call so many times, all calls at the same time. Returns their last results."""
    results, errors = [None] * len(calls), []

    def run(i):
        try:
            for _ in range(times):
                results[i] = calls[i]()
        except Exception as error:  # pylint: disable=broad-except
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


class Contender:
    """One cluster, with a session of each worker that reduces the same gradients."""

    def __init__(self, cluster, elements, gradients, key):
        self.kind = cluster.kind
        self.steps, self.checks, self.sessions = [], [], []
        for task in range(WORKERS):
            graph = tf.Graph()
            with graph.as_default(), tf.device(f"/job:worker/task:{task}"):
                reduced, initializer = self.build(elements, gradients, key, task)
                operation = tf.group(*[tensor.op for tensor in reduced])
                checked = [(tf.reduce_min(tensor), tf.reduce_max(tensor)) for tensor in reduced]
            config = without_rewriting()
            config.device_filters.append(f"/job:worker/task:{task}")
            config.experimental.collective_group_leader = LEADER
            session = tf.Session(cluster.target("worker", task), graph=graph, config=config)
            session.run(initializer)
            self.sessions.append(session)
            self.steps.append(session.make_callable(operation))
            self.checks.append(session.make_callable(checked))

    @staticmethod
    def build(elements, gradients, key, task):
        """The sums of all gradients, and the initializer of what the gradients are read from."""
        values = [
            tf.Variable(tf.fill([elements], float(task)), name=f"case{key}_{task}_{i}")
            for i in range(gradients)
        ]
        reduced = [
            collective_ops.all_reduce(
                value.read_value() if hasattr(value, "read_value") else value,
                WORKERS, key, 1000 * key + i, "Add", "Id", subdiv_offsets=(0,),
            )
            for i, value in enumerate(values)
        ]  # fmt: skip
        return reduced, tf.variables_initializer(values)

    def seconds(self, times):
        """Mean over so many steps of all workers."""
        start = time.perf_counter()
        together(self.steps, times)
        return (time.perf_counter() - start) / times

    def check(self):
        """Raises ValueError if a sum is wrong."""
        expected = float(sum(range(WORKERS)))
        for sums in together(self.checks, 1):
            if any(value != expected for pair in sums for value in pair):
                raise ValueError(f"{self.kind}: a sum is not {expected}: {sums}")

    def close(self):
        for session in self.sessions:
            session.close()


# name, floats of a gradient, number of gradients
CASES = [
    ("64 KB", 16 << 10, 1),
    ("1 MB", 256 << 10, 1),
    ("64 MB", 16 << 20, 1),
    ("16 gradients of 1 MB at a time", 256 << 10, 16),
]


def measure(clusters, elements, gradients, key, rounds):
    """Medians of our seconds, their seconds, and of theirs / ours, as columns of a table."""
    pair = [Contender(cluster, elements, gradients, key) for cluster in clusters]
    times = []
    for contender in pair:
        contender.seconds(3)  # the step is built and connected
        times.append(max(1, int(ROUND_SECONDS / contender.seconds(2))))
    taken = ([], [])
    for turn in range(rounds):
        for which in ((0, 1), (1, 0))[turn % 2]:
            taken[which].append(pair[which].seconds(times[which]))
    for contender in pair:
        contender.check()
        contender.close()
    ours, theirs = taken
    ratio = median([t / o for o, t in zip(ours, theirs)])
    return f"{duration(median(ours))} | {duration(median(theirs))} | {ratio:.2f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default=".", help="regular expression on the case's name")
    arguments = parser.parse_args()
    print("TensorFlow %s, %d rounds, medians" % (tensorflow.__version__, arguments.rounds))
    print("| all-reduce by 4 workers | ours | TensorFlow's | ours is x times as fast |")
    print("|---|---|---|---|", flush=True)
    with workers("sluice") as ours, workers("tensorflow") as theirs:
        for key, (name, elements, gradients) in enumerate(CASES, start=1):
            if re.search(arguments.only, name):
                row = measure((ours, theirs), elements, gradients, key, arguments.rounds)
                print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
