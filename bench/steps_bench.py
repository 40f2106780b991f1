"""Steps of a cluster (ps and two workers, a process each): our servers against TensorFlow's.

TensorFlow's client drives both. Every round times both clusters, in turns; a ratio is the median
of the rounds' ratios, so that what else the machine does weighs on both. Graph rewriting
(Grappler) is off: it would fold the chains that are to be measured.

    SLUICE_BUILD=build python bench/steps_bench.py [--rounds 15] [--only REGEX]
"""

import argparse
import os
import re
import sys
import time

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "interop")
)
import cluster  # noqa: E402
import tensorflow  # noqa: E402

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

PS, WORKER0, WORKER1 = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"
ROUND_SECONDS = 0.15  # of each cluster in each round, or one step


def session_config():
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def variable(value, device):
    with tf.device(device):
        return tf.Variable(value, dtype=tf.float32)


# ---- the steps: each builds its graph and returns the operation to run -------------------------


def null_step_here():
    with tf.device(WORKER0):
        return tf.no_op()


def null_step_there():
    with tf.device(WORKER1):
        return tf.no_op()


def eight_hops():
    x = variable(1.0, WORKER0)
    for hop in range(8):
        with tf.device(WORKER1 if hop % 2 == 0 else WORKER0):
            x = tf.identity(x)
    return x.op


def hundred_tensors():
    sources = [variable([float(i)] * 16, WORKER0) for i in range(100)]
    with tf.device(WORKER1):
        return tf.group(*[tf.identity(x) for x in sources])


def chain_of_adds():
    x, y = variable(0.0, WORKER0), variable(1.0, WORKER0)
    with tf.device(WORKER0):
        y = tf.identity(y)
        for _ in range(10000):
            x = tf.add(x, y)
    return x.op


def while_loop():
    with tf.device(WORKER0):
        return tf.while_loop(lambda i: i < 10000, lambda i: i + 1, [tf.constant(0)]).op


def mlp_step():
    tf.set_random_seed(1)
    with tf.device(WORKER0):
        labels = tf.constant([i % 10 for i in range(64)])
        x = variable(tf.random_normal([64, 784]), WORKER0)
        for inputs, outputs in ((784, 256), (256, 256), (256, 10)):
            weights = variable(tf.random_normal([inputs, outputs], stddev=0.05), PS)
            bias = variable(tf.zeros([outputs]), PS)
            x = tf.matmul(x, weights) + bias
            if outputs != 10:
                x = tf.nn.relu(x)
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)
        )
        return tf.train.GradientDescentOptimizer(0.01).minimize(loss)


def big_tensor():
    with tf.device(WORKER1):
        x = tf.Variable(tf.zeros([16 << 20]), dtype=tf.float32)
    with tf.device(WORKER0):
        return tf.identity(x).op


def thousand_nodes():
    x = [variable(1.0, PS), variable(2.0, PS)]
    for i in range(990):
        with tf.device(WORKER1 if i % 100 == 99 else WORKER0):
            x = [x[1], tf.add(x[0], x[1])]
    return x[1].op


# name, builds the graph, whether a measurement makes a session and runs it for the first time
STEPS = [
    ("null step, the master's task", null_step_here, False),
    ("null step, another task", null_step_there, False),
    ("one float, 8 hops between two tasks", eight_hops, False),
    ("100 small tensors at once to another task", hundred_tensors, False),
    ("chain of 10,000 scalar adds", chain_of_adds, False),
    ("while loop of 10,000 iterations", while_loop, False),
    ("MLP step (784-256-256-10), variables on the ps", mlp_step, False),
    ("64 MB tensor between two tasks", big_tensor, False),
    ("new session and first run, 1,000 nodes", thousand_nodes, True),
]


# ---- measuring ---------------------------------------------------------------------------------


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def seconds_per_call(call):
    """Mean over about ROUND_SECONDS."""
    calls, start = 0, time.perf_counter()
    while True:
        call()
        calls += 1
        elapsed = time.perf_counter() - start
        if elapsed >= ROUND_SECONDS:
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

    def __init__(self, target, graph, operation, initializer, creates_session):
        self.target, self.graph, self.operation = target, graph, operation
        self.session = tf.Session(target, graph=graph, config=session_config())
        self.session.run(initializer)
        self.call = (
            self.create_and_run if creates_session else self.session.make_callable(operation)
        )

    def create_and_run(self):
        with tf.Session(self.target, graph=self.graph, config=session_config()) as session:
            session.run(self.operation)


def measure(build, creates_session, ours, theirs, rounds):
    """Medians of our seconds, their seconds, and of theirs / ours."""
    graph = tf.Graph()
    # Variables belong to the task, not to the session: one step's names must not meet another's.
    with graph.as_default(), tf.name_scope(build.__name__):
        operation = build()
        initializer = tf.global_variables_initializer()
    pair = [
        Contender(c.target(), graph, operation, initializer, creates_session)
        for c in (ours, theirs)
    ]
    for contender in pair:
        warm_up(contender.call)
    times = ([], [])
    for turn in range(rounds):
        for which in ((0, 1), (1, 0))[turn % 2]:
            times[which].append(seconds_per_call(pair[which].call))
    for contender in pair:
        contender.session.close()
    return median(times[0]), median(times[1]), median([t / o for o, t in zip(*times)])


def duration(seconds):
    return "%.0f us" % (seconds * 1e6) if seconds < 1e-3 else "%.2f ms" % (seconds * 1e3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default=".", help="regular expression on the step's name")
    arguments = parser.parse_args()
    print("TensorFlow %s, %d rounds, medians" % (tensorflow.__version__, arguments.rounds))
    print("| step | ours | TensorFlow's | ours is x times as fast |\n|---|---|---|---|", flush=True)
    jobs = {"ps": 1, "worker": 2}
    with cluster.Cluster(jobs) as ours, cluster.Cluster(jobs, kind="tensorflow") as theirs:
        for name, build, creates_session in STEPS:
            if re.search(arguments.only, name):
                mine, peer, ratio = measure(build, creates_session, ours, theirs, arguments.rounds)
                print(
                    f"| {name} | {duration(mine)} | {duration(peer)} | {ratio:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
