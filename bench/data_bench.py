# SPDX-License-Identifier: Apache-2.0
"""Data sets on one task: our server against TensorFlow's.

TensorFlow's client drives both. A step makes an iterator and reads to the end of its data set, so
that nothing is measured but the data set. Every round times both servers, in turns; a ratio is the
median of the rounds' ratios.

    SLUICE_BUILD=build python bench/data_bench.py [--rounds 7] [--only REGEX]
"""

import argparse
import os
import re
import tempfile

import numpy as np
import tensorflow
from contenders import ROUND_SECONDS, Cluster, contenders, duration, measure, median, take_turns, tf

data = tf.data.Dataset
folder = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(folder.name, name)


# ---- the files ---------------------------------------------------------------------------------


def write_records(name, records):
    with tf.io.TFRecordWriter(path(name)) as writer:
        for record in records:
            writer.write(record)


def example(number):
    floats = np.random.RandomState(number).rand(32)
    return tf.train.Example(
        features=tf.train.Features(
            feature={
                "values": tf.train.Feature(float_list=tf.train.FloatList(value=floats)),
                "id": tf.train.Feature(int64_list=tf.train.Int64List(value=[number])),
                "words": tf.train.Feature(
                    bytes_list=tf.train.BytesList(value=[b"word %d" % i for i in range(number % 9)])
                ),
            }
        )
    ).SerializeToString()


def pictures(count, size):
    """JPEGs of noise that was made smooth."""
    random = np.random.RandomState(1)
    coarse = tf.placeholder(tf.float32, [1, 16, 16, 3])
    smooth = tf.cast(tf.image.resize_bicubic(coarse, [size, size])[0], tf.uint8)
    encoded = tf.image.encode_jpeg(smooth)
    with tf.Session() as session:
        return [
            session.run(encoded, {coarse: 255 * random.rand(1, 16, 16, 3)}) for _ in range(count)
        ]


def write_files():
    write_records("records", [os.urandom(1024)] * 50000)
    write_records("examples", [example(number) for number in range(20000)])
    with tf.Graph().as_default():
        write_records("pictures", pictures(100, 256))


# ---- the data sets -----------------------------------------------------------------------------


def all_of(elements, count):
    """An operation that reads all `count` elements."""
    iterator = tf.data.make_initializable_iterator(elements.skip(count - 1))
    with tf.control_dependencies([iterator.initializer]):
        return tf.group(*tensorflow.nest.flatten(iterator.get_next()))


def read_records():
    # One batch: TensorFlow 2 does not read records that it skips.
    return all_of(tf.data.TFRecordDataset(path("records")).batch(50000), 1)


def parse_examples():
    features = {
        "values": tf.io.FixedLenFeature([32], tf.float32),
        "id": tf.io.FixedLenFeature([], tf.int64),
        "words": tf.io.VarLenFeature(tf.string),
    }
    batches = tf.data.TFRecordDataset(path("examples")).batch(100)
    return all_of(batches.map(lambda batch: tf.io.parse_example(batch, features)), 200)


def decode_pictures():
    def decode(encoded):
        image = tf.image.decode_and_crop_jpeg(encoded, [16, 16, 224, 224], channels=3)
        return tf.image.resize_bilinear(tf.expand_dims(image, 0), [112, 112])[0]

    records = tf.data.TFRecordDataset(path("pictures"))
    mapped = records.apply(tf.data.experimental.map_and_batch(decode, 20, num_parallel_calls=2))
    return all_of(mapped, 5)


def shuffle_and_batch():
    return all_of(data.range(300000).shuffle(10000, seed=1).batch(100), 3000)


def map_numbers():
    return all_of(data.range(1000000).map(lambda x: x + 1), 1000000)


def map_numbers_in_parallel():
    return all_of(data.range(100000).map(lambda x: x + 1, num_parallel_calls=2), 100000)


STEPS = [
    ("50,000 TFRecords of 1 KB", read_records),
    ("20,000 Examples of 3 features, parsed in batches of 100", parse_examples),
    ("100 JPEGs: decode, crop, resize, batches of 20, 2 calls at a time", decode_pictures),
    ("300,000 numbers: shuffle (10,000), batches of 100", shuffle_and_batch),
    ("map of x + 1 over 1,000,000 numbers", map_numbers),
    ("the same over 100,000, 2 calls at a time", map_numbers_in_parallel),
]


# ---- what a data set costs a step --------------------------------------------------------------


def network(batch):
    """Some 2 ms of work."""
    x = tf.reshape(batch, [64, 256])
    tf.set_random_seed(1)
    for _ in range(4):
        weights = tf.Variable(tf.random_normal([256, 256], stddev=0.05))
        x = tf.nn.relu(tf.matmul(x, weights))
    return tf.reduce_sum(x)


def constant():
    return tf.constant(np.ones([64, 256], np.float32))


def prefetched():
    rows = data.from_tensors(np.ones([64, 256], np.float32)).repeat()
    return tf.data.make_one_shot_iterator(rows.prefetch(4)).get_next()


def step_on(batch):
    """Builds a step. All have one name, so they share the variables of a server: where these lie
    in memory makes more of a difference than a data set."""

    def step():
        return network(batch()).op

    return step


def cost_of_prefetch(clusters, rounds):
    """Medians of what the data set adds to a step, ours and theirs, as columns of a table. The
    turns are short, and each round has ten: a step's time drifts by more than a data set adds."""
    with_set = contenders(step_on(prefetched), clusters, config=tf.ConfigProto())
    without = contenders(step_on(constant), clusters, config=tf.ConfigProto())
    added = []
    for which in (0, 1):
        steps = with_set[which], without[which]
        pair = take_turns(steps, 10 * rounds, seconds=ROUND_SECONDS / 10)
        added.append(median([a - b for a, b in zip(*pair)]))
    ours, theirs = (max(seconds, 1e-6) for seconds in added)  # what is less cannot be told
    return f"{duration(ours)} | {duration(theirs)} | {theirs / ours:.2f}"


# ---- memory ------------------------------------------------------------------------------------


def resident(cluster):
    pid = cluster.processes["worker", 0].pid
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1)) / 1024


def memory_of_a_shuffle(kind):
    """MB that a server grows by while it holds 1,000,000 elements of a shuffle."""
    with Cluster({"worker": 1}, kind=kind) as cluster, tf.Graph().as_default():
        shuffled = data.range(1500000).shuffle(1000000, seed=1)
        iterator = tf.data.make_initializable_iterator(shuffled)
        element = iterator.get_next()
        with tf.Session(cluster.target()) as session:
            session.run(tf.constant(1))
            before = resident(cluster)
            session.run(iterator.initializer)
            session.run(element)
            return resident(cluster) - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default=".", help="regular expression on the row's name")
    arguments = parser.parse_args()

    def wanted(name):
        return re.search(arguments.only, name)

    write_files()
    print("TensorFlow %s, %d rounds, medians" % (tensorflow.__version__, arguments.rounds))
    print("| data set | ours | TensorFlow's | ours is x times as fast |\n|---|---|---|---|")
    with Cluster({"worker": 1}) as ours, Cluster({"worker": 1}, kind="tensorflow") as theirs:
        for name, build in STEPS:
            if wanted(name):
                row = measure(build, (ours, theirs), arguments.rounds, config=tf.ConfigProto())
                print(f"| {name} | {row} |", flush=True)
        name = "what a data set with prefetch adds to a step"
        if wanted(name):
            print(f"| {name} | {cost_of_prefetch((ours, theirs), arguments.rounds)} |", flush=True)
    name = "memory of a shuffle of 1,000,000 numbers"
    if wanted(name):
        ours, theirs = memory_of_a_shuffle("sluice"), memory_of_a_shuffle("tensorflow")
        print(f"| {name} | {ours:.0f} MB | {theirs:.0f} MB | {theirs / ours:.2f} |", flush=True)


if __name__ == "__main__":
    main()
