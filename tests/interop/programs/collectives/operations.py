# SPDX-License-Identifier: Apache-2.0
"""Collective operations of all workers, compared with NumPy.

    operations.py --keys=attributes    the ops of TensorFlow 1.15
    operations.py --keys=tensors       the ops of later releases

The other options are for TensorFlow's own servers. Those of 1.15 reduce fewer dtypes in fewer ways.
There, some broadcasts from another worker than the first fail. Iterations of a loop that overlap
fail or wait for each other forever, also in later releases.

Each worker knows the values of all others, because they follow from a seed and the rank.
"""

import argparse
import hashlib
import itertools
import time

import numpy as np
from cluster_task import DEVICE, RANK, SIZE, TARGET, in_threads, report, session_config, tf
from keyed_ops import OPS

MERGES = {"Add": np.add, "Mul": np.multiply, "Min": np.minimum, "Max": np.maximum}
SHAPES = ((), (3,), (2, 5), (1009,))

parser = argparse.ArgumentParser()
parser.add_argument("--keys", choices=sorted(OPS), default="attributes")
parser.add_argument("--dtypes", nargs="+", default="float16 float32 float64 int32 int64".split())
parser.add_argument("--merges", nargs="+", choices=sorted(MERGES), default=sorted(MERGES))
parser.add_argument("--roots", nargs="+", type=int, default=list(range(SIZE)))
parser.add_argument("--parallel_iterations", type=int, default=10)
options = parser.parse_args()
ops = OPS[options.keys](SIZE)


def values(shape, dtype, seed=0):
    """What each rank has, a list: small integers, so that sums and products are exact."""
    return [
        np.random.RandomState(100 * seed + rank).randint(1, 5, shape).astype(dtype)
        for rank in range(SIZE)
    ]


def reduced(all_values, merge, final="Id"):
    """The result of an all-reduce. A division of integers drops the remainder."""
    result = MERGES[merge].reduce(all_values).astype(all_values[0].dtype)
    if final == "Id":
        return result
    divide = np.true_divide if result.dtype.kind == "f" else np.floor_divide
    return divide(result, np.array(SIZE, result.dtype)).astype(result.dtype)


def same(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    np.testing.assert_array_equal(found, expected)


def open_session():
    return tf.Session(TARGET, config=session_config())


def run(fetches, feeds=None):
    with open_session() as session:
        return session.run(fetches, feeds, options=ops.run_options())


def test_all_reduce():
    fetches, expected = [], []
    for dtype, shape, final in itertools.product(options.dtypes, SHAPES, ("Id", "Div")):
        all_values = values(shape, dtype, len(fetches))
        for merge in options.merges:
            fetches.append(ops.all_reduce(tf.constant(all_values[RANK]), merge, final))
            expected.append(reduced(all_values, merge, final))
    for found, wanted in zip(run(fetches), expected):
        same(found, wanted)


def test_sums_are_equal_on_all_workers():
    all_values = [np.random.RandomState(rank).randn(100003).astype("float32")
                  for rank in range(SIZE)]  # fmt: skip
    found = run(ops.all_reduce(tf.constant(all_values[RANK]), "Add"))
    np.testing.assert_allclose(found, np.sum(all_values, 0), rtol=1e-4, atol=1e-5)
    report(sums=hashlib.sha256(found.tobytes()).hexdigest())


def test_all_gather():
    fetches, expected = [], []
    for dtype, shape in itertools.product(options.dtypes, ((3,), (2, 5), (1, 2, 3), (1009,))):
        all_values = values(shape, dtype, len(fetches))
        fetches.append(ops.all_gather(tf.constant(all_values[RANK])))
        expected.append(np.concatenate(all_values))
    for found, wanted in zip(run(fetches), expected):
        same(found, wanted)


def test_broadcast_from_every_root():
    fetches, expected = [], []
    for root, dtype, shape in itertools.product(options.roots, options.dtypes, SHAPES):
        value = values(shape, dtype, len(fetches))[root]
        if RANK == root:
            fetches.append(ops.broadcast_send(tf.constant(value)))
        else:
            fetches.append(ops.broadcast_recv(value.shape, value.dtype))
        expected.append(value)
    for found, wanted in zip(run(fetches), expected):
        same(found, wanted)


def test_while_loop():
    """In one loop each iteration needs the last one's result. In the other they may overlap."""

    def average(i, x):
        return i + 1, ops.all_reduce(x + tf.cast(i, tf.float32), "Add", "Div")

    def add(i, total):
        return i + 1, total + ops.all_reduce(i * (RANK + 1), "Add")

    parallel = options.parallel_iterations
    start = values((4,), "float32", 1)
    averages = tf.while_loop(lambda i, x: i < 6, average, [0, tf.constant(start[RANK])])[1]
    total = tf.while_loop(lambda i, x: i < 20, add, [0, 0], parallel_iterations=parallel)[1]
    wanted = start
    for i in range(6):
        wanted = [np.sum(np.add(wanted, i), 0) / np.float32(SIZE)] * SIZE
    found, found_total = run([averages, total])
    np.testing.assert_allclose(found, wanted[RANK], rtol=1e-6)
    assert found_total == sum(range(20)) * sum(range(1, SIZE + 1))


def test_cond():
    """Each step runs the collective operation of one branch."""
    all_values = values((5,), "float32", 2)
    x = tf.constant(all_values[RANK])
    chosen = tf.placeholder(tf.bool, [])
    found = tf.cond(
        chosen,
        lambda: ops.all_reduce(x + 1.0, "Add"),
        lambda: ops.all_reduce(x * 2.0, "Mul"),
    )
    with open_session() as session:
        for choice in (True, False, False, True):
            result = session.run(found, {chosen: choice}, options=ops.run_options())
            if choice:
                same(result, reduced([v + np.float32(1) for v in all_values], "Add"))
            else:
                same(result, reduced([v * np.float32(2) for v in all_values], "Mul"))


def test_threads():
    """Four threads of a session run steps, each with operations of its own."""
    x = tf.placeholder(tf.float32, [3])
    made = [(ops.all_reduce(x, "Add"), ops.all_gather(x)) for _ in range(4)]

    def steps(thread):
        for step in range(25):
            all_values = values((3,), "float32", 100 * thread + step)
            total, parts = session.run(
                made[thread], {x: all_values[RANK]}, options=ops.run_options(thread)
            )
            same(total, reduced(all_values, "Add"))
            same(parts, np.concatenate(all_values))

    with open_session() as session:
        in_threads(4, steps)


def test_sparse_gradients():
    """Gradients of an embedding are rows and their indices. All workers gather both."""
    rate, table = 0.5, np.arange(12, dtype=np.float32).reshape(6, 2)
    all_rows = [np.int32([rank, 5, rank]) for rank in range(SIZE)]
    embedding = tf.get_variable("embedding", initializer=table)
    rows = tf.placeholder(tf.int32, [3])
    loss = tf.reduce_sum(tf.square(tf.gather(embedding, rows)))
    (gradient,) = tf.gradients(loss, embedding)
    assert isinstance(gradient, tf.IndexedSlices), gradient
    gathered = tf.IndexedSlices(
        ops.all_gather(tf.reshape(gradient.values, [3, 2])),
        ops.all_gather(tf.reshape(gradient.indices, [3])),
    )
    update = tf.scatter_sub(embedding, gathered.indices, rate / SIZE * gathered.values)
    with open_session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run(update, {rows: all_rows[RANK]}, options=ops.run_options())
    wanted = table.copy()
    for row in np.concatenate(all_rows):
        wanted[row] -= rate / SIZE * 2 * table[row]
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)
    report(embedding=hashlib.sha256(found.tobytes()).hexdigest())


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            begin = time.monotonic()
            with tf.Graph().as_default(), tf.device(DEVICE):
                test()
            print(f"passed {name} in {time.monotonic() - begin:.2f} s", flush=True)


if __name__ == "__main__":
    main()
