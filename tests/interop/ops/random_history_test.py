# SPDX-License-Identifier: Apache-2.0
"""Random ops go on as TensorFlow's do.

Three runs, two signatures, an extension in between, a second session, a million elements, one
thread and two: TensorFlow's numbers for the same seeds.
"""

import os
import pickle
import subprocess
import sys

import numpy as np
import tensorflow

from interop.tools.cluster import TESTS, Checks, Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

MAJOR = int(tensorflow.__version__.split(".")[0])
MILLION = 1000003
CLASSES = np.array([[1, 5], [0, 2]], np.int64)


def drawn(size):
    """Name -> op: a stream of each kind, of about `size` elements."""
    square = [3, size // 3]
    logits = np.log([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]).astype(np.float32)
    ops = {
        "shuffle": tf.random_shuffle(tf.range(size), seed=4),
        "shuffled rows": tf.random_shuffle(tf.reshape(tf.range(size // 2 * 2), [-1, 2]), seed=5),
        "multinomial": tf.multinomial(logits, size // 2, seed=6),
        "multinomial int32": tf.multinomial(logits, size // 2, seed=6, output_dtype=tf.int32),
        "gamma": tf.random_gamma([size // 5], [0.2, 1.0, 3.0, 20.0, 0.9], seed=7),
        "gamma double": tf.random_gamma([size // 9], np.float64(0.7), dtype=tf.float64, seed=7),
        "poisson": tf.random_poisson([0.5, 3.0, 11.0, 300.0], [size // 4], seed=8),
        "seed of the graph alone": tf.random_uniform([size]),
        "dropout": tf.nn.dropout(tf.ones([size]), keep_prob=0.4, seed=9),
        "crop": tf.random_crop(tf.range(size), [size // 2], seed=10),
    }
    for dtype in (tf.float16, tf.float32, tf.float64):
        name = dtype.name
        ops[f"uniform {name}"] = tf.random_uniform([size], -1, 3, dtype, seed=1)
        ops[f"normal {name}"] = tf.random_normal(square, 1, 2, dtype, seed=2)
        ops[f"truncated {name}"] = tf.truncated_normal([size], 1, 2, dtype, seed=3)
        stateless = tf.random.stateless_normal, tf.random.stateless_truncated_normal
        for op in (tf.random.stateless_uniform, *stateless):
            ops[f"{op.__name__} {name}"] = op(square, [3, -9], dtype=dtype)
    for dtype in (tf.int32, tf.int64):
        ops[f"integers {dtype.name}"] = tf.random_uniform([size], -5, 1000, dtype, seed=1)
        ops[f"stateless integers {dtype.name}"] = tf.random.stateless_uniform(
            [size], [1, 2], -5, 1000, dtype
        )
    ops["stateless multinomial"] = tf.random.stateless_categorical(logits, size // 2, [7, 8])
    return ops


def samplers():
    true = tf.constant(CLASSES)
    made = {
        "uniform": tf.nn.uniform_candidate_sampler(true, 2, 20, True, 64, seed=1),
        "log uniform": tf.nn.log_uniform_candidate_sampler(true, 2, 20, True, 1000, seed=2),
        "learned": tf.nn.learned_unigram_candidate_sampler(true, 2, 20, False, 64, seed=3),
        "fixed": tf.nn.fixed_unigram_candidate_sampler(
            true, 2, 10, False, 9, unigrams=[float(1 + i) for i in range(9)], seed=4
        ),
    }
    return {f"{name} sampler": sampled for name, sampled in made.items()}


def history(target, threads):
    """(when, name) -> values."""
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    # Folded nodes are drawn by one thread.
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    found = {}
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(5)
        small = dict(drawn(1000), **samplers())
        large = drawn(MILLION)

        def note(when, values):
            for name, value in values.items():
                parts = value if isinstance(value, tuple) else (value,)
                found.update({(when, name, i): np.asarray(v) for i, v in enumerate(parts)})

        with tf.Session(target, graph=graph, config=config) as session:
            note("first run", session.run(small))
            note("second run", session.run(small))
            half = dict(sorted(small.items())[::2])
            note("another signature", session.run(half))
            note("a million", session.run(large))
            added = tf.random_uniform([7], seed=11)
            note("extended", session.run(dict(small, added=added)))
            note("third run", session.run(small))
        with tf.Session(target, graph=graph, config=config) as session:
            note("second session", session.run(small))
    return found


def history_apart(threads):
    """TensorFlow's, in a process of its own: its first session decides how many threads it has."""
    command = [sys.executable, "-m", "interop.ops.random_history_test", str(threads)]
    env = {**os.environ, "PYTHONPATH": TESTS}
    done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE)
    return pickle.loads(done.stdout)


def after_failures(target):
    """(op, run) -> values: what follows a run that failed, which may or may not take numbers."""
    seeds = dict(seed=3, seed2=5)
    size, high = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    logits, image = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    none = {size: [-5], high: 0, logits: [0.1, 0.7], image: [40, 50]}
    some = {size: [5], high: 1000, logits: [[0.1, 0.2, 0.7]], image: [40, 50, 3]}
    raw = tf.raw_ops
    ops = {
        "uniform": raw.RandomUniform(shape=size, dtype=tf.float32, **seeds),
        "integers": raw.RandomUniformInt(shape=[5], minval=0, maxval=high, **seeds),
        "gamma": raw.RandomGamma(shape=size, alpha=[0.5, 2.0], **seeds),
        "poisson": raw.RandomPoissonV2(shape=size, rate=[0.5, 2.0], **seeds),
        "multinomial": raw.Multinomial(logits=logits, num_samples=5, **seeds),
    }
    if MAJOR > 1:  # in 1.15 a failure takes nothing
        ops["box"] = raw.SampleDistortedBoundingBoxV2(
            image_size=image, bounding_boxes=[[[0.1, 0.2, 0.6, 0.7]]], min_object_covered=0.1,
            aspect_ratio_range=[0.7, 1.4], area_range=[0.1, 0.9], **seeds
        ).begin  # fmt: skip
    found = {}
    with tf.Session(target) as session:
        for name, op in ops.items():
            for run, feeds in enumerate((some, none, some, none, some)):
                try:
                    found[name, run] = np.asarray(session.run(op, feeds))
                except tf.errors.InvalidArgumentError:
                    found[name, run] = np.zeros(0)
    return found


def pools(target):
    """(kind, run) -> where the regions begin, of images that change in size."""
    found = {}
    image, ratio = tf.placeholder(tf.float32), [1.0, 1.4, 1.7, 1.0]
    with tf.Session(target) as session:
        for pseudo in (False, True):
            op = tf.raw_ops.FractionalMaxPool(
                value=image, pooling_ratio=ratio, pseudo_random=pseudo, overlapping=True,
                deterministic=True, seed=3, seed2=5
            )  # fmt: skip
            regions = tf.concat([op.row_pooling_sequence, op.col_pooling_sequence], 0)
            for run, width in enumerate((14, 9, 14, 14, 9)):
                found[pseudo, run] = session.run(regions, {image: np.ones((2, 11, width, 1))})
    return found


def same(found, expected):
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"{found.dtype}{found.shape}, TensorFlow's {expected.dtype}{expected.shape}"
    wrong = found != expected
    if not wrong.any():
        return ""
    at = tuple(np.argwhere(wrong)[0])
    return f"{wrong.sum()} of {wrong.size}: at {at} {found[at]!r}, TensorFlow's {expected[at]!r}"


def main():
    if len(sys.argv) > 1:
        pickle.dump(history("", int(sys.argv[1])), sys.stdout.buffer)
        return
    print("TensorFlow", tensorflow.__version__, flush=True)
    checks = Checks()
    expected = {threads: history_apart(threads) for threads in (1, 2)}
    failed, pooled = after_failures(""), pools("")
    for threads in (1, 2):
        with Cluster({"worker": 1}, extra=["--intra_op_threads", str(threads)]) as ours:
            found = history(ours.target(), threads)
            again, regions = after_failures(ours.target()), pools(ours.target())
        for key, value in failed.items():
            wrong = same(again[key], value)
            checks.check(f"{key} among failures on {threads} threads", not wrong, wrong)
        for key, value in pooled.items():
            checks.check(f"regions {key}", np.array_equal(regions[key], value), regions[key])
        for key, value in sorted(expected[threads].items()):
            wrong = same(found[key], value)
            checks.check(f"{key} on {threads} threads", not wrong, wrong)
    checks.finish()


if __name__ == "__main__":
    main()
