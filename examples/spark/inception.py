# SPDX-License-Identifier: Apache-2.0
"""Trains a small Inception net on pictures that Spark sends to workers with a parameter server.

    python3 examples/spark/inception.py --master spark://host:7077

Each node of the cluster takes an executor of one core: --executors of them, of which one is the
parameter server. The rows of an RDD go to the workers, in --epochs rounds. Then the driver reads
the checkpoint. The pictures are synthetic. The Python of driver and executors (PYSPARK_PYTHON) has
pyspark, pyarrow and numpy, and finds sluice: the program gives executors its own PYTHONPATH.
"""

import argparse
import os
import tempfile

import numpy as np

PICTURES, CLASSES, SIDE = 512, 4, 16


def rows(numbers):
    """Rows of an RDD: (a picture [16 * 16 * 3] as a list of floats, its kind)."""
    patterns = np.random.RandomState(0).rand(CLASSES, SIDE * SIDE * 3)
    for number in numbers:
        kind = number % CLASSES
        noise = np.random.RandomState(number).rand(SIDE * SIDE * 3)
        yield (patterns[kind] + noise - 1.0).tolist(), kind


def inception(tf, x, sizes, name):
    """A block: convolutions 1 x 1, 3 x 3 and 5 x 5 and a pooling, side by side."""

    def convolve(y, channels, size):
        return tf.layers.conv2d(y, channels, size, padding="same", activation=tf.nn.relu)

    with tf.variable_scope(name):
        towers = [
            convolve(x, sizes, 1),
            convolve(convolve(x, sizes, 1), sizes, 3),
            convolve(convolve(x, sizes, 1), sizes, 5),
            convolve(tf.layers.max_pooling2d(x, 3, 1, "same"), sizes, 1),
        ]
        return tf.concat(towers, axis=3)


def map_fun(args, ctx):
    """Runs on each node."""
    import sluice as tf
    from sluice.spark import TFNode

    cluster, server = TFNode.start_cluster_server(ctx)
    if ctx.job_name == "ps":
        server.join()
    tf.set_random_seed(1)
    device = tf.train.replica_device_setter(
        worker_device=f"/job:worker/task:{ctx.task_index}", cluster=cluster
    )
    with tf.device(device):
        pictures = tf.placeholder(tf.float32, [None, SIDE * SIDE * 3])
        kinds = tf.placeholder(tf.int64, [None])
        x = tf.reshape(pictures, [-1, SIDE, SIDE, 3])
        x = tf.layers.max_pooling2d(inception(tf, x, 4, "block1"), 2, 2)
        x = tf.layers.max_pooling2d(inception(tf, x, 8, "block2"), 2, 2)
        logits = tf.layers.dense(tf.layers.flatten(x), CLASSES, name="logits")
        loss = tf.losses.sparse_softmax_cross_entropy(kinds, logits)
        step = tf.train.get_or_create_global_step()
        train = tf.train.AdamOptimizer(0.003).minimize(loss, global_step=step)

    feed = TFNode.DataFeed(ctx.mgr, input_mapping={"a": "pictures", "b": "kinds"})
    with tf.train.MonitoredTrainingSession(
        server.target, is_chief=ctx.task_index == 0, checkpoint_dir=args.folder
    ) as session:
        taken, found = 0, []
        while not feed.should_stop():
            batch = feed.next_batch(args.batch)
            if len(batch["kinds"]):
                feeds = {pictures: batch["pictures"], kinds: batch["kinds"]}
                found.append(session.run([loss, train], feeds)[0])
                taken += len(batch["kinds"])
    with open(os.path.join(args.folder, f"worker{ctx.task_index}.txt"), "w") as file:
        file.write(f"{taken} rows, loss {found[0]:.4f} to {found[-1]:.4f}" if found else "no rows")


def train(sc, options):
    """What the driver does."""
    import sluice as tf
    from sluice.spark import TFCluster

    cluster = TFCluster.run(
        sc, map_fun, options, options.executors, num_ps=1, input_mode=TFCluster.InputMode.SPARK
    )
    data = sc.parallelize(range(PICTURES), 2 * options.executors).mapPartitions(rows)
    cluster.train(data, options.epochs)
    cluster.shutdown()
    for worker in range(options.executors - 1):
        with open(os.path.join(options.folder, f"worker{worker}.txt")) as file:
            print(f"worker {worker}: {file.read()}")
    reader = tf.train.load_checkpoint(options.folder)
    print(f"trained {reader.get_tensor('global_step')} steps")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--master", default="local-cluster[3,1,1024]", help="URL of the master")
    options.add_argument("--executors", type=int, default=3, help="one is the parameter server")
    options.add_argument("--epochs", type=int, default=4)
    options.add_argument("--batch", type=int, default=32)
    options.add_argument("--folder", help="for checkpoints, which all nodes reach")
    options = options.parse_args()
    options.folder = options.folder or tempfile.mkdtemp()

    import pyspark

    conf = pyspark.SparkConf().setAppName("inception").setMaster(options.master)
    conf.set("spark.executor.cores", "1")
    conf.set("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    sc = pyspark.SparkContext(conf=conf)
    train(sc, options)
    sc.stop()


if __name__ == "__main__":
    main()
