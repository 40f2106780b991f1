# SPDX-License-Identifier: Apache-2.0
"""Candidate samplers give TensorFlow's ids and expected counts, run after run, and losses follow.

samplers_test.py
"""

import os
import tempfile

import numpy as np
import pytest
import tensorflow

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
    """The losses of word2vec and language models, with a step of training in between."""
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


JOBS = {"worker": 1}


@pytest.fixture(scope="module")
def every():
    """name -> a sampler."""
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = os.path.join(folder, "words.csv")
        with open(vocabulary, "w") as file:
            file.writelines("word%d,%d\n" % (i, 1 + i * i % 11) for i in range(50))
        yield samplers(vocabulary)


def check_sampler(checks, target, *case):
    wrong = same(run_samplers(target, *case), run_samplers("", *case))
    checks.check(case[1:], not wrong, wrong)


@pytest.mark.parametrize("name", samplers(""))
def test_sampler(checks, target, every, name):
    for unique in (False, True):
        for num_sampled in (1, 20, 40):
            check_sampler(checks, target, every[name], unique, 50, num_sampled)
    wanted, got = code_of("", every[name], 51), code_of(target, every[name], 51)
    checks.check("range too small", got == wanted, f"{got}, expected {wanted}")


@pytest.mark.parametrize("size", (64, 1000, 100003))
@pytest.mark.parametrize("name", ("uniform", "log_uniform", "learned"))
def test_size(checks, target, every, name, size):
    check_sampler(checks, target, every[name], True, size, 30)


def test_losses(target):
    assert not same(run_losses(target), run_losses(""))


def test_all_candidates(checks, target):
    all_ids = plain(lambda c, t, n, u, r, seed: tf.nn.all_candidate_sampler(c, t, n, u, seed))
    check_sampler(checks, target, all_ids, True, 9, 9)
