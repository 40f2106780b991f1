# SPDX-License-Identifier: Apache-2.0
"""Common code of the benchmarks against TensorFlow's servers: a step on a cluster, and its time."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
import tensorflow  # noqa: E402
from interop.programs import big_models  # noqa: E402, F401
from interop.tools.cluster import Cluster  # noqa: E402, F401

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

ROUND_SECONDS = 0.15  # of each cluster in each round, or one step


def without_rewriting():
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def seconds_per_call(call, seconds):
    """Mean over about that long."""
    calls, start = 0, time.perf_counter()
    while True:
        call()
        calls += 1
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return elapsed / calls


def warm_up(call):
    """Until the step is built and connected; costs of nodes are learned over some steps."""
    start = time.perf_counter()
    for _ in range(20):
        call()
        if time.perf_counter() - start > 3:
            return


class Contender:
    """One cluster with one step on it."""

    def __init__(self, target, graph, operation, feed, initializer, creates_session, config):
        self.target, self.graph, self.operation, self.config = target, graph, operation, config
        self.session = tf.Session(target, graph=graph, config=config)
        self.session.run(initializer)
        placeholders, values = zip(*feed.items()) if feed else ((), ())
        step = self.session.make_callable(operation, feed_list=list(placeholders))
        self.call = self.create_and_run if creates_session else lambda: step(*values)

    def create_and_run(self):
        with tf.Session(self.target, graph=self.graph, config=self.config) as session:
            session.run(self.operation)


def container_of(build):
    """The container of a step's variables. They belong to the task, not to the session: one step's
    names must not meet another's."""
    return build.__name__.replace("_", "-")


def contenders(build, clusters, creates_session=False, config=None):
    """The step that `build` makes, ready to be timed on each cluster.

    `build` gives what is to be run, or that and what is fed. Without a `config` graphs run as they
    are written.
    """
    config = config or without_rewriting()
    graph = tf.Graph()
    with graph.as_default(), tf.name_scope(build.__name__), tf.container(container_of(build)):
        built = build()
        operation, feed = built if isinstance(built, tuple) else (built, {})
        initializer = tf.global_variables_initializer()
    made = [
        Contender(c.target(), graph, operation, feed, initializer, creates_session, config)
        for c in clusters
    ]
    for contender in made:
        warm_up(contender.call)
    return made


def take_turns(pair, rounds, seconds=ROUND_SECONDS):
    """Seconds per call of both, one pair of times for each round."""
    times = ([], [])
    for turn in range(rounds):
        for which in ((0, 1), (1, 0))[turn % 2]:
            times[which].append(seconds_per_call(pair[which].call, seconds))
    return times


def measure(build, clusters, rounds, creates_session=False, config=None):
    """Medians of our seconds, their seconds, and of theirs / ours, as columns of a table."""
    pair = contenders(build, clusters, creates_session, config)
    ours, theirs = take_turns(pair, rounds)
    for contender in pair:
        contender.session.close()
    ratio = median([t / o for o, t in zip(ours, theirs)])
    return f"{duration(median(ours))} | {duration(median(theirs))} | {ratio:.2f}"


def duration(seconds):
    if seconds < 1e-4:
        return "%.2f us" % (seconds * 1e6)
    return "%.0f us" % (seconds * 1e6) if seconds < 1e-3 else "%.2f ms" % (seconds * 1e3)
