"""Candidate samplers give TensorFlow's ids and expected counts, run after run, and losses follow.

samplers_test.py
"""

import os
import tempfile

import numpy as np
import tensorflow

from interop.tools.cluster import Checks, Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

CLASSES = np.array([[1, 5], [0, 2], [7, 7]], np.int64)


def fixed(**options):
    def make(classes, num_sampled, unique, size, seed):
        return tf.nn.fixed_unigram_candidate_sampler(
            classes, 2, num_sampled, unique, size, seed=seed, **options
        )

    return make


def plain(sampler):
    def make(classes, num_sampled, unique, size, seed):
        return sampler(classes, 2, num_sampled, unique, size, seed=seed)

    return make


def samplers(vocabulary):
    unigrams = [float(1 + i % 7) for i in range(50)]
    return {
        "uniform": plain(tf.nn.uniform_candidate_sampler),
        "log_uniform": plain(tf.nn.log_uniform_candidate_sampler),
        "learned": plain(tf.nn.learned_unigram_candidate_sampler),
        "fixed": fixed(unigrams=unigrams, distortion=0.75),
        "reserved": fixed(unigrams=unigrams[2:], num_reserved_ids=2),
        "file": fixed(vocab_file=vocabulary),
    }


def losses(graph_seed):
    """What word2vec and language models minimise, with a step of training in between."""
    tf.set_random_seed(graph_seed)
    weights = tf.get_variable("w", [50, 8], initializer=tf.random_uniform_initializer(seed=1))
    biases = tf.get_variable("b", [50], initializer=tf.zeros_initializer())
    inputs = tf.get_variable("x", [6, 8], initializer=tf.random_uniform_initializer(seed=2))
    labels = tf.constant([[3], [9], [1], [0], [49], [9]], tf.int64)
    both = {}
    for name, loss in (("nce", tf.nn.nce_loss), ("softmax", tf.nn.sampled_softmax_loss)):
        both[name] = tf.reduce_mean(loss(weights, biases, labels, inputs, 10, 50))
    total = tf.add_n([both[name] for name in sorted(both)])
    train = tf.train.GradientDescentOptimizer(0.5).minimize(total)
    return [both["nce"], both["softmax"], train]


def run_samplers(target, make, unique, size, num_sampled):
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        first = make(tf.constant(CLASSES), num_sampled, unique, size, 11)
        second = make(tf.constant(CLASSES[:1]), num_sampled, unique, size, None)
        hits = tf.nn.compute_accidental_hits(tf.constant(CLASSES), first[0], 2)
        with tf.Session(target) as session:
            results = [session.run([list(first), list(hits)]) for _ in range(3)]
            results.append(session.run([list(first), list(second)]))
    return [np.asarray(x) for pair in results for part in pair for x in part]


def run_losses(target):
    with tf.Graph().as_default():
        fetches = losses(5)
        with tf.Session(target) as session:
            session.run(tf.global_variables_initializer())
            return [session.run(fetches)[:2] for _ in range(5)]


def same(actual, expected):
    if len(actual) != len(expected):
        return "%d results, expected %d" % (len(actual), len(expected))
    for i, (a, e) in enumerate(zip(actual, expected)):
        a, e = np.asarray(a), np.asarray(e)
        if a.shape != e.shape or a.dtype != e.dtype:
            return "result %d is %s%s, expected %s%s" % (i, a.dtype, a.shape, e.dtype, e.shape)
        if not np.allclose(a, e, rtol=1e-5, atol=0 if e.dtype.kind == "i" else 1e-6):
            return f"result {i}: {a!r}, expected {e!r}"
    return ""


def code_of(target, make, num_sampled):
    try:
        run_samplers(target, make, True, 50, num_sampled)
    except tf.errors.OpError as error:
        return type(error).__name__
    return "OK"


def main():
    print("TensorFlow", tensorflow.__version__, flush=True)
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder, Cluster({"worker": 1}) as cluster:
        vocabulary = os.path.join(folder, "words.csv")
        with open(vocabulary, "w") as file:
            file.writelines("word%d,%d\n" % (i, 1 + i * i % 11) for i in range(50))
        ours = cluster.target()
        for name, make in samplers(vocabulary).items():
            for unique in (False, True):
                for num_sampled in (1, 20, 40):
                    case = (make, unique, 50, num_sampled)
                    wrong = same(run_samplers(ours, *case), run_samplers("", *case))
                    checks.check(
                        "%s %s %d" % (name, "unique" if unique else "", num_sampled),
                        not wrong,
                        wrong,
                    )
            wanted, got = code_of("", make, 51), code_of(ours, make, 51)
            checks.check(name + " range too small", got == wanted, f"{got}, expected {wanted}")
        for name in ("uniform", "log_uniform", "learned"):
            for size in (64, 1000, 100003):
                case = (samplers(vocabulary)[name], True, size, 30)
                wrong = same(run_samplers(ours, *case), run_samplers("", *case))
                checks.check("%s of %d" % (name, size), not wrong, wrong)
        wrong = same(run_losses(ours), run_losses(""))
        checks.check("losses", not wrong, wrong)
        all_ids = plain(lambda c, t, n, u, r, seed: tf.nn.all_candidate_sampler(c, t, n, u, seed))
        case = (all_ids, True, 9, 9)
        checks.check("all", not same(run_samplers(ours, *case), run_samplers("", *case)))
    checks.finish()


if __name__ == "__main__":
    main()
