# SPDX-License-Identifier: Apache-2.0
"""Every operation of sluice.hvd on one rank, compared with NumPy. `sluice run` starts the ranks.

    hvd_ranks.py [--tensorflow] [TEST...]

Each rank knows the values of all others, because they follow from a seed and the rank.
"""

import faulthandler
import os
import sys

import numpy as np
import sluice.hvd

# A rank that hangs prints the stacks of its threads, before the test's own limit of 280 s.
faulthandler.dump_traceback_later(200, exit=True)

arguments = sys.argv[1:]
if "--tensorflow" in arguments:
    arguments.remove("--tensorflow")
    import tensorflow

    hvd = sluice.hvd.over(tensorflow)
    tf = tensorflow.compat.v1
    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
else:
    import sluice as tf

    hvd = sluice.hvd

hvd.init()
RANK, SIZE = hvd.rank(), hvd.size()
FLOATS = ("float16", "float32", "float64")
NUMBERS = (*FLOATS, "int8", "uint8", "int16", "uint16", "int32", "int64")
MOVED = (*NUMBERS, "bool", "uint32", "uint64", "complex64", "complex128")


def values(shape, dtype, seed=0):
    """What each rank has, a list: small integers, so that every sum is exact."""
    found = []
    for rank in range(SIZE):
        random = np.random.RandomState(100 * seed + rank)
        own = shape(rank) if callable(shape) else shape
        found.append(random.randint(0, 4, own).astype(dtype))
    return found


def run(fetches, feeds=None):
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        return session.run(fetches, feeds)


def same(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    np.testing.assert_array_equal(found, expected)


def test_allreduce():
    fetches, expected = [], []
    for seed, shape in enumerate(((), (3,), (2, 5), (0, 2), (1009,))):
        for dtype in NUMBERS:
            all_values = values(shape, dtype, seed)
            x = tf.constant(all_values[RANK])
            stacked = np.stack(all_values)
            for op, function in ((hvd.Sum, np.sum), (hvd.Min, np.min), (hvd.Max, np.max),
                                 (hvd.Product, np.prod)):  # fmt: skip
                fetches.append(hvd.allreduce(x, op=op))
                expected.append(function(stacked, 0).astype(dtype))
            if dtype in FLOATS:
                fetches.append(hvd.allreduce(x))
                expected.append((stacked.sum(0, dtype=dtype) / np.array(SIZE, dtype)).astype(dtype))
    for found, wanted in zip(run(fetches), expected):
        same(found, wanted)


def test_scales_of_half_round_once():
    x = np.float16([100.0, 0.3, -77.7, 3.14])
    for name in ("prescale_factor", "postscale_factor"):
        found = run(hvd.allreduce(tf.constant(x), op=hvd.Max, **{name: 0.19151945}))
        same(found, (np.float32(0.19151945) * x.astype(np.float32)).astype(np.float16))


def test_scales():
    all_values = values((4,), "float32")
    x = tf.constant(all_values[RANK])
    found = run(hvd.allreduce(x, op=hvd.Sum, prescale_factor=0.5, postscale_factor=4.0))
    same(found, np.float32(2.0) * np.sum(all_values, 0))
    found = run(hvd.allreduce(x, op=hvd.Sum, compression=hvd.Compression.fp16))
    same(found, np.sum(all_values, 0))


def test_grouped_allreduce():
    all_values = [values((n,), "float32", n) for n in range(1, 20)]
    xs = [tf.constant(v[RANK]) for v in all_values]
    for found, wanted in zip(run(hvd.grouped_allreduce(xs, op=hvd.Sum, name="g")), all_values):
        same(found, np.sum(wanted, 0))


def test_names_decide_which_operations_belong_together():
    a, b = values((2,), "float32", 1), values((2,), "float32", 2)
    made = {}
    for name in ("a", "b") if RANK % 2 else ("b", "a"):
        x = tf.constant({"a": a, "b": b}[name][RANK])
        made[name] = hvd.allreduce(x, op=hvd.Sum, name=name)
    found = run(made)
    same(found["a"], np.sum(a, 0))
    same(found["b"], np.sum(b, 0))


def test_allgather():
    fetches, expected = [], []
    for seed, shape in enumerate((lambda r: (r + 1, 2), lambda r: (r,), (3, 1, 2), (0, 2))):
        for dtype in MOVED:
            all_values = values(shape, dtype, seed)
            fetches.append(hvd.allgather(tf.constant(all_values[RANK])))
            expected.append(np.concatenate(all_values))
    for found, wanted in zip(run(fetches), expected):
        same(found, wanted)


def test_broadcast():
    fetches, expected, feeds = [], [], {}
    for seed, shape in enumerate(((), (3,), (2, 5), (0, 2))):
        for dtype in MOVED:
            all_values = values(shape, dtype, seed)
            root = seed % SIZE
            fetches.append(hvd.broadcast(tf.constant(all_values[RANK]), root))
            expected.append(all_values[root])
    unknown = tf.placeholder(tf.float32)
    feeds[unknown] = np.full((2, 3), RANK, np.float32)
    fetches.append(hvd.broadcast(unknown, SIZE - 1, name="unknown"))
    expected.append(np.full((2, 3), SIZE - 1, np.float32))
    for found, wanted in zip(run(fetches, feeds), expected):
        same(found, wanted)


def test_broadcast_of_a_reduced_value():
    reduced = hvd.allreduce(tf.constant([1.0, RANK]), op=hvd.Sum, name="reduced first")
    expected = np.float32([SIZE, SIZE * (SIZE - 1) / 2])
    same(run(hvd.broadcast(reduced, SIZE - 1)), expected)


def test_alltoall():
    splits = [[(source + to) % 3 for to in range(SIZE)] for source in range(SIZE)]
    all_values = values(lambda r: (sum(splits[r]), 2), "float32")
    found, received = run(hvd.alltoall(tf.constant(all_values[RANK]), splits[RANK]))
    parts = []
    for source in range(SIZE):
        begin = sum(splits[source][:RANK])
        parts.append(all_values[source][begin : begin + splits[source][RANK]])
    same(found, np.concatenate(parts))
    assert received.tolist() == [len(part) for part in parts]
    even = values((2 * SIZE,), "uint8")
    found = run(hvd.alltoall(tf.constant(even[RANK])))
    same(found, np.concatenate([v[2 * RANK : 2 * RANK + 2] for v in even]))


def test_reducescatter():
    for rows in (2 * SIZE, 2 * SIZE + 1, 1):
        all_values = values((rows, 3), "float32", rows)
        found = run(hvd.reducescatter(tf.constant(all_values[RANK]), op=hvd.Sum))
        same(found, np.array_split(np.sum(all_values, 0), SIZE)[RANK])


def test_sparse():
    slices = tf.IndexedSlices(
        tf.constant(np.full((RANK + 1, 2), RANK + 1.0, np.float32)), tf.range(RANK + 1)
    )
    found = run(hvd.allreduce(slices))
    rows = [row for rank in range(SIZE) for row in range(rank + 1)]
    assert found.indices.tolist() == rows
    wanted = np.concatenate([np.full((r + 1, 2), r + 1.0, np.float32) for r in range(SIZE)])
    np.testing.assert_allclose(found.values, wanted / SIZE, rtol=1e-6)


def test_gradients():
    fetches, expected = [], []
    rows = [r + 1 for r in range(SIZE)]
    splits = [[(source + to) % 3 for to in range(SIZE)] for source in range(SIZE)]
    received = [sum(split[r] for split in splits) for r in range(SIZE)]

    def add(result, x, gradients, wanted):
        fetches.append(tf.gradients(result, x, tf.constant(gradients[RANK]))[0])
        expected.append(wanted)

    for seed, dtype in enumerate(("float32", "float64")):
        given = values((4, 2), dtype, seed)
        total = np.sum(given, 0)
        x = tf.constant(values((4, 2), dtype, 7)[RANK])
        add(hvd.allreduce(x, op=hvd.Sum), x, given, total)
        add(hvd.allreduce(x * 3, op=hvd.Sum, postscale_factor=0.5), x, given, 1.5 * total)
        add(hvd.allreduce(x), x, given, total / SIZE)
        for root in range(SIZE):
            wanted = total / SIZE if RANK == root else 0 * total
            add(hvd.broadcast(x, root), x, given, wanted)
            unknown = tf.placeholder_with_default(x, [None, 2])
            add(hvd.broadcast(unknown, root), unknown, given, wanted)

        # A rank gets the rows of the averaged gradient that stand where its own rows stand.
        given = values((sum(rows), 2), dtype, seed)
        x = tf.constant(values(lambda r: (rows[r], 2), dtype)[RANK])
        begin = sum(rows[:RANK])
        mean = np.sum(given, 0) / SIZE
        add(hvd.allgather(x), x, given, mean[begin : begin + rows[RANK]])

        x = tf.constant(values(lambda r: (sum(splits[r]), 2), dtype)[RANK])
        given = values(lambda r: (received[r], 2), dtype, seed)
        parts = []
        for to in range(SIZE):
            begin = sum(splits[source][to] for source in range(RANK))
            parts.append(given[to][begin : begin + splits[RANK][to]])
        add(hvd.alltoall(x, splits[RANK])[0], x, given, np.concatenate(parts))

        for n in (2 * SIZE, 2 * SIZE + 1):
            x = tf.constant(values((n, 2), dtype)[RANK])
            given = values(lambda r, n=n: (2 + (r < n % SIZE), 2), dtype, seed)
            add(hvd.reducescatter(x), x, given, np.concatenate(given))
            add(hvd.reducescatter(x, op=hvd.Sum), x, given, SIZE * np.concatenate(given))
    for found, wanted in zip(run(fetches), expected):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_process_sets():
    members = sorted({0, SIZE - 1}) if SIZE > 2 else [0]
    pair = hvd.add_process_set(members)
    if pair.included():
        found = run([
            hvd.allreduce(tf.constant(float(RANK)), op=hvd.Sum, process_set=pair),
            hvd.allgather(tf.constant([RANK]), process_set=pair),
            hvd.broadcast(tf.constant(RANK), members[-1], process_set=pair),
        ])  # fmt: skip
        assert [np.asarray(f).tolist() for f in found] == [sum(members), members, members[-1]]
    hvd.remove_process_set(pair)


def test_loops():
    x = tf.constant(float(RANK + 1))
    _, total = tf.while_loop(
        lambda i, _: i < 5, lambda i, t: (i + 1, t + hvd.allreduce(x, op=hvd.Sum, name="loop")),
        (tf.constant(0), tf.constant(0.0)),
    )  # fmt: skip
    assert run(total) == 5 * SIZE * (SIZE + 1) / 2


def test_objects():
    thing = {"rank": RANK, "text": "x" * RANK}
    assert hvd.broadcast_object(thing, SIZE - 1) == {"rank": SIZE - 1, "text": "x" * (SIZE - 1)}
    of_last = hvd.broadcast_object_fn(SIZE - 1)
    assert of_last(thing)["rank"] == SIZE - 1
    assert [found["rank"] for found in hvd.allgather_object(thing)] == list(range(SIZE))


def test_variables():
    variables = [
        tf.get_variable("v", initializer=np.float32([RANK, 1])),
        tf.get_variable("w", initializer=np.float64(RANK), use_resource=True),
    ]
    update = hvd.broadcast_global_variables(SIZE - 1)
    with tf.Session(hvd.target(), config=hvd.config()) as session:
        session.run(tf.global_variables_initializer())
        session.run(update)
        v, w = session.run(variables)
    same(v, np.float32([SIZE - 1, 1]))
    assert w == SIZE - 1


def train(passes, use_resource, steps=6):
    """Trains a linear model on this rank's part of the data; the weights and a sum of table."""
    data = np.random.RandomState(3).rand(steps * SIZE, 4).astype(np.float32)
    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.get_variable("w", initializer=np.full((4, 1), RANK, np.float32),
                        use_resource=use_resource)  # fmt: skip
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
    optimizer = hvd.DistributedOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9), backward_passes_per_step=passes,
        average_aggregated_gradients=True,
    )  # fmt: skip
    step = tf.train.get_or_create_global_step()
    update = optimizer.minimize(loss, step)
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=steps)]
    number, found = 0, None
    with tf.train.MonitoredTrainingSession(
        hvd.target(), config=hvd.config(), hooks=hooks
    ) as session:
        while not session.should_stop():
            session.run(update, {x: data[number * SIZE + RANK][None]})
            number += 1
            if number < steps:
                found = session.run_step_fn(lambda step_context: step_context.session.run(w))
    assert number == steps
    # The same by hand, on the whole batches.
    weights, momentum, sums = np.zeros((4, 1)), np.zeros((4, 1)), np.zeros((4, 1))
    for i in range(steps - 1):
        batch = data[i * SIZE : (i + 1) * SIZE].astype(np.float64)
        sums += 2 * batch.T.dot(batch.dot(weights) - 1.0) / SIZE / passes
        if (i + 1) % passes == 0:
            momentum = 0.9 * momentum + sums
            weights = weights - 0.1 * momentum
            sums = np.zeros((4, 1))
    np.testing.assert_allclose(found, weights, rtol=1e-5, atol=1e-6)


def test_training():
    train(1, False)


def test_training_of_resource_variables():
    train(1, True)


def test_training_with_several_passes():
    train(2, True)


def test_training_with_several_passes_of_reference_variables():
    train(2, False)


def main(names):
    """Runs tests.

    Args:
      names: a dict: name -> function or other thing. Functions named test_... are tests.
    """
    tests = {name: f for name, f in names.items() if name.startswith("test_")}
    for name in arguments or tests:
        with tf.Graph().as_default():
            tests[name]()
        print("passed", name, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("SLUICE_CONNECT_TIMEOUT", "60")
    main(globals())
