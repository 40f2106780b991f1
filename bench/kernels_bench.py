# SPDX-License-Identifier: Apache-2.0
"""Kernels: ours against TensorFlow's, about 120 cases of op, dtype and size.

A step runs COPIES of one kernel, one after the other, on the single task of a cluster; what a step
without them takes is subtracted. TensorFlow's client drives both servers in turns, each with the
threads it takes for this machine; graph rewriting is off, or it would make one of the copies.

Two ratios are printed. That of elapsed times, of the fastest step in all rounds, says how long one
waits; other work on the machine disturbs it. That of the servers' processor times, a median of
rounds, depends little on other work, and not on how well a kernel uses more than one thread.

    SLUICE_BUILD=build/native python bench/kernels_bench.py [--rounds 5] [--only REGEX]
"""

import argparse
import math
import re
import time

import tensorflow
from contenders import Cluster, container_of, contenders, duration, median, tf

SIZES = {"1K": 1 << 10, "64K": 1 << 16, "4M": 1 << 22}
STEP_SECONDS = 0.05  # of each server in each round, at least
EMPTY_SECONDS = 0.01


def random(*shape, dtype=tf.float32):
    """A tensor made once, by the initializer."""
    value = tf.random_uniform(shape, 0.5, 2.0, seed=len(shape) + shape[-1] if shape else 1)
    return tf.Variable(tf.cast(value, dtype), dtype=dtype)


def whole(limit, *shape, dtype=tf.int32):
    return tf.Variable(tf.random_uniform(shape, 0, limit, dtype, seed=7))


# ---- cases: name -> (inputs made from a number of elements, op on them) ------------------------


def one(*dtypes):
    return lambda n: [random(n, dtype=d) for d in dtypes]


def rows(n):
    return [random(n // 64, 64)]


ELEMENTWISE = {
    "exp": (one(tf.float32), tf.exp),
    "log": (one(tf.float32), tf.log),
    "tanh": (one(tf.float32), tf.tanh),
    "sigmoid": (one(tf.float32), tf.sigmoid),
    "relu": (one(tf.float32), tf.nn.relu),
    "sqrt": (one(tf.float32), tf.sqrt),
    "exp, double": (one(tf.float64), tf.exp),
    "neg, half": (one(tf.float16), tf.negative),
    "add": (one(tf.float32, tf.float32), tf.add),
    "mul": (one(tf.float32, tf.float32), tf.multiply),
    "div": (one(tf.float32, tf.float32), tf.divide),
    "pow": (one(tf.float32, tf.float32), tf.pow),
    "add, int32": (lambda n: [whole(9, n), whole(9, n)], tf.add),
    "add, half": (one(tf.float16, tf.float16), tf.add),
    "greater": (one(tf.float32, tf.float32), tf.greater),
    "add a row": (lambda n: [random(n // 64, 64), random(64)], tf.add),
    "add a column": (lambda n: [random(n // 64, 64), random(n // 64, 1)], tf.add),
    "cast to int32": (one(tf.float32), lambda x: tf.cast(x, tf.int32)),
    "cast to half": (one(tf.float32), lambda x: tf.cast(x, tf.float16)),
    "add_n of 4": (one(*[tf.float32] * 4), lambda *x: tf.add_n(x)),
    "select": (lambda n: [random(n), random(n)], lambda x, y: tf.where(tf.greater(x, 1.0), x, y)),
}
REDUCTIONS = {
    "sum": (one(tf.float32), tf.reduce_sum),
    "sum of rows": (rows, lambda x: tf.reduce_sum(x, 1)),
    "sum of columns": (rows, lambda x: tf.reduce_sum(x, 0)),
    "max of rows": (rows, lambda x: tf.reduce_max(x, 1)),
    "argmax of rows": (rows, lambda x: tf.argmax(x, 1)),
    "softmax": (rows, tf.nn.softmax),
}
ARRAYS = {
    "transpose": (rows, tf.transpose),
    "concat of 2": (lambda n: rows(n) * 2, lambda x, y: tf.concat([x, y], 1)),
    "gather rows": (
        lambda n: rows(n) + [whole(n // 64, n // 64)],
        tf.gather,
    ),
    "pad": (rows, lambda x: tf.pad(x, [[1, 1], [2, 2]])),
    "strided slice": (rows, lambda x: x[::2, 1:]),
    "reverse": (rows, lambda x: tf.reverse(x, [1])),
    "segment sum": (
        lambda n: rows(n) + [whole(16, n // 64)],
        lambda x, i: tf.unsorted_segment_sum(x, i, 16),
    ),
    "random uniform": (lambda n: [], lambda n: tf.random_uniform([n])),
    "random normal": (lambda n: [], lambda n: tf.random_normal([n])),
}


def gemm(m, k, n, **kw):
    a, b = (
        ([k, m] if kw.get("transpose_a") else [m, k]),
        ([n, k] if kw.get("transpose_b") else [k, n]),
    )
    return lambda: [random(*a), random(*b)], lambda x, y: tf.matmul(x, y, **kw)


def conv(size, channels, kernel, filters, stride=1):
    return (
        lambda: [random(1, size, size, channels), random(kernel, kernel, channels, filters)],
        lambda x, w: tf.nn.conv2d(x, w, [1, stride, stride, 1], "SAME"),
    )


def conv_gradients(size, channels, filters):
    shape, weights = [1, size, size, channels], [3, 3, channels, filters]
    return {
        f"conv 3x3, {size}x{size}, {channels} -> {filters}, d filter": (
            lambda: [random(*shape), random(1, size, size, filters)],
            lambda x, dy: tf.nn.conv2d_backprop_filter(x, weights, dy, [1, 1, 1, 1], "SAME"),
        ),
        f"conv 3x3, {size}x{size}, {channels} -> {filters}, d input": (
            lambda: [random(*weights), random(1, size, size, filters)],
            lambda w, dy: tf.nn.conv2d_backprop_input(shape, w, dy, [1, 1, 1, 1], "SAME"),
        ),
    }


POOL = dict(ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="SAME")
SINGLE = {
    **{f"matmul {n} x {n}": gemm(n, n, n) for n in (32, 64, 256, 1024)},
    "matmul 4096 x 64 by 64 x 64": gemm(4096, 64, 64),
    "matmul 32 x 1024 by 1024 x 1024": gemm(32, 1024, 1024),
    "matmul 1 x 1024 by 1024 x 1024": gemm(1, 1024, 1024),
    "matmul 256 x 256, b transposed": gemm(256, 256, 256, transpose_b=True),
    "matmul 256 x 256, a transposed": gemm(256, 256, 256, transpose_a=True),
    "batch matmul 32 of 64 x 64": (
        lambda: [random(32, 64, 64), random(32, 64, 64)],
        tf.matmul,
    ),
    "conv 7x7/2, 224x224, 3 -> 64": conv(224, 3, 7, 64, 2),
    "conv 1x1, 56x56, 64 -> 256": conv(56, 64, 1, 256),
    "conv 3x3, 56x56, 64 -> 64": conv(56, 64, 3, 64),
    "conv 3x3, 28x28, 128 -> 128": conv(28, 128, 3, 128),
    "conv 1x1, 28x28, 512 -> 128": conv(28, 512, 1, 128),
    "conv 3x3, 14x14, 256 -> 256": conv(14, 256, 3, 256),
    "conv 3x3, 7x7, 512 -> 512": conv(7, 512, 3, 512),
    **conv_gradients(28, 128, 128),
    **conv_gradients(14, 256, 256),
    "depthwise 3x3, 28x28, 128": (
        lambda: [random(1, 28, 28, 128), random(3, 3, 128, 1)],
        lambda x, w: tf.nn.depthwise_conv2d_native(x, w, [1, 1, 1, 1], "SAME"),
    ),
    "max pool 3x3/2, 56x56, 64": (
        lambda: [random(4, 56, 56, 64)],
        lambda x: tf.nn.max_pool(x, **POOL),
    ),
    "average pool 3x3/2, 56x56, 64": (
        lambda: [random(4, 56, 56, 64)],
        lambda x: tf.nn.avg_pool(x, **POOL),
    ),
    "batch norm, 28x28, 128": (
        lambda: [random(8, 28, 28, 128), random(128), random(128)],
        lambda x, scale, offset: tf.nn.fused_batch_norm(x, scale, offset)[0],
    ),
    "bias add, 28x28, 128": (lambda: [random(8, 28, 28, 128), random(128)], tf.nn.bias_add),
    "LRN, 28x28, 64": (lambda: [random(2, 28, 28, 64)], tf.nn.lrn),
    "softmax cross entropy, 128 x 1000": (
        lambda: [random(128, 1000), whole(1000, 128)],
        lambda x, labels: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x),
    ),
    "top 5 of 128 x 1000": (lambda: [random(128, 1000)], lambda x: tf.nn.top_k(x, 5)[0]),
    "NHWC to NCHW, 56x56, 64": (
        lambda: [random(4, 56, 56, 64)],
        lambda x: tf.transpose(x, [0, 3, 1, 2]),
    ),
    "resize 112x112 to 224x224": (
        lambda: [random(2, 112, 112, 3)],
        lambda x: tf.image.resize_bilinear(x, [224, 224]),
    ),
}


SHORT = ("matmul 32 x 32", "matmul 64 x 64")


def cases():
    """(name, class, copies in a step, makes the inputs, op on them)"""
    for family in (ELEMENTWISE, REDUCTIONS, ARRAYS):
        for name, (make, op) in family.items():
            for size, n in SIZES.items():
                copies = {"1K": 1000, "64K": 100, "4M": 4}[size]
                inputs = (lambda make, n: lambda: make(n))(make, n)
                call = (lambda op, n: lambda: op(n))(op, n) if name.startswith("random") else op
                yield f"{name}, {size}", size, copies, inputs, call
    for name, (make, op) in SINGLE.items():
        yield name, "layers", 1000 if name in SHORT else 20, make, op


# ---- measuring ---------------------------------------------------------------------------------


def chained(copies, make, op):
    """Builds a step: `copies` runs of the op on the same inputs, each after the last."""

    def build():
        inputs = [tf.identity(v) for v in make()]
        last = tf.group(*inputs)
        for _ in range(copies):
            with tf.control_dependencies([last]):
                last = op(*inputs).op
        return last

    return build


def empty_step():
    return tf.no_op()


def processor_clock(cluster):
    """The processor time, in seconds, of the cluster's only task."""
    clock = (~cluster.processes["worker", 0].pid << 3) | 2  # what clock_getcpuclockid gives
    return lambda: time.clock_gettime(clock)


def timed(call, processor, seconds):
    """Of calls over about that long: the least elapsed time, and the mean processor time."""
    calls, start, used, least = 0, time.perf_counter(), processor(), math.inf
    before = start
    while before - start < seconds or calls < 3:
        call()
        calls += 1
        now = time.perf_counter()
        least, before = min(least, now - before), now
    return least, (processor() - used) / calls


def measure(steps, empty, processors, rounds):
    """Our least elapsed seconds and theirs, and theirs / ours: of these, and of processor times."""
    least = [[math.inf, math.inf], [math.inf, math.inf]]  # of each server: empty, with kernels
    used = []  # by round: processor time of each server
    for turn in range(rounds):
        pair = [0, 0]
        for which in ((0, 1), (1, 0))[turn % 2]:
            before = timed(empty[which].call, processors[which], EMPTY_SECONDS)
            step = timed(steps[which].call, processors[which], STEP_SECONDS)
            after = timed(empty[which].call, processors[which], EMPTY_SECONDS)
            for at, time_of_step in enumerate((min(before[0], after[0]), step[0])):
                least[which][at] = min(least[which][at], time_of_step)
            pair[which] = max(step[1] - (before[1] + after[1]) / 2, 1e-9)
        used.append(pair)
    mine, peer = (max(with_kernels - without, 1e-9) for without, with_kernels in least)
    return mine, peer, peer / mine, median([theirs / ours for ours, theirs in used])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=".", help="regular expression on the case's name")
    arguments = parser.parse_args()
    print("TensorFlow %s, %d rounds" % (tensorflow.__version__, arguments.rounds))
    print(
        "| kernel | ours | TensorFlow's | elapsed: x times as fast | processor time |\n"
        "|---|---|---|---|---|",
        flush=True,
    )
    jobs = {"worker": 1}
    ratios = {}
    with Cluster(jobs) as ours, Cluster(jobs, kind="tensorflow") as theirs:
        clusters = (ours, theirs)
        processors = [processor_clock(c) for c in clusters]
        for name, kind, copies, make, op in cases():
            if not re.search(arguments.only, name):
                continue
            empty = contenders(empty_step, clusters)
            steps = contenders(chained(copies, make, op), clusters)
            mine, peer, ratio, used = measure(steps, empty, processors, arguments.rounds)
            for contender in empty + steps:
                contender.session.close()
            for server in clusters:
                # The next case's variables have other shapes. Without its name, the container of
                # the steps stays.
                tf.Session.reset(server.target(), [container_of(chained(copies, make, op))])
            ratios.setdefault((kind, "elapsed"), []).append((ratio, name))
            ratios.setdefault((kind, "processor time"), []).append((used, name))
            times = f"{duration(mine / copies)} | {duration(peer / copies)}"
            print(f"| {name} | {times} | {ratio:.2f} | {used:.2f} |", flush=True)
    for (kind, clock), found in ratios.items():
        mean = math.exp(sum(math.log(ratio) for ratio, _ in found) / len(found))
        worst = ", ".join(f"{name} {ratio:.2f}" for ratio, name in sorted(found)[:3])
        print(f"{kind}, {clock}: geometric mean {mean:.2f} of {len(found)}; least: {worst}")


if __name__ == "__main__":
    main()
