# SPDX-License-Identifier: Apache-2.0
"""Random data sets on TensorFlow and on our server: elements, errors and the end must agree.

    python -m interop.tools.random_pipelines [--first 0] [--count 100] [--show SEED]

A seed draws a source and a chain of 2 to 8 transformations. Elements are int64 tensors.
"""

import argparse
import random
import sys

import tensorflow

from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
data = tf.data.Dataset
experimental = tf.data.experimental

STEPS = []
# Seeds with which TensorFlow 1.15 is wrong: batches with bytes of the heap after an error, and
# INTERNAL without end.
WRONG_THERE = (19, 82)


def step(scalars_only=False):
    """A transformation: it takes the draw, and returns a text and the next data set."""

    def add(function):
        STEPS.append((function, scalars_only))
        return function

    return add


def source(draw):
    kind = draw.randrange(4)
    if kind == 0:
        n = draw.randrange(30)
        return f"range({n})", data.range(n)
    if kind == 1:
        start, stop, by = draw.randrange(-9, 9), draw.randrange(-9, 30), draw.choice((1, 2, 3, -2))
        return f"range({start}, {stop}, {by})", data.range(start, stop, by)
    shape = [draw.randrange(6), draw.randrange(1, 4)][: kind - 1]
    size = shape[0] * (shape[1] if len(shape) > 1 else 1)
    values = tf.reshape(tf.constant([draw.randrange(-5, 20) for _ in range(size)], tf.int64), shape)
    return f"slices of {shape}", data.from_tensor_slices(values)


@step()
def mapped(draw, made):
    factor, calls = draw.randrange(1, 5), draw.choice((None, None, 1, 2, 4))
    made = made.map(lambda x: x * factor + 1, num_parallel_calls=calls)
    return f"map(x * {factor} + 1, calls={calls})", made


@step()
def mapped_with_errors(draw, made):
    by, calls = draw.randrange(2, 7), draw.choice((None, 2))
    made = made.map(lambda x: x // tf.reduce_sum(x % by), num_parallel_calls=calls)
    return f"map(x // sum(x % {by}), calls={calls})", made


@step()
def filtered(draw, made):
    by = draw.randrange(2, 5)
    return f"filter(sum(x) % {by} != 0)", made.filter(
        lambda x: tf.not_equal(tf.reduce_sum(x) % by, 0)
    )


@step()
def batched(draw, made):
    n, drop = draw.randrange(1, 5), draw.random() < 0.3
    return f"batch({n}, {drop})", made.batch(n, drop_remainder=drop)


@step()
def padded(draw, made):
    n = draw.randrange(1, 5)
    shape = tf.data.get_output_shapes(made)
    if shape.ndims is None:
        return batched(draw, made)
    return f"padded_batch({n})", made.padded_batch(n, [None] * shape.ndims)


@step()
def unbatched(draw, made):
    shape = tf.data.get_output_shapes(made)
    if not shape.ndims:
        return batched(draw, made)
    return "unbatch()", made.apply(experimental.unbatch())


@step()
def repeated_each(draw, made):
    n = draw.randrange(4)
    return f"flat_map(repeat {n})", made.flat_map(lambda x: data.from_tensors(x).repeat(n))


@step(scalars_only=True)
def ranges(draw, made):
    by = draw.randrange(1, 5)
    return f"flat_map(range(x % {by}))", made.flat_map(lambda x: data.range(x % by))


@step()
def interleaved(draw, made):
    cycle, block, calls = draw.randrange(1, 5), draw.randrange(1, 4), draw.choice((None, None, 2))
    n = draw.randrange(1, 4)
    made = made.interleave(
        lambda x: data.from_tensors(x).repeat(n),
        cycle_length=cycle,
        block_length=block,
        num_parallel_calls=min(cycle, calls) if calls else None,
    )
    return f"interleave(repeat {n}, {cycle}, {block}, calls={calls})", made


@step()
def shuffled(draw, made):
    buffer, seed, again = draw.randrange(1, 12), draw.randrange(1, 99), draw.random() < 0.5
    made = made.shuffle(buffer, seed=seed, reshuffle_each_iteration=again)
    return f"shuffle({buffer}, {seed}, {again})", made


@step()
def repeated(draw, made):
    n = draw.randrange(1, 4)
    return f"repeat({n})", made.repeat(n)


@step()
def taken(draw, made):
    n = draw.randrange(12)
    return f"take({n})", made.take(n)


@step()
def skipped(draw, made):
    n = draw.randrange(6)
    return f"skip({n})", made.skip(n)


@step()
def sharded(draw, made):
    n = draw.randrange(1, 4)
    index = draw.randrange(n)
    return f"shard({n}, {index})", made.shard(n, index)


@step()
def concatenated(draw, made):
    n = draw.randrange(5)
    return f"concatenate(take({n}))", made.concatenate(made.take(n))


@step()
def zipped(draw, made):
    n = draw.randrange(3)
    return f"zip(skip({n}))", data.zip((made, made.skip(n))).map(lambda x, y: x + tf.reduce_sum(y))


@step()
def numbered(draw, made):
    return "enumerate", made.apply(experimental.enumerate_dataset()).map(lambda i, x: x + i)


@step()
def prefetched(draw, made):
    n = draw.randrange(4)
    return f"prefetch({n})", made.prefetch(n)


@step()
def cached(draw, made):
    return "cache()", made.cache()


@step()
def windows(draw, made):
    size, shift, stride = draw.randrange(1, 5), draw.randrange(1, 4), draw.randrange(1, 3)
    drop = draw.random() < 0.5
    made = made.window(size, shift, stride, drop).flat_map(lambda part: part.batch(size))
    return f"window({size}, {shift}, {stride}, {drop})", made


@step()
def scanned(draw, made):
    return "scan", made.apply(
        experimental.scan(
            tf.constant(0, tf.int64), lambda sum, x: (sum + tf.reduce_sum(x), x + sum)
        )
    )


@step()
def until(draw, made):
    most = draw.randrange(5, 60)
    return f"take_while(sum < {most})", made.apply(
        experimental.take_while(lambda x: tf.reduce_sum(x) < most)
    )


@step()
def grouped(draw, made):
    keys, size = draw.randrange(1, 4), draw.randrange(1, 5)
    return f"group_by_window({keys}, {size})", made.apply(
        experimental.group_by_window(
            lambda x: tf.reduce_sum(x) % keys, lambda key, part: part.batch(size), size
        )
    )


@step(scalars_only=True)
def unique(draw, made):
    return "unique", made.apply(experimental.unique())


@step()
def without_errors(draw, made):
    return "ignore_errors", made.apply(experimental.ignore_errors())


@step()
def mapped_batches(draw, made):
    n, calls = draw.randrange(1, 5), draw.choice((1, 2, 3))
    return f"map_and_batch({n}, {calls})", made.apply(
        experimental.map_and_batch(lambda x: x + 1, n, num_parallel_calls=calls)
    )


@step()
def chosen(draw, made):
    choices = [draw.randrange(2) for _ in range(draw.randrange(1, 8))]
    return f"choose({choices})", experimental.choose_from_datasets(
        [made, made.skip(1)], data.from_tensor_slices(tf.constant(choices, tf.int64))
    )


def build(seed, texts=None):
    """The data set of a seed; `texts` gets what it is made of."""
    draw = random.Random(seed)
    text, made = source(draw)
    texts = [] if texts is None else texts
    texts.append(text)
    for _ in range(draw.randrange(2, 9)):
        function, scalars_only = draw.choice(STEPS)
        if scalars_only and tf.data.get_output_shapes(made).ndims != 0:
            continue
        text, made = function(draw, made)
        texts.append(text)
    return made


def without_rewrites(made):
    """TensorFlow 2 fuses map and batch by itself, which changes what an error does."""
    if tensorflow.__version__.startswith("1."):
        return made
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return made.with_options(options)


def compare(seed, cluster):
    """None, or how the data set of this seed differs."""

    def pipeline():
        return without_rewrites(build(seed))

    pipeline.__name__ = f"seed{seed}"
    ours, theirs = (read(pipeline, target, one_shot=False) for target in (cluster.target(), ""))
    try:
        same(ours, theirs)
    except AssertionError as error:
        with tf.Graph().as_default():
            texts = []
            build(seed, texts)
        return "seed %d: %s\n%s" % (seed, " . ".join(texts), error)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--show", type=int, help="print what a seed draws")
    arguments = parser.parse_args()
    if arguments.show is not None:
        texts = []
        build(arguments.show, texts)
        return print(" . ".join(texts))
    different = 0
    with Cluster({"worker": 1}) as cluster:
        for seed in set(range(arguments.first, arguments.first + arguments.count)) - {*WRONG_THERE}:
            difference = compare(seed, cluster)
            if difference:
                different += 1
                print(difference, flush=True)
    print(f"{arguments.count - different} passed, {different} failed")
    return sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
